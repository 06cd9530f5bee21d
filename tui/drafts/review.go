package drafts

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/tui/form"
	reviewing "planb/tui/review"
	"planb/tui/screen"
)

// sectionReview is the review of a section. No agent waits for it. planb keeps only the
// guidance with which the section is then written again.
type sectionReview struct {
	*form.Form
	of   *Screen
	step rules.Step
	sha  string // of the output under review
	over bool   // it was sent, or thrown away
}

// sectionReviewed says what became of a review.
type sectionReviewed struct {
	review *sectionReview
	said   string
	err    error
}

func (m sectionReviewed) owner() *Screen { return m.review.of }

// review opens the review of a section.
func (s *Screen) review(step rules.Step, over screen.Screen) tea.Cmd {
	if why := s.unwritable(step); why != "" {
		return s.say(why)
	}
	p, d := s.draft, s.deps
	in := form.Input{
		Ask:     store.Ask{ID: p.ID, Spec: questions.ReviewOf(safe.New(step.Name), questions.PlanRef{}), Outcome: questions.Outcome{State: questions.Pending}},
		Session: store.Session{Project: safe.New(project(p.Summary)), Title: safe.New(title(p.Summary))},
		Own:     true, Now: d.Now, Environ: d.Environ, Keys: d.Keys,
		Tick: func(wait time.Duration, then func(time.Time) tea.Msg) tea.Cmd { return d.After(wait, then(d.Now())) },
	}
	r := &sectionReview{of: s, step: step, sha: p.Draft.Records[step.ID].SHA256}
	r.Form = form.New(in, func(h form.Host) form.Body {
		return reviewing.NewBody(h, reviewing.Input{Subject: review.Subject{Text: p.section(step.ID)}, Section: step.Name})
	})
	return screen.Send(screen.Push{Screen: r, Over: over})
}

// Update does what the form asks for, and hands on the rest.
func (r *sectionReview) Update(msg tea.Msg) tea.Cmd {
	id := r.Input().Ask.ID
	switch msg := msg.(type) {
	case form.SettleRequested:
		if msg.AskID == id {
			return r.send(msg.Outcome)
		}
	case form.LaterRequested:
		if msg.AskID == id {
			return r.close()
		}
	case sectionReviewed:
		switch {
		case msg.review != r:
		case msg.err == nil:
			return r.close()
		default:
			return r.refuse(runs.Plainly(msg.err))
		}
	}
	return r.Form.Update(msg)
}

func (r *sectionReview) close() tea.Cmd {
	r.over = true
	return screen.Send(screen.Close{Screen: r})
}

// refuse tells why the section is not written again. All that was said stays.
func (r *sectionReview) refuse(err error) tea.Cmd {
	return r.Form.Update(form.Settled{AskID: r.Input().Ask.ID, Ask: r.Input().Ask, Err: err})
}

// send has the section written again.
func (r *sectionReview) send(o questions.Outcome) tea.Cmd {
	answer, _ := o.Reply.Answers[questions.ReviewID].Text()
	said, err := review.Parse([]byte(answer))
	if err != nil {
		return r.refuse(err)
	}
	guidance := said.Guidance()
	if len(guidance) > maxGuidance {
		return r.refuse(fmt.Errorf("what you said has %d bytes with its quotes, and at most %d go to the writer: shorten it, or take a comment back", len(guidance), maxGuidance))
	}
	d, draft := r.of.deps, r.of.draft.ID
	return r.of.writes.Begin(func(ctx context.Context) (tea.Msg, error) {
		w, _, err := d.Store.Regenerate(ctx, d.caller(), draft, r.step.ID, r.sha, guidance)
		return sectionReviewed{r, againWords(r.step, w.Draft), err}, err
	})
}

// Close gives back what was said if the program ends before it is sent.
func (r *sectionReview) Close(ctx context.Context) (parting []string, err error) {
	if r.over {
		return nil, nil
	}
	if r.IsSending() {
		failed, err := r.of.writes.Wait(ctx)
		if err == nil && len(failed) == 0 {
			return nil, nil
		}
	}
	r.TakeReturned()
	kept := r.Entry().Fields[questions.ReviewID].Text
	said, err := review.Parse([]byte(kept.Raw()))
	if kept.IsZero() || err != nil {
		return nil, err
	}
	parting = []string{"Not sent; what you said of “" + r.step.Name + "”:"}
	for line := range strings.Lines(said.Guidance()) {
		parting = append(parting, safe.New(line).Line())
	}
	return parting, nil
}
