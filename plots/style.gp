# style.gp - what all pictures share. Wants TERM, NAME, W, H, TITLE, NOTE[], TOP.
# Colours are safe for colour-blind eyes and come from the caller; there is no
# legend: what is drawn is named where it is drawn.

INK = 0x333333; SOFT = 0x666666; PALE = 0xC8CCD0
FONT = 'DejaVu Sans'; BOLD = 'DejaVu Sans Bold'

# svg measures fonts in pixels, the cairo terminals in points
if (TERM eq 'svg') { set terminal svg size W,H dynamic font FONT.',11' fontscale 1.3 enhanced background '#ffffff' name 'g'; F = 1.3 }
if (TERM eq 'png') { set terminal pngcairo size W,H font FONT.',11' enhanced background '#ffffff' dashlength 1.2; F = 1 }
if (TERM eq 'pdf') { set terminal pdfcairo size W/96.,H/96. font FONT.',11' enhanced background '#ffffff'; F = 1 }
set output '../'.NAME.'.'.TERM
set encoding utf8

# screen coordinates of pixels from the left, and from the top
px(x) = real(x) / W
py(y) = 1 - real(y) / H

set label 1 TITLE at screen px(20),py(24) noenhanced font BOLD.',14' tc rgb 0x000000
do for [i = 1:|NOTE|] {
	set label 1+i NOTE[i] at screen px(20),py(29+17*i) noenhanced font FONT.',9' tc rgb SOFT
}
set border 3 lc rgb 0x808080 lw 1
set tics nomirror scale 0.6 tc rgb INK
set grid ytics lc rgb 0xE4E6E8 lt 1 lw 1
set key off
set style fill transparent solid 0.18 noborder
