# fairness.gp - each thread's operations as a multiple of a fair share, a row a
# lock. dat: share, row, role (0 any, 1 reader, 2 writer), thread; then row, Jain.

set lmargin at screen px(LEFT); set rmargin at screen px(W-JAIN_WIDTH)
set tmargin at screen py(TOP+26); set bmargin at screen py(H-40)
unset border
unset grid; set grid xtics lc rgb 0xE4E6E8 lt 1
set tics scale 0
set logscale x 2
set xrange [0.07:16]; set yrange [N-0.5:-0.5]; set y2range [N-0.5:-0.5]
set xtics ('none' 0.08, '⅛×' 0.125, '¼×' 0.25, '½×' 0.5, 'fair share' 1, '2×' 2, '4×' 4, '8×' 8)
set ytics noenhanced font BOLD.',10'
set y2tics noenhanced font 'DejaVu Sans Mono,10' tc rgb INK
set arrow 1 from 1,graph 0 to 1,graph 1 nohead lc rgb SOFT dt 2
set label 90 JAIN_TITLE at screen px(W-JAIN_WIDTH+12),py(TOP+14) font FONT.',9' tc rgb SOFT
if (ROLES) {
	set label 91 'reader' at screen px(LEFT),py(TOP+14) font BOLD.',10' tc rgb 0x0072B2
	set label 92 'writer' at screen px(LEFT+65),py(TOP+14) font BOLD.',10' tc rgb 0xD55E00
}
role(r) = r == 2 ? 0x66D55E00 : 0x660072B2
clamp(v) = v < 0.08 ? 0.08 : v > 15 ? 15 : v
# rows of threads are told apart by a fixed scatter, the same for each lock
scatter(t) = ((t*0.618 - floor(t*0.618)) - 0.5) * 0.5
DAT = NAME.'.dat'
plot DAT index 1 using (1):1:ytic(2) with points pt 0 ps 0, \
     DAT index 1 using (1):1:y2tic(3) axes x1y2 with points pt 0 ps 0, \
     DAT index 0 using (clamp($1)):($2+scatter($4)):(role($3)) with points pt 7 ps 0.8 lc rgb variable
