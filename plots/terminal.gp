# terminal.gp - throughput by threads in characters: a letter a lock.
# Wants $DATA (a block a lock: x, y), N, LOCK[], LABEL_Y[], RIGHT, the axes.
set terminal dumb noenhanced size 79,21
set key off
set border 3
set tics nomirror scale 0.5
set tmargin 1; set rmargin RIGHT; set lmargin 10
if (X_LOG) { set logscale x 2 }
set logscale y 10
set xrange [X_LOW:X_HIGH]; set yrange [Y_LOW:Y_HIGH]
set xtics @X_TICS
set ytics @Y_TICS
set xlabel X_LABEL
LETTER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
letter(k) = substr(LETTER, (k-1)%26+1, (k-1)%26+1)
do for [k = 1:N] {
	if (LABEL_Y[k] == LABEL_Y[k]) { set label k letter(k).' '.LOCK[k] at graph 1.02,first LABEL_Y[k] }
}
plot for [k = 1:N] $DATA index k-1 using 1:2 with lines lt 0, \
     for [k = 1:N] $DATA index k-1 using 1:2:(letter(k)) with labels
