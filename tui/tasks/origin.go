package tasks

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/wording"
)

// origin is where a task came from.
type origin struct {
	session store.Session // zero if the plan has none
	review  store.Ask     // in which the person approved the plan; zero before
	answers []answer      // that the description cites
}

// answer is what the person answered to a question that a task cites.
type answer struct {
	question, said string
	ask            store.Ask
	id             string // of the question
}

// originOf reads where a task came from. It leaves out records that are gone by now.
func (d Deps) originOf(ctx context.Context, p *plan, n int) (o origin, err error) {
	if p.Session == "" || d.Past.Store == nil {
		return o, nil
	}
	if o.session, err = d.Past.Store.Session(ctx, p.Session); err != nil {
		return origin{}, ignoreGone(err)
	}
	if p.Approval != nil && p.Approval.Ask != "" {
		if o.review, err = d.Past.Store.Ask(ctx, p.Approval.Ask); ignoreGone(err) != nil {
			return o, err
		}
	}
	o.answers, err = d.cited(ctx, p.Session, p.texts[n-1].Description)
	return o, err
}

// ignoreGone returns the error, unless it is about one record that is gone or damaged.
func ignoreGone(err error) error {
	if store.AboutOneRecord(err) {
		return nil
	}
	return err
}

// cited reads the newest answers to the questions that a text cites.
func (d Deps) cited(ctx context.Context, session string, text safe.Text) ([]answer, error) {
	want := map[string]bool{}
	var order []string
	for _, c := range plans.Citations(text) {
		if !want[c.Question] {
			want[c.Question], order = true, append(order, c.Question)
		}
	}
	if len(order) == 0 {
		return nil, nil
	}
	asks, err := d.Past.Store.Asks(ctx, session)
	if err != nil {
		return nil, err
	}
	found := map[string]answer{}
	for i := len(asks) - 1; i >= 0 && len(found) < len(order); i-- {
		if asks[i].Err != nil || asks[i].Outcome.State != questions.Answered {
			continue
		}
		ask, err := d.Past.Store.Ask(ctx, asks[i].ID)
		if err != nil {
			if ignoreGone(err) == nil {
				continue
			}
			return nil, err
		}
		for _, q := range ask.Spec.Questions {
			value := ask.Outcome.Reply.Answers[q.ID]
			if _, known := found[q.ID]; want[q.ID] && !known && !value.IsZero() {
				found[q.ID] = answer{q.Label.Line(), safe.New(wording.Answer(q, value)).Line(), ask, q.ID}
			}
		}
	}
	var list []answer
	for _, id := range order {
		if a, ok := found[id]; ok {
			list = append(list, a)
		}
	}
	return list, nil
}

// links lists the places to go to from the task: the tasks around it, and its origins.
func (t *Task) links() tea.Cmd {
	var rows []screen.Row
	over := func(make func() screen.Screen) func(screen.Screen) tea.Cmd {
		return func(from screen.Screen) tea.Cmd {
			return tea.Sequence(screen.Send(screen.Close{Screen: from}), screen.Send(screen.Push{Screen: make(), Over: t}))
		}
	}
	tasks := func(what string, numbers []int) {
		for _, n := range numbers {
			rows = append(rows, screen.Row{Text: t.plan.title(n), Right: what, Open: over(func() screen.Screen { return newTask(t.deps, t.plan, n) })})
		}
	}
	tasks("it waits for this", t.plan.before(t.n))
	tasks("waits for it", t.plan.after(t.n))
	past := t.deps.Past
	for _, a := range t.origin.answers {
		rows = append(rows, screen.Row{Text: a.question, Right: "your answer", Open: over(func() screen.Screen {
			return past.OpenForm(retro.Form{Ask: a.ask, Question: a.id})
		})})
	}
	if review := t.origin.review; review.ID != "" {
		rows = append(rows, screen.Row{Text: "The review in which you approved it", Right: wording.Ago(t.plan.Approval.At, t.deps.Now()), Open: over(func() screen.Screen {
			return past.OpenForm(retro.Form{Ask: review})
		})})
	}
	if session := t.origin.session; session.ID != "" {
		rows = append(rows, screen.Row{Text: wording.SessionTitle(session), Right: "its session", Open: over(func() screen.Screen {
			return retro.NewSession(past, session)
		})})
	}
	if len(rows) == 0 {
		t.decide.status = "This task leads nowhere else."
		return nil
	}
	return screen.Send(screen.Push{Screen: screen.NewPick(t.deps.Keys, "Go to", t.plan.title(t.n), rows, 0), Over: t})
}

// before returns the tasks that a task waits for, done ones included.
func (p *plan) before(n int) (list []int) {
	for _, e := range p.Graph.Edges(n) {
		if e.Kind.Hard() && !p.Graph.Dropped(e.On) {
			list = append(list, e.On)
		}
	}
	return list
}

// after returns the tasks that wait for a task.
func (p *plan) after(n int) (list []int) {
	for _, e := range p.Graph.Dependents(n) {
		if !p.Graph.Dropped(e.On) {
			list = append(list, e.On)
		}
	}
	return list
}
