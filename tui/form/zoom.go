package form

import (
	"fmt"
	"slices"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/form/rendering"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// zoom shows the illustration, the introduction, or the full text under the cursor on the
// whole screen.
func (q *questionnaire) zoom() {
	e := q.state.current()
	if e == nil {
		q.host.unfold(&introPage{q})
		return
	}
	c, ok := e.field.(field.Illustrated)
	onOption := ok && q.state.focused() == e && !e.onNote && c.Cursor() >= 0
	if ref, _, _, ok := q.panelText(); ok && (!onOption || q.atCursor(ref)) {
		q.host.unfold(&illustrationPage{q, ref})
		return
	}
	parts := []safe.Text{e.q.Label, e.q.Description}
	if onOption {
		o := e.q.Options[c.Cursor()]
		parts = append(parts, o.Shown(), o.Description)
	}
	if q.state.focused() == e {
		parts = append(parts, safe.New(q.aboutEarlier(e)))
	}
	var text []string
	for _, part := range parts {
		if !part.Blank() {
			text = append(text, part.Raw())
		}
	}
	q.host.unfold(&textPage{q.host, "Question", safe.New(strings.Join(text, "\n\n"))})
}

// introPage is the introduction on the whole screen.
type introPage struct{ q *questionnaire }

func (*introPage) measure() int { return 0 }
func (p *introPage) head(width int) string {
	return p.q.host.Styles().Title.Render(cells.Cut(p.q.state.spec.IntroTitle.Line(), width))
}
func (p *introPage) doc(width int) (markdown.Doc, bool) {
	spec := p.q.state.spec
	doc, done := spread(spec.Intro, width, func(width int) (markdown.Doc, bool) {
		return p.q.docs.Get(rendering.Ref{Part: rendering.Intro}, spec.Intro, width)
	})
	if done {
		return doc.Below(spec.IntroTitle.Line()), true
	}
	return markdown.Doc{Lines: p.q.host.Wrap(spec.Intro, min(width, ReadWidth))}, false
}
func (*introPage) act(keymap.Action) bool { return false }
func (*introPage) hints() []screen.Hint   { return closeHint() }

// illustrationPage is an option's illustration on the whole screen. The next option's
// illustration keeps the scroll and the pan, so that the person can compare them.
type illustrationPage struct {
	q   *questionnaire
	ref rendering.Ref
}

func (p *illustrationPage) question() *control { return p.q.state.controls[p.ref.Question] }

func (p *illustrationPage) field() field.Illustrated {
	return p.question().field.(field.Illustrated)
}

func (p *illustrationPage) option() questions.Option { return p.question().q.Options[p.ref.Option] }

func (*illustrationPage) measure() int { return 0 }

func (p *illustrationPage) head(width int) string {
	st := p.q.host.Styles()
	chosen, of := p.chosen()
	title := st.Title.Render(p.option().Shown().Line() + " · " + p.question().q.Label.Line())
	if chosen != "" {
		title = st.Accent.Render(chosen) + " " + title
	}
	return cells.Sides(title, st.Faint.Render(of), width)
}

func (p *illustrationPage) doc(width int) (doc markdown.Doc, done bool) {
	text, docs := p.option().Markdown, p.q.docs
	docs.Begin()
	doc, done = spread(text, width, func(width int) (markdown.Doc, bool) { return docs.Illustration(p.ref, text, width) })
	width = min(width, ReadWidth)
	p.ahead(width)
	title := p.option().Shown().Line()
	if done {
		return doc.Below(title), true
	}
	if doc, ok := docs.StandIn(p.ref, width); ok {
		return doc.Below(title), false
	}
	return markdown.Doc{Lines: p.q.host.Wrap(text, width)}, false
}

// act does the actions on the option whose illustration is shown.
func (p *illustrationPage) act(act keymap.Action) bool {
	switch act {
	case keymap.Next:
		p.step(1)
	case keymap.Prev:
		p.step(-1)
	case keymap.Enter, keymap.Space:
		if p.q.state.readOnly {
			return false
		}
		p.choose(act == keymap.Enter)
		if act == keymap.Enter {
			p.q.host.unfold(nil)
		}
	default:
		return false
	}
	return true
}

// step goes to the next option that has an illustration, if there is one. It moves the
// question's cursor, too: after the zoom the cursor is on the option seen last.
func (p *illustrationPage) step(by int) {
	shown := p.zoomable()
	if to := slices.Index(shown, p.ref.Option) + by; to >= 0 && to < len(shown) {
		p.ref.Option = shown[to]
		p.field().MoveTo(shown[to])
	}
}

// zoomable returns the listed options that have an illustration.
func (p *illustrationPage) zoomable() []int {
	var options []int
	for _, option := range p.field().Options() {
		if p.field().HasIllustration(option) {
			options = append(options, option)
		}
	}
	return options
}

// choose picks the option whose illustration is shown. If several options can be picked,
// it toggles that option; with keep it never un-picks it.
func (p *illustrationPage) choose(keep bool) {
	c, option := p.field(), p.ref.Option
	if !slices.Contains(c.Options(), option) || c.IsPicked(option) && (keep || !c.Several()) {
		return
	}
	c.MoveTo(option)
	if c.Choose(false) == keymap.Changed {
		p.question().alert = ""
		p.q.state.touch()
	}
}

// chosen says whether the option whose illustration is shown is chosen, and its place
// among the illustrated options.
func (p *illustrationPage) chosen() (chosen, of string) {
	c, shown := p.field(), p.zoomable()
	if at := slices.Index(shown, p.ref.Option); at >= 0 && len(shown) > 1 {
		of = fmt.Sprintf("%d of %d", at+1, len(shown))
	}
	return c.Glyph(c.IsPicked(p.ref.Option)), of
}

func (p *illustrationPage) hints() []screen.Hint {
	c := p.field()
	picked := c.IsPicked(p.ref.Option)
	hints := closeHint()
	switch {
	case p.q.state.readOnly:
	case c.Several() && picked:
		hints = append(hints, screen.Hint{Act: keymap.Space, Does: "take back"})
	case !picked:
		hints = append(hints, screen.Hint{Act: keymap.Enter, Does: "choose"})
	}
	shown := p.zoomable()
	at := slices.Index(shown, p.ref.Option)
	if at+1 < len(shown) {
		hints = append(hints, screen.Hint{Act: keymap.Next, Does: "next"})
	}
	if at > 0 {
		hints = append(hints, screen.Hint{Act: keymap.Prev, Does: "previous"})
	}
	return hints
}

// ahead has three illustrations rendered: the next one and the previous one here, and
// the one that the panel shows after the zoom.
func (p *illustrationPage) ahead(width int) {
	shown := p.zoomable()
	at := slices.Index(shown, p.ref.Option)
	for _, to := range []int{at + 1, at - 1} {
		if to >= 0 && to < len(shown) {
			p.q.aheadOption(p.question().q, p.ref.Question, shown[to], width)
		}
	}
}
