package planfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Store is what plan files need of the store.
type Store interface {
	SaveFilePlan(ctx context.Context, in store.FilePlan) (plan store.Plan, unchanged bool, err error)
	PlanFile(ctx context.Context, path string) (file store.PlanFile, ok bool, err error)
	Scope(ctx context.Context, dirs ...string) (store.Scope, error)
	Session(ctx context.Context, id string) (store.Session, error)
}

// Files are the plan files of projects.
type Files struct {
	store  Store
	log    *slog.Logger
	copies Copies
	within string // their directory as it was chosen; see withinProject
	locks  locks
}

// New returns the plan files of projects. within is their directory: an absolute
// path, a path relative to the project, or empty for docs/planb/plans. own creates a
// directory in the data directory, for its user only.
func New(s Store, copies Copies, within string, own func(dir string) error, log *slog.Logger) *Files {
	return &Files{
		store: s, log: log, copies: copies, within: within,
		locks: locks{dir: locksIn(copies.Dir), own: own, log: log},
	}
}

// maxTries is how often a plan is written again because another program changed the
// file first.
const maxTries = 10

// Refusal says why nothing was written, in words for the model.
type Refusal struct {
	Text   string
	Advice string // what to do about it, a line of its own; may be empty
}

// Error is what the model is told.
func (r Refusal) Error() string {
	if r.Advice == "" {
		return r.Text
	}
	return r.Text + "\n" + r.Advice
}

// Refuse returns a Refusal without advice.
func Refuse(format string, args ...any) error { return Refusal{Text: fmt.Sprintf(format, args...)} }

// Writing is one call that works on a plan file.
type Writing struct {
	files   *Files
	File    File
	session string // that the call names, or empty
	client  string
	own     []string      // the sessions that the client works with
	fresh   store.Session // to be created for a plan without a session
}

// Written is the result of a call on a plan file.
type Written struct {
	Plan      store.Plan
	Before    string // what the file held before
	Text      string // what it holds now
	Unchanged bool
	Foreign   *Foreign // the text that was not planb's; nil if it was planb's
	Other     *Other   // the text of another session; nil if there was none
}

// Other is the text of another session that a call found in a plan file.
type Other struct {
	Version store.PlanFile
	copy    string // the path of its readable copy; empty if there is none
}

// Foreign is a text that planb found in a plan file and had not written there.
type Foreign struct {
	since int // the version that planb had written; 0: it had written none
	Plan  store.Plan
	copy  string // the path of its readable copy; empty if there is none
}

// Work opens the plan's file and calls do with it. With create it creates a missing
// directory. It returns the file's path with an error, too.
func (f *Files) Work(ctx context.Context, a *agent.Agent, name plans.Name, session string, create bool, do func(*Writing) (Written, error)) (written Written, path string, err error) {
	project := a.Dirs(ctx)[0]
	dir, err := f.openPlans(ctx, project, create)
	if err != nil {
		dir := f.plansPath(project)
		path = filepath.Join(dir, name.File())
		if !create && errors.Is(err, fs.ErrNotExist) {
			return Written{}, path, noSuchFile(path, nil)
		}
		err = Refuse("The plans directory %s can't be used (%s). Another one can be named with planb mcp --plans-dir.", dir, tool.OneLine(err.Error()))
		return Written{}, path, err
	}
	defer dir.close()
	client := a.Client(ctx)
	w := &Writing{
		files: f, File: File{dir, name}, session: session, client: agent.Title(client), own: a.UsedSessions(),
		fresh: store.Session{Project: safe.New(project), Client: client},
	}
	if w.session, err = f.joins(ctx, a, w); err == nil {
		written, err = do(w)
	}
	return written, w.File.Path(), err
}

// joins returns the session that a call's plan belongs to. That is the session that the
// call names. If planb has not seen the file yet and the client began or named exactly one
// session of the project, it is that session. Otherwise it is empty: keep then finds the
// file's session, or creates one.
func (f *Files) joins(ctx context.Context, a *agent.Agent, w *Writing) (string, error) {
	if w.session != "" {
		return w.session, nil
	}
	if _, known, err := f.store.PlanFile(ctx, w.File.key()); err != nil {
		return "", keepFailed(err)
	} else if known {
		return "", nil
	}
	own, err := f.store.Scope(ctx, w.fresh.Project.Raw())
	if err != nil {
		return "", keepFailed(err)
	}
	only := ""
	for _, id := range a.ChosenSessions() {
		session, err := f.store.Session(ctx, id)
		switch {
		case errors.As(err, new(*store.UnknownError)) || err == nil && !own.Has(session):
			continue
		case err != nil:
			return "", keepFailed(err)
		case only != "":
			return "", nil
		}
		only = session.ID
	}
	return only, nil
}

// noSuchFile refuses a plan that does not exist, and names those that do.
func noSuchFile(path string, names []string) error {
	const write = "Write it first, with write_plan. A plan that is no file is submitted by its sessionId, without planName."
	if len(names) == 0 {
		return Refusal{"File does not exist: " + path, "There is no plan yet. " + write}
	}
	const most = 50
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], fmt.Sprintf("and %d more in %s", more, filepath.Dir(path)))
	}
	return Refusal{"File does not exist: " + path, "The plans there are: " + strings.Join(names, ", ") + ". " + write}
}

func emptyPlan(path string) error { return Refuse("Plan file is empty: %s", path) }

// Change calls next with the file's text, and writes the text that next returns. If
// another program wrote the file's text, planb first keeps it as a version of its own.
func (w *Writing) Change(ctx context.Context, next func(Held) (string, error)) (Written, error) {
	for range maxTries {
		held, err := w.File.read()
		if err == nil {
			err = w.File.writable(held)
		}
		if err != nil {
			return Written{}, err
		}
		text, err := next(held)
		if err != nil {
			return Written{}, w.withForeign(ctx, held, err)
		}
		foreign, err := w.keepForeign(ctx, held, text)
		if err != nil {
			return Written{}, err
		}
		other, err := w.others(ctx, held, text)
		if err != nil {
			return Written{}, err
		}
		done := Written{Before: held.Text, Text: text, Foreign: foreign, Other: other}
		if done.Plan, done.Unchanged, err = w.keep(ctx, text, w.client); err != nil {
			return Written{}, err
		}
		if held.there && held.Text == text {
			return done, nil
		}
		switch err := w.File.write(text, held); {
		case err == nil:
			return done, nil
		case !errors.Is(err, errMoved):
			return Written{}, fmt.Errorf("%s could not be written: %w; the text itself is kept as version %d of session %s", w.File.Path(), err, done.Plan.Number, done.Plan.Session)
		}
	}
	return Written{}, fmt.Errorf("another program changed %s each time that planb was about to write it; try again", w.File.Path())
}

// Look keeps what the file holds as a version, and returns it.
func (w *Writing) Look(ctx context.Context) (Written, error) {
	held, err := w.File.read()
	if err == nil {
		err = w.MustHold(held)
	}
	if err != nil {
		return Written{}, err
	}
	foreign, err := w.keepForeign(ctx, held, "")
	if err != nil {
		return Written{}, err
	}
	done := Written{Before: held.Text, Text: held.Text, Foreign: foreign}
	done.Plan, done.Unchanged, err = w.keep(ctx, held.Text, "")
	return done, err
}

// MustHold refuses a file that is missing or blank.
func (w *Writing) MustHold(held Held) error {
	switch {
	case !held.there:
		return noSuchFile(w.File.Path(), w.File.dir.names())
	case safe.New(held.Text).Blank():
		return emptyPlan(w.File.Path())
	}
	return nil
}

// keepForeign keeps what the file holds as a version, if planb did not write it. It
// keeps nothing if the file is blank or already holds next.
func (w *Writing) keepForeign(ctx context.Context, held Held, next string) (*Foreign, error) {
	since, foreign, err := w.isForeign(ctx, held)
	if err != nil || !foreign || held.Text == next {
		return nil, err
	}
	plan, _, err := w.keep(ctx, held.Text, "")
	if err != nil {
		return nil, err
	}
	f := &Foreign{since: since, Plan: plan}
	path, _, err := w.files.copies.Write(plan.Session, plan.Number, held.Text)
	if err != nil {
		w.files.log.Warn("a plan's readable copy could not be written", "error", err)
		return f, nil
	}
	f.copy = path
	return f, nil
}

// others returns the text of another agent's session, if the file holds one.
func (w *Writing) others(ctx context.Context, held Held, next string) (*Other, error) {
	known, ok, err := w.files.store.PlanFile(ctx, w.File.key())
	if err != nil {
		return nil, keepFailed(err)
	}
	own := known.Session == w.session || w.session == "" && slices.Contains(w.own, known.Session)
	if !ok || own || held.Text == next || known.Digest != plans.Digest(safe.New(held.Text)) {
		return nil, nil
	}
	o := &Other{Version: known}
	path, _, err := w.files.copies.Write(known.Session, known.Number, held.Text)
	if err != nil {
		w.files.log.Warn("a plan's readable copy could not be written", "error", err)
		return o, nil
	}
	o.copy = path
	return o, nil
}

// isForeign reports whether another program wrote what the file holds. since is the
// version that planb wrote last; 0 if it wrote none.
func (w *Writing) isForeign(ctx context.Context, held Held) (since int, foreign bool, err error) {
	if !held.there || safe.New(held.Text).Blank() {
		return 0, false, nil
	}
	known, ok, err := w.files.store.PlanFile(ctx, w.File.key())
	if err != nil {
		return 0, false, keepFailed(err)
	}
	return known.Number, !ok || known.Digest != plans.Digest(safe.New(held.Text)), nil
}

// withForeign adds to a refusal that another program has changed the file, since
// that may be the reason.
func (w *Writing) withForeign(ctx context.Context, held Held, why error) error {
	refused, ok := errors.AsType[Refusal](why)
	since, foreign, err := w.isForeign(ctx, held)
	if !ok || err != nil || !foreign || since == 0 {
		return why
	}
	refused.Advice = fmt.Sprintf("The file was changed outside planb since version %d: read it, then edit what it holds now.", since)
	return refused
}

// keep keeps a text as the plan's next version, unless it is the same as the last.
func (w *Writing) keep(ctx context.Context, text, by string) (store.Plan, bool, error) {
	session := w.fresh
	if session.Title = plans.Heading(safe.New(text)); session.Title.Blank() || len(session.Title.Raw()) > questions.MaxTitleBytes {
		session.Title = safe.New(string(w.File.name))
	}
	plan, unchanged, err := w.files.store.SaveFilePlan(ctx, store.FilePlan{
		Path: w.File.key(), Name: w.File.name, Text: text, By: by, Session: w.session, New: session,
	})
	if err != nil {
		return store.Plan{}, false, keepFailed(err)
	}
	return plan, unchanged, nil
}

// notKept is a failure of the store.
type notKept struct{ error }

func keepFailed(err error) error { return notKept{err} }

// Failure is the result of a call on a plan file that failed.
func Failure(session string, err error) *tool.Result {
	if refused, ok := errors.AsType[Refusal](err); ok {
		return tool.Failed(session, refused.Error())
	}
	if kept, ok := errors.AsType[notKept](err); ok {
		return tool.NotStored(session, "The plan could not be kept, so nothing was written", kept.error)
	}
	return tool.Failed(session, tool.Sentence(tool.OneLine(err.Error())))
}

// Overwritten says that a text of another program was replaced, and by which version.
func (f *Foreign) Overwritten(by store.Plan) string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%s What it held is kept as version %d%s, and your text replaced it as version %d. "+
		"Compare the two, and put back with edit_plan what you did not mean to undo.", f.found(), f.Plan.Number, f.at(), by.Number)
}

// Edited says that the edit was made to a text of another program.
func (f *Foreign) Edited() string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%s What it held is kept as version %d, and your edit was made to that text. Read the file before you go on.", f.found(), f.Plan.Number)
}

// Submitted says that a text of another program is what was submitted.
func (f *Foreign) Submitted() string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%s What it held is kept as version %d, and that is what was submitted. Read the file before you go on.", f.found(), f.Plan.Number)
}

func (f *Foreign) found() string {
	if f.since == 0 {
		return "The file was there, and planb had not written it."
	}
	return fmt.Sprintf("The file was changed outside planb since version %d.", f.since)
}

func (f *Foreign) at() string {
	if f.copy == "" {
		return ""
	}
	return " (" + f.copy + ")"
}

// Overwritten says that another session's text was replaced, and by which version.
func (o *Other) Overwritten(by store.Plan) string {
	if o == nil {
		return ""
	}
	kept := ""
	if o.copy != "" {
		kept = " (" + o.copy + ")"
	}
	return fmt.Sprintf("The file held a text that was written elsewhere: version %d of session %s. It is kept%s, and your text replaced it as version %d of session %s. "+
		"Compare the two, and put back with edit_plan what you did not mean to undo.", o.Version.Number, o.Version.Session, kept, by.Number, by.Session)
}
