# latency.gp - waiting time by nines: the share of acquisitions that waited longer
# goes down by ten for each tic. dat: a block a lock: 1/(1-p), ns.
# One panel with names at the ends, or (COLUMNS > 0) a panel a lock.

DAT = NAME.'.dat'
set logscale xy
set xrange [1:X_HIGH]; set yrange [Y_LOW:Y_HIGH]
set grid xtics ytics lc rgb 0xE4E6E8 lt 1
if (COLUMNS == 0) {
	set lmargin at screen px(92); set rmargin at screen px(W-RIGHT)
	set tmargin at screen py(TOP+8); set bmargin at screen py(H-62)
	set xtics @X_TICS; set ytics @Y_TICS
	set xlabel 'percentile of sampled acquisitions' tc rgb INK
	set ylabel 'time to acquire (log)' tc rgb INK offset 0.5,0
	do for [k = 1:N] {
		if (LABEL_Y[k] == LABEL_Y[k]) {
			set label 100+k LOCK[k] at screen px(W-RIGHT+14),first LABEL_Y[k] noenhanced tc rgb COLOUR[k] font BOLD.',11'
		}
	}
	plot for [k = 1:N] DAT index k-1 using 1:2 with steps lc rgb COLOUR[k] lw 2.2 dt DASH[k], \
	     for [k = 1:N] DAT index N+k-1 using 1:2 with points lc rgb COLOUR[k] pt POINT[k] ps 0.9
} else {
	set multiplot
	PW = (W - 95.) / COLUMNS; PH = (H - TOP - 60.) / ROWS
	set label 90 'time to acquire (log)' at screen px(18),screen 0.5*(py(TOP)+py(H-60)) center rotate by 90 tc rgb INK
	set label 91 'percentile of sampled acquisitions' at screen 0.5,py(H-20) center tc rgb INK
	do for [k = 1:N] {
		row = (k-1) / COLUMNS; col = (k-1) % COLUMNS
		x = 80 + col*PW; y = TOP + 8 + row*PH
		set lmargin at screen px(x+4); set rmargin at screen px(x+PW-12)
		set tmargin at screen py(y+18); set bmargin at screen py(y+PH-12)
		if (k + COLUMNS > N) { set xtics @X_FEW font ',8' offset 0,0.3 tc rgb INK } else { set xtics @X_FEW font ',1' tc rgb 0xFFFFFF }
		if (col == 0) { set ytics @Y_TICS font ',9' tc rgb INK } else { set ytics @Y_TICS font ',1' tc rgb 0xFFFFFF }
		if (k == 2) { do for [i = 1:|NOTE|+1] { unset label i }; unset label 90; unset label 91 }
		set label 100 LOCK[k] at graph 0,1 offset 0.4,0.7 noenhanced font BOLD.',10' tc rgb 0x0072B2 front
		plot for [j = 1:N] DAT index j-1 using 1:2 with steps lc rgb PALE lw 1, \
		     DAT index k-1 using 1:2 with steps lc rgb 0x0072B2 lw 2.2, \
		     DAT index N+k-1 using 1:2 with points lc rgb 0x0072B2 pt 7 ps 0.6
	}
	unset multiplot
}
