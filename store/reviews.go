package store

import (
	"context"
	"slices"
	"time"

	"planb/plans"
	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// mostGivingWay bounds how many reviews one ask replaces. There is more than one only
// in stores of an older planb.
const mostGivingWay = 10

// openReview is an open review of the plan that is submitted anew.
type openReview struct {
	record kv.Record
	ask    askRecord
}

// openReviews returns the open reviews of the ask's plan, oldest first. It leaves out
// those that cannot be read.
func (o *opening) openReviews(ctx context.Context) ([]openReview, error) {
	entries, err := o.s.ledger.List(ctx, openOf(o.ask.Session))
	if err != nil {
		return nil, err
	}
	keys := make([]kv.Key, len(entries))
	for i, r := range entries {
		keys[i] = askKey(ledger.LastPart(r.Key))
	}
	records, err := o.s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var open []openReview
	for _, r := range records {
		err := ledger.Beside(r, func(r kv.Record) error {
			if !r.Exists() {
				return nil
			}
			ask, err := ledger.Decode[askRecord](o.s.ledger, r)
			if err == nil && ask.ask(nil).Open() && ask.Plan != nil && ask.Plan.Name == o.ask.Spec.Plan.Name {
				open = append(open, openReview{r, ask})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(open, func(a, b openReview) int { return a.ask.Created.Compare(b.ask.Created) })
	return open[max(len(open)-mostGivingWay, 0):], nil
}

func idsOf(open []openReview) []string {
	ids := make([]string, len(open))
	for i, r := range open {
		ids[i] = r.ask.ID
	}
	return ids
}

// laterThan returns the id of an open review of a later version of the same plan file,
// which another process submitted first; empty if there is none. Of a plan without a
// file the agent may submit any version.
func (o *opening) laterThan(open []openReview) string {
	of := o.ask.Spec.Plan
	for _, r := range open {
		if of.Name != "" && r.ask.Plan.Number > of.Number {
			return r.ask.ID
		}
	}
	return ""
}

// giveWay withdraws the reviews that the ask replaces. The ask gets the entry of the
// last of them that has one. If the person put the plan off, its next version stays put
// off.
func (o *opening) giveWay(ctx context.Context, c *ledger.Change, open []openReview) error {
	o.ask.PutOff = time.Time{}
	for _, r := range open {
		if r.ask.Place == o.ask.Place {
			o.ask.PutOff = r.ask.PutOff
		}
		body, err := o.s.ledger.Object(r.record)
		if err != nil {
			return err
		}
		outcome := questions.Outcome{State: questions.Withdrawn, At: o.ask.Asked, Next: o.ask.ID}
		if err := body.Set("outcome", outcomeRecord{Outcome: outcome, Op: c.Op.String()}); err != nil {
			return err
		}
		c.Check(r.record)
		if err := c.Put(r.record.Key, body); err != nil {
			return err
		}
		was := r.ask.ask(nil)
		withdrawn := was
		withdrawn.Outcome = outcome
		if err := o.s.reindex(ctx, c, was, withdrawn, belonging{}); err != nil {
			return err
		}
	}
	if err := o.leaveQueues(ctx, c, open); err != nil {
		return err
	}
	for _, r := range slices.Backward(open) {
		if handed, err := o.handOn(ctx, c, r.ask.ID); handed || err != nil {
			return err
		}
	}
	return nil
}

// leaveQueues removes the reviews from the queues of other places than the ask's own.
func (o *opening) leaveQueues(ctx context.Context, c *ledger.Change, open []openReview) error {
	gone := map[string][]string{} // by place
	for _, r := range open {
		if r.ask.Place != "" && r.ask.Place != o.ask.Place {
			gone[r.ask.Place] = append(gone[r.ask.Place], r.ask.ID)
		}
	}
	for place, ids := range gone {
		records, err := o.s.ledger.GetEach(ctx, queueKey(place))
		if err != nil {
			return err
		}
		if err := ledger.Beside(records[0], func(r kv.Record) error { return o.s.dequeue(c, r, ids...) }); err != nil {
			return err
		}
	}
	return nil
}

// handOn makes the entry of another ask the ask's own. An entry that cannot be read
// stays where it is.
func (o *opening) handOn(ctx context.Context, c *ledger.Change, from string) (handed bool, err error) {
	records, err := o.s.ledger.GetEach(ctx, entryKey(from))
	if err != nil {
		return false, err
	}
	var record entryRecord
	var entry questions.Entry
	err = ledger.Beside(records[0], func(r kv.Record) (err error) {
		if !r.Exists() {
			c.Check(r) // an entry that is just being saved would be left behind
			return nil
		}
		if record, err = ledger.Decode[entryRecord](o.s.ledger, r); err != nil {
			return err
		}
		if entry, err = o.s.readEntry(ctx, from, r); err != nil {
			return err
		}
		handed = true
		return o.s.dropEntry(c, from, r)
	})
	if !handed || err != nil {
		return false, err
	}
	return true, o.adoptEntry(ctx, c, record, entry)
}

// adoptEntry writes an entry that another ask had as the ask's own.
func (o *opening) adoptEntry(ctx context.Context, c *ledger.Change, was entryRecord, entry questions.Entry) error {
	record := entryRecord{Header: ledger.NewHeader(), Saved: was.Saved, Entry: &entry}
	if was.Body == nil {
		return c.Put(entryKey(o.ask.ID), record)
	}
	text, err := ledger.Encode(entry)
	if err != nil {
		return err
	}
	body, err := ledger.NewBlob("draft", text)
	if err != nil {
		return err
	}
	record.Entry, record.Body = nil, &body.Ref
	if err := c.Put(entryKey(o.ask.ID), record); err != nil {
		return err
	}
	return o.s.ledger.KeepUnder(ctx, c, entryParts(o.ask.ID), body)
}

// LastReview is the ask in which a person last reviewed the session's plan, as Asks has
// it; zero if they never did. Name is for a plan that is a file; it is empty for the
// session's own plan.
func (s *Store) LastReview(ctx context.Context, session string, name plans.Name) (last Ask, err error) {
	asks, err := s.Asks(ctx, session)
	if err != nil {
		return Ask{}, err
	}
	for _, ask := range asks {
		of := ask.Spec.Plan
		if of == nil || of.Name != string(name) || ask.Outcome.State != questions.Answered {
			continue
		}
		if !ask.Outcome.At.Before(last.Outcome.At) {
			last = ask
		}
	}
	return last, nil
}
