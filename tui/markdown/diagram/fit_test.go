package diagram

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// wideAndLong returns a diagram that is wide on both axes: it has many lines between
// two boxes, and many boxes in a row.
func wideAndLong(n int) string {
	var b strings.Builder
	b.WriteString("graph TD\n")
	for i := range n {
		fmt.Fprintf(&b, "a-->|the same beginning and %d|b\n", i)
	}
	for i := range 40 {
		fmt.Fprintf(&b, "n%d-->n%d\n", i, i+1)
	}
	return b.String()
}

// A large diagram becomes narrow if it can. If it cannot, the layout makes few attempts.
func TestLargeDiagramsAreNotTriedInEveryWay(t *testing.T) {
	var b strings.Builder
	b.WriteString("graph TD\n")
	for i := range 450 {
		fmt.Fprintf(&b, "n%d[\"the words of box %d\"] -->|leads to| n%d\n", i, i, i+1)
	}
	if d, err := Draw(b.String(), Options{Width: 14}); err != nil || d.Width > 14 {
		t.Errorf("%d cells wide, %v", d.Width, err)
	}
	large := wideAndLong(120)
	var fitted Drawing
	cost := func(width int) uint64 { // in allocations
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, err := Draw(large, Options{Width: width})
		runtime.ReadMemStats(&after)
		if fitted = d; err != nil {
			t.Fatal(err)
		}
		return after.Mallocs - before.Mallocs
	}
	once, tried := cost(0), cost(80)
	if fitted.Width <= 80 || len(fitted.Legend) > 0 {
		t.Errorf("%d cells wide, a legend of %d entries", fitted.Width, len(fitted.Legend))
	}
	if tried > 6*once {
		t.Errorf("%d allocations to fit it, %d to draw it once", tried, once)
	}
}

// A turned diagram keeps its heading along the axis on which it fits.
func TestOnlyWhatIsWideIsTurned(t *testing.T) {
	d, err := Draw("flowchart BT\nlower --> upper\nsubgraph g\ndirection LR\nfirst --> second --> third --> fourth --> fifth\nend", Options{Width: 40})
	if err != nil || d.Width > 40 {
		t.Fatalf("%d cells wide, %v", d.Width, err)
	}
	shown := textOf(d)
	for _, pair := range [][2]string{{"upper", "lower"}, {"first", "fifth"}} {
		if a, b := strings.Index(shown, pair[0]), strings.Index(shown, pair[1]); a < 0 || b < a {
			t.Errorf("%s is not above %s:\n%s", pair[0], pair[1], shown)
		}
	}
}

// A title wraps at the width of its diagram and does not make it wider.
func TestATitleWraps(t *testing.T) {
	d, err := Draw("---\ntitle: A title of many words above a small one\n---\ngraph LR\na --> b", Options{Width: 30})
	if want := "A title of many\nwords above a small\n        one\n\n┌───┐"; err != nil || !strings.HasPrefix(textOf(d), want) || d.Width > 20 {
		t.Errorf("%d cells wide, %v:\n%s", d.Width, err, textOf(d))
	}
}

// Labels break into short lines before any word is cut.
func TestWordsStayWholeAsLongAsTheyCan(t *testing.T) {
	d, err := Draw("graph TD\na[Internationalisation] & b[delta epsi zeta] & c[theta iota kappa] --> d --> e --> f", Options{Width: 46})
	if err != nil || d.Width > 46 || len(d.Legend) > 0 {
		t.Errorf("%d cells wide, %v, the legend is %q:\n%s", d.Width, err, d.Legend, textOf(d))
	}
}
