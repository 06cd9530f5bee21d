package planning

import (
	"context"
	"log/slog"
	"time"

	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/plainjson"
	"planb/plans"
	"planb/plans/diff"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Store is what these tools need of the store.
type Store interface {
	SavePlan(ctx context.Context, session, title, text string) (plan store.Plan, unchanged bool, err error)
	Plans(ctx context.Context, session string) ([]store.Plan, error)
	PlanText(ctx context.Context, session string, number int) (safe.Text, error)
	LastReview(ctx context.Context, session string, name plans.Name) (store.Ask, error)
	Due(ctx context.Context, session string) ([]store.Ask, error)
	Asks(ctx context.Context, session string) ([]store.Ask, error)
	Ask(ctx context.Context, id string) (store.Ask, error)
}

// Deps is what the tools work with.
type Deps struct {
	Store         Store
	Log           *slog.Logger
	Copies        planfile.Copies
	Files         *planfile.Files
	SubmitCommand []string      // reviews plans instead of the user; empty: the user does in planb
	Timeout       time.Duration // how long the command may take
	Room          *wait.Room
}

// toolset has the tools of plans.
type toolset struct{ Deps }

// Tools returns the toolset review, and what the toolset session has for plans.
func Tools(d Deps) []tool.Set {
	s := &toolset{d}
	return []tool.Set{
		{Name: "session", Tools: []tool.Tool{s.saveTool()}},
		{
			Name: "review", Tools: []tool.Tool{s.writeTool(), s.editTool(), s.submitTool()},
			After: []tool.After{s.bringEdits, s.tellMovedOn, s.tellApprovalStands},
		},
	}
}

// planNameHint says what a plan's name is.
const planNameHint = "a name of letters, digits, dashes and underscores, the same in every call for this plan"

// planName reads a plan's name; refused says why a text is not a name.
func planName(a *tool.Arguments) (name plans.Name, refused string) {
	text := a.Required("planName", planNameHint, "name")
	if text == "" {
		return "", ""
	}
	name, err := plans.ParseName(text)
	if err != nil {
		return "", err.Error()
	}
	return name, ""
}

// planCall has the arguments that all tools for plan files share.
type planCall struct {
	name    plans.Name
	session string
}

// planCall reads them, after the tool's own; failure is what to tell the model.
func (s *toolset) planCall(ctx context.Context, c *tool.Caller, args *tool.Arguments) (planCall, *tool.Result) {
	name, refused := planName(args)
	session := args.Text("sessionId")
	if problems := args.Finish(); problems != "" {
		return planCall{}, tool.Failed(c.KnownSession(ctx, session), problems)
	}
	if refused != "" {
		return planCall{}, tool.Failed(c.KnownSession(ctx, session), refused)
	}
	if session == "" {
		return planCall{name: name}, nil
	}
	known, failure := c.Session(ctx, session, args.Tool)
	if failure != nil {
		return planCall{}, failure
	}
	return planCall{name, known.ID}, nil
}

// maxDiffBytes is how long a text may be for its change to be part of the data.
const maxDiffBytes = 256 << 10

func (s *toolset) uncitedIn(ctx context.Context, written planfile.Written) string {
	return s.uncited(ctx, written.Plan.Session, written.Text, func() string { return written.Before })
}

// planResult is the result of a call that wrote a plan. The model gets said as JSON. The
// data has the version, with its change in a form that a client can show.
func planResult(written planfile.Written, path, title string, said any) *tool.Result {
	text, err := plainjson.Marshal(said)
	if err != nil {
		return tool.Failed(written.Plan.Session, "The plan was written, but its result cannot be written as JSON: "+tool.Sentence(tool.OneLine(err.Error())))
	}
	data := dataOfFile(written, path)
	data.Title = title
	if len(written.Before) <= maxDiffBytes && len(written.Text) <= maxDiffBytes && written.Before != written.Text {
		name := written.Plan.Name.File()
		data.Diff = diff.Between(written.Before, written.Text).Unified(name, name, 3)
	}
	return &tool.Result{Items: []string{string(text)}, Session: written.Plan.Session, Data: data}
}

// planData is a version of a plan as data.
type planData struct {
	Session     string             `json:"sessionId,omitempty"`
	Plan        *questions.PlanRef `json:"plan,omitempty"`
	Title       string             `json:"title,omitempty"`        // of the call, for people
	Diff        string             `json:"diff,omitempty"`         // what it changed in the plan's file, unified
	Foreign     int                `json:"foreign,omitempty"`      // the version made of a text in the file that planb had not written
	Theirs      string             `json:"otherSession,omitempty"` // the session that wrote the text in the file
	Version     int                `json:"version,omitempty"`
	Path        string             `json:"path,omitempty"`
	CopyDiffers bool               `json:"copyDiffers,omitempty"`
	Unchanged   bool               `json:"unchanged,omitempty"`
	tool.Facts
}

func (d *planData) Bound() {
	d.Diff = ""
	d.Facts.Bound()
}

// dataOfFile is a version of a plan file as data.
func dataOfFile(written planfile.Written, path string) *planData {
	plan := written.Plan
	data := &planData{
		Session: plan.Session, Version: plan.Number, Path: path, Unchanged: written.Unchanged,
		Plan: &questions.PlanRef{Name: string(plan.Name), Number: plan.Number, Digest: plan.Digest, Path: path},
	}
	if written.Foreign != nil {
		data.Foreign = written.Foreign.Plan.Number
	}
	if written.Other != nil {
		data.Theirs = written.Other.Version.Session
	}
	return data
}
