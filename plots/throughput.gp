# throughput.gp - throughput by threads, each lock named where its line ends.
# dat: three blocks a lock (line and band; two modes; disturbed), then the faults.

set lmargin at screen px(92); set rmargin at screen px(W-RIGHT)
set tmargin at screen py(TOP+18); set bmargin at screen py(H-62)
if (X_LOG) { set logscale x 2 }
set logscale y 10
set xrange [X_LOW:X_HIGH]; set yrange [Y_LOW:Y_HIGH]
set xtics @X_TICS; set ytics @Y_TICS
set xlabel X_LABEL tc rgb INK noenhanced
set ylabel Y_LABEL tc rgb INK noenhanced offset 0.5,0
if (SHADE < X_HIGH) {
	set object 1 rect from SHADE,graph 0 to X_HIGH,graph 1 fc rgb 0xF3F1EC fillstyle solid 1 noborder behind
	set label 20 'more threads than CPUs ' at X_HIGH,graph 1 right offset 0,0.7 font FONT.',9' tc rgb 0x8A8578
}
do for [k = 1:N] {
	if (LABEL_Y[k] == LABEL_Y[k]) {
		set label 100+k LOCK[k].(STOPS[k] ? ' ✕' : '') at screen px(W-RIGHT+18),first LABEL_Y[k] noenhanced tc rgb COLOUR[k] font BOLD.',11' point pt POINT[k] ps 0.9 lc rgb COLOUR[k] offset 0.8,0
	}
	if (FAULT_Y[k] == FAULT_Y[k]) {
		if (FAULT_X[k] < 0) {
			set label 200+k FAULT[k] at -FAULT_X[k],FAULT_Y[k] right noenhanced tc rgb COLOUR[k] font BOLD.',9' offset -1.2,0 front
		} else {
			set label 200+k FAULT[k] at FAULT_X[k],FAULT_Y[k] left noenhanced tc rgb COLOUR[k] font BOLD.',9' offset 1.2,0 front
		}
	}
}
DAT = NAME.'.dat'
plot for [k = 1:N] DAT index 3*(k-1) using 1:3:4 with filledcurves lc rgb COLOUR[k], \
     for [k = 1:N] DAT index 3*(k-1) using 1:2:3:4 with yerrorbars lc rgb COLOUR[k] lw 1 pt 0 ps 0, \
     for [k = 1:N] DAT index 3*(k-1)+1 using 1:2:(0):($3-$2) with vectors nohead lc rgb COLOUR[k] lw 2 dt 3, \
     for [k = 1:N] DAT index 3*(k-1)+1 using 1:2 with points lc rgb COLOUR[k] pt POINT[k] ps 0.9, \
     for [k = 1:N] DAT index 3*(k-1)+1 using 1:3 with points lc rgb COLOUR[k] pt POINT[k] ps 0.9, \
     for [k = 1:N] DAT index 3*(k-1) using 1:2 with lines lc rgb COLOUR[k] lw 2.2 dt DASH[k], \
     for [k = 1:N] DAT index 3*(k-1) using 1:2 with points lc rgb COLOUR[k] pt POINT[k] ps 0.9, \
     for [k = 1:N] DAT index 3*(k-1)+2 using 1:2 with points lc rgb 0x999999 pt 6 ps 2 lw 1.2, \
     DAT index FAULTS using 1:2:($3 > 0 ? COLOUR[int($3)] : 0) with points pt 2 ps 1.1 lw 2 lc rgb variable
