package store

import (
	"context"
	"slices"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store/ledger"
	"planb/store/runs"
)

// NotSent is the message of a reply that holds what the person entered into a form that ended
// elsewhere, and never sent.
const NotSent = "Entered, and not sent."

// Begun is what the person entered into a form that ended before they sent it.
type Begun struct {
	Ask   Ask // that form, with its spec
	Entry questions.Entry
}

// In returns what was begun as the entry of another form, as far as it answers a question with the
// same words there, by an option with the same words: the forms of a draft number both, so an id
// may mean another one by then. Other forms and reviews take over all of it.
func (b Begun) In(form questions.Spec) questions.Entry {
	if b.Ask.About() != runs.SubjectKind {
		return b.Entry
	}
	begun := b.Entry.Reply(b.Ask.Spec)
	reply := questions.Reply{Answers: map[string]questions.Value{}, Notes: map[string]safe.Text{}, Note: begun.Note}
	var earlier questions.Spec
	for _, q := range form.Questions {
		if was, ok := sameQuestion(q, b.Ask.Spec); ok {
			reply.Answers[q.ID], reply.Notes[q.ID] = sameWords(q, was, begun.Answers[was.ID]), begun.Notes[was.ID]
			was.ID, was.Options = q.ID, q.Options
			earlier.Questions = append(earlier.Questions, was)
		}
	}
	entry := form.EntryAgain(earlier, reply)
	entry.Message = b.Entry.Message
	return entry
}

// sameQuestion returns the question of an earlier form with the same words.
func sameQuestion(q questions.Question, earlier questions.Spec) (questions.Question, bool) {
	for _, was := range earlier.Questions {
		if was.Kind == q.Kind && questions.Wording(was.Label) == questions.Wording(q.Label) {
			return was, true
		}
	}
	return questions.Question{}, false
}

// sameWords returns the answer to an earlier question with the option that has the same words in q.
// It is zero if there is none.
func sameWords(q, earlier questions.Question, answer questions.Value) questions.Value {
	text, ok := answer.Text()
	if !ok {
		return answer
	}
	at := slices.IndexFunc(earlier.Options, func(o questions.Option) bool { return o.Value.Raw() == text })
	if at < 0 {
		return answer // the person's own words
	}
	was := earlier.Options[at].Shown()
	words := questions.Wording(was)
	for _, o := range q.Options {
		if o.Shown().Raw() == was.Raw() || words != "" && questions.Wording(o.Shown()) == words {
			return questions.TextValue(o.Value.Raw())
		}
	}
	return questions.Value{}
}

// GivesWay reports whether what was entered into an ask that ended goes on in the next form of the
// same gate of a draft: the ask was withdrawn, and not by the person, whose withdrawal has a message.
func (a Ask) GivesWay() bool {
	return a.About() == runs.SubjectKind && a.Outcome.State == questions.Withdrawn && a.Outcome.Message.Blank()
}

// Outdated reports whether it was planb that withdrew an ask that gave way.
func (a Ask) Outdated() bool { return a.GivesWay() && a.Outcome.By == runs.Planb }

// takenBack reports whether it was the ask's agent that took it back; see mcp/wait.
func (a Ask) takenBack() bool {
	o, names := a.Outcome, []string{a.Client.Title.Line(), a.Client.Name.Line()}
	return o.State == questions.Withdrawn && o.Message.Blank() && o.Next == "" && o.By != "" && slices.Contains(names, o.By)
}

// isAgain reports whether an ask asks what another one asked: the same form, a form of the same gate
// of a draft, or a review of a version of the same plan.
func (a Ask) isAgain(other Ask) bool {
	switch about := a.About(); {
	case about != other.About():
		return false
	case about == runs.SubjectKind:
		gate, bad := runs.ParseGate(a.Subject.ID)
		of, alsoBad := runs.ParseGate(other.Subject.ID)
		return bad == nil && alsoBad == nil && of.Plan == gate.Plan && of.Step == gate.Step
	case about == AboutPlan:
		return a.Spec.Plan.Name == other.Spec.Plan.Name
	default:
		return about == AboutQuestions && a.Digest == other.Digest
	}
}

// BegunBefore returns what the person began in the ask before this one that asked the same, and that
// gave way or was taken back by its agent. It passes over asks in which nothing was entered. An ask
// that the person answered, or withdrew, ends the search. ok is false if there is nothing.
func (s *Store) BegunBefore(ctx context.Context, ask Ask) (begun Begun, ok bool, err error) {
	before, err := s.askedBefore(ctx, ask)
	if err != nil {
		return Begun{}, false, err
	}
	for _, earlier := range slices.Backward(before) {
		if !earlier.GivesWay() && !earlier.takenBack() {
			break
		}
		begun, ok, err := s.begunIn(ctx, earlier.ID)
		if ledger.AboutOne(err) {
			continue
		}
		if ok || err != nil {
			return begun, ok, err
		}
	}
	return Begun{}, false, nil
}

// askedBefore returns the asks before this one that asked the same and have ended, the oldest first.
func (s *Store) askedBefore(ctx context.Context, ask Ask) ([]Ask, error) {
	asks, err := s.Asks(ctx, ask.Session)
	return slices.DeleteFunc(asks, func(a Ask) bool {
		return a.Err != nil || !ask.isAgain(a) || a.ID == ask.ID || a.Open() || a.Created.After(ask.Created)
	}), err
}

// answeredAtGate returns the answers that the person gave last at the gate of a draft where the ask
// is, as EarlierAnswers does: to questions with the same words, by options with the same words.
func (s *Store) answeredAtGate(ctx context.Context, ask Ask) (map[string]EarlierAnswer, error) {
	before, err := s.askedBefore(ctx, ask)
	if err != nil {
		return nil, err
	}
	for _, earlier := range slices.Backward(before) {
		if earlier.Outcome.State != questions.Answered {
			continue
		}
		earlier, err := s.Ask(ctx, earlier.ID)
		if err != nil {
			return nil, err
		}
		found, reply := map[string]EarlierAnswer{}, earlier.Outcome.Reply
		for _, q := range ask.Spec.Questions {
			was, ok := sameQuestion(q, earlier.Spec)
			if !ok {
				continue
			}
			if answer := sameWords(q, was, reply.Answers[was.ID]); !answer.IsZero() {
				found[q.ID] = EarlierAnswer{Ask: earlier.ID, Session: Session{ID: earlier.Session}, Question: q, Answer: answer, Note: reply.Notes[was.ID], At: earlier.Outcome.At}
			}
		}
		return found, s.nameSessions(ctx, found)
	}
	return nil, nil
}

// begunIn returns what was entered into an ask that gave way: what the person sent too late, or else
// what was saved of the form.
func (s *Store) begunIn(ctx context.Context, id string) (begun Begun, ok bool, err error) {
	if begun.Ask, err = s.Ask(ctx, id); err != nil {
		return Begun{}, false, err
	}
	if n := len(begun.Ask.TooLate); n > 0 {
		late := begun.Ask.TooLate[n-1]
		begun.Entry = begun.Ask.Spec.EntryFrom(late.Reply)
		if late.Message.Raw() != NotSent {
			begun.Entry.Message = late.Message
		}
	} else if begun.Entry, _, err = s.Entry(ctx, id); err != nil {
		return Begun{}, false, err
	}
	return begun, len(begun.Entry.Fields) > 0 || !begun.Entry.Note.IsZero() || !begun.Entry.Message.IsZero(), nil
}

// RepliedTo reports whether the person replied to the form that a draft waits for, so that it is an
// agent's turn. It alone decides that: whatever lists, counts or words what waits for the person asks
// it. It is the person's turn again once the agent has written, or has done nothing for so long that
// a draft counts as stalled: then the person has to open the form themselves. asks are those of the
// draft's session, the oldest first.
func RepliedTo(draft runs.Summary, asks []Ask, now time.Time) bool {
	for _, ask := range slices.Backward(asks) {
		if gate, err := runs.ParseGate(ask.Subject.ID); err != nil || ask.Err != nil || ask.About() != runs.SubjectKind || gate.Plan != draft.ID {
			continue
		}
		at := ask.Outcome.At
		return ask.Outcome.State == questions.Discuss && !at.Before(draft.LastProgress) && now.Sub(at) <= runs.StallTime
	}
	return false
}
