package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"planb/questions"
	"planb/questions/safe"
)

// Earlier is an answer that a person gave to a question before.
type Earlier struct {
	Ask      string             // in which it was answered
	Session  Session            // of that ask; of one whose record cannot be read only the ID
	Question questions.Question // as it was asked then
	Answer   questions.Value
	Note     safe.Text
	At       time.Time
}

const (
	// maxTraces is how many of a question's newest entries are followed. Several
	// may lead to another question of the same id, or nowhere.
	maxTraces = 8
	// maxLeads is how many asks are read for one form, and leadStep how many at
	// once.
	maxLeads = 64
	leadStep = 8
)

// Earlier returns the newest answer to each of the ask's questions that was
// answered before in an ask of its project, by the question's id; see
// questions.Question.SameAs. There is none for a question that was not, nor in an
// ask of no project. What cannot be read is no answer.
func (s *Store) Earlier(ctx context.Context, ask Ask) (map[string]Earlier, error) {
	owner, err := s.Session(ctx, ask.Session)
	if _, one := aboutOne(err); one {
		return nil, nil // nobody knows of which project it is
	}
	if err != nil || owner.Project.IsZero() || ask.Spec.Plan != nil {
		return nil, err
	}
	leads, err := s.leads(ctx, projectHash(owner), ask)
	if err != nil {
		return nil, err
	}
	found := map[string]Earlier{}
	for some := range slices.Chunk(leads, leadStep) {
		if err := s.follow(ctx, ask.Spec, some, found); err != nil {
			return nil, err
		}
	}
	return found, s.nameSessions(ctx, found)
}

// lead is an ask in which some of the questions may have been answered.
type lead struct {
	ask   string
	at    string // the time of the outcome, inverted
	which []int  // of the questions
}

// leads follows the entries of the ask's questions, the newest first.
func (s *Store) leads(ctx context.Context, project string, ask Ask) ([]lead, error) {
	byAsk := map[string]*lead{}
	for i, q := range ask.Spec.Questions {
		for _, prefix := range traces(project, q) {
			entries, _, err := s.pageEach(ctx, prefix, "", maxTraces)
			if err != nil {
				return nil, err
			}
			for _, entry := range entries {
				at, id, ok := strings.Cut(string(entry.Key[len(prefix):]), "/")
				if !ok || id == ask.ID {
					continue
				}
				if byAsk[id] == nil {
					byAsk[id] = &lead{ask: id, at: at}
				}
				if l := byAsk[id]; !slices.Contains(l.which, i) {
					l.which = append(l.which, i)
				}
			}
		}
	}
	leads := make([]lead, 0, len(byAsk))
	for _, l := range byAsk {
		leads = append(leads, *l)
	}
	slices.SortFunc(leads, func(a, b lead) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.ask, a.ask)) })
	return leads[:min(len(leads), maxLeads)], nil
}

// follow reads the asks of some leads, and adds what was answered in them to
// questions of which nothing newer was found.
func (s *Store) follow(ctx context.Context, spec questions.Spec, leads []lead, found map[string]Earlier) error {
	open := func(l lead) bool {
		return slices.ContainsFunc(l.which, func(i int) bool {
			_, known := found[spec.Questions[i].ID]
			return !known
		})
	}
	which := map[string][]int{}
	var keys []Key
	for _, l := range leads {
		if open(l) {
			which[l.ask] = l.which
			keys = append(keys, askKey(l.ask))
		}
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
		if earlier.Err != nil || !remembered(earlier.Outcome) {
			continue
		}
		for _, i := range which[earlier.ID] {
			q := spec.Questions[i]
			if _, known := found[q.ID]; known {
				continue
			}
			if is, ok := answeredIn(earlier, q); ok {
				found[q.ID] = is
			}
		}
	}
	return nil
}

// answeredIn is the answer to the question in an earlier ask: to the one of its
// id, if that is the same, else to the first that is.
func answeredIn(ask Ask, q questions.Question) (Earlier, bool) {
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
		return Earlier{}, false
	}
	was, reply := ask.Spec.Questions[best], ask.Outcome.Reply
	return Earlier{
		Ask: ask.ID, Session: Session{ID: ask.Session}, Question: was,
		Answer: reply.Answers[was.ID], Note: reply.Notes[was.ID], At: ask.Outcome.At,
	}, true
}

// nameSessions adds the sessions in which the answers were given.
func (s *Store) nameSessions(ctx context.Context, found map[string]Earlier) error {
	ids := slices.Sorted(maps.Keys(found))
	keys := make([]Key, len(ids))
	for i, id := range ids {
		keys[i] = sessionKey(found[id].Session.ID)
	}
	records, err := s.getEach(ctx, keys...)
	if err != nil {
		return err
	}
	for i, r := range records {
		if record, err := decodeFound[sessionRecord](s, r); err == nil && r.Exists() {
			is := found[ids[i]]
			is.Session = record.Session
			found[ids[i]] = is
		}
	}
	return nil
}
