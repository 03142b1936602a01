# heat.gp - ratios to the baseline: colour and number; ≈ where no difference is
# shown, a grey number where nothing may be claimed.
# dat: column, row, log2 of the ratio (clamped) or NaN, text, colour of the text.

set lmargin at screen px(LEFT); set rmargin at screen px(W-110)
set tmargin at screen py(TOP+HEAD); set bmargin at screen py(H-24)
unset border; unset grid; set tics scale 0
set style fill solid 1 noborder
# Brewer's PuOr: safe for colour-blind eyes
set palette defined (-2 "#B35806", -1.2 "#F1A340", -0.5 "#FEE0B6", 0 "#F7F7F7", 0.5 "#D8DAEB", 1.2 "#998EC3", 2 "#542788") maxcolors 256
set cbrange [-2:2]
set cbtics ('≤¼×' -2, '½×' -1, '1×' 0, '2×' 1, '≥4×' 2) font ',10'
BAR = (H-TOP-HEAD-24.) / H
set colorbox user origin px(W-92),(24./H + (BAR > 260./H ? BAR-260./H : 0)) size px(16),(BAR > 260./H ? 260./H : BAR) noborder
set xrange [-0.5:COLUMNS-0.5]; set yrange [ROWS-0.5:-0.5]
unset xtics
set ytics () ; do for [i = 1:ROWS] { set ytics add (LOCK[i] i-1) }
set ytics noenhanced font BOLD.',10'
do for [i = 1:COLUMNS] {
	set label 300+i COLUMN[i] at i-1,graph 1 left rotate by 35 offset 0,0.5 noenhanced font FONT.',9' tc rgb INK
}
do for [i = 0:COLUMNS] { set arrow 1000+i from i-0.5,graph 0 to i-0.5,graph 1 nohead lc rgb 0xFFFFFF lw 2 front }
do for [i = 0:ROWS] { set arrow 2000+i from graph 0,first i-0.5 to graph 1,first i-0.5 nohead lc rgb 0xFFFFFF lw 2 front }
DAT = NAME.'.dat'
plot DAT using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fc palette, \
     DAT using 1:2:4:5 with labels noenhanced font FONT.',10' tc rgb variable, \
     DAT using 1:2:6:5 with labels noenhanced font FONT.',7' offset 0,-0.75 tc rgb variable
