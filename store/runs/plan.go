package runs

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"planb/drafts"
	"planb/drafts/schedule"
	"planb/drafts/shape"
	"planb/plainjson"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// Plan is what a draft was begun with. Only Detail and Flags change later.
type Plan struct {
	ID       string         `json:"planId"`
	Session  string         `json:"sessionId"`
	Dir      string         `json:"dir,omitempty"` // of the project
	Excerpt  safe.Text      `json:"excerpt"`       // the beginning of the prompt
	Detail   drafts.Detail  `json:"detail"`
	Target   drafts.Target  `json:"target,omitempty"`
	Start    string         `json:"start_date"`         // ISO
	NoGates  bool           `json:"no_gates,omitempty"` // a person began it without any
	Profile  string         `json:"profile,omitempty"`  // of the models that write; empty: an agent or a program writes
	Parent   string         `json:"parent,omitempty"`   // the draft that this one validates
	Pipeline int            `json:"pipeline"`           // version of the steps
	Flags    schedule.Flags `json:"flags"`
	Created  time.Time      `json:"created"`
}

// steps counts the steps that are written in the plan.
func (p Plan) steps() int {
	_, of := drafts.Draft{Detail: p.Detail, Target: p.Target}.Progress()
	return of
}

// State says how the writing of a plan stands.
type State string

// The states.
const (
	Pending    State = "pending"    // nothing of this run is accepted or being written
	Processing State = "processing" // it is being written, or waits for a person
	Completed  State = "completed"
	Failed     State = "failed"
	Stopped    State = "stopped"
)

// Ended reports whether the run is over: it goes on only after Resume or Retry.
func (s State) Ended() bool { return s == Completed || s == Failed || s == Stopped }

// Mode says who writes a plan.
type Mode string

// The modes.
const (
	ByAgent  Mode = "agent"
	ByWorker Mode = "worker" // a process of its own, without an agent
)

// Run is how the writing of a plan stands.
type Run struct {
	State        State     `json:"state"`
	Number       int       `json:"run"`
	Generation   int       `json:"generation"` // raised when the plan is written anew
	Mode         Mode      `json:"mode"`
	Title        safe.Text `json:"title"` // from the brief; zero before
	Stop         *Stop     `json:"stop"`
	Error        *Failure  `json:"error"`
	Resumes      int       `json:"resume_count"`
	Done         int       `json:"done"` // steps written
	Of           int       `json:"of"`
	Started      time.Time `json:"started"`
	Ended        time.Time `json:"ended"`
	LastProgress time.Time `json:"last_progress"` // zero at first and after a retry
	Pending      time.Time `json:"pending"`       // when it last began to wait for a writer
	Cursor       int       `json:"cursor"`        // of the newest event
	// Attempts are the newest calls of models that failed, the oldest first.
	Attempts []drafts.Attempt `json:"attempts,omitempty"`
}

// maxAttempts is how many calls that failed a run keeps.
const maxAttempts = 40

// Stop says who stopped a run and why.
type Stop struct {
	By  string    `json:"by"`
	Why string    `json:"why"`
	At  time.Time `json:"at"`
}

// Failure says why a run failed.
type Failure struct {
	Reason      Reason `json:"failure_reason"`
	Step        string `json:"failed_step"`
	Message     string `json:"message"` // at most 256 characters
	Recoverable bool   `json:"recoverable"`
}

// Reason is a kind of failure.
type Reason string

// The reasons.
const (
	GenerationError   Reason = "generation_error"
	WorkerError       Reason = "worker_error"
	InactivityTimeout Reason = "inactivity_timeout"
	InternalError     Reason = "internal_error"
	VersionMismatch   Reason = "version_mismatch"
)

// Summary is a plan without its outputs, for lists.
type Summary struct {
	Plan
	Run
	// Err is why the plan cannot be read, in a list that names it nevertheless. Then only
	// ID is set.
	Err error `json:"-"`
}

// Stalled reports whether the plan stands still while it should be written. A plan that
// waits for a person is not stalled; the caller has to check for that.
func (p Summary) Stalled(now time.Time) bool {
	return p.State == Processing && now.Sub(p.LastProgress) > StallTime
}

// Label says in a few words what is being written.
func (w Whole) Label() string {
	progress := fmt.Sprintf("%d of %d steps", w.Done, w.Of)
	ready := w.Draft.ReadySteps()
	switch {
	case len(ready) == 0:
		return progress
	case ready[0].Author == drafts.Person:
		return progress + ", waiting for the user"
	}
	return fmt.Sprintf("%s, writing %s", progress, ready[0].Title)
}

// RunError is why a failed run failed, as a JSON file; nil for any other run.
func (r Run) RunError() []byte {
	if r.State != Failed || r.Error == nil {
		return nil
	}
	attempts := slices.DeleteFunc(slices.Clone(r.Attempts), func(a drafts.Attempt) bool { return a.Step != "" && a.Step != r.Error.Step })
	data, err := plainjson.Marshal(struct {
		Failure
		Attempts []drafts.Attempt `json:"attempts,omitempty"`
	}{*r.Error, attempts})
	if err != nil {
		return nil // texts and flags always encode
	}
	return append(data, '\n')
}

// Whole is a plan with all its outputs, at one moment.
type Whole struct {
	Summary
	Draft   drafts.Draft
	Earlier []Run                // the runs before this one, the newest first; at most maxHistory
	History map[string][]Version // earlier outputs by step, the newest first
	steps   map[string]kv.Record
	plan    kv.Record
	run     kv.Record
}

// Version is an output that another one replaced, or that came too late.
type Version struct {
	Output ledger.Ref `json:"output"`
	SHA256 string     `json:"sha256"`
	By     string     `json:"by"`
	Model  string     `json:"model,omitempty"`
	At     time.Time  `json:"at"`
	Run    int        `json:"run"`
	Why    string     `json:"why"` // what became of it: replaced, edited, stale, retried
}

type planRecord struct {
	ledger.Header
	Plan
	Owner   string     `json:"owner"`
	Prompt  ledger.Ref `json:"prompt"`
	Same    string     `json:"same"`              // the hash of prompt and settings
	Request string     `json:"request,omitempty"` // the hash of the client's request id
}

type runRecord struct {
	ledger.Header
	Run
	Earlier []Run `json:"earlier,omitempty"`
}

type stepRecord struct {
	ledger.Header
	Output   *ledger.Ref `json:"output"` // nil after a retry
	SHA256   string      `json:"sha256"`
	Inputs   string      `json:"inputs"` // drafts.Draft.Inputs; empty: to be written again
	By       string      `json:"by"`
	Model    string      `json:"model"`
	At       time.Time   `json:"at"`
	Run      int         `json:"run"`
	Edited   bool        `json:"edited"`
	Own      bool        `json:"own,omitzero"` // means something only beside Edited: an older planb leaves it as it is
	Guidance string      `json:"guidance"`
	GuidedBy string      `json:"guided_by,omitzero"`
	History  []Version   `json:"history"`

	Usage drafts.Usage `json:"usage,omitzero"`
}

// Plan returns a plan with all its outputs. The error is an *Error, PLAN_NOT_FOUND, if
// there is no such plan.
func (s *Store) Plan(ctx context.Context, id string) (Whole, error) {
	if id == ExampleID {
		return exampleWhole()
	}
	canonical, ok := ledger.CanonicalID(id)
	if !ok {
		return Whole{}, notFound(id)
	}
	for before := int64(-1); ; {
		w, err := s.read(ctx, canonical)
		if err != nil && (!ledger.AboutOne(err) || w.run.Rev == before) {
			return Whole{}, err
		}
		before = w.run.Rev
		now, again := s.ledger.Get(ctx, runKey(canonical))
		if again != nil {
			return Whole{}, again
		}
		if err == nil && now[0].Rev == before {
			return w, s.seeWorker(ctx, &w.Summary)
		}
	}
}

func notFound(id string) error {
	return &Error{Code: PlanNotFound, What: fmt.Sprintf("There is no draft %s.", strconv.Quote(clip(id, 60))), Advice: "Call plan_list for those of this project."}
}

// SessionTitle returns the title of a session that is made for a draft with that prompt.
func SessionTitle(prompt string) safe.Text {
	const most = 80
	return safe.New(clip("Draft: "+strings.Join(strings.Fields(prompt), " "), most))
}

// clip shortens a text to some characters.
func clip(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// read reads a plan, its run and its steps. They may be of different moments if others
// write meanwhile; the run's revision tells. A run that cannot be found has no plan.
func (s *Store) read(ctx context.Context, id string) (w Whole, err error) {
	records, err := s.ledger.Get(ctx, planKey(id), runKey(id))
	if err != nil {
		return w, err
	}
	w.plan, w.run = records[0], records[1]
	p, err := s.readPlan(w.plan, id)
	if err != nil {
		return w, err
	}
	r, err := s.readRun(w.run)
	if err != nil {
		return w, err
	}
	w.Summary, w.Earlier = Summary{Plan: p.Plan, Run: r.Run}, r.Earlier
	return w, s.readDraft(ctx, &w, p.Prompt)
}

func (s *Store) readPlan(r kv.Record, id string) (planRecord, error) {
	if !r.Exists() {
		return planRecord{}, notFound(id)
	}
	p, err := ledger.Decode[planRecord](s.ledger, r)
	if err == nil && p.Owner != s.options.Owner {
		return planRecord{}, notFound(id)
	}
	return p, err
}

func (s *Store) readRun(r kv.Record) (runRecord, error) {
	if !r.Exists() {
		return runRecord{}, s.ledger.Damaged(r.Key, fmt.Errorf("it is missing"))
	}
	return ledger.Decode[runRecord](s.ledger, r)
}

// readDraft reads the prompt and the outputs.
func (s *Store) readDraft(ctx context.Context, w *Whole, prompt ledger.Ref) error {
	start, err := schedule.ParseDate(w.Start)
	if err != nil {
		return s.ledger.Damaged(w.plan.Key, err)
	}
	w.Draft = drafts.Draft{ID: w.ID, Created: w.Created.UTC().Format(time.RFC3339), Start: start, Detail: w.Detail, Target: w.Target, Flags: w.Flags, Attempts: w.Attempts, Records: map[string]drafts.Record{}}
	w.History, w.steps = map[string][]Version{}, map[string]kv.Record{}
	ids := numbered(w.Detail)
	refs := []ledger.Ref{prompt}
	var written []string
	err = s.ledger.Each(ctx, stepsOf(w.ID), func(f ledger.Found) error {
		step, err := ledger.DecodeFound[stepRecord](s.ledger, f)
		if err != nil {
			return err
		}
		id := stepID(ids, ledger.LastPart(f.Key))
		if id == "" {
			return nil // of another detail
		}
		w.steps[id], w.History[id] = f.Record, step.History
		w.Draft.Records[id] = drafts.Record{
			SHA256: step.SHA256, Inputs: step.Inputs, By: step.By, Model: step.Model, At: step.At.Format(time.RFC3339), Edited: step.Edited, Own: step.Edited && step.Own, Guidance: step.Guidance, GuidedBy: step.GuidedBy, Usage: step.Usage,
		}
		if step.Output != nil {
			refs, written = append(refs, *step.Output), append(written, id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	texts, err := s.ledger.Texts(ctx, refs...)
	if err != nil {
		return err
	}
	w.Draft.Prompt = string(texts[0])
	for i, id := range written {
		record := w.Draft.Records[id]
		if record.Output, err = shape.Stored(texts[i+1]); err != nil {
			return s.ledger.Damaged(w.steps[id].Key, err)
		}
		w.Draft.Records[id] = record
	}
	return nil
}

// seeWorker changes a run whose worker died, or never began, into one that failed.
func (s *Store) seeWorker(ctx context.Context, p *Summary) error {
	why := "the program that wrote this draft ended and did not say why"
	switch {
	case p.Mode != ByWorker || p.State.Ended():
		return nil
	case p.State == Pending && s.ledger.Clock().Sub(p.Pending) <= StallTime:
		return nil // it may still begin
	case p.State == Pending:
		why = fmt.Sprintf("no program began to write this draft within %.0f minutes", StallTime.Minutes())
	}
	_, alive, err := s.claims.Alive(ctx, WorkerClaim(p.ID))
	if err != nil || alive {
		return err
	}
	p.State = Failed
	p.Error = &Failure{WorkerError, "", why, true}
	return nil
}

// List returns the plans of some directories, the newest first, at most limit of them.
// Without a directory it returns those of all. A plan that cannot be read is among them,
// with Err.
func (s *Store) List(ctx context.Context, dirs []string, limit int) ([]Summary, error) {
	wanted := map[string]bool{}
	for _, dir := range dirs {
		wanted[s.options.Root(dir)] = true
	}
	var list []Summary
	for after := kv.Key(""); ; {
		page, more, err := s.ledger.Page(ctx, listKeys, after, kv.MaxPageRecords)
		if err != nil {
			return nil, err
		}
		var ids []string
		for _, f := range page {
			entry, err := ledger.DecodeFound[listRecord](s.ledger, f)
			if err != nil && !ledger.AboutOne(err) {
				return nil, err
			}
			if err != nil || entry.Owner == s.options.Owner && (len(wanted) == 0 || wanted[entry.Dir]) {
				ids = append(ids, ledger.LastPart(f.Key))
			}
		}
		ids = ids[:min(len(ids), limit-len(list))]
		some, err := s.summaries(ctx, ids)
		if err != nil {
			return nil, err
		}
		if list = append(list, some...); len(list) >= limit || !more || len(page) == 0 {
			return list, nil
		}
		after = page[len(page)-1].Key
	}
}

// Open returns the plans of a session that are not completed.
func (s *Store) Open(ctx context.Context, session string) ([]Summary, error) {
	return s.listed(ctx, OpenOf(session))
}

// Of returns the plans of a session, the oldest first. A plan that cannot be read is among
// them, with Err.
func (s *Store) Of(ctx context.Context, session string) ([]Summary, error) {
	return s.listed(ctx, OfSession(session))
}

// listed returns the plans whose ids stand in an index below a prefix.
func (s *Store) listed(ctx context.Context, prefix kv.Key) ([]Summary, error) {
	found, err := s.ledger.List(ctx, prefix)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, f := range found {
		ids = append(ids, ledger.LastPart(f.Key))
	}
	return s.summaries(ctx, ids)
}

func (s *Store) summaries(ctx context.Context, ids []string) ([]Summary, error) {
	keys := make([]kv.Key, 0, 2*len(ids))
	for _, id := range ids {
		keys = append(keys, planKey(id), runKey(id))
	}
	found, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var list []Summary
	for i, id := range ids {
		if f := found[2*i]; f.Err == nil && !f.Exists() {
			continue // it went away meanwhile
		}
		p, err := s.summary(ctx, found[2*i], found[2*i+1])
		switch {
		case ledger.AboutOne(err):
			list = append(list, Summary{Plan: Plan{ID: id}, Err: err})
		case err != nil:
			return nil, err
		default:
			list = append(list, p)
		}
	}
	return list, nil
}

func (s *Store) summary(ctx context.Context, plan, run ledger.Found) (Summary, error) {
	p, err := ledger.DecodeFound[planRecord](s.ledger, plan)
	if err != nil {
		return Summary{}, err
	}
	if run.Err != nil {
		return Summary{}, run.Err
	}
	r, err := s.readRun(run.Record)
	if err != nil {
		return Summary{}, err
	}
	sum := Summary{Plan: p.Plan, Run: r.Run}
	return sum, s.seeWorker(ctx, &sum)
}
