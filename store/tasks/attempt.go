package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// How much is kept of a task's past. Older attempts, notes and reports make room for newer
// ones.
const (
	keptAttempts = 10
	keptNotes    = 5 // of one attempt
	KeptLate     = 5
	// maxInlineReport is how many bytes of a report stand in the record; a longer one is
	// kept in a chunk.
	maxInlineReport = 8 << 10
)

// Attempt is the work on a task under one claim.
type Attempt struct {
	ClaimID string    `json:"claimId"`
	Worker  string    `json:"worker"` // as a person knows it: "Claude Code"
	At      time.Time `json:"at"`
	Ended   time.Time `json:"ended,omitzero"`
	End     Ending    `json:"end,omitempty"`
	By      string    `json:"by,omitempty"` // the person who ended it or decided about it
	Notes   []Note    `json:"notes,omitempty"`
	// Report is what the agent reported at the end. planb verified none of it.
	Report *tasks.Report `json:"report,omitempty"`
	// Comment is what the person said of the report.
	Comment safe.Text `json:"comment,omitzero"`
	// Claimed and Completed are the repository at the beginning and at the end.
	Claimed   Repository `json:"claimed,omitzero"`
	Completed Repository `json:"completed,omitzero"`
}

// Ending says how an attempt ended.
type Ending string

// The endings. An attempt without one goes on.
const (
	EndedByAgent    Ending = "given_back"
	EndedByLease    Ending = "lapsed"       // its holder was silent for longer than its lease
	EndedByExit     Ending = "gone"         // its holder's process ended
	EndedStuck      Ending = "stuck"        // the agent cannot go on without the person
	EndedReported   Ending = "needs_review" // a person must accept the report
	EndedDone       Ending = "done"
	EndedAccepted   Ending = "accepted"  // the person accepted the report
	EndedSentBack   Ending = "sent_back" // the person wants more
	EndedByRelease  Ending = "released"  // the person took the task from its holder
	EndedByCancel   Ending = "cancelled" // the person cancelled the task
	EndedByFinish   Ending = "finished"  // the person did the task
	EndedUnreadable Ending = "lost"      // its claim could not be read
)

// Note is what an agent says while it works.
type Note struct {
	At   time.Time `json:"at"`
	Text safe.Text `json:"text"`
}

// Repository is what was read from the files of a git repository. Nobody typed it.
type Repository struct {
	Head   string `json:"head,omitempty"` // the commit
	Branch string `json:"branch,omitempty"`
}

// Late is a report of an attempt that had ended.
type Late struct {
	At      time.Time     `json:"at"`
	ClaimID string        `json:"claimId"`
	Worker  string        `json:"worker"`
	Report  *tasks.Report `json:"report,omitempty"`
}

// Past is what is kept of the work on a task.
type Past struct {
	Attempts []Attempt `json:"attempts,omitempty"` // the oldest first
	Late     []Late    `json:"late,omitempty"`
	// Count is how many attempts there were, and GivenBack how many of them were given
	// back since a person last decided about the work on the task.
	Count     int `json:"count,omitempty"`
	GivenBack int `json:"givenBack,omitempty"`
}

type pastRecord struct {
	ledger.Header
	Attempts  []attemptRecord `json:"attempts,omitempty"`
	Late      []lateRecord    `json:"late,omitempty"`
	Count     int             `json:"count,omitempty"`
	GivenBack int             `json:"givenBack,omitempty"`
}

type attemptRecord struct {
	Attempt
	Long *ledger.Ref `json:"long,omitempty"` // the report, if it is long
}

type lateRecord struct {
	Late
	Long *ledger.Ref `json:"long,omitempty"`
}

// refs are the texts of the record.
func (p pastRecord) refs() (refs []ledger.Ref) {
	for _, a := range p.Attempts {
		if a.Long != nil {
			refs = append(refs, *a.Long)
		}
	}
	for _, l := range p.Late {
		if l.Long != nil {
			refs = append(refs, *l.Long)
		}
	}
	return refs
}

// begin adds an attempt.
func (p *pastRecord) begin(a Attempt) {
	p.Count++
	for i := range p.Attempts {
		if before := &p.Attempts[i]; before.End == "" {
			before.end(EndedUnreadable, a.At) // its claim was lost
		}
	}
	p.Attempts = append(p.Attempts, attemptRecord{Attempt: a})
	p.Attempts = p.Attempts[max(0, len(p.Attempts)-keptAttempts):]
}

// find returns the attempt of a claim; nil if it is not kept.
func (p *pastRecord) find(claimID string) *attemptRecord {
	at := slices.IndexFunc(p.Attempts, func(a attemptRecord) bool { return a.ClaimID == claimID })
	if at < 0 {
		return nil
	}
	return &p.Attempts[at]
}

// last returns the newest attempt; nil if there is none.
func (p *pastRecord) last() *attemptRecord {
	if len(p.Attempts) == 0 {
		return nil
	}
	return &p.Attempts[len(p.Attempts)-1]
}

func (a *attemptRecord) end(how Ending, at time.Time) { a.End, a.Ended = how, at }

func (a *attemptRecord) note(text safe.Text, at time.Time) {
	if text.Blank() {
		return
	}
	a.Notes = append(a.Notes, Note{at, text})
	a.Notes = a.Notes[max(0, len(a.Notes)-keptNotes):]
}

// kept is a report as a record holds it: whole, or what refers to it.
type kept struct {
	report *tasks.Report
	long   *ledger.Ref
}

// keepReport makes the change hold a report.
func (s *Store) keepReport(ctx context.Context, c *ledger.Change, report tasks.Report) (kept, error) {
	data, err := json.Marshal(report)
	if err != nil || len(data) <= maxInlineReport {
		return kept{report: &report}, err
	}
	blob, err := ledger.NewBlob("report", data)
	if err != nil {
		return kept{}, err
	}
	return kept{long: &blob.Ref}, s.ledger.Keep(ctx, c, blob)
}

// readPast decodes what is kept of the work on a task; a missing record means that
// nobody has begun the task.
func (s *Store) readPast(r kv.Record) (pastRecord, error) {
	if !r.Exists() {
		return pastRecord{Header: ledger.NewHeader()}, nil
	}
	return ledger.Decode[pastRecord](s.ledger, r)
}

// putPast writes the record with the fields that this planb knows replaced.
func (s *Store) putPast(c *ledger.Change, r kv.Record, past pastRecord) error {
	if !r.Exists() {
		c.Check(r)
		return c.Put(r.Key, past)
	}
	return s.ledger.Rewrite(c, r, "attempts", past.Attempts, "late", past.Late, "count", past.Count, "givenBack", past.GivenBack)
}

// Past returns what is kept of the work on a task. The error is a *tasks.Error,
// task.not_found, if the caller finds no such task.
func (s *Store) Past(ctx context.Context, by Caller, task string) (Past, error) {
	t, err := s.task(ctx, by, task)
	if err != nil {
		return Past{}, err
	}
	return s.whatWas(ctx, t.past)
}

// Unreported returns the tasks of a plan that wait for the person without a report: the agent only
// asked something, or gave the task back once too often. With each comes its last attempt; a zero
// one if that is not kept, or cannot be read.
func (s *Store) Unreported(ctx context.Context, w Whole) (map[int]Attempt, error) {
	var numbers []int
	var keys []kv.Key
	for n := 1; n <= w.Graph.Len(); n++ {
		if w.Marks.State(n) == tasks.NeedsReview && !w.Graph.Dropped(n) {
			numbers, keys = append(numbers, n), append(keys, attemptsKey(w.ID, n))
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	list := map[int]Attempt{}
	for i, f := range found {
		list[numbers[i]] = Attempt{}
		err := ledger.Beside(f, func(r kv.Record) error {
			past, err := s.readPast(r)
			if last := past.last(); err == nil && last != nil {
				if list[numbers[i]] = last.Attempt; last.Report != nil || last.Long != nil {
					delete(list, numbers[i])
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Said is what the agent said last in an attempt; zero for nothing.
func (a Attempt) Said() safe.Text {
	if len(a.Notes) == 0 {
		return safe.Text{}
	}
	return a.Notes[len(a.Notes)-1].Text
}

// whatWas reads the texts of a past.
func (s *Store) whatWas(ctx context.Context, record pastRecord) (Past, error) {
	past := Past{Count: record.Count, GivenBack: record.GivenBack}
	texts, err := s.ledger.Texts(ctx, record.refs()...)
	if err != nil {
		return Past{}, err
	}
	read := func(report *tasks.Report, long *ledger.Ref) (*tasks.Report, error) {
		if long == nil {
			return report, nil
		}
		text := texts[0]
		texts = texts[1:]
		report = &tasks.Report{}
		if err := json.Unmarshal(text, report); err != nil {
			return nil, s.ledger.Damaged(ledger.ChunkKeys+kv.Key(long.Digest), errors.New("it is no report"))
		}
		return report, nil
	}
	for _, a := range record.Attempts {
		if a.Report, err = read(a.Report, a.Long); err != nil {
			return Past{}, err
		}
		past.Attempts = append(past.Attempts, a.Attempt)
	}
	for _, l := range record.Late {
		if l.Report, err = read(l.Report, l.Long); err != nil {
			return Past{}, err
		}
		past.Late = append(past.Late, l.Late)
	}
	return past, nil
}
