package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"planb/questions"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// maxInline is how many bytes of a reply with its message stay in the ask's record.
// Longer ones are kept in chunks, so that lists of asks stay cheap.
const maxInline = 1 << 10

// askRecord is an ask as it is kept. Its fields shadow those of Ask that are kept in
// another form.
type askRecord struct {
	ledger.Header
	Ask
	Title   safe.Text          `json:"title"`
	Plan    *questions.PlanRef `json:"plan,omitempty"`
	Spec    ledger.Ref         `json:"spec"`
	Outcome outcomeRecord      `json:"outcome"`
	// Lates counts the replies that came after the outcome; each has a record of its
	// own. TooLate has the replies that an older planb kept in this record. Reading adds
	// the others to it.
	Lates   int             `json:"lates,omitempty"`
	TooLate []outcomeRecord `json:"late,omitempty"`
}

type outcomeRecord struct {
	questions.Outcome
	Body *ledger.Ref `json:"body,omitempty"` // of the outcomeBody, if that is long
	Op   string      `json:"op,omitempty"`   // the operation that settled it
}

type outcomeBody struct {
	Reply   questions.Reply `json:"reply,omitzero"`
	Message safe.Text       `json:"message,omitzero"`
}

// newOutcome returns the record of an outcome, and its body if that is to be kept beside
// the record.
func newOutcome(outcome questions.Outcome, op kv.OpID) (outcomeRecord, *ledger.Blob, error) {
	record := outcomeRecord{Outcome: outcome, Op: op.String()}
	body, err := ledger.Encode(outcomeBody{outcome.Reply, outcome.Message})
	if err != nil || len(body) <= maxInline {
		return record, nil, err
	}
	b, err := ledger.NewBlob("answer", body)
	if err != nil {
		return record, nil, err
	}
	record.Reply, record.Message, record.Body = questions.Reply{}, safe.Text{}, &b.Ref
	return record, b, nil
}

// outcomes lists the ask's outcomes whose body is kept beside the record.
func (a *askRecord) outcomes() []*outcomeRecord {
	var list []*outcomeRecord
	if a.Outcome.Body != nil {
		list = append(list, &a.Outcome)
	}
	for i := range a.TooLate {
		if a.TooLate[i].Body != nil {
			list = append(list, &a.TooLate[i])
		}
	}
	return list
}

// ask returns the record's Ask. It has the spec's questions only if the spec was read.
func (a *askRecord) ask(spec *questions.Spec) Ask {
	ask := a.Ask
	ask.Spec = questions.Spec{Title: a.Title, Plan: a.Plan}
	if spec != nil {
		ask.Spec = *spec
	}
	ask.Outcome = a.Outcome.Outcome
	ask.TooLate = nil
	for _, late := range a.TooLate {
		ask.TooLate = append(ask.TooLate, late.Outcome)
	}
	return ask
}

// asks turns records into asks, in their order; a missing record gives the zero Ask. It
// reads long replies, and the specs if they are wanted.
func (s *Store) asks(ctx context.Context, records []kv.Record, withSpec bool) ([]Ask, error) {
	asks := make([]Ask, len(records))
	for i, r := range records {
		if !r.Exists() {
			continue
		}
		a, err := ledger.Decode[askRecord](s.ledger, r)
		if err != nil {
			return nil, err
		}
		if _, err := s.readTooLate(ctx, &a); err != nil {
			return nil, err
		}
		if err := s.readBodies(ctx, &a); err != nil {
			return nil, err
		}
		var spec *questions.Spec
		if withSpec {
			if spec, err = s.readSpec(ctx, &a); err != nil {
				return nil, err
			}
		}
		asks[i] = a.ask(spec)
	}
	return asks, nil
}

func (s *Store) readBodies(ctx context.Context, a *askRecord) error {
	for _, o := range a.outcomes() {
		texts, err := s.ledger.Texts(ctx, *o.Body)
		if err != nil {
			return err
		}
		var body outcomeBody
		if err := json.Unmarshal(texts[0], &body); err != nil {
			return s.ledger.Damaged(ledger.ChunkKeys+kv.Key(o.Body.Digest), err)
		}
		o.Reply, o.Message = body.Reply, body.Message
	}
	return nil
}

func (s *Store) readSpec(ctx context.Context, a *askRecord) (*questions.Spec, error) {
	texts, err := s.ledger.Texts(ctx, a.Spec)
	if err != nil {
		return nil, err
	}
	spec := new(questions.Spec)
	if err := json.Unmarshal(texts[0], spec); err != nil {
		return nil, s.ledger.Damaged(ledger.ChunkKeys+kv.Key(a.Spec.Digest), err)
	}
	return spec, nil
}

// changeAsk reads the ask and commits what change writes for it; after a conflict it begins
// anew. The error for an unknown ask is *UnknownError.
func (s *Store) changeAsk(ctx context.Context, id string, change func(c *ledger.Change, r kv.Record, a askRecord) error) error {
	canonical, ok := ledger.CanonicalID(id)
	if !ok {
		return &UnknownError{What: "ask", ID: id}
	}
	return s.ledger.Commit(ctx, func(c *ledger.Change) error {
		records, err := s.ledger.Get(ctx, askKey(canonical))
		if err != nil {
			return err
		}
		if !records[0].Exists() {
			return &UnknownError{What: "ask", ID: id}
		}
		a, err := ledger.Decode[askRecord](s.ledger, records[0])
		if err != nil {
			return err
		}
		return change(c, records[0], a)
	})
}

// oldestFirst sorts asks by when they were first asked.
func oldestFirst(asks []Ask) {
	slices.SortStableFunc(asks, func(a, b Ask) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
}
