package questions

import (
	"math"
	"strconv"
	"strings"
)

// Range describes the points of a scale: Min, and every Step from there up to
// Max. Max is always a point, even if the steps would pass over it. A Range in a
// parsed Spec has Min < Max and Step > 0.
//
// Points are computed in decimals, as people count: with steps of 0.1 the third
// point after 0 is exactly 0.3.
type Range struct {
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
	Step float64 `json:"step"`
}

// The functions below count in units of 10^-MaxScaleDecimals. MaxScaleEnd in
// these units fits an int64.

// maxDigits is how many decimal digits a float64 can distinguish.
const maxDigits = 15

// Points returns the number of points.
func (r Range) Points() int64 {
	steps := r.steps()
	if r.unit(steps) < units(r.Max) {
		return steps + 2
	}
	return steps + 1
}

// Point returns the point with index i; Min has the index 0. An index beyond an
// end gives that end.
func (r Range) Point(i int64) float64 {
	switch {
	case i <= 0:
		return r.Min
	case i > r.steps():
		return r.Max
	}
	return fromUnits(r.unit(i))
}

// Contains reports whether n is one of the points.
func (r Range) Contains(n float64) bool {
	return n >= r.Min && n <= r.Max && r.Nearest(n) == n
}

// Nearest returns the point nearest to n. If two are equally near, it returns the
// greater one. For NaN it returns Min.
func (r Range) Nearest(n float64) float64 {
	i := r.below(n)
	lower, upper := r.Point(i), r.Point(i+1)
	if n-lower < upper-n || math.IsNaN(n) {
		return lower
	}
	return upper
}

// Next returns the first point above n if dir is positive, and the first point
// below n if dir is negative. If there is none, it returns the end. With dir 0 it
// is Nearest.
func (r Range) Next(n float64, dir int) float64 {
	i := r.below(n)
	switch {
	case dir == 0:
		return r.Nearest(n)
	case dir > 0 && n < r.Min:
		return r.Min
	case dir > 0:
		return r.Point(i + 1)
	case r.Point(i) < n:
		return r.Point(i)
	}
	return r.Point(i - 1)
}

// steps returns how many whole steps fit between the ends.
func (r Range) steps() int64 {
	step := units(r.Step)
	if step <= 0 || r.Max <= r.Min {
		return 0
	}
	return (units(r.Max) - units(r.Min)) / step
}

// unit returns the point i steps above Min, in units.
func (r Range) unit(i int64) int64 { return units(r.Min) + i*units(r.Step) }

// below returns the index of the last point that is at most n; 0 if all points
// are above n.
func (r Range) below(n float64) int64 {
	last := r.Points() - 1
	i := int64(0)
	if step := units(r.Step); step > 0 {
		i = min(max((units(n)-units(r.Min))/step, 0), last)
	}
	// Rounding n to units may have moved it to the other side of a point.
	for i > 0 && r.Point(i) > n {
		i--
	}
	for i < last && r.Point(i+1) <= n {
		i++
	}
	return i
}

// digits returns how many decimal digits the points need.
func (r Range) digits() int {
	whole := FormatNumber(math.Trunc(max(math.Abs(r.Min), math.Abs(r.Max))))
	return len(strings.TrimLeft(whole, "0")) + max(decimals(r.Min), decimals(r.Max), decimals(r.Step))
}

// units rounds f to whole units, after limiting it to ±MaxScaleEnd.
func units(f float64) int64 {
	if math.IsNaN(f) {
		return 0
	}
	f = min(max(f, -MaxScaleEnd), MaxScaleEnd)
	digits := strings.Replace(strconv.FormatFloat(f, 'f', MaxScaleDecimals, 64), ".", "", 1)
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil { // cannot be: at most 19 digits, below 2^63
		return 0
	}
	return n
}

// fromUnits returns the float64 nearest to n units. It goes through decimal
// digits to be exact.
func fromUnits(n int64) float64 {
	f, err := strconv.ParseFloat(strconv.FormatInt(n, 10)+"e-"+strconv.Itoa(MaxScaleDecimals), 64)
	if err != nil { // cannot be: it is a decimal number in range
		return 0
	}
	return f
}

// decimals counts the digits after the point of a finite number.
func decimals(f float64) int {
	_, after, _ := strings.Cut(FormatNumber(f), ".")
	return len(after)
}
