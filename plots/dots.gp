# dots.gp - throughput at one number of threads: a row a lock, the fastest on top.
# dat: median, low, high, name, text, row, disturbed runs; then the single runs.

set lmargin at screen px(LEFT); set rmargin at screen px(W-190)
set tmargin at screen py(TOP+10); set bmargin at screen py(H-62)
set border 1
unset grid; set grid xtics lc rgb 0xE4E6E8 lt 1 lw 1
set logscale x 10
set xrange [X_LOW:X_HIGH]; set yrange [N-0.5:-0.5]
set xtics @X_TICS; set ytics noenhanced scale 0 font BOLD.',10'; set y2tics noenhanced scale 0 font FONT.',10' tc rgb SOFT
set y2range [N-0.5:-0.5]
set xlabel Y_LABEL tc rgb INK noenhanced
DAT = NAME.'.dat'
plot DAT index 0 using (X_LOW):6:ytic(4) with points pt 0 ps 0, \
     DAT index 0 using (X_LOW):6:y2tic(5) axes x1y2 with points pt 0 ps 0, \
     DAT index 0 using (X_LOW):6:(X_HIGH-X_LOW):(0) with vectors nohead lc rgb 0xF0F1F2 lw 1, \
     DAT index 1 using 1:($2+0.27) with points pt 7 ps 0.45 lc rgb 0xB8BCC0, \
     DAT index 0 using ($2 == $2 ? $1 : NaN):6:2:3 with xerrorbars lc rgb 0x0072B2 lw 2.4 pt 0 ps 0, \
     DAT index 0 using 8:6:($9-$8):(0) with vectors nohead lc rgb 0x0072B2 lw 2 dt 3, \
     DAT index 0 using 8:6 with points pt 7 ps 1.3 lc rgb 0x0072B2, \
     DAT index 0 using 9:6 with points pt 7 ps 1.3 lc rgb 0x0072B2, \
     DAT index 0 using 1:($7 > 0 ? $6 : NaN) with points pt 6 ps 2.2 lw 1.2 lc rgb 0x999999, \
     DAT index 0 using 1:6 with points pt 7 ps 1.3 lc rgb 0x0072B2
