package store

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/runs"
)

// EarlierAnswer is an answer that a person gave to a question before.
type EarlierAnswer struct {
	Ask      string             // in which it was answered
	Session  Session            // of that ask; only the ID if its record cannot be read
	Question questions.Question // as it was asked then
	Answer   questions.Value
	Note     safe.Text
	At       time.Time
}

const (
	// maxRemembered is how many of a project's newest asks are looked at.
	maxRemembered = 5 * kv.MaxPageRecords
	// maxTraces is how many asks are read for one mark of a question (see memory.go). A
	// mark of an id that every form has would lead to many other questions.
	maxTraces = 8
	// maxLeads is how many asks are read for one form, and leadStep how many at
	// once.
	maxLeads = 64
	leadStep = 8
)

// EarlierAnswers returns the newest earlier answer to each of the ask's questions, by the
// question's id: an answer to the same question (questions.Question.SameAs) in an ask of
// the same project. An ask of no project has none. An ask that cannot be read gives no
// answer. EarlierForm looks for whole forms instead of single questions. What a draft asks again
// was answered in that draft, if at all.
func (s *Store) EarlierAnswers(ctx context.Context, ask Ask) (map[string]EarlierAnswer, error) {
	if ask.About() == runs.SubjectKind {
		found, err := s.answeredAtGate(ctx, ask)
		if ledger.AboutOne(err) {
			return nil, nil
		}
		return found, err
	}
	owner, err := s.Session(ctx, ask.Session)
	if ledger.AboutOne(err) {
		return nil, nil // its project is unknown
	}
	if err != nil || owner.Project.IsZero() || ask.About() != AboutQuestions {
		return nil, err
	}
	scope, err := s.scopeOf(ctx, owner)
	if err != nil {
		return nil, err
	}
	found := map[string]EarlierAnswer{}
	look, prefix := newLooking(ask, scope), memoryOf(s.belonging(owner).Project)
	for after, seen := kv.Key(""), 0; seen < maxRemembered && len(found) < len(ask.Spec.Questions); {
		entries, more, err := s.ledger.Page(ctx, prefix, after, kv.MaxPageRecords)
		if err != nil {
			return nil, err
		}
		for some := range slices.Chunk(look.leads(entries), leadStep) {
			if err := s.follow(ctx, ask.Spec, some, found); err != nil {
				return nil, err
			}
		}
		if !more || len(entries) == 0 {
			break
		}
		after, seen = entries[len(entries)-1].Key, seen+len(entries)
	}
	return found, s.nameSessions(ctx, found)
}

// looking goes through the index entries of a project for the questions of an ask.
type looking struct {
	ask   string
	scope Scope
	marks []wanted
	found int // leads
}

// wanted is a mark of one of the questions.
type wanted struct {
	text  []byte
	which int // of the questions
	found int // leads
}

func newLooking(ask Ask, scope Scope) *looking {
	l := &looking{ask: ask.ID, scope: scope}
	for i, q := range ask.Spec.Questions {
		for _, text := range marks(q) {
			l.marks = append(l.marks, wanted{text: []byte(text), which: i})
		}
	}
	return l
}

// lead is an ask in which some of the questions may have been answered.
type lead struct {
	ask   string
	which []int // of the questions
}

// leads lists, in order, the asks whose index entries have a mark. It searches the entries
// as bytes, because that is far quicker than to parse them. A mark stands in them unchanged.
func (l *looking) leads(entries []ledger.Found) (leads []lead) {
	for _, entry := range entries {
		id := ledger.LastPart(entry.Key)
		if entry.Err != nil || id == l.ask || !l.scope.hasMachine(entry.Value) {
			continue
		}
		next := lead{ask: id}
		for i := range l.marks {
			m := &l.marks[i]
			if m.found < maxTraces && bytes.Contains(entry.Value, m.text) {
				m.found++
				if !slices.Contains(next.which, m.which) {
					next.which = append(next.which, m.which)
				}
			}
		}
		if len(next.which) > 0 && l.found < maxLeads {
			l.found++
			leads = append(leads, next)
		}
	}
	return leads
}

// follow reads the asks of some leads. For each question that has no answer yet it adds
// theirs.
func (s *Store) follow(ctx context.Context, spec questions.Spec, leads []lead, found map[string]EarlierAnswer) error {
	open := func(l lead) bool {
		return slices.ContainsFunc(l.which, func(i int) bool {
			_, known := found[spec.Questions[i].ID]
			return !known
		})
	}
	which := map[string][]int{}
	var keys []kv.Key
	for _, l := range leads {
		if open(l) {
			which[l.ask] = l.which
			keys = append(keys, askKey(l.ask))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	list, err := s.appendWhole(ctx, nil, keys)
	if err != nil {
		return err
	}
	for whole, err := range eachWhole(ctx, s, list) {
		if err != nil {
			return err
		}
		earlier := s.wholeAsk(whole, whole.record.Session)
		if earlier.Err != nil || !memorable(earlier.Outcome) {
			continue
		}
		for _, i := range which[earlier.ID] {
			q := spec.Questions[i]
			if _, known := found[q.ID]; known {
				continue
			}
			if answer, ok := answeredIn(earlier, q); ok {
				found[q.ID] = answer
			}
		}
	}
	return nil
}

// answeredIn returns the answer that an earlier ask has to the same question. It tries the
// question with the same id first.
func answeredIn(ask Ask, q questions.Question) (EarlierAnswer, bool) {
	best := -1
	for i, was := range ask.Spec.Questions {
		if ask.Outcome.Reply.Answers[was.ID].IsZero() || !q.SameAs(was) {
			continue
		}
		if best < 0 || was.ID == q.ID {
			best = i
		}
	}
	if best < 0 {
		return EarlierAnswer{}, false
	}
	was, reply := ask.Spec.Questions[best], ask.Outcome.Reply
	return EarlierAnswer{
		Ask: ask.ID, Session: Session{ID: ask.Session}, Question: was,
		Answer: reply.Answers[was.ID], Note: reply.Notes[was.ID], At: ask.Outcome.At,
	}, true
}

// nameSessions adds the sessions in which the answers were given.
func (s *Store) nameSessions(ctx context.Context, found map[string]EarlierAnswer) error {
	ids := slices.Sorted(maps.Keys(found))
	keys := make([]kv.Key, len(ids))
	for i, id := range ids {
		keys[i] = sessionKey(found[id].Session.ID)
	}
	records, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return err
	}
	for i, r := range records {
		if record, err := ledger.DecodeFound[sessionRecord](s.ledger, r); err == nil && r.Exists() {
			named := found[ids[i]]
			named.Session = record.Session
			found[ids[i]] = named
		}
	}
	return nil
}
