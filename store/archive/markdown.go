package archive

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"planb/plans/diff"
	"planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
)

// WriteMarkdown writes the session as one text for people: what happened, each
// ask with its answers, the latest plan, and what each version changed. It
// removes everything from agents' and people's words that is not text. The
// Markdown of agents stands in quotes, so that a reader cannot mistake it for
// planb's own words. Times are UTC.
func WriteMarkdown(ctx context.Context, w io.Writer, s Session) error {
	told, err := s.Tell(ctx)
	if err != nil {
		return err
	}
	m := markdown{Telling: told}
	m.head()
	m.events()
	m.allAsks()
	m.allPlans()
	_, err = io.WriteString(w, m.out.String())
	return err
}

type markdown struct {
	Telling
	out strings.Builder
}

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.out, format+"\n", args...) }

func (m *markdown) head() {
	m.line("# %s\n", plain(m.Name()))
	if !m.Intent.Blank() {
		m.quote(escaped(m.Intent))
	}
	m.line("- Session: `%s`", m.ID)
	if !m.Project.Blank() {
		m.line("- Project: %s", plain(m.Project))
	}
	if agent := cmp.Or(m.Client.Title, m.Client.Name); !agent.Blank() {
		m.line("- Agent: %s", strings.TrimSpace(plain(agent)+" "+plain(m.Client.Version)))
	}
	m.line("- Created: %s", when(m.Created))
	m.line("- Last change: %s", when(m.Updated))
	for _, why := range m.Unreadable() {
		m.line("- %s", plain(safe.New(why)))
	}
	m.line("")
}

// askTitle returns the ask's title, else its short id.
func askTitle(ask store.Ask, id string) safe.Text {
	if ask.Spec.Title.Blank() {
		return safe.New(store.ShortID(id))
	}
	return ask.Spec.Title
}

func when(t time.Time) string {
	if t.IsZero() {
		return "at an unknown time"
	}
	return t.UTC().Format("2006-01-02 15:04") + " UTC"
}

func (m *markdown) events() {
	m.line("## What happened\n")
	for _, e := range m.Story.Events {
		if ask, _ := m.Story.Ask(e.Ask); e.Kind == timeline.Delivered && e.At.Sub(ask.Outcome.At) < time.Second {
			continue // an immediate delivery is not worth a line
		}
		m.line("- %s: %s", when(e.At), m.event(e))
	}
	m.line("")
}

func (m *markdown) event(e timeline.Event) string {
	text := string(e.Kind)
	switch e.Kind {
	case timeline.AskedAgain:
		text = "asked again"
	case timeline.TooLate:
		text = "a reply too late for"
	}
	if e.Reviews > 0 {
		text += fmt.Sprintf(" version %d of the plan", e.Reviews)
	}
	switch {
	case e.Kind == timeline.Planned:
		plan, _ := m.Story.Plan(e.Plan)
		text = strings.TrimSpace(fmt.Sprintf("version %d of the plan %s", e.Plan, plain(plan.Title)))
		if detail := m.Details[e.Plan]; detail.Counted {
			text += fmt.Sprintf(" (+%d −%d)", detail.Added, detail.Removed)
		}
	case e.Ask != "":
		ask, _ := m.Story.Ask(e.Ask)
		text += " " + plain(askTitle(ask, e.Ask))
	}
	if e.Verdict != "" {
		text += " (" + strings.ToLower(e.Verdict) + ")"
	}
	if e.By != "" {
		text += " by " + plain(safe.New(e.By))
	}
	if e.Reply() && e.Waited > 0 {
		text += " after " + tasks.Lasted(e.Waited)
	}
	return text
}

func (m *markdown) allAsks() {
	for i, ask := range m.Asks {
		if ask.Err != nil {
			continue
		}
		m.line("## Ask %d: %s\n", i+1, plain(ask.Spec.Title))
		if plan := ask.Spec.Plan; plan != nil {
			m.line("A review of version %d of the plan.\n", plan.Number)
		}
		m.outcome(ask, ask.Outcome)
		m.message(ask.Outcome.Message)
		if ask.Outcome.Next != "" {
			m.line("The plan was submitted again.\n")
		}
		if !ask.Spec.Intro.Blank() {
			m.quote(ask.Spec.Intro.Block())
		}
		m.reply(ask.Spec, ask.Outcome.Reply)
		for _, late := range ask.TooLate {
			m.line("Came too late: %s %s%s\n", stands(ask, late).Title(), when(late.At), by(late.By))
			m.message(late.Message)
			m.reply(ask.Spec, late.Reply)
		}
	}
}

// outcome says how the ask stands and since when, or when it was asked.
func (m *markdown) outcome(ask store.Ask, o questions.Outcome) {
	words := stands(ask, o).Title()
	if o.At.IsZero() {
		words += ", asked"
	}
	m.line("%s %s%s\n", words, when(cmp.Or(o.At, ask.Asked)), by(o.By))
}

func stands(ask store.Ask, o questions.Outcome) questions.Standing {
	return o.State.Standing(ask.Spec.Plan != nil)
}

func by(who string) string {
	if who == "" {
		return ""
	}
	return " by " + plain(safe.New(who))
}

func (m *markdown) message(text safe.Text) {
	if !text.Blank() {
		m.quote(escaped(text))
	}
}

// reply writes each question with its answer, and then the answers to questions that
// the form does not have.
func (m *markdown) reply(spec questions.Spec, r questions.Reply) {
	for _, q := range spec.Questions {
		m.line("### %s\n", plain(q.Label))
		m.answer(q, r.Answers[q.ID])
		if note := r.Notes[q.ID]; !note.Blank() {
			m.line("Note:\n")
			m.quote(escaped(note))
		}
	}
	for _, id := range spec.Unasked(r) {
		m.line("### %s (not in the form)\n", plain(safe.New(id)))
		m.quote(escaped(safe.New(ValueText(r.Answers[id]))))
	}
	if !r.Note.Blank() {
		m.line("Note on the whole form:\n")
		m.quote(escaped(r.Note))
	}
}

func (m *markdown) answer(q questions.Question, v questions.Value) {
	if said, ok := Reviewed(q, v); ok {
		m.line("**%s**\n", said.Verdict)
		if !said.Feedback.Blank() {
			m.quote(said.Feedback.Block())
		}
		return
	}
	chosen := Chosen(v)
	if q.Options == nil {
		if text := ValueText(v); text != "" {
			m.quote(escaped(safe.New(text)))
		} else {
			m.line("*Not answered.*\n")
		}
		return
	}
	for _, o := range q.Options {
		mark := " "
		if slices.Contains(chosen, o.Value.Raw()) {
			mark = "x"
		}
		m.line("- [%s] %s", mark, plain(o.Shown()))
	}
	for _, own := range chosen {
		if !slices.ContainsFunc(q.Options, func(o questions.Option) bool { return o.Value.Raw() == own }) {
			m.line("- [x] Other: %s", plain(safe.New(own)))
		}
	}
	m.line("")
}

// allPlans writes the latest version of each of the session's plans, and what each version
// changed in the one before it of the same plan.
func (m *markdown) allPlans() {
	var latest []*store.WholePlan // of each plan, in the order in which the plans began
	var versions []store.Plan
	var changes []string
	texts := map[int]*store.WholePlan{}
	for i := range m.Plans {
		plan := &m.Plans[i]
		versions = append(versions, plan.Plan)
		if plan.Err != nil {
			continue
		}
		texts[plan.Number] = plan
		if before, known := store.PlanBefore(versions, plan.Number); known && before > 0 {
			changes = append(changes, changed(m.Before(*texts[before], *plan), *plan))
		}
		if i := slices.IndexFunc(latest, func(p *store.WholePlan) bool { return p.Name == plan.Name }); i >= 0 {
			latest[i] = plan
		} else {
			latest = append(latest, plan)
		}
	}
	for _, plan := range latest {
		name := ""
		if len(latest) > 1 && plan.Name != "" {
			name = " " + plain(safe.New(string(plan.Name)))
		}
		m.line("## The plan%s, version %d\n", name, plan.Number)
		m.line("Saved %s%s\n", when(plan.Created), by(plan.By))
		m.quote(plan.Text.Block())
	}
	slices.Reverse(changes)
	for _, text := range changes {
		m.line("%s", text)
	}
}

// changed returns the diff of a version in a code fence.
func changed(before, after store.WholePlan) string {
	text := safe.New(diff.Between(before.Text.Raw(), after.Text.Raw()).Unified(
		fmt.Sprintf("v%d.md", before.Number), fmt.Sprintf("v%d.md", after.Number), 3)).Block()
	head := fmt.Sprintf("## What version %d changed\n\nSaved %s%s\n", after.Number, when(after.Created), by(after.By))
	if text == "" {
		return head + "\nOnly the title changed.\n"
	}
	fence := fenceAround(text)
	return head + "\n" + fence + "diff\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// fenceAround returns a fence for code that is longer than any in a text.
func fenceAround(text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// quote writes lines as a quotation. No text in them can end it.
func (m *markdown) quote(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		m.line("%s", strings.TrimRight("> "+line, " "))
	}
	m.line("")
}

// plain returns a text as one line that Markdown shows unchanged.
func plain(text safe.Text) string { return escape(text.Line()) }

// escaped returns a text of many lines that Markdown shows unchanged.
func escaped(text safe.Text) string {
	lines := strings.Split(strings.TrimRight(text.Block(), "\n"), "\n")
	for i, line := range lines {
		lines[i] = escape(strings.TrimLeft(line, " "))
		if i+1 < len(lines) && lines[i] != "" && strings.TrimSpace(lines[i+1]) != "" {
			lines[i] += "\\"
		}
	}
	return strings.Join(lines, "\n")
}

// escape puts a backslash before each character that Markdown would read as
// markup.
func escape(line string) string {
	var out strings.Builder
	for i, r := range line {
		next := line[i+utf8.RuneLen(r):]
		mark := strings.ContainsRune("\\`*_[]<>|~#", r)
		switch r {
		case '&': // an entity
			mark = next != "" && next[0] != ' '
		case '-', '+', '=':
			mark = i == 0
		case '.', ')': // a list
			mark = i > 0 && strings.Trim(line[:i], "0123456789") == "" && (next == "" || next[0] == ' ')
		}
		if mark {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}
