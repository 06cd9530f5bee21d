package sessionpage

import (
	"cmp"
	"fmt"
	"slices"

	"planb/plans/page"
	"planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/archive"
)

type ask struct {
	Number     int
	Anchor     string
	Title      string
	Short      string
	Broken     string
	Intro      *page.Prose
	IntroTitle string
	Asked      stamp
	Of         *link // the version that it reviews
	Span       string
	Reply      reply
	Late       []reply
	Led        []link // to the versions that followed
}

// reply is an outcome of an ask, also one that is still pending.
type reply struct {
	State     string // a CSS class
	Word      string
	Then      string // the same for the middle of a sentence
	At        stamp
	By        string
	Message   string
	Questions []question
	Extra     []extra
	Note      string
}

type question struct {
	Anchor      string
	Tab         string // set for the first question of a tab, if there are several
	ID          string
	Label       string
	Required    bool
	Description *page.Prose
	Options     []option
	Own         []string // the person's own words
	Text        string
	Feedback    *page.Prose // for a review
	Answered    bool
	Proposed    string // the agent's proposal, if it is not an option
	Note        string
	Cited       []link
}

type option struct {
	Shown       string
	Description string
	Chosen      bool
	Proposed    bool
	Markdown    *page.Prose
}

// extra is an answer to a question that the form does not have.
type extra struct{ ID, Text string }

func (p places) ask(place int) ask {
	a := p.Asks[place]
	out := ask{
		Number: place + 1, Anchor: askAnchor(place), Title: p.titles[place], Short: store.ShortID(a.ID),
		Asked: stamp{a.Asked},
	}
	if a.Err != nil {
		out.Broken = safe.New(a.Err.Error()).Line()
		return out
	}
	if of := a.Spec.Plan; of != nil {
		out.Of = &link{Name: fmt.Sprintf("v%d", of.Number)}
		if _, ok := p.Story.Plan(of.Number); ok {
			out.Of.Anchor = planAnchor(of.Number)
		}
	}
	room := &room{maxAsk, p.drawer}
	if !a.Spec.Intro.Blank() {
		out.Intro = room.prose(a.Spec.Intro)
		out.IntroTitle = named(a.Spec.IntroTitle, questions.DefaultIntroTitle)
	}
	out.Reply = p.reply(place, a.Outcome, false, room)
	if at, ok := p.Story.FindAsk(a.ID); ok {
		e := p.Story.Events[at]
		if e.Reply() && e.Waited > 0 {
			out.Span = tasks.Lasted(e.Waited)
		}
		if next := p.Story.Following(at); e.Reply() && len(next) > 0 {
			out.Led = append(out.Led, link{planAnchor(next[0]), fmt.Sprintf("v%d", next[0])})
		}
	}
	for _, late := range a.TooLate {
		out.Late = append(out.Late, p.reply(place, late, true, room))
	}
	return out
}

// maxAsk is how many bytes of Markdown an ask may have.
const maxAsk = 2 << 20

// room is how many bytes of Markdown an ask may still have, with the drawer of
// its diagrams.
type room struct {
	bytes  int
	drawer *page.Drawer
}

// prose lays out a text, or returns it plain if there is no room left.
func (r *room) prose(t safe.Text) *page.Prose {
	if t.Blank() {
		return nil
	}
	size := len(t.Raw())
	if r.bytes -= size; r.bytes < 0 {
		return &page.Prose{Plain: t.Block(), Notice: "Shown as plain text: there is too much Markdown in this ask."}
	}
	out := page.Markdown(t, "", nil, r.drawer)
	return &out
}

// reply returns an outcome. A late one has only the questions that were answered, because
// the page shows the whole form above it.
func (p places) reply(place int, o questions.Outcome, late bool, room *room) reply {
	spec := p.Asks[place].Spec
	stands := o.State.Standing(spec.Plan != nil)
	out := reply{
		State: class(string(cmp.Or(o.State, questions.Pending))), Word: stands.Title(), Then: stands.Long, At: stamp{o.At},
		By: safe.New(o.By).Line(), Message: block(o.Message), Note: block(o.Reply.Note),
	}
	tabs := slices.DeleteFunc(spec.Tabs(), func(t questions.Tab) bool { return t.Intro })
	for _, t := range tabs {
		title := ""
		if len(tabs) > 1 {
			title = t.Title.Line()
		}
		for _, n := range t.Questions {
			q := spec.Questions[n]
			if late && o.Reply.Answers[q.ID].IsZero() && o.Reply.Notes[q.ID].Blank() {
				continue
			}
			shown := newQuestion(q, o.Reply, late, room)
			if !late {
				shown.Anchor = questionAnchor(place, n)
				for _, number := range p.cited[shown.Anchor] {
					shown.Cited = append(shown.Cited, link{planAnchor(number), fmt.Sprintf("v%d", number)})
				}
			}
			shown.Tab, title = title, ""
			out.Questions = append(out.Questions, shown)
		}
	}
	for _, id := range spec.Unasked(o.Reply) {
		out.Extra = append(out.Extra, extra{safe.New(id).Line(), safe.New(archive.ValueText(o.Reply.Answers[id])).Block()})
	}
	return out
}

func block(t safe.Text) string {
	if t.Blank() {
		return ""
	}
	return t.Block()
}

func newQuestion(q questions.Question, r questions.Reply, late bool, room *room) question {
	v := r.Answers[q.ID]
	out := question{
		ID: safe.New(q.ID).Line(), Label: q.Label.Block(), Required: q.Required, Note: block(r.Notes[q.ID]),
		Answered: archive.ValueText(v) != "",
	}
	if !late {
		out.Description = room.prose(q.Description)
	}
	var proposed []string
	if q.Default != nil {
		proposed = archive.Chosen(*q.Default)
	}
	if q.Options != nil {
		out.choice(q, v, proposed, room, late)
		return out
	}
	if q.Default != nil {
		out.Proposed = safe.New(archive.ValueText(*q.Default)).Block()
	}
	if said, ok := archive.Reviewed(q, v); ok {
		out.Text, out.Feedback = said.Verdict, room.prose(said.Feedback)
	} else if out.Answered {
		out.Text = safe.New(archive.ValueText(v)).Block() + onScale(q)
	}
	return out
}

func (out *question) choice(q questions.Question, v questions.Value, proposed []string, room *room, late bool) {
	chosen := archive.Chosen(v)
	for _, o := range q.Options {
		shown := option{
			Shown: named(o.Shown(), safe.New(fmt.Sprintf("%q", o.Value.Raw())).Line()), Description: o.Description.Line(),
			Chosen: slices.Contains(chosen, o.Value.Raw()), Proposed: slices.Contains(proposed, o.Value.Raw()),
		}
		if !late {
			shown.Markdown = room.prose(o.Markdown)
		}
		if !late || shown.Chosen {
			out.Options = append(out.Options, shown)
		}
	}
	for _, own := range chosen {
		if !slices.ContainsFunc(q.Options, func(o questions.Option) bool { return o.Value.Raw() == own }) {
			out.Own = append(out.Own, safe.New(own).Block())
		}
	}
}

// onScale says from where to where a question's scale goes.
func onScale(q questions.Question) string {
	if q.Range == nil {
		return ""
	}
	return fmt.Sprintf(" (from %s to %s)", questions.FormatNumber(q.Range.Min), questions.FormatNumber(q.Range.Max))
}
