package compare

// Limits of folds.
const (
	contextLines = 3 // unchanged lines that stay at each side of a change
	leastFolded  = 2 // lines; a fold in place of fewer would be no shorter
)

// folds says which folds of a difference the person has opened.
type folds struct {
	all  bool         // everything is unfolded
	open map[int]bool // by the first line of the fold
}

// unfold opens the fold that begins at a line.
func (f *folds) unfold(first int) {
	if f.open == nil {
		f.open = map[int]bool{}
	}
	f.open[first] = true
}

// toggleAll unfolds everything, or folds it again.
func (f *folds) toggleAll() { f.all, f.open = !f.all, nil }

// foldClass says whether and why a line may be folded.
type foldClass uint8

const (
	changedRow foldClass = iota // never folded
	sameRow
	wentRow
	cameRow
)

// foldable is the lines of a difference. Runs of unchanged lines can be folded.
type foldable interface {
	count() int
	class(at int) foldClass
	// heads reports whether a changed line begins a run of its own.
	heads(at int) bool
	// far returns the lines of an unchanged run that are not near a change.
	far(r run) (first, last int)
}

// run is a run of lines of one class: from up to to. The lines from first up to last are
// folded; if first equals last, none are.
type run struct {
	class       foldClass
	from, to    int
	first, last int
}

// folded reports whether some lines of the run are folded.
func (r run) folded() bool { return r.first < r.last }

// runs cuts lines into runs and folds what the person has not opened.
func (f *folds) runs(l foldable) []run {
	var all []run
	for from := 0; from < l.count(); {
		class, to := l.class(from), from+1
		for to < l.count() && l.class(to) == class && (class != changedRow || !l.heads(to)) {
			to++
		}
		r := run{class: class, from: from, to: to, first: to, last: to}
		if class != changedRow {
			if first, last := l.far(r); !f.all && !f.open[first] && last-first >= leastFolded {
				r.first, r.last = first, last
			}
		}
		all = append(all, r)
		from = to
	}
	return all
}
