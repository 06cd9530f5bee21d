package mcp

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

// planFiler is what plan files need of the store.
type planFiler interface {
	SaveFilePlan(ctx context.Context, in store.FilePlan) (plan store.Plan, unchanged bool, err error)
	PlanFile(ctx context.Context, path string) (file store.PlanFile, ok bool, err error)
	Scope(ctx context.Context, dirs ...string) (store.Scope, error)
	Session(ctx context.Context, id string) (store.Session, error)
}

// planFiles are the plan files of projects.
type planFiles struct {
	store  planFiler
	log    *slog.Logger
	copies planCopies
	within string // their directory as it was chosen; see plansWithin
	locks  planLocks
}

// newPlanFiles returns the plan files in that directory: an absolute one, one of the
// project, or by default docs/planb/plans of the project. own makes a directory of the
// data directory, for its user only.
func newPlanFiles(s planFiler, copies planCopies, within string, own func(dir string) error, log *slog.Logger) *planFiles {
	return &planFiles{
		store: s, log: log, copies: copies, within: within,
		locks: planLocks{dir: locksIn(copies.dir), own: own, log: log},
	}
}

// maxPlanTries is how often a plan is written again because somebody else was
// quicker to change its file.
const maxPlanTries = 10

// refusal says why nothing was written, in words for the model.
type refusal struct {
	text   string
	advice string // what to do about it, a line of its own; may be empty
}

func (r refusal) Error() string {
	if r.advice == "" {
		return r.text
	}
	return r.text + "\n" + r.advice
}

func refuse(format string, args ...any) error { return refusal{text: fmt.Sprintf(format, args...)} }

// planWriting is one call that works on a plan file.
type planWriting struct {
	files   *planFiles
	file    planFile
	session string // that was given, or empty
	client  string
	own     []string      // the sessions that the client works with
	fresh   store.Session // for a plan without a session
}

// writtenPlan is how a plan file stands after a call.
type writtenPlan struct {
	plan      store.Plan
	before    string // what the file held
	text      string // what it holds
	unchanged bool
	foreign   *foreignPlan // what somebody else had made of it; nil if nobody had
	other     *otherPlan   // what another agent's session had written there; nil if it was none
}

// otherPlan is the text of another session that a call found in a plan file.
type otherPlan struct {
	version store.PlanFile
	copy    string // the path of its readable copy; empty if there is none
}

// foreignPlan is a text that planb found in a plan file and had not written there.
type foreignPlan struct {
	since int // the version that planb had written; 0: it had written none
	plan  store.Plan
	copy  string // the path of its readable copy; empty if there is none
}

// onPlan opens the plan's file and does something with it. Create says that its
// directory is created where there is none. The path is told with an error, too.
func (f *planFiles) onPlan(ctx context.Context, a *agent.Agent, name plans.Name, session string, create bool, do func(*planWriting) (writtenPlan, error)) (written writtenPlan, path string, err error) {
	project := a.Dirs(ctx)[0]
	dir, err := f.openPlans(ctx, project, create)
	if err != nil {
		dir := f.plansPath(project)
		path = filepath.Join(dir, name.File())
		if !create && errors.Is(err, fs.ErrNotExist) {
			return writtenPlan{}, path, noSuchPlan(path, nil)
		}
		err = refuse("The plans directory %s can't be used (%s). Another one can be named with planb mcp --plans-dir.", dir, tool.OneLine(err.Error()))
		return writtenPlan{}, path, err
	}
	defer dir.close()
	client := a.Client(ctx)
	w := &planWriting{
		files: f, file: planFile{dir, name}, session: session, client: agent.Title(client), own: a.UsedSessions(),
		fresh: store.Session{Project: safe.New(project), Client: client},
	}
	if w.session, err = f.joins(ctx, a, w); err == nil {
		written, err = do(w)
	}
	return written, w.file.path(), err
}

// joins is the session in which a call's plan belongs: the one it names; for a file
// that planb has not seen yet, the only one of the project that the client began or
// named; else none, and the file's own is found, or made, when it is kept.
func (f *planFiles) joins(ctx context.Context, a *agent.Agent, w *planWriting) (string, error) {
	if w.session != "" {
		return w.session, nil
	}
	if _, known, err := f.store.PlanFile(ctx, w.file.key()); err != nil {
		return "", planNotKept(err)
	} else if known {
		return "", nil
	}
	own, err := f.store.Scope(ctx, w.fresh.Project.Raw())
	if err != nil {
		return "", planNotKept(err)
	}
	only := ""
	for _, id := range a.ChosenSessions() {
		session, err := f.store.Session(ctx, id)
		switch {
		case errors.As(err, new(*store.UnknownError)) || err == nil && !own.Has(session):
			continue
		case err != nil:
			return "", planNotKept(err)
		case only != "":
			return "", nil
		}
		only = session.ID
	}
	return only, nil
}

// noSuchPlan names the plans there are.
func noSuchPlan(path string, names []string) error {
	const write = "Write it first, with write_plan. A plan that save_plan saved is submitted by its sessionId, without planName."
	if len(names) == 0 {
		return refusal{"File does not exist: " + path, "There is no plan yet. " + write}
	}
	const most = 50
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], fmt.Sprintf("and %d more in %s", more, filepath.Dir(path)))
	}
	return refusal{"File does not exist: " + path, "The plans there are: " + strings.Join(names, ", ") + ". " + write}
}

func emptyPlan(path string) error { return refuse("Plan file is empty: %s", path) }

// change gives the file the text that next makes of what it holds. What somebody
// else wrote there becomes a version of its own before.
func (w *planWriting) change(ctx context.Context, next func(heldPlan) (string, error)) (writtenPlan, error) {
	for range maxPlanTries {
		held, err := w.file.read()
		if err == nil {
			err = w.file.writable(held)
		}
		if err != nil {
			return writtenPlan{}, err
		}
		text, err := next(held)
		if err != nil {
			return writtenPlan{}, w.withForeign(ctx, held, err)
		}
		foreign, err := w.takeIn(ctx, held, text)
		if err != nil {
			return writtenPlan{}, err
		}
		other, err := w.others(ctx, held, text)
		if err != nil {
			return writtenPlan{}, err
		}
		done := writtenPlan{before: held.text, text: text, foreign: foreign, other: other}
		if done.plan, done.unchanged, err = w.keep(ctx, text, w.client); err != nil {
			return writtenPlan{}, err
		}
		if held.there && held.text == text {
			return done, nil
		}
		switch err := w.file.write(text, held); {
		case err == nil:
			return done, nil
		case !errors.Is(err, errPlanMoved):
			return writtenPlan{}, fmt.Errorf("%s could not be written: %w; the text itself is kept as version %d of session %s", w.file.path(), err, done.plan.Number, done.plan.Session)
		}
	}
	return writtenPlan{}, fmt.Errorf("%s was changed by somebody else again and again while it was to be written", w.file.path())
}

// look returns the plan as its file holds it, kept as a version.
func (w *planWriting) look(ctx context.Context) (writtenPlan, error) {
	held, err := w.file.read()
	if err == nil {
		err = w.something(held)
	}
	if err != nil {
		return writtenPlan{}, err
	}
	foreign, err := w.takeIn(ctx, held, "")
	if err != nil {
		return writtenPlan{}, err
	}
	done := writtenPlan{before: held.text, text: held.text, foreign: foreign}
	done.plan, done.unchanged, err = w.keep(ctx, held.text, "")
	return done, err
}

// something refuses a plan that is not there, or says nothing.
func (w *planWriting) something(held heldPlan) error {
	switch {
	case !held.there:
		return noSuchPlan(w.file.path(), w.file.dir.names())
	case safe.New(held.text).Blank():
		return emptyPlan(w.file.path())
	}
	return nil
}

// takeIn keeps what the file holds, if planb has not written it there. Nothing is
// taken in where the file has the next text already, or says nothing.
func (w *planWriting) takeIn(ctx context.Context, held heldPlan, next string) (*foreignPlan, error) {
	since, foreign, err := w.isForeign(ctx, held)
	if err != nil || !foreign || held.text == next {
		return nil, err
	}
	plan, _, err := w.keep(ctx, held.text, "")
	if err != nil {
		return nil, err
	}
	f := &foreignPlan{since: since, plan: plan}
	path, _, err := w.files.copies.write(plan.Session, plan.Number, held.text)
	if err != nil {
		w.files.log.Warn("a plan's readable copy could not be written", "error", err)
		return f, nil
	}
	f.copy = path
	return f, nil
}

// others is the text of another agent's session, if the file holds one.
func (w *planWriting) others(ctx context.Context, held heldPlan, next string) (*otherPlan, error) {
	known, ok, err := w.files.store.PlanFile(ctx, w.file.key())
	if err != nil {
		return nil, planNotKept(err)
	}
	own := known.Session == w.session || w.session == "" && slices.Contains(w.own, known.Session)
	if !ok || own || held.text == next || known.Digest != plans.Digest(safe.New(held.text)) {
		return nil, nil
	}
	o := &otherPlan{version: known}
	path, _, err := w.files.copies.write(known.Session, known.Number, held.text)
	if err != nil {
		w.files.log.Warn("a plan's readable copy could not be written", "error", err)
		return o, nil
	}
	o.copy = path
	return o, nil
}

// isForeign reports whether planb did not write what the file holds, and which
// version it did write.
func (w *planWriting) isForeign(ctx context.Context, held heldPlan) (since int, foreign bool, err error) {
	if !held.there || safe.New(held.text).Blank() {
		return 0, false, nil
	}
	known, ok, err := w.files.store.PlanFile(ctx, w.file.key())
	if err != nil {
		return 0, false, planNotKept(err)
	}
	return known.Number, !ok || known.Digest != plans.Digest(safe.New(held.text)), nil
}

// withForeign adds to a refusal that somebody else changed the file, since that
// may be why.
func (w *planWriting) withForeign(ctx context.Context, held heldPlan, why error) error {
	refused, is := errors.AsType[refusal](why)
	since, foreign, err := w.isForeign(ctx, held)
	if !is || err != nil || !foreign || since == 0 {
		return why
	}
	refused.advice = fmt.Sprintf("The file was changed outside planb since version %d: read it, then edit what it holds now.", since)
	return refused
}

// keep keeps a text of the file as a version, if it is not its last one.
func (w *planWriting) keep(ctx context.Context, text, by string) (store.Plan, bool, error) {
	session := w.fresh
	if session.Title = plans.Heading(safe.New(text)); session.Title.Blank() || len(session.Title.Raw()) > questions.MaxTitleBytes {
		session.Title = safe.New(string(w.file.name))
	}
	plan, unchanged, err := w.files.store.SaveFilePlan(ctx, store.FilePlan{
		Path: w.file.key(), Name: w.file.name, Text: text, By: by, Session: w.session, New: session,
	})
	if err != nil {
		return store.Plan{}, false, planNotKept(err)
	}
	return plan, unchanged, nil
}

// notKept is a failure of the store.
type notKept struct{ error }

func planNotKept(err error) error { return notKept{err} }

// planFailure words why a call on a plan file came to nothing.
func planFailure(session string, err error) *tool.Result {
	if refused, is := errors.AsType[refusal](err); is {
		return tool.Failed(session, refused.Error())
	}
	if kept, is := errors.AsType[notKept](err); is {
		return tool.NotStored(session, "The plan could not be kept, so nothing was written", kept.error)
	}
	return tool.Failed(session, tool.Sentence(tool.OneLine(err.Error())))
}
