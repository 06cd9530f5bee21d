package store

import (
	"context"
	"slices"
	"time"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// Memory is the index that finds the answers a question of some project was
// given before: one entry for each ask with answers, the newest first, with marks
// of the questions that were answered in it. It says only where to look; whether
// it is the question the form itself tells, when the entry is followed. So entries
// need no agreement with anything: they are written and deleted without having
// been read, no outcome ever conflicts over one, and one whose ask is gone is
// passed over. One write is what a submit pays for it, however many questions
// there are.

// memoryRecord is an entry.
type memoryRecord struct {
	ledger.Header
	Machine string   `json:"machine,omitempty"` // of the project
	Asked   []string `json:"asked"`             // marks of the questions that have an answer
}

// memoryOf is the prefix of the entries of a project, by the hash of its root. The
// entries say on which machine that is.
func memoryOf(project string) kv.Key { return memoryKeys + kv.Key(project) + "/" }

// memoryKey sorts the later of two answers first.
func memoryKey(project string, at time.Time, ask string) kv.Key {
	return memoryOf(project) + ledger.Inverted(at) + "/" + kv.Key(ask)
}

// marks are what a question is found by: its id, and its words if it has any.
func marks(q questions.Question) []string {
	list := []string{mark64("id " + q.ID)}
	if words := questions.Wording(q.Label); words != "" {
		list = append(list, mark64("words "+words))
	}
	return list
}

// mark64 is short: two questions of one mark cost a look at a form in vain.
func mark64(text string) string { return ledger.Hash(text)[:16] }

// memorable reports whether an outcome's answers are shown to whoever is asked
// again: they were sent, and not by one who declined.
func memorable(o questions.Outcome) bool {
	return o.State == questions.Answered || o.State == questions.Discuss
}

// memory is the entry of an ask that has ended. Only asks about questions have one, in
// a project, and with the time of their outcome; of others ok is false.
func memory(project belonging, ask Ask) (key kv.Key, entry memoryRecord, ok bool) {
	o := ask.Outcome
	if project.Project == "" || ask.About() != AboutQuestions || !memorable(o) || checkTime(o.At) != nil {
		return "", memoryRecord{}, false
	}
	entry.Header, entry.Machine = ledger.NewHeader(), project.Machine
	for _, q := range ask.Spec.Questions {
		if !o.Reply.Answers[q.ID].IsZero() {
			entry.Asked = append(entry.Asked, marks(q)...)
		}
	}
	slices.Sort(entry.Asked)
	entry.Asked = slices.Compact(entry.Asked)
	return memoryKey(project.Project, o.At, ask.ID), entry, len(entry.Asked) > 0
}

// memorize adds an ask's entry to a change, if it has one.
func memorize(c *ledger.Change, project belonging, ask Ask) error {
	key, entry, ok := memory(project, ask)
	if !ok {
		return nil
	}
	return c.Put(key, entry)
}

// memoryLeft is the key of the entry of a gone session's ask; empty if nobody
// knows which it is, and then the entry leads nowhere.
func (s *Store) memoryLeft(ctx context.Context, r ledger.Found) (kv.Key, error) {
	record, err := ledger.DecodeFound[askRecord](s.ledger, r)
	if ledger.AboutOne(err) || err == nil && (!memorable(record.Outcome.Outcome) || checkTime(record.Outcome.At) != nil) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	entries, err := s.ledger.GetEach(ctx, digestKey(record.Digest, record.ID))
	if err != nil {
		return "", err
	}
	entry, err := ledger.DecodeFound[indexRecord](s.ledger, entries[0])
	if ledger.AboutOne(err) || err == nil && entry.Project == "" {
		return "", nil
	}
	return memoryKey(entry.Project, record.Outcome.At, record.ID), err
}
