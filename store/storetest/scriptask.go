package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// ask plays one ask, from its being asked to whatever becomes of it.
func (p *play) ask(ctx context.Context, last bool) error {
	spec := p.form()
	if len(p.asked) > 0 && p.r.IntN(30) == 0 && !p.recent {
		spec = p.asked[len(p.asked)-1] // the same once more, after it was delivered
	}
	client := p.session.Client
	if p.r.IntN(20) == 0 {
		client = p.client()
	}
	ask, attached, err := p.store.OpenAsk(ctx, store.Ask{
		Session: p.session.ID,
		Spec:    spec,
		Place:   "tmux-" + p.session.ID[24:] + "-@1",
		Client:  client,
		Timeout: 24 * time.Hour,
	})
	if err == nil && attached {
		err = errors.New("a form was asked that is open")
	}
	if err != nil {
		return err
	}
	if p.r.IntN(8) > 0 {
		p.pass(10 * time.Second)
		if err := p.store.MarkShown(ctx, ask.ID); err != nil {
			return err
		}
	}
	if last && p.recent && p.r.IntN(3) > 0 {
		return p.leave(ctx, ask)
	}
	p.asked = append(p.asked, spec)
	return p.settle(ctx, ask, last)
}

// leave lets the ask wait for its answer.
func (p *play) leave(ctx context.Context, ask store.Ask) error {
	if p.r.IntN(2) == 0 {
		draft := ask.Spec.DraftFrom(p.reply(ask.Spec))
		if err := p.store.SaveDraft(ctx, ask.ID, draft); err != nil {
			return err
		}
	}
	switch p.r.IntN(6) {
	case 0:
		return p.store.Snooze(ctx, ask.ID, p.now.Add(4*time.Hour))
	case 1:
		p.now = p.now.Add(ask.Timeout)
		_, err := p.store.Expire(ctx, ask.ID, ask.Asked)
		return err
	}
	return nil
}

func (p *play) settle(ctx context.Context, ask store.Ask, last bool) error {
	if p.r.IntN(60) == 0 {
		p.now = p.now.Add(ask.Timeout)
		if _, err := p.store.Expire(ctx, ask.ID, ask.Asked); err != nil {
			return err
		}
	}
	p.pass(20 * time.Minute)
	outcome := p.outcome(ask.Spec)
	if _, err := p.store.Settle(ctx, ask.ID, outcome); err != nil {
		return err
	}
	if p.r.IntN(100) == 0 {
		p.pass(time.Minute)
		late := questions.Outcome{State: questions.Answered, Reply: p.reply(ask.Spec), By: p.words["by"][1]}
		_, err := p.store.Settle(ctx, ask.ID, late)
		if _, lost := errors.AsType[*questions.SettledError](err); !lost {
			return fmt.Errorf("a second answer: %w", err)
		}
	}
	if last && p.recent && p.r.IntN(2) == 0 {
		return nil // nobody told the agent
	}
	p.pass(time.Second)
	return p.store.Deliver(ctx, ask.ID)
}

func (p *play) outcome(spec questions.Spec) questions.Outcome {
	by := p.word(p.r, "by")
	switch n := p.r.IntN(100); {
	case n < 6:
		return questions.Outcome{State: questions.Discuss, Message: safe.New(p.word(p.r, "message")), By: by}
	case n < 9:
		return questions.Outcome{State: questions.Declined, By: by}
	case n < 11:
		return questions.Outcome{State: questions.Declined, Message: safe.New(p.word(p.r, "decline")), By: by}
	case n < 15:
		return questions.Outcome{State: questions.Withdrawn}
	}
	reply := p.reply(spec)
	for _, q := range spec.Questions {
		if !reply.Answers[q.ID].IsZero() {
			p.cited = append(p.cited, q.ID)
		}
	}
	return questions.Outcome{State: questions.Answered, Reply: reply, By: by}
}

// form is a form of one to six questions. Its title has its number, so that no
// two of a session are the same.
func (p *play) form() questions.Spec {
	spec := questions.Spec{Title: safe.New(fmt.Sprintf("%s, part %d", p.word(p.r, "section"), len(p.asked)+1))}
	if p.r.IntN(3) == 0 {
		spec.IntroTitle = safe.New(questions.DefaultIntroTitle)
		spec.Intro = safe.New("## " + p.word(p.r, "section") + "\n\n" + p.sentence(p.r) + " " + p.sentence(p.r) + "\n\n- " + p.sentence(p.r) + "\n")
	}
	kinds := questions.Kinds()
	for i := range 1 + p.r.IntN(6) {
		spec.Questions = append(spec.Questions, p.question(i, one(p.r, kinds)))
	}
	return spec
}

func (p *play) question(i int, kind questions.Kind) questions.Question {
	q := questions.Question{
		ID:       fmt.Sprintf("%s-%d", kind, i+1),
		Kind:     kind,
		Label:    safe.New(p.word(p.r, "question")),
		Required: p.r.IntN(3) == 0,
		Tab:      safe.New(questions.DefaultTab),
	}
	if p.r.IntN(4) == 0 {
		q.Tab = safe.New(p.word(p.r, "section"))
	}
	if p.r.IntN(3) == 0 {
		q.Description = safe.New(p.sentence(p.r))
	}
	switch kind {
	case questions.Single, questions.Multi:
		q.Options, q.Other = p.options(), p.r.IntN(4) > 0
	case questions.Scale:
		q.Range = &questions.Range{Min: 0, Max: 10, Step: questions.DefaultStep}
	default:
		if p.r.IntN(2) == 0 {
			q.Placeholder = safe.New(p.word(p.r, "answer"))
		}
	}
	return q
}

func (p *play) options() []questions.Option {
	all := p.words["option"]
	order := p.r.Perm(len(all))
	var list []questions.Option
	for _, n := range order[:2+p.r.IntN(4)] {
		option := questions.Option{Value: safe.New(fmt.Sprintf("option-%d", n)), Label: safe.New(all[n])}
		if p.r.IntN(2) == 0 {
			option = questions.Option{Value: safe.New(all[n])}
		}
		if p.r.IntN(2) == 0 {
			option.Description = safe.New(p.sentence(p.r))
		}
		if p.r.IntN(4) == 0 {
			option.Markdown = safe.New("```\n┌────────┐\n│ " + p.word(p.r, "verb") + "\n└────────┘\n```\n" + p.sentence(p.r))
		}
		list = append(list, option)
	}
	return list
}

// reply answers what is required, and most of the rest.
func (p *play) reply(spec questions.Spec) questions.Reply {
	reply := questions.Reply{Answers: map[string]questions.Value{}, Notes: map[string]safe.Text{}}
	for _, q := range spec.Questions {
		if q.Required || p.r.IntN(5) > 0 {
			reply.Answers[q.ID] = p.answer(q)
		}
		if p.r.IntN(15) == 0 {
			reply.Notes[q.ID] = safe.New(p.sentence(p.r))
		}
	}
	if p.r.IntN(20) == 0 {
		reply.Note = safe.New(p.word(p.r, "message"))
	}
	return spec.Normalize(reply)
}

func (p *play) answer(q questions.Question) questions.Value {
	switch q.Kind {
	case questions.Scale:
		return questions.NumberValue(float64(p.r.IntN(11)))
	case questions.Single:
		if q.Other && p.r.IntN(6) == 0 {
			return questions.TextValue(p.word(p.r, "answer"))
		}
		return questions.TextValue(one(p.r, q.Options).Value.Raw())
	case questions.Multi:
		items := []string{one(p.r, q.Options).Value.Raw()}
		if next := one(p.r, q.Options).Value.Raw(); next != items[0] {
			items = append(items, next)
		}
		if q.Other && p.r.IntN(6) == 0 {
			items = append(items, p.word(p.r, "answer"))
		}
		return questions.ItemsValue(items...)
	case questions.LongText:
		sentences := make([]string, 1+p.r.IntN(20))
		for i := range sentences {
			sentences[i] = p.sentence(p.r)
		}
		return questions.TextValue(strings.Join(sentences, "\n"))
	}
	return questions.TextValue(p.word(p.r, "answer"))
}
