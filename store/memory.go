package store

import (
	"context"
	"slices"
	"time"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// Memory is the index that finds earlier answers to a question within a project. It has one
// index entry for each ask with answers, the newest first, with marks of the questions that
// were answered in it. An index entry only says where to look: the form of its ask then
// says whether the question is the same. So index entries need not be exact. A process
// writes and deletes them without reading them first, so no two outcomes conflict over one.
// A reader skips an entry whose ask is gone. A submit pays one write for the index, however
// many questions there are.

// memoryRecord is an entry of the index.
type memoryRecord struct {
	ledger.Header
	Machine string   `json:"machine,omitempty"` // of the project
	Asked   []string `json:"asked"`             // marks of the questions that have an answer
}

// memoryOf is the prefix of the entries of a project, by the hash of its root. Each
// entry says on which machine the root is.
func memoryOf(project string) kv.Key { return memoryKeys + kv.Key(project) + "/" }

// memoryKey sorts the later of two answers first.
func memoryKey(project string, at time.Time, ask string) kv.Key {
	return memoryOf(project) + ledger.Inverted(at) + "/" + kv.Key(ask)
}

// marks returns the hashes by which a question is found: that of its id and, if it has
// words, that of its words.
func marks(q questions.Question) []string {
	list := []string{mark64("id " + q.ID)}
	if words := questions.Wording(q.Label); words != "" {
		list = append(list, mark64("words "+words))
	}
	return list
}

// mark64 is a short hash: if two questions share a mark, one form is read in vain.
func mark64(text string) string { return ledger.Hash(text)[:16] }

// memorable reports whether an outcome's answers are offered when the question is asked
// again: the person sent them and did not decline.
func memorable(o questions.Outcome) bool {
	return o.State == questions.Answered || o.State == questions.Discuss
}

// memory returns the index entry of an ask that has ended. ok is false if the ask gets
// none, because it is not about questions, has no project, or has no time of its outcome.
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

// memorize adds the ask's index entry to a change, if it has one.
func memorize(c *ledger.Change, project belonging, ask Ask) error {
	key, entry, ok := memory(project, ask)
	if !ok {
		return nil
	}
	return c.Put(key, entry)
}

// memoryLeft is the key of the index entry of a gone session's ask. It is empty if the
// records that would tell cannot be read; then the index entry stays and leads nowhere.
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
