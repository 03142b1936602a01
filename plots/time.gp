# time.gp - where the threads' time goes, and context switches per operation.
# dat: name, user, system (shares), switches, text, row.

BW = 0.34
DAT = NAME.'.dat'
set style fill solid 1 noborder
set multiplot
unset border
unset grid; set grid xtics lc rgb 0xE4E6E8 lt 1
set yrange [N-0.5:-0.5]; set tics scale 0
set tmargin at screen py(TOP+26); set bmargin at screen py(H-34)
set lmargin at screen px(LEFT); set rmargin at screen px(0.57*W)
set xrange [0:1]; set xtics ('0 %%' 0, '25 %%' 0.25, '50 %%' 0.5, '75 %%' 0.75, '100 %%' 1)
set ytics noenhanced font BOLD.',10'
set label 90 'user' at screen px(LEFT),py(TOP+14) font BOLD.',10' tc rgb 0x0072B2
set label 91 'system' at screen px(LEFT+50),py(TOP+14) font BOLD.',10' tc rgb 0xD55E00
set label 92 'not running' at screen px(LEFT+118),py(TOP+14) font BOLD.',10' tc rgb 0x888888
set label 93 'context switches per operation (log)' at screen px(0.61*W),py(TOP+14) font BOLD.',10' tc rgb INK
plot DAT using (0):6:ytic(1) with points pt 0 ps 0, \
     DAT using (0):6:(0):2:($6-BW):($6+BW) with boxxyerror fc rgb 0x0072B2, \
     DAT using 2:6:2:($2+$3):($6-BW):($6+BW) with boxxyerror fc rgb 0xD55E00, \
     DAT using ($2+$3):6:($2+$3):(1):($6-BW):($6+BW) with boxxyerror fc rgb 0xDDDFE2
do for [i = 1:|NOTE|+1] { unset label i }
do for [i = 90:93] { unset label i }
set lmargin at screen px(0.61*W); set rmargin at screen px(W-60)
set logscale x 10; set xrange [X_LOW:X_HIGH]; set xtics @X_TICS
unset ytics
plot DAT using (X_LOW):6:(($4 > X_LOW ? $4 : X_LOW)-X_LOW):(0) with vectors nohead lc rgb PALE lw 2, \
     DAT using ($4 == $4 ? ($4 > X_LOW ? $4 : X_LOW) : NaN):6 with points pt 7 ps 1.3 lc rgb INK, \
     DAT using ($4 == $4 ? ($4 > X_LOW ? $4 : X_LOW) : X_LOW):6:5 with labels left offset 0.9,0 noenhanced font FONT.',9' tc rgb SOFT
unset multiplot
