package questions_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"planb/questions"
)

func points(r questions.Range) []float64 {
	var all []float64
	for i := range r.Points() {
		all = append(all, r.Point(i))
	}
	return all
}

func TestRangePoints(t *testing.T) {
	for _, c := range []struct {
		r    questions.Range
		want []float64
	}{
		{questions.Range{Min: 0, Max: 1, Step: 0.1}, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}},
		{questions.Range{Min: 1, Max: 5, Step: 1}, []float64{1, 2, 3, 4, 5}},
		{questions.Range{Min: 0, Max: 10, Step: 4}, []float64{0, 4, 8, 10}},
		{questions.Range{Min: 1, Max: 3, Step: 10}, []float64{1, 3}},
		{questions.Range{Min: -0.3, Max: 0.3, Step: 0.2}, []float64{-0.3, -0.1, 0.1, 0.3}},
		{questions.Range{Min: 0.000001, Max: 0.000003, Step: 0.000001}, []float64{0.000001, 0.000002, 0.000003}},
		{questions.Range{Min: 99999999.7, Max: 100000000, Step: 0.1}, []float64{99999999.7, 99999999.8, 99999999.9, 100000000}},
	} {
		if got := points(c.r); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.r, got, c.want)
		}
	}
	if n := (questions.Range{Min: -1e12, Max: 1e12, Step: 1e-3}).Points(); n != 2e15+1 {
		t.Errorf("a huge range has %d points", n)
	}
}

func TestRangeNearestAndNext(t *testing.T) {
	tens := questions.Range{Min: 0, Max: 1, Step: 0.1}
	fours := questions.Range{Min: 0, Max: 10, Step: 4}
	inf := math.Inf(1)
	for _, c := range []struct {
		r                    questions.Range
		n, nearest, down, up float64
	}{
		{tens, 0, 0, 0, 0.1},
		{tens, 0.3, 0.3, 0.2, 0.4},
		{tens, 0.30000000000000004, 0.3, 0.3, 0.4}, // 0.1 + 0.2 in float64
		{tens, 0.25, 0.3, 0.2, 0.3},
		{tens, 0.24, 0.2, 0.2, 0.3},
		{tens, 1, 1, 0.9, 1},
		{tens, 5, 1, 1, 1},
		{tens, -5, 0, 0, 0},
		{tens, inf, 1, 1, 1},
		{tens, -inf, 0, 0, 0},
		{fours, 8, 8, 4, 10},
		{fours, 8.9, 8, 8, 10},
		{fours, 9, 10, 8, 10},
		{fours, 10, 10, 8, 10},
		{fours, 0.0000001, 0, 0, 4},
		{fours, 3.9999999, 4, 0, 4},
	} {
		if got := c.r.Nearest(c.n); got != c.nearest {
			t.Errorf("%+v: nearest to %v is %v, want %v", c.r, c.n, got, c.nearest)
		}
		if got := c.r.Next(c.n, -1); got != c.down {
			t.Errorf("%+v: below %v is %v, want %v", c.r, c.n, got, c.down)
		}
		if got := c.r.Next(c.n, 1); got != c.up {
			t.Errorf("%+v: above %v is %v, want %v", c.r, c.n, got, c.up)
		}
		if got := c.r.Next(c.n, 0); got != c.nearest {
			t.Errorf("%+v: next to %v in no direction is %v, want %v", c.r, c.n, got, c.nearest)
		}
	}
	if got := tens.Nearest(math.NaN()); got != 0 {
		t.Errorf("nearest to NaN is %v", got)
	}
	for _, n := range []float64{math.NaN(), inf, -inf, 0.30000000000000004, 0.15, -0.1, 1.1} {
		if tens.Contains(n) {
			t.Errorf("%v is called a point", n)
		}
	}
}

// A Range that Parse never returns must not make a screen hang or crash.
func TestRangeMadeByHand(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, r := range []questions.Range{{}, {Min: 1, Max: 0, Step: 1}, {Max: 1, Step: -1}, {Max: 1}, {Min: nan, Max: nan, Step: nan},
		{Min: -inf, Max: inf, Step: 1e-9}, {Max: 1e300, Step: 1e300}, {Max: 1e-9, Step: 1e-10}} {
		for _, n := range []float64{0, 1, -1, nan, inf, -inf, 1e300} {
			r.Points()
			r.Nearest(n)
			r.Next(n, 1)
			r.Next(n, -1)
			r.Contains(n)
		}
	}
}

func drawRange(t *rapid.T) questions.Range {
	decimals := rapid.IntRange(0, 6).Draw(t, "decimals")
	unit := math.Pow10(decimals)
	limit := int64(1_000_000_000)
	low := rapid.Int64Range(-limit, limit-1).Draw(t, "min")
	high := rapid.Int64Range(low+1, limit).Draw(t, "max")
	step := rapid.OneOf(rapid.Int64Range(1, 20), rapid.Int64Range(1, limit)).Draw(t, "step")
	return questions.Range{Min: float64(low) / unit, Max: float64(high) / unit, Step: float64(step) / unit}
}

// Walking a range up and down gives the same points, in order. Each point is
// found again and has no more decimals than the range.
func TestRangeWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRange(t)
		i := rapid.Int64Range(0, r.Points()-1).Draw(t, "point")
		p := r.Point(i)
		if !r.Contains(p) || r.Nearest(p) != p {
			t.Fatalf("%+v: point %d, %v, is not known again", r, i, p)
		}
		if up := r.Next(p, 1); i < r.Points()-1 && (up <= p || up != r.Point(i+1) || r.Next(up, -1) != p) {
			t.Fatalf("%+v: from %v up to %v and down to %v", r, p, up, r.Next(up, -1))
		}
		for _, end := range []int64{0, r.Points() - 1} {
			if q := r.Point(end); q != r.Min && q != r.Max {
				t.Fatalf("%+v: the end is %v", r, q)
			}
		}
		n := rapid.Float64Range(r.Min, r.Max).Draw(t, "n")
		near := r.Nearest(n)
		// Neither float64 is exactly the decimal that it stands for.
		rounded := 2 * (math.Nextafter(math.Abs(n), math.Inf(1)) - math.Abs(n))
		if !r.Contains(near) || math.Abs(near-n) > r.Step/2*(1+1e-9)+rounded {
			t.Fatalf("%+v: nearest to %v is %v", r, n, near)
		}
	})
}
