# counters.gp - events per operation: a panel a counter, a row a lock.
# dat: a block a counter: row, name, value, text.

DAT = NAME.'.dat'
set multiplot
unset border
unset grid; set grid xtics lc rgb 0xE4E6E8 lt 1
set yrange [N-0.5:-0.5]; set tics scale 0
set tmargin at screen py(TOP+30); set bmargin at screen py(H-40)
PW = (W - LEFT*1. - 20) / PANELS
set logscale x 10
do for [c = 1:PANELS] {
	set lmargin at screen px(LEFT+(c-1)*PW); set rmargin at screen px(LEFT+c*PW-75)
	if (c == 1) { set ytics noenhanced font BOLD.',10' } else { unset ytics }
	if (c == 2) { do for [i = 1:|NOTE|+1] { unset label i } }
	set label 90 COUNTER[c] at screen px(LEFT+(c-1)*PW),py(TOP+14) noenhanced font BOLD.',10' tc rgb INK
	set xrange [LOW[c]:HIGH[c]]; eval "set xtics ".value('TICS_'.c)." font ',9'"
	L = LOW[c]
	plot DAT index c-1 using (L):1:ytic(2) with points pt 0 ps 0, \
	     DAT index c-1 using (L):1:(($3 > L ? $3 : L)-L):(0) with vectors nohead lc rgb PALE lw 2, \
	     DAT index c-1 using ($3 == $3 ? ($3 > L ? $3 : L) : NaN):1 with points pt 7 ps 1.3 lc rgb 0x0072B2, \
	     DAT index c-1 using ($3 == $3 ? ($3 > L ? $3 : L) : L):1:4 with labels left offset 0.9,0 noenhanced font FONT.',9' tc rgb SOFT
}
unset multiplot
