package archive

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"planb/plainjson"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// newDirAsk writes an ask in the layout, with planb's states as these statuses:
//
//	pending, expired, answered   pending, timeout, answered
//	discuss                      declined, with the action "discuss", the message, and the answers so far
//	declined                     declined, with the action "decline" and the reason as message
//	withdrawn                    error, with the reason as detail
//
// An ask that Closed ended at its import gets back the status that it had
// before.
func newDirAsk(ask store.Ask, session string) (dirAsk, error) {
	out := dirAsk{
		SchemaVersion: dirVersion, AskID: ask.ID, SessionID: session, CreatedAt: dirTime(ask.Created),
		Title: ask.Spec.Title, Answers: json.RawMessage("null"),
	}
	var err error
	if out.Input, err = plainjson.Marshal(newInput(ask.Spec)); err != nil {
		return dirAsk{}, err
	}
	out.setOutcome(ask.Outcome)
	if out.Status == dirAnswered || out.Outcome != nil && out.Outcome.Action == dirDiscuss {
		if out.Answers, err = answersJSON(ask); err != nil {
			return dirAsk{}, err
		}
	}
	if !ask.Outcome.At.IsZero() && out.Status != dirPending {
		at := dirTime(ask.Outcome.At)
		out.AnsweredAt = &at
	}
	data, err := plainjson.Marshal(out)
	if err != nil {
		return dirAsk{}, err
	}
	back, err := readAsk(data, session)
	if err != nil || !sameAsk(back, ask, out.Status == dirPending) {
		out.Planb = &dirAskMore{jsonAsk: newJSONAsk(ask)}
		if err != nil || back.Spec.Digest() != ask.Spec.Digest() {
			out.Planb.Spec = &ask.Spec
		}
	}
	return out, nil
}

func (d *dirAsk) setOutcome(o questions.Outcome) {
	switch o.State {
	case questions.Answered:
		d.Status = dirAnswered
	case questions.Expired:
		d.Status, d.Outcome = dirTimeout, &dirOutcome{Type: dirTimeout}
	case questions.Discuss:
		d.Status, d.Outcome = dirDeclined, &dirOutcome{Type: dirDecline, Action: dirDiscuss, Message: o.Message}
	case questions.Declined:
		d.Status, d.Outcome = dirDeclined, &dirOutcome{Type: dirDecline, Action: dirDecline, Message: o.Message}
	case questions.Withdrawn:
		d.setWithdrawn(o.Message.Raw())
	default:
		d.Status = dirPending
	}
}

func (d *dirAsk) setWithdrawn(why string) {
	detail, failed := strings.CutPrefix(why, endedError)
	switch {
	case why == endedPending:
		d.Status = dirPending
	case why == endedExpired:
		d.Status, d.Outcome = dirTimeout, &dirOutcome{Type: dirTimeout}
	case failed:
		d.Status, d.Outcome = dirError, &dirOutcome{Type: dirError, Detail: safe.New(detail)}
	case why == "":
		d.Status, d.Outcome = dirError, &dirOutcome{Type: dirError, Detail: safe.New(dirWithdrawn)}
	default:
		d.Status, d.Outcome = dirError, &dirOutcome{Type: dirError, Detail: safe.New(dirWithdrawn + ": " + why)}
	}
}

// dirWithdrawn is how the detail of a withdrawn ask begins.
const dirWithdrawn = "withdrawn"

// readOutcome is the inverse of setOutcome.
func (d *dirAsk) readOutcome() (o questions.Outcome) {
	given := dirOutcome{}
	if d.Outcome != nil {
		given = *d.Outcome
	}
	switch d.Status {
	case dirAnswered:
		o.State = questions.Answered
	case dirTimeout:
		o.State = questions.Expired
	case dirDeclined:
		o.State, o.Message = questions.Declined, given.Message
		if given.Action == dirDiscuss {
			o.State = questions.Discuss
		}
	case dirError:
		detail := given.Detail.Raw()
		o.State = questions.Withdrawn
		if why, own := strings.CutPrefix(detail, dirWithdrawn+": "); own {
			o.Message = safe.New(why)
		} else if detail != dirWithdrawn {
			o.Message = safe.New(endedError + detail)
		}
	default:
		o.State = questions.Pending
	}
	return o
}

// answersJSON writes the answers in the order of the form, and after them the
// answers to questions that the form does not have.
func answersJSON(ask store.Ask) (json.RawMessage, error) {
	answers := ask.Outcome.Reply.Answers
	var ids []string
	for _, q := range ask.Spec.Questions {
		if _, ok := answers[q.ID]; ok {
			ids = append(ids, q.ID)
		}
	}
	ids = append(ids, ask.Spec.Unasked(ask.Outcome.Reply)...)
	var out bytes.Buffer
	out.WriteByte('{')
	for i, id := range ids {
		key, err := plainjson.Marshal(id)
		if err != nil {
			return nil, err
		}
		value, err := plainjson.Marshal(answers[id])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(key)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// sameAsk reports whether an import would read both asks as the same, apart
// from fractions of a millisecond, which the layout does not have.
func sameAsk(a, b store.Ask, pending bool) bool {
	var texts [2]string
	for i, ask := range []store.Ask{a, b} {
		ask = closed(ask, time.Time{})
		for _, t := range []*time.Time{&ask.Created, &ask.Asked, &ask.Shown, &ask.Snoozed, &ask.Delivered, &ask.Outcome.At} {
			*t = t.UTC().Truncate(time.Millisecond)
		}
		if pending {
			ask.Outcome.At, ask.Delivered = time.Time{}, time.Time{}
		}
		ask.Spec, ask.Session = questions.Spec{}, ""
		if len(ask.Outcome.Reply.Answers) == 0 {
			ask.Outcome.Reply.Answers = nil
		}
		text, err := plainjson.Marshal(newJSONAsk(ask))
		if err != nil {
			return false
		}
		texts[i] = string(text)
	}
	return texts[0] == texts[1] && a.Spec.Digest() == b.Spec.Digest()
}
