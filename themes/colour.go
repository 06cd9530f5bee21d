package themes

import (
	"fmt"
	"math"
)

// rgb is a colour in sRGB.
type rgb struct{ r, g, b uint8 }

// linear turns an sRGB channel into linear light, from 0 to 1.
func linear(v uint8) float64 {
	s := float64(v) / 255
	if s <= 0.04045 {
		return s / 12.92
	}
	return math.Pow((s+0.055)/1.055, 2.4)
}

// between returns the colour in the middle of two others. Text that is readable on both is
// readable on it.
func between(a, b Color) Color {
	from, ok := parseColor(a)
	to, ok2 := parseColor(b)
	if !ok || !ok2 {
		return a
	}
	mean := func(a, b uint8) int { return (int(a) + int(b)) / 2 }
	return Color(fmt.Sprintf("#%02x%02x%02x", mean(from.r, to.r), mean(from.g, to.g), mean(from.b, to.b)))
}

// lab is a colour in Oklab, where distances match what people see.
type lab struct{ l, a, b float64 }

func (c rgb) lab() lab {
	r, g, b := linear(c.r), linear(c.g), linear(c.b)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return lab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// distance returns the square of the distance between two colours.
func (c lab) distance(o lab) float64 {
	return (c.l-o.l)*(c.l-o.l) + (c.a-o.a)*(c.a-o.a) + (c.b-o.b)*(c.b-o.b)
}
