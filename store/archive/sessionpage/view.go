package sessionpage

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"planb/plans/page"
	"planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/archive"
	"planb/store/timeline"
)

// view is the data of the page's template. Every string in it is cleaned, and
// the template escapes it. HTML comes from markdown only.
type view struct {
	Style    template.CSS
	Policy   string
	Title    string
	Intent   string
	Project  string
	Agent    string
	ID       string
	Created  stamp
	Updated  stamp
	Counts   string
	Archived bool
	Broken   []string
	Days     []day
	Versions []version // the latest first
	Asks     []ask
}

// stamp is a time. Zero means that there is none.
type stamp struct{ At time.Time }

func (s stamp) Known() bool { return !s.At.IsZero() }

// Machine formats the time for the datetime attribute.
func (s stamp) Machine() string { return s.At.UTC().Format(time.RFC3339) }

// Day formats the day: 7 Jun 2025.
func (s stamp) Day() string { return s.At.UTC().Format("2 Jan 2006") }

// Clock formats the time of day: 18:25.
func (s stamp) Clock() string { return s.At.UTC().Format("15:04") }

// Long formats both.
func (s stamp) Long() string { return s.At.UTC().Format("2 Jan 2006, 15:04 UTC") }

type day struct {
	Name   string
	Events []event
}

type event struct {
	Kind   string // a CSS class
	Word   string
	At     stamp
	Title  string
	Anchor string
	By     string
	Span   string // how long it took
	Change *stat
	Words  string // a reply in one line
	Broken string
}

// stat is shown as +N −M.
type stat struct{ Added, Removed int }

// link leads to another place in the page.
type link struct{ Anchor, Name string }

func newView(t archive.Telling, d *page.Drawer) view {
	style := "\n" + page.Style() + "\n" + sessionCSS
	v := view{
		Style: template.CSS(style), Policy: page.Policy(style),
		Title: t.Name().Line(), Intent: t.Intent.Block(), Project: t.Project.Line(),
		Agent: strings.TrimSpace(cmp.Or(t.Client.Title, t.Client.Name).Line() + " " + t.Client.Version.Line()),
		ID:    t.ID, Created: stamp{t.Created}, Updated: stamp{t.Updated}, Archived: t.InArchive(),
		Counts: counted(len(t.Asks), "ask") + ", " + counted(len(t.Plans), "plan version"),
	}
	for _, why := range t.Unreadable() {
		v.Broken = append(v.Broken, safe.New(why).Line())
	}
	places := newPlaces(t, d)
	v.Days = places.days()
	v.Versions = places.versions()
	for i := range t.Asks {
		v.Asks = append(v.Asks, places.ask(i))
	}
	return v
}

func named(t safe.Text, instead string) string {
	if t.Blank() {
		return instead
	}
	return t.Line()
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// places knows the anchors of everything in the page.
type places struct {
	archive.Telling
	drawer *page.Drawer
	asks   map[string]int   // index of an ask, by id
	titles []string         // of the asks; no two are the same
	cited  map[string][]int // the versions that cite a question, by its anchor
}

func newPlaces(t archive.Telling, d *page.Drawer) places {
	p := places{t, d, map[string]int{}, askTitles(t.Asks), map[string][]int{}}
	for i, ask := range t.Asks {
		p.asks[ask.ID] = i
	}
	for _, plan := range t.Plans {
		for _, c := range t.Details[plan.Number].Citations {
			anchor := p.answer(c).Anchor
			if anchor != "" && !slices.Contains(p.cited[anchor], plan.Number) {
				p.cited[anchor] = append(p.cited[anchor], plan.Number)
			}
		}
	}
	return p
}

// askTitles returns the titles of the asks, each different from those before it: a plan
// is reviewed under the same title again and again.
func askTitles(asks []store.Ask) []string {
	titles := make([]string, len(asks))
	taken, last := map[string]bool{}, map[string]int{} // last is the number that a title got last
	for i, ask := range asks {
		title := named(ask.Spec.Title, questions.Untitled)
		if of := ask.Spec.Plan; of != nil {
			title = fmt.Sprintf("v%d %s", of.Number, title)
		}
		titles[i] = title
		for taken[titles[i]] {
			last[title] = max(last[title], 1) + 1
			titles[i] = fmt.Sprintf("%s (%d)", title, last[title])
		}
		taken[titles[i]] = true
	}
	return titles
}

func askAnchor(place int) string { return fmt.Sprintf("ask-%d", place+1) }

func questionAnchor(ask, question int) string { return fmt.Sprintf("ask-%d-%d", ask+1, question+1) }

func planAnchor(number int) string { return fmt.Sprintf("v%d", number) }

// answer returns where a citation leads.
func (p places) answer(c timeline.Citation) page.Cited {
	place, ok := p.asks[c.Ask]
	if !ok {
		return page.Cited{}
	}
	spec := p.Asks[place].Spec
	n := slices.IndexFunc(spec.Questions, func(q questions.Question) bool { return q.ID == c.Question })
	if n < 0 {
		return page.Cited{Anchor: askAnchor(place), Label: spec.Title.Line()}
	}
	return page.Cited{Anchor: questionAnchor(place, n), Label: spec.Questions[n].Label.Line(), Said: c.Said}
}

func (p places) days() (days []day) {
	for _, e := range p.Story.Events {
		if ask, _ := p.Story.Ask(e.Ask); e.Kind == timeline.Delivered && e.At.Sub(ask.Outcome.At) < time.Second {
			continue // an immediate delivery is not worth a line
		}
		name := "Unknown time"
		if !e.At.IsZero() {
			name = stamp{e.At}.Day()
		}
		if len(days) == 0 || days[len(days)-1].Name != name {
			days = append(days, day{Name: name})
		}
		last := &days[len(days)-1]
		last.Events = append(last.Events, p.event(e))
	}
	return days
}

func (p places) event(e timeline.Event) event {
	out := event{Kind: class(string(e.Kind)), Word: eventWord(e.Kind), At: stamp{e.At}, By: safe.New(e.By).Line()}
	if e.Reply() && e.Waited > 0 {
		out.Span = tasks.Lasted(e.Waited)
	}
	if e.Err != nil {
		out.Broken = safe.New(e.Err.Error()).Line()
	}
	switch {
	case e.Kind == timeline.Planned:
		out.Anchor = planAnchor(e.Plan)
		plan, _ := p.Story.Plan(e.Plan)
		out.Title = strings.TrimSpace(fmt.Sprintf("v%d %s", e.Plan, plan.Title.Line()))
		if d := p.Details[e.Plan]; d.Counted {
			out.Change = &stat{d.Added, d.Removed}
		}
	case e.Ask != "":
		if place, ok := p.asks[e.Ask]; ok {
			out.Anchor = askAnchor(place)
			out.Title = p.titles[place]
			out.Words = cut(said(p.Asks[place], e))
		}
	}
	return out
}

// said returns a reply in one line.
func said(ask store.Ask, e timeline.Event) string {
	o := ask.Outcome
	if e.Kind == timeline.TooLate && e.TooLate < len(ask.TooLate) {
		o = ask.TooLate[e.TooLate]
	} else if !e.Reply() && e.Kind != timeline.Withdrawn {
		return ""
	}
	switch {
	case !o.Message.Blank():
		return flat(o.Message)
	case o.Next != "":
		return "The plan was submitted again."
	}
	var parts []string
	for _, q := range ask.Spec.Questions {
		if v := o.Reply.Answers[q.ID]; archive.ValueText(v) != "" {
			parts = append(parts, answerText(q, v))
		}
	}
	return strings.Join(parts, " · ")
}

// answerText returns an answer in one line, with options by their labels.
func answerText(q questions.Question, v questions.Value) string {
	if said, ok := archive.Reviewed(q, v); ok {
		return said.Verdict
	}
	parts := q.InWords(v)
	shown := make([]string, len(parts))
	for i, part := range parts {
		shown[i] = flat(part)
	}
	return strings.Join(shown, ", ")
}

// flat joins the lines of a text into one.
func flat(t safe.Text) string { return strings.Join(strings.Fields(t.Block()), " ") }

// cut shortens a line so that it fits a list.
func cut(line string) string {
	const most = 180
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return line
}

// class returns a kind or state as a CSS class. A kind or state from a later planb may
// be any text, so it becomes "unknown".
func class(name string) string {
	for _, r := range name {
		if r < 'a' || r > 'z' {
			return "unknown"
		}
	}
	return name
}

func eventWord(kind timeline.Kind) string {
	switch kind {
	case timeline.Created:
		return "Session created"
	case timeline.Asked:
		return "Asked"
	case timeline.Submitted:
		return "Plan submitted"
	case timeline.Reviewed:
		return "Plan reviewed"
	case timeline.AskedAgain:
		return "Asked again"
	case timeline.Shown:
		return "Shown"
	case timeline.TooLate:
		return "Came too late"
	case timeline.Delivered:
		return "Told the agent"
	case timeline.Planned:
		return "Plan saved"
	}
	if state := kind.State(); state != "" {
		return state.Standing(false).Title()
	}
	return safe.New(string(kind)).Line()
}
