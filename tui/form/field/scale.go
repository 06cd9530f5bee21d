package field

import (
	"math"
	"strconv"
	"strings"

	"planb/questions"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// scale is a question answered with a number between two ends.
type scale struct {
	q        questions.Question
	readOnly bool
	value    float64 // the value shown; it is an answer only if set
	set      bool
	typed    string // digits typed so far
	wrong    string // why typed is no point of the scale
	cells    int    // length of the track last drawn
	// before is the answer when typing began. It counts again whenever typed is no point of
	// the scale.
	before questions.Field
}

func newScale(q questions.Question, readOnly bool) *scale {
	f := &scale{q: q, readOnly: readOnly}
	f.rest()
	return f
}

// rest takes the answer back: the scale shows the default, or else its lower end.
func (f *scale) rest() {
	f.value, f.set, f.typed, f.wrong = f.resting(), false, "", ""
}

func (f *scale) resting() float64 {
	if n, ok := f.proposed(); ok {
		return n
	}
	return f.q.Min
}

// proposed returns the default; false if there is none.
func (f *scale) proposed() (n float64, ok bool) {
	if f.q.Default == nil {
		return 0, false
	}
	return f.q.Default.Number()
}

func (f *scale) Load(d questions.Field) {
	f.rest()
	if d.Number != nil {
		f.value, f.set = *d.Number, true
	}
}

func (f *scale) Save() questions.Field {
	if !f.set {
		return questions.Field{}
	}
	n := f.value
	return questions.Field{Number: &n}
}

func (f *scale) TakeDefault() bool {
	if f.q.Default == nil {
		return false
	}
	f.rest()
	f.set = true
	return true
}

func (f *scale) Enter(Way)            { f.typed, f.wrong = "", "" }
func (f *scale) Text() *editor.Editor { return nil }

// Leave tells the person if typed is no point of the scale yet.
func (f *scale) Leave() (whole bool) {
	whole = !f.pending()
	if !whole {
		f.refuse()
	}
	f.typed = ""
	return whole
}

func (f *scale) Illustration() int { return NoOption }

func (f *scale) Sideways() bool { return !f.readOnly }

func (f *scale) Close() bool {
	open := f.typed != "" || f.wrong != ""
	f.typed, f.wrong = "", ""
	return open
}

func (f *scale) CopyText() string {
	if !f.set {
		return ""
	}
	return questions.FormatNumber(f.value)
}

func (f *scale) Act(p keymap.Press) keymap.Effect {
	if f.readOnly {
		return keymap.Ignored
	}
	switch p.Act {
	case keymap.Left:
		return f.step(-1)
	case keymap.Right:
		return f.step(1)
	case keymap.Enter, keymap.Space:
		switch {
		case f.pending():
			f.refuse()
			return keymap.Moved
		case f.set && p.Act == keymap.Enter:
			return keymap.Advance
		}
		f.typed, f.wrong = "", ""
		return f.put(f.value)
	case keymap.Digit:
		if f.typed == "" {
			f.before = f.Save()
		}
		return f.typeDigit(f.typed + p.Text)
	case keymap.Backspace:
		if len(f.typed) > 1 {
			return f.typeDigit(f.typed[:len(f.typed)-1])
		}
		if f.pending() { // the answer from before still counts
			f.typed = ""
			return keymap.Moved
		}
		f.rest()
		return keymap.Changed
	}
	return keymap.Ignored
}

func (f *scale) step(by int) keymap.Effect {
	f.typed, f.wrong = "", ""
	return f.put(f.q.Next(f.value, by))
}

func (f *scale) put(n float64) keymap.Effect {
	f.value, f.set = n, true
	return keymap.Changed
}

// typeDigit handles the digits typed so far. They are the value as soon as they are a point
// of the scale. A digit that makes the number too long begins a new one.
func (f *scale) typeDigit(typed string) keymap.Effect {
	const longest = 15
	if len(typed) > longest {
		return keymap.Moved
	}
	f.typed, f.wrong = typed, ""
	if !f.pending() {
		n, _ := strconv.ParseFloat(typed, 64)
		did := f.put(n)
		if HasRadios(f.q) && !f.mayBecome(typed) {
			return keymap.Settled // the whole number is typed, as one key picks an option
		}
		return did
	}
	may := f.mayBecome(typed)
	if !may && len(typed) > 1 && !strings.Contains(typed, ".") {
		f.before = f.Save()
		return f.typeDigit(typed[len(typed)-1:])
	}
	f.value, f.set = f.resting(), false
	if n := f.before.Number; n != nil {
		f.value, f.set = *n, true
	}
	if !may {
		f.refuse()
	}
	return keymap.Changed
}

// pending reports whether digits were typed that are no point of the scale yet.
func (f *scale) pending() bool {
	n, err := strconv.ParseFloat(f.typed, 64)
	return f.typed != "" && (err != nil || !f.q.Contains(n))
}

// typing reports whether digits were typed to which more may come.
func (f *scale) typing() bool { return f.typed != "" && (f.pending() || f.mayBecome(f.typed)) }

// refuse tells the person why the digits typed are no answer.
func (f *scale) refuse() {
	f.wrong = f.typed + " is not on the scale: " + f.describe()
	f.typed = ""
}

// mayBecome reports whether more digits may turn the ones typed into a point of the scale.
func (f *scale) mayBecome(typed string) bool {
	whole, fraction, pointed := strings.Cut(strings.TrimPrefix(typed, "-"), ".")
	least, most, decimals := f.q.Min, f.q.Max, f.decimals()
	if strings.HasPrefix(typed, "-") { // as if the scale were mirrored
		least, most = -most, -least
	}
	if most < 0 || pointed && len(fraction) >= decimals {
		return false
	}
	n, err := strconv.ParseFloat("0"+whole+"."+fraction+"0", 64)
	if err != nil {
		return false
	}
	if !pointed && (whole == "" || n > 0 && 10*n <= most) {
		return true
	}
	return decimals > 0 && n <= most && n+math.Pow(10, -float64(len(fraction))) > least
}

// decimals returns the most digits that a point of the scale has behind the decimal point.
func (f *scale) decimals() int {
	most := 0
	for _, n := range []float64{f.q.Min, f.q.Max, f.q.Step} {
		_, fraction, _ := strings.Cut(questions.FormatNumber(n), ".")
		most = max(most, len(fraction))
	}
	return most
}

// describe names the scale's points.
func (f *scale) describe() string {
	text := questions.FormatNumber(f.q.Min) + " to " + questions.FormatNumber(f.q.Max)
	if f.q.Step != 1 {
		text += " in steps of " + questions.FormatNumber(f.q.Step)
	}
	return text
}

// Places of a scale that can be clicked: its points by index, its track, and its numbers from
// scaleTick downwards.
const (
	scaleTrack = -1
	scaleTick  = -2
)

func (f *scale) Click(at, x, _ int) keymap.Effect {
	if f.readOnly {
		return keymap.Moved
	}
	f.typed, f.wrong = "", ""
	switch {
	case at >= 0:
		return f.put(f.q.Point(int64(at)))
	case at <= scaleTick:
		return f.put(f.ticks(f.cells)[scaleTick-at])
	}
	return f.put(f.q.Nearest(f.q.Min + (f.q.Max-f.q.Min)*float64(x)/float64(max(1, f.cells-1))))
}

func (f *scale) Hints() []screen.Hint {
	switch {
	case f.readOnly:
		return nil
	case f.pending():
		return []screen.Hint{{Act: keymap.Backspace, Does: "erase"}, {Act: keymap.Escape, Does: "as it was"}}
	case f.typing():
		return []screen.Hint{{Act: keymap.Enter, Does: GoesOn}, {Act: keymap.Backspace, Does: "erase"}}
	case !f.set:
		return []screen.Hint{{Act: keymap.Enter, Does: "set " + questions.FormatNumber(f.value)}, {Act: keymap.Right, Does: "change"}, {Act: keymap.Digit, Does: "type it"}}
	}
	return []screen.Hint{{Act: keymap.Right, Does: "change"}, {Act: keymap.Enter, Does: GoesOn}, {Act: keymap.Backspace, Does: "clear"}}
}
