package store

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// maxWholeBytes is how many bytes of texts one operation reads, at most, for a caller
// that goes through many. A writer waits for each operation, so it must be short. A
// longer text is read alone.
const maxWholeBytes = 1 << 20

// PlanID names one version of a session's plan.
type PlanID struct {
	Session string
	Number  int
}

// WholePlan is a plan version with its exact text.
type WholePlan struct {
	Plan
	Text safe.Text
}

// WholePlans goes through versions with their texts, in the order of the ids, and holds
// few of them in memory. A version that cannot be read is among them, with Err; one that
// does not exist is left out. After an error the sequence ends.
func (s *Store) WholePlans(ctx context.Context, ids ...PlanID) iter.Seq2[WholePlan, error] {
	return func(yield func(WholePlan, error) bool) {
		keys := make([]kv.Key, 0, len(ids))
		for _, id := range ids {
			if owner, ok := ledger.CanonicalID(id.Session); ok && id.Number > 0 {
				keys = append(keys, planKey(owner, id.Number))
			}
		}
		records, err := s.ledger.GetEach(ctx, keys...)
		if err != nil {
			yield(WholePlan{}, err)
			return
		}
		var list []*wholePlan
		for _, r := range records {
			if r.Err == nil && !r.Exists() {
				continue
			}
			plan := &wholePlan{key: r.Key}
			if plan.record, plan.err = ledger.DecodeFound[planRecord](s.ledger, r); plan.err == nil {
				plan.refs = []ledger.Ref{plan.record.Text}
			} else if !ledger.AboutOne(plan.err) {
				yield(WholePlan{}, plan.err)
				return
			}
			list = append(list, plan)
		}
		for whole, err := range eachWhole(ctx, s, list) {
			if err != nil {
				yield(WholePlan{}, err)
				return
			}
			if plan, err := s.wholePlan(whole); !yield(plan, err) || err != nil {
				return
			}
		}
	}
}

type wholePlan struct {
	key    kv.Key
	record planRecord
	withTexts
}

func (p *wholePlan) parts() *withTexts { return &p.withTexts }
func (p *wholePlan) recordKey() kv.Key { return p.key }

func (s *Store) wholePlan(p *wholePlan) (WholePlan, error) {
	if p.err != nil {
		plan, err := s.planOf(ledger.Found{Record: kv.Record{Key: p.key}, Err: p.err})
		plan.Session = ledger.Parent(p.key)
		return WholePlan{Plan: plan}, err
	}
	return WholePlan{Plan: p.record.Plan, Text: safe.New(string(p.texts[0]))}, nil
}

// WholeAsks goes through the asks of the sessions with their specs and long replies: one
// session after another, the oldest ask of each first. An ask that cannot be read is
// among them, with Err. After an error the sequence ends.
//
// The asks of many sessions are read together: to read a single session costs three
// operations, whatever it has.
func (s *Store) WholeAsks(ctx context.Context, sessions ...string) iter.Seq2[Ask, error] {
	return s.WholeAsksWhere(ctx, nil, sessions...)
}

// WholeAsksWhere is WholeAsks for a caller that looks for a few asks of many. may gets
// the JSON of an ask's records and texts, with no letter escaped. An ask for which may
// returns false is left out and never parsed. may must not keep the JSON.
func (s *Store) WholeAsksWhere(ctx context.Context, may func(json ...[]byte) bool, sessions ...string) iter.Seq2[Ask, error] {
	return func(yield func(Ask, error) bool) {
		for some := range slices.Chunk(sessions, maxWholeSessions) {
			asks, err := s.wholeAsks(ctx, may, some)
			if err != nil {
				yield(Ask{}, err)
				return
			}
			for _, session := range some {
				id, _ := ledger.CanonicalID(session)
				for _, ask := range asks[id] {
					if !yield(ask, nil) {
						return
					}
				}
				delete(asks, id) // a session that is given twice comes once
			}
		}
	}
}

// maxWholeSessions bounds how many sessions' asks are held in memory, and
// maxWholeRecords how many of their records are read at once.
const (
	maxWholeSessions = 16
	maxWholeRecords  = 64
)

// wholeAsks returns those asks of the sessions for which may is true, by the sessions'
// ids, the oldest first.
func (s *Store) wholeAsks(ctx context.Context, may func(json ...[]byte) bool, sessions []string) (map[string][]Ask, error) {
	ids := make([]string, len(sessions))
	for i, session := range sessions {
		id, ok := ledger.CanonicalID(session)
		if !ok {
			return nil, &UnknownError{What: "session", ID: session}
		}
		ids[i] = id
	}
	entries, err := s.partsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	owners := make(map[kv.Key]string, len(entries))
	keys := make([]kv.Key, len(entries))
	for i, entry := range entries {
		keys[i] = askKey(ledger.LastPart(entry))
		owners[keys[i]] = ledger.Parent(entry)
	}
	var list []*wholeAsk
	for some := range slices.Chunk(keys, maxWholeRecords) {
		if list, err = s.appendWhole(ctx, list, some); err != nil {
			return nil, err
		}
	}
	asks := make(map[string][]Ask, len(ids))
	for whole, err := range eachWhole(ctx, s, list) {
		if err != nil {
			return nil, err
		}
		if may != nil && whole.err == nil && !may(append(slices.Clip(whole.texts), whole.json...)...) {
			continue
		}
		owner := owners[whole.key]
		asks[owner] = append(asks[owner], s.wholeAsk(whole, owner))
	}
	for _, list := range asks {
		oldestFirst(list)
	}
	return asks, nil
}

func (s *Store) appendWhole(ctx context.Context, list []*wholeAsk, keys []kv.Key) ([]*wholeAsk, error) {
	records, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		if r.Err == nil && !r.Exists() {
			continue
		}
		ask := &wholeAsk{key: r.Key, json: [][]byte{r.Value}}
		if ask.err = ask.read(ctx, s, r); ask.err == nil {
			ask.refs = append(ask.refs, ask.record.Spec)
			for _, o := range ask.record.outcomes() {
				ask.refs = append(ask.refs, *o.Body)
			}
		} else if !ledger.AboutOne(ask.err) {
			return nil, ask.err
		}
		list = append(list, ask)
	}
	return list, nil
}

// partsOf returns the keys that name the asks of the sessions, in order. Sessions made
// one after the other have neighbouring keys. So one scan reads the keys of many
// sessions, with those of a few others that lie between them.
func (s *Store) partsOf(ctx context.Context, sessions []string) (keys []kv.Key, err error) {
	sessions = slices.Sorted(slices.Values(sessions))
	var page []ledger.Found // scanned and not looked at yet
	more, last := true, kv.Key("")
	for _, id := range slices.Compact(sessions) {
		prefix := asksOf(id)
		for {
			for len(page) > 0 && page[0].Key < prefix {
				page = page[1:]
			}
			for len(page) > 0 && strings.HasPrefix(string(page[0].Key), string(prefix)) {
				keys = append(keys, page[0].Key)
				page = page[1:]
			}
			if len(page) > 0 || !more {
				break // all keys of the session were read
			}
			// Just before the session's keys, or behind those that were scanned.
			last = max(last, prefix[:len(prefix)-1])
			if page, more, err = s.ledger.Page(ctx, partOfKeys, last, partsStep); err != nil {
				return nil, err
			}
			if more && len(page) > 0 {
				last = page[len(page)-1].Key
			}
			more = more && len(page) > 0
		}
	}
	return keys, nil
}

// partsStep is how many keys one scan reads: more than the asks of most sessions.
const partsStep = 200

type wholeAsk struct {
	key    kv.Key
	json   [][]byte // of the record, and of those of replies that came too late
	record askRecord
	withTexts
}

func (a *wholeAsk) read(ctx context.Context, s *Store, r ledger.Found) (err error) {
	if a.record, err = ledger.DecodeFound[askRecord](s.ledger, r); err != nil {
		return err
	}
	late, err := s.readTooLate(ctx, &a.record)
	for _, r := range late {
		a.json = append(a.json, r.Value)
	}
	return err
}

func (a *wholeAsk) parts() *withTexts { return &a.withTexts }
func (a *wholeAsk) recordKey() kv.Key { return a.key }

func (s *Store) wholeAsk(a *wholeAsk, session string) Ask {
	id := ledger.LastPart(a.key)
	if a.err != nil {
		return Ask{ID: id, Session: session, Created: ledger.TimeOf(id), Err: a.err}
	}
	spec := new(questions.Spec)
	if err := json.Unmarshal(a.texts[0], spec); err != nil {
		return Ask{ID: id, Session: session, Created: ledger.TimeOf(id), Err: s.ledger.Damaged(ledger.ChunkKeys+kv.Key(a.record.Spec.Digest), err)}
	}
	for i, o := range a.record.outcomes() {
		var body outcomeBody
		if err := json.Unmarshal(a.texts[i+1], &body); err != nil {
			return Ask{ID: id, Session: session, Created: ledger.TimeOf(id), Err: s.ledger.Damaged(ledger.ChunkKeys+kv.Key(o.Body.Digest), err)}
		}
		o.Reply, o.Message = body.Reply, body.Message
	}
	return a.record.ask(spec)
}

// withTexts is a record's references to texts, and the texts that were read.
type withTexts struct {
	refs  []ledger.Ref
	texts [][]byte
	err   error // why the texts, or the record itself, cannot be read
}

func (w *withTexts) size() (size int) {
	for _, ref := range w.refs {
		size += ref.Size
	}
	return size
}

type textsOwner interface {
	parts() *withTexts
	recordKey() kv.Key
}

// eachWhole reads the texts of records, as many at a time as maxWholeBytes allows, and
// yields each record with its texts. It leaves out records that were deleted meanwhile.
func eachWhole[T textsOwner](ctx context.Context, s *Store, list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for len(list) > 0 {
			n, size := 0, 0
			for n < len(list) && (n == 0 || size+list[n].parts().size() <= maxWholeBytes) {
				size += list[n].parts().size()
				n++
			}
			batch := list[:n]
			list = list[n:]
			if err := readTexts(ctx, s, batch); err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, whole := range batch {
				if !errors.Is(whole.parts().err, errGone) && !yield(whole, nil) {
					return
				}
				whole.parts().texts = nil
			}
		}
	}
}

// errGone says that a record was deleted while its texts were read.
var errGone = errors.New("deleted meanwhile")

// readTexts reads the texts of a batch in one operation. If one text cannot be read, it
// reads the texts of each record by themselves.
func readTexts[T textsOwner](ctx context.Context, s *Store, batch []T) error {
	var refs []ledger.Ref
	for _, whole := range batch {
		refs = append(refs, whole.parts().refs...)
	}
	texts, err := s.ledger.Texts(ctx, refs...)
	if err == nil {
		for _, whole := range batch {
			n := len(whole.parts().refs)
			whole.parts().texts, texts = texts[:n], texts[n:]
		}
		return nil
	}
	if !ledger.AboutOne(err) {
		return err
	}
	for _, whole := range batch {
		if err := readAlone(ctx, s, whole); err != nil {
			return err
		}
	}
	return nil
}

// readAlone reads the texts of one record, or notes why they cannot be read.
func readAlone(ctx context.Context, s *Store, whole textsOwner) error {
	w := whole.parts()
	if w.err != nil {
		return nil
	}
	texts, err := s.ledger.Texts(ctx, w.refs...)
	if err != nil && !ledger.AboutOne(err) {
		return err
	}
	w.texts, w.err = texts, err
	if err != nil {
		records, err := s.ledger.GetEach(ctx, whole.recordKey())
		if err != nil {
			return err
		}
		if records[0].Err == nil && !records[0].Exists() {
			w.err = errGone
		}
	}
	return nil
}
