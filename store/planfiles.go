package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"planb/plans"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// PlanFile is what the store knows of a plan that is worked on as a file.
type PlanFile struct {
	Path    string `json:"path"`              // absolute
	Machine string `json:"machine,omitempty"` // that it is on
	// Session and Number name the version that was last written to the file or saved
	// from it; Digest is the digest of its text. A file with another text was changed
	// since, by a person or another program.
	Session string `json:"session"`
	Number  int    `json:"number"`
	Digest  string `json:"digest"`
}

type fileRecord struct {
	ledger.Header
	PlanFile
}

// FilePlan is the text of a plan file, to be kept as a version.
type FilePlan struct {
	Path string // of the file, absolute and clean, so that one file has one path
	Name plans.Name
	Text string
	By   string // the agent's client that wrote it; empty if unknown
	// Session is the session of the version. If it is empty, the version goes into the
	// session of the file's last version, or into a new session made of New; then
	// SaveFilePlan fills ID, Created and Updated.
	Session string
	New     Session
}

// SaveFilePlan keeps the text of a plan file as the next version of a session and notes
// that the file holds this version, in one commit. If the text is the same as the file's
// last known text in that session, or as the session's latest version, SaveFilePlan writes
// nothing and returns that version with unchanged. The error is a *plans.Problem if the
// text is no plan, and an *UnknownError if the given session was never created.
func (s *Store) SaveFilePlan(ctx context.Context, in FilePlan) (plan Plan, unchanged bool, err error) {
	if !filepath.IsAbs(in.Path) || filepath.Clean(in.Path) != in.Path {
		return Plan{}, false, fmt.Errorf("a plan file's path must be absolute and clean, got %q", in.Path)
	}
	version, err := plans.New(safe.New(in.Text), safe.Text{})
	if err != nil {
		return Plan{}, false, err
	}
	b, err := ledger.NewBlob("plan", []byte(in.Text))
	if err != nil {
		return Plan{}, false, err
	}
	saving := fileSaving{s: s, in: in, text: b}
	if in.Session == "" {
		saving.id, err = s.ledger.NewID()
	} else if id, ok := ledger.CanonicalID(in.Session); ok {
		saving.id = id
	} else {
		err = &UnknownError{What: "session", ID: in.Session}
	}
	if err != nil {
		return Plan{}, false, err
	}
	version.Name, version.By, version.Created = in.Name, in.By, s.ledger.Clock()
	saving.plan = Plan{Version: version}
	err = s.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.CanWait = true
		plan, unchanged, err = saving.save(ctx, c)
		return err
	})
	if err != nil {
		return Plan{}, false, err
	}
	return plan, unchanged, nil
}

// PlanFile returns what is known of the file at the path. Ok is false if nothing is
// known, or if the session of its last version was removed.
func (s *Store) PlanFile(ctx context.Context, path string) (file PlanFile, ok bool, err error) {
	records, err := s.fileRecords(ctx, path)
	if err != nil {
		return PlanFile{}, false, err
	}
	record, ok, err := s.knownFile(records)
	if err != nil || !ok {
		return PlanFile{}, false, err
	}
	_, err = s.Session(ctx, record.Session)
	if _, unknown := errors.AsType[*UnknownError](err); unknown {
		return PlanFile{}, false, nil
	}
	if err != nil && !ledger.AboutOne(err) {
		return PlanFile{}, false, err
	}
	return record.PlanFile, true, nil
}

// fileRecords reads the records of the file at the path: first this machine's record,
// then those of the machines that this one adopted.
func (s *Store) fileRecords(ctx context.Context, path string) ([]kv.Record, error) {
	machines, err := s.machines(ctx, s.machine)
	if err != nil {
		return nil, err
	}
	keys := []kv.Key{fileKey(s.machine, path)}
	for _, machine := range slices.Backward(slices.Sorted(maps.Keys(machines))) {
		if machine != s.machine {
			keys = append(keys, fileKey(machine, path))
		}
	}
	return s.ledger.Get(ctx, keys...)
}

// knownFile is the first of the records that exists.
func (s *Store) knownFile(records []kv.Record) (file fileRecord, ok bool, err error) {
	at := slices.IndexFunc(records, kv.Record.Exists)
	if at < 0 {
		return fileRecord{}, false, nil
	}
	file, err = ledger.Decode[fileRecord](s.ledger, records[at])
	return file, err == nil, err
}

// fileSaving is one call of SaveFilePlan.
type fileSaving struct {
	s    *Store
	in   FilePlan
	id   string // of the session that was given, or of a new one
	plan Plan
	text *ledger.Blob
}

func (f *fileSaving) save(ctx context.Context, c *ledger.Change) (Plan, bool, error) {
	index, known, err := f.index(ctx, c)
	if err != nil {
		return Plan{}, false, err
	}
	id := f.id
	if f.in.Session == "" && known.Session != "" {
		id = known.Session
	}
	owner, err := f.owner(ctx, id)
	if err != nil {
		return Plan{}, false, err
	}
	if known.Session == id && known.Digest == f.plan.Digest && owner.Exists() {
		records, err := f.s.ledger.Get(ctx, planKey(id, known.Number))
		if err != nil {
			return Plan{}, false, err
		}
		there, err := f.s.readPlan(records[0], id, known.Number)
		return there.Plan, index.Op != c.Op, err
	}
	plan := f.plan
	plan.Session = id
	last, same, err := f.latest(ctx, owner, plan)
	if err != nil {
		return Plan{}, false, err
	}
	if same { // a person's edit is a version before it is in the file
		c.Check(owner)
		return last, true, f.remember(c, index, last)
	}
	if !owner.Exists() {
		plan.Session, owner.Key = f.id, sessionKey(f.id) // the session of the file's last version was removed
		err = f.open(c, owner, &plan)
	} else {
		err = f.next(c, owner, &plan)
	}
	if err != nil {
		return Plan{}, false, err
	}
	c.Check(kv.Record{Key: planKey(plan.Session, plan.Number)})
	if err := c.Put(planKey(plan.Session, plan.Number), planRecord{ledger.NewHeader(), plan, f.text.Ref}); err != nil {
		return Plan{}, false, err
	}
	if err := f.remember(c, index, plan); err != nil {
		return Plan{}, false, err
	}
	return plan, false, f.s.ledger.Keep(ctx, c, f.text)
}

// index reads what is known of the file. The commit fails if that changes meanwhile.
func (f *fileSaving) index(ctx context.Context, c *ledger.Change) (r kv.Record, known PlanFile, err error) {
	records, err := f.s.fileRecords(ctx, f.in.Path)
	if err != nil {
		return kv.Record{}, PlanFile{}, err
	}
	c.Check(records[0])
	record, _, err := f.s.knownFile(records)
	return records[0], record.PlanFile, err
}

// owner reads the record of the session. A session that was given must exist.
func (f *fileSaving) owner(ctx context.Context, id string) (kv.Record, error) {
	records, err := f.s.ledger.Get(ctx, sessionKey(id))
	if err == nil && !records[0].Exists() && f.in.Session != "" {
		err = &UnknownError{What: "session", ID: f.in.Session}
	}
	if err != nil {
		return kv.Record{}, err
	}
	return records[0], nil
}

// latest returns the session's latest version, and whether that is the same as the
// plan.
func (f *fileSaving) latest(ctx context.Context, r kv.Record, plan Plan) (last Plan, same bool, err error) {
	if !r.Exists() {
		return Plan{}, false, nil
	}
	owner, err := f.s.readSession(r, plan.Session)
	if err != nil || owner.Plans == 0 {
		return Plan{}, false, err
	}
	records, err := f.s.ledger.Get(ctx, planKey(plan.Session, owner.Plans))
	if err != nil {
		return Plan{}, false, err
	}
	there, err := f.s.readPlan(records[0], plan.Session, owner.Plans)
	if _, gone := errors.AsType[*UnknownError](err); gone {
		return Plan{}, false, nil // deleted meanwhile, with its session: the commit then conflicts
	}
	return there.Plan, err == nil && plans.Same(there.Version, plan.Version), err
}

// open makes the session, with the plan as its first version.
func (f *fileSaving) open(c *ledger.Change, r kv.Record, plan *Plan) error {
	session := f.in.New
	session.ID, session.Created, session.Updated = plan.Session, plan.Created, plan.Created
	session.Asks, session.Plans, session.Archived = 0, 1, time.Time{}
	f.s.locate(&session)
	plan.Number = plans.Next(plans.Version{})
	c.Check(kv.Record{Key: r.Key})
	if err := c.Put(r.Key, sessionRecord{Header: ledger.NewHeader(), Session: session}); err != nil {
		return err
	}
	return c.Put(changedKey(session.Updated, session.ID), mark{})
}

// next makes the plan the session's next version.
func (f *fileSaving) next(c *ledger.Change, r kv.Record, plan *Plan) error {
	owner, err := f.s.readSession(r, plan.Session)
	if err != nil {
		return err
	}
	plan.Number = plans.Next(plans.Version{Number: owner.Plans})
	return f.s.touch(c, r, owner.Asks, plan.Number)
}

// remember writes which version the file holds.
func (f *fileSaving) remember(c *ledger.Change, r kv.Record, plan Plan) error {
	if !r.Exists() {
		return c.Put(r.Key, fileRecord{ledger.NewHeader(), PlanFile{f.in.Path, f.s.machine, plan.Session, plan.Number, plan.Digest}})
	}
	o, err := f.s.ledger.Object(r)
	if err != nil {
		return err
	}
	if err := o.Set("session", plan.Session, "number", plan.Number, "digest", plan.Digest); err != nil {
		return err
	}
	return c.Put(r.Key, o)
}

// dropPlanFiles forgets which files held versions of a gone session.
func (s *Store) dropPlanFiles(ctx context.Context, session string) error {
	var own []kv.Record
	err := s.ledger.Each(ctx, fileKeys, func(r ledger.Found) error {
		if r.Err == nil && owner(r.Record) == session {
			own = append(own, r.Record)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for len(own) > 0 {
		n := min(len(own), kv.MaxBatchWrites/2)
		if _, err := s.ledger.DropSeen(ctx, own[:n]); err != nil {
			return err
		}
		own = own[n:]
	}
	return nil
}
