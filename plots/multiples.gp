# multiples.gp - throughput by threads for many locks: a panel each, on the same
# axes, with all the others in grey. dat: as throughput.gp.

set multiplot
DAT = NAME.'.dat'
PW = (W - 95.) / COLUMNS; PH = (H - TOP - 60.) / ROWS
if (X_LOG) { set logscale x 2 }
set logscale y 10
set xrange [X_LOW:X_HIGH]; set yrange [Y_LOW:Y_HIGH]
if (SHADE < X_HIGH) {
	set object 1 rect from SHADE,graph 0 to X_HIGH,graph 1 fc rgb 0xF3F1EC fillstyle solid 1 noborder behind
}
set label 90 Y_LABEL at screen px(22),screen 0.5*(py(TOP)+py(H-60)) center rotate by 90 noenhanced tc rgb INK
if (SHADE < X_HIGH) {
	set label 91 X_LABEL.'; shaded: more threads than CPUs' at screen 0.5,py(H-20) center noenhanced tc rgb INK
} else {
	set label 91 X_LABEL at screen 0.5,py(H-20) center noenhanced tc rgb INK
}
do for [k = 1:N] {
	row = (k-1) / COLUMNS; col = (k-1) % COLUMNS
	x = 80 + col*PW; y = TOP + 8 + row*PH
	set lmargin at screen px(x+4); set rmargin at screen px(x+PW-12)
	set tmargin at screen py(y+18); set bmargin at screen py(y+PH-12)
	if (k + COLUMNS > N) { set xtics @X_TICS font ',9' offset 0,0.3 } else { set xtics @X_TICS format ''; set xtics ('' X_LOW) }
	if (col == 0) { set ytics @Y_TICS font ',9' tc rgb INK } else { set ytics @Y_TICS font ',1' tc rgb 0xFFFFFF }
	if (k == 2) { do for [i = 1:|NOTE|+1] { unset label i }; unset label 90; unset label 91 }
	set label 100 LOCK[k] at graph 0,1 offset 0.4,0.7 noenhanced font BOLD.',10' tc rgb 0x0072B2 front
	set label 101 FAULT[k] at graph 1,1 offset -0.4,0.7 right noenhanced font BOLD.',9' tc rgb 0xD55E00 front
	plot for [j = 1:N] DAT index 3*(j-1) using 1:2 with lines lc rgb PALE lw 1, \
	     DAT index 3*(k-1) using 1:3:4 with filledcurves lc rgb 0x0072B2, \
	     DAT index 3*(k-1) using 1:2:3:4 with yerrorbars lc rgb 0x0072B2 lw 1 pt 0 ps 0, \
	     DAT index 3*(k-1)+1 using 1:2:(0):($3-$2) with vectors nohead lc rgb 0x0072B2 lw 2 dt 3, \
	     DAT index 3*(k-1)+1 using 1:2 with points lc rgb 0x0072B2 pt 7 ps 0.6, \
	     DAT index 3*(k-1)+1 using 1:3 with points lc rgb 0x0072B2 pt 7 ps 0.6, \
	     DAT index 3*(k-1) using 1:2 with linespoints lc rgb 0x0072B2 lw 2.2 dt DASH[k] pt 7 ps 0.6, \
	     DAT index 3*(k-1)+2 using 1:2 with points lc rgb 0x999999 pt 6 ps 1.5 lw 1.2, \
	     DAT index FAULTS using 1:(int($3) == k ? $2 : NaN) with points pt 2 ps 1 lw 2 lc rgb 0xD55E00
}
unset multiplot
