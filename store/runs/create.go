package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"planb/drafts"
	"planb/drafts/schedule"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// Request is a draft to be begun.
type Request struct {
	Prompt  string
	Session string // that it belongs to
	Detail  drafts.Detail
	Target  drafts.Target
	Start   schedule.Date
	NoGates bool   // only for a Caller that is a person
	Profile string // of the models that write; empty: an agent or a program writes
	// Parent is the id of the draft that this one validates. This draft takes its prompt,
	// detail and start from it.
	Parent string
	ID     string // the client's own id of the request; empty if it has none
	// Dedup is how long an equal request returns the existing plan instead of a new
	// one; 0: never.
	Dedup time.Duration
}

type listRecord struct {
	ledger.Header
	Owner string `json:"owner"`
	Dir   string `json:"dir"`
}

// pointer is the value of a key that leads to a plan.
type pointer struct {
	ledger.Header
	Plan string `json:"plan"`
}

// mark is the value of a key that needs none: the key says everything.
type mark struct{}

// Create begins a draft. A request that equals one within Dedup returns the existing
// plan, as long as that plan is pending or processing. A request with the same ID always
// returns it. If a different request of the same project had the ID, the error is an *Error
// with CONFLICT.
func (s *Store) Create(ctx context.Context, by Caller, r Request) (p Summary, deduplicated bool, err error) {
	if r.NoGates && !by.Person {
		return Summary{}, false, &Error{Code: PermissionDenied, What: "Only the user begins a draft that asks them nothing: planb draft new --no-ask."}
	}
	prompt, err := ledger.NewBlob("prompt", []byte(r.Prompt))
	if err != nil {
		return Summary{}, false, err
	}
	id, err := s.ledger.NewID()
	if err != nil {
		return Summary{}, false, err
	}
	b := &beginning{s: s, by: by, request: r, prompt: prompt, id: id, now: s.ledger.Clock()}
	if err := s.ledger.Commit(ctx, func(c *ledger.Change) error { return b.write(ctx, c) }); err != nil {
		return Summary{}, false, err
	}
	if b.found.ID != "" {
		return b.found, true, nil
	}
	return Summary{Plan: b.plan.Plan, Run: b.run}, false, nil
}

// Find returns the plan that Create would give for the request in a session of that
// directory, instead of beginning one.
func (s *Store) Find(ctx context.Context, r Request, dir string) (p Summary, found bool, err error) {
	prompt, err := ledger.NewBlob("prompt", []byte(r.Prompt))
	if err != nil {
		return Summary{}, false, err
	}
	b := &beginning{s: s, request: r, prompt: prompt, now: s.ledger.Clock()}
	err = s.ledger.DryRun(func(c *ledger.Change) error {
		if err := b.inherit(ctx, c); err != nil {
			return err
		}
		b.fill(s.options.Root(dir))
		return b.find(ctx, c)
	})
	return b.found, b.found.ID != "", err
}

// beginning is one call of Create.
type beginning struct {
	s       *Store
	by      Caller
	request Request
	prompt  *ledger.Blob
	id      string
	now     time.Time
	plan    planRecord
	run     Run
	parent  Whole   // the plan that this one validates
	found   Summary // the plan of an equal request
}

func (b *beginning) write(ctx context.Context, c *ledger.Change) error {
	b.found = Summary{}
	own, err := b.s.ledger.Get(ctx, planKey(b.id))
	if err != nil || own[0].Exists() {
		return err // an earlier try happened
	}
	dir := ""
	if b.s.options.Session != nil {
		if dir, err = b.s.options.Session(ctx, c, b.request.Session); err != nil {
			return err
		}
	}
	if dir != "" {
		dir = b.s.options.Root(dir)
	}
	if err := b.inherit(ctx, c); err != nil {
		return err
	}
	b.fill(dir)
	if err := b.find(ctx, c); err != nil || b.found.ID != "" {
		c.Puts, c.Deletes = nil, nil // the session is not touched by what is there already
		return err
	}
	c.CanWait = true
	h := ledger.NewHeader()
	errs := []error{
		b.s.ledger.Keep(ctx, c, b.prompt),
		c.Put(planKey(b.id), b.plan),
		c.Put(runKey(b.id), runRecord{Header: h, Run: b.run}),
		c.Put(listKey(b.now, b.id), listRecord{h, b.s.options.Owner, dir}),
		c.Put(sameKey(b.plan.Same), pointer{h, b.id}),
		c.Put(ofKey(b.request.Session, b.id), mark{}),
		c.Put(openKey(b.request.Session, b.id), mark{}),
		putEvent(c, b.id, Event{Cursor: 1, At: b.now, Action: PlanCreated, By: b.by.Name, State: Pending}),
	}
	if b.plan.Request != "" {
		errs = append(errs, c.Put(requestKey(b.plan.Request), pointer{h, b.id}))
	}
	return errors.Join(append(errs, b.takeOver(c))...)
}

// inherit reads the plan that a plan with the target ValidatePlan validates, and has the
// change depend on it. The prompt, the detail and the start are that plan's.
func (b *beginning) inherit(ctx context.Context, c *ledger.Change) error {
	r := &b.request
	switch {
	case r.Target != drafts.ValidatePlan && r.Parent == "":
		return nil
	case r.Target != drafts.ValidatePlan:
		return &Error{Code: InvalidArgument, What: fmt.Sprintf("parent_plan_id: got a draft; allowed: none, unless target is %s.", drafts.ValidatePlan)}
	}
	id, ok := ledger.CanonicalID(r.Parent)
	if !ok {
		return notFound(r.Parent)
	}
	w, err := b.s.read(ctx, id)
	if err != nil {
		return b.s.tornRead(ctx, w, err)
	}
	if why := w.notToValidate(); why != "" {
		return &Error{Code: InvalidArgument, What: fmt.Sprintf("parent_plan_id: draft %s %s; allowed: a draft whose sections are all written.", id, why)}
	}
	c.Check(w.run)
	b.parent, r.Parent, r.Prompt, r.Detail, r.Start = w, id, w.Draft.Prompt, w.Detail, w.Draft.Start
	b.prompt, err = ledger.NewBlob("prompt", []byte(r.Prompt))
	return err
}

// notToValidate is why no plan can validate this one; empty if one can.
func (w Whole) notToValidate() string {
	draft := w.Draft
	draft.Target = drafts.BuildPlan
	standings := draft.Standings()
	for _, step := range draft.Steps() {
		switch {
		case standings[step.ID].Done():
		case draft.Output(step.ID) != nil:
			return "has to be written again from " + step.ID + " on"
		default:
			return "has no " + step.ID + " yet"
		}
	}
	draft.Target = drafts.ValidatePlan
	if w.Target == drafts.ValidatePlan {
		return "validates " + w.Parent + " itself"
	}
	if _, of := draft.Progress(); of == 0 {
		return fmt.Sprintf("is only a %s", w.Detail)
	}
	return ""
}

// takeOver gives the plan the outputs of the one that it validates.
func (b *beginning) takeOver(c *ledger.Change) error {
	for _, step := range b.parent.Draft.Steps() {
		old := b.parent.steps[step.ID]
		if !old.Exists() || (drafts.Draft{Target: b.request.Target}).Writes(step) {
			continue
		}
		r, err := ledger.Decode[stepRecord](b.s.ledger, old)
		if err != nil {
			return err
		}
		r.Header, r.History = ledger.NewHeader(), nil
		if err := c.Put(stepKey(b.id, step), r); err != nil {
			return err
		}
	}
	return nil
}

// fill makes the records of the plan.
func (b *beginning) fill(dir string) {
	r, flags := b.request, schedule.DefaultFlags()
	if r.Target == "" {
		r.Target = drafts.WholePlan
	}
	if b.parent.ID != "" {
		flags = b.parent.Flags
	}
	mode := ByAgent
	if r.Profile != "" {
		mode = ByWorker
	}
	b.plan = planRecord{
		Header: ledger.NewHeader(), Owner: b.s.options.Owner, Prompt: b.prompt.Ref,
		Plan: Plan{
			ID: b.id, Session: r.Session, Dir: dir, Excerpt: excerpt(r.Prompt),
			Detail: r.Detail, Target: r.Target, Start: r.Start.String(), NoGates: r.NoGates, Profile: r.Profile, Parent: r.Parent,
			Pipeline: Pipeline, Flags: flags, Created: b.now,
		},
	}
	b.plan.Same = b.hash("same", string(r.Detail), string(r.Target), r.Start.String(), fmt.Sprint(r.NoGates), r.Profile, r.Parent, fmt.Sprint(b.parent.Cursor), b.plan.Dir,
		b.prompt.Ref.Digest)
	if r.ID != "" {
		b.plan.Request = b.hash("request", b.plan.Dir, r.ID)
	}
	b.run = Run{State: Pending, Number: 1, Generation: 1, Mode: mode, Title: b.parent.Title, Of: b.plan.steps(), Pending: b.now, Cursor: 1}
}

// hash is a part of a key made of texts, for this owner.
func (b *beginning) hash(parts ...string) string {
	data, err := json.Marshal(append([]string{b.s.options.Owner}, parts...))
	if err != nil {
		return "" // texts always encode
	}
	return ledger.Hash(string(data))
}

// find looks for the plan of an equal request, and has the change depend on there being
// none.
func (b *beginning) find(ctx context.Context, c *ledger.Change) error {
	if b.plan.Request != "" {
		there, err := b.requested(ctx, c)
		if err != nil {
			return err
		}
		if there.ID != "" && there.same != b.plan.Same {
			return &Error{Code: Conflict, What: fmt.Sprintf("client_request_id %s was used for another prompt or other settings (draft %s). Pass a new one.", strconv.Quote(clip(b.request.ID, 60)), there.ID)}
		}
		if b.found = there.Summary; there.ID != "" {
			return nil
		}
	}
	there, err := b.at(ctx, c, sameKey(b.plan.Same))
	if !there.State.Ended() && b.now.Sub(there.Created) < b.request.Dedup {
		b.found = there.Summary
	}
	return err
}

// requested is the plan of the project that the client began under the same id. An earlier
// planb kept the ids of all projects together; of those, another project's does not count.
func (b *beginning) requested(ctx context.Context, c *ledger.Change) (before, error) {
	there, err := b.at(ctx, c, requestKey(b.plan.Request))
	if err != nil || there.ID != "" {
		return there, err
	}
	there, err = b.at(ctx, c, requestKey(b.hash("request", b.request.ID)))
	if there.Dir != b.plan.Dir {
		return before{}, err
	}
	return there, err
}

// before is a plan that an index leads to.
type before struct {
	Summary
	same string
}

// at returns the plan that an index entry leads to. It is zero if there is none or if
// it cannot be read; then the new plan takes over the entry. The change depends on the
// entry.
func (b *beginning) at(ctx context.Context, c *ledger.Change, key kv.Key) (there before, err error) {
	entries, err := b.s.ledger.GetEach(ctx, key)
	if err != nil {
		return before{}, err
	}
	return there, ledger.Beside(entries[0], func(r kv.Record) error {
		c.Check(r)
		if !r.Exists() {
			return nil
		}
		to, err := ledger.Decode[pointer](b.s.ledger, r)
		if err != nil {
			return err
		}
		found, err := b.s.ledger.GetEach(ctx, planKey(to.Plan), runKey(to.Plan))
		if err != nil || found[0].Err == nil && !found[0].Exists() {
			return err
		}
		record, err := ledger.DecodeFound[planRecord](b.s.ledger, found[0])
		if err != nil {
			return err
		}
		sum, err := b.s.summary(ctx, found[0], found[1])
		if err == nil {
			there = before{sum, record.Same}
		}
		return err
	})
}

// excerpt returns the beginning of a prompt, in one line.
func excerpt(prompt string) safe.Text {
	const most = 100 // characters
	return safe.New(clip(strings.Join(strings.Fields(prompt), " "), most))
}
