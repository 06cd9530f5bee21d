package drafts

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"planb/drafts"
	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/plainjson"
	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/runs"
)

// Store is what these tools need of the store.
type Store interface {
	Drafts() *runs.Store
	CreateSession(ctx context.Context, session store.Session) (store.Session, error)
	Due(ctx context.Context, session string) ([]store.Ask, error)
	Settle(ctx context.Context, id string, outcome questions.Outcome) (store.Ask, error)
	Hold(ctx context.Context, key kv.Key, note string) (*store.Held, error)
	Claiming(note string) *ledger.Claiming
	Watch(ctx context.Context) (<-chan struct{}, error)
}

// Deps is what the tools work with.
type Deps struct {
	Store Store
	Log   *slog.Logger
	Env   func(name string) string // for PLANEXE_PATH
	Room  *wait.Room
	Limit time.Duration // how long a call may wait; 0: as long as planb knows that its client allows
	// AllProjects lets the lists name the plans of all projects.
	AllProjects bool
	// AgentWrites says that this toolset is offered, so that an agent can write a plan.
	// With the old names alone no agent can.
	AgentWrites bool
	Models      Models
	Dedup       time.Duration // see runs.Request.Dedup
}

// toolset has the tools of drafts.
type toolset struct {
	Deps
	leases   leases
	creating sync.Mutex // so that equal requests at once make one session

	mu    sync.Mutex
	tries map[string]refusals // by plan and step
}

// Tools returns the toolset drafts, and the one of the old names.
func Tools(d Deps) []tool.Set {
	s := &toolset{Deps: d, tries: map[string]refusals{}}
	s.leases = leases{store: d.Store, log: d.Log, own: map[string]*lease{}, told: map[string][]string{}}
	return []tool.Set{{Name: "drafts", Tools: []tool.Tool{
		s.createTool(), s.nextTool(), s.submitTool(), s.statusTool(),
		s.stopTool(), s.resumeTool(), s.retryTool(), s.listTool(),
		s.fileInfoTool(), s.downloadTool(), s.logsTool(), s.editTool(),
		s.plansTool(), s.promptsTool(), s.profilesTool(),
	}}, {Name: OldSet, Tools: s.oldTools()}}
}

// caller is who calls, for the store.
func caller(c *tool.Caller) runs.Caller { return runs.Caller{Name: c.Who} }

// The codes that only tools give, beside those of the store.
const (
	invalidArgument     runs.Code = "INVALID_ARGUMENT"
	invalidTarget       runs.Code = "INVALID_TARGET"
	invalidArtifact     runs.Code = "INVALID_ARTIFACT_URI"
	downloadFailed      runs.Code = "DOWNLOAD_FAILED"
	contentUnavailable  runs.Code = "content_unavailable"
	profilesUnavailable runs.Code = "MODEL_PROFILES_UNAVAILABLE"
	internalError       runs.Code = "INTERNAL_ERROR"
	stepInvalid         runs.Code = "STEP_INVALID"
	stepNotReady        runs.Code = "STEP_NOT_READY"
	stepNotFound        runs.Code = "STEP_NOT_FOUND"
)

// refusal is why a call did nothing.
type refusal struct {
	Code    runs.Code `json:"code"`
	Message string    `json:"message"`
	tool.Facts
}

// failed words a refusal: a tool of plans as JSON, a tool of steps in words.
func failed(session string, code runs.Code, message string, words bool) *tool.Result {
	data := &refusal{Code: code, Message: message}
	text := message
	if !words {
		raw, err := plainjson.Marshal(data)
		if err != nil {
			return tool.Failed(session, message)
		}
		text = string(raw)
	}
	return &tool.Result{Items: []string{text}, IsError: true, Session: session, Data: data}
}

// refused is failed for an error of the store. It words a fault of the store as every
// tool does.
func refused(session string, err error, words bool) *tool.Result {
	if e, ok := errors.AsType[*runs.Error](err); ok {
		return failed(session, e.Code, e.Error(), words)
	}
	return tool.NotStored(session, "The draft could not be read or written", err)
}

// invalid refuses arguments.
func invalid(problems string, words bool) *tool.Result {
	return failed("", invalidArgument, problems, words)
}

// said is a result of a tool of plans: its data as JSON, and what to do next.
func said(session string, data tool.Data, next ...string) *tool.Result {
	raw, err := plainjson.Marshal(data)
	if err != nil {
		return failed(session, internalError, "The result cannot be written as JSON: "+tool.OneLine(err.Error()), false)
	}
	return &tool.Result{Items: append([]string{string(raw)}, next...), Session: session, Data: data}
}

// noDraft is said to an agent whose project has no draft. It may have plans of the other
// tools.
const noDraft = "This project has no draft yet. Call plan_create to begin one."

// plan returns the plan that a call names; without an id the newest of the project. To
// read any plan its id is enough. A plan of a project that the connection does not see is
// not written.
func (s *toolset) plan(ctx context.Context, c *tool.Caller, id string, write, words bool) (runs.Whole, *tool.Result) {
	if id == "" {
		list, err := s.Store.Drafts().List(ctx, s.dirs(ctx, c), 1)
		if err != nil {
			return runs.Whole{}, refused("", err, words)
		}
		if len(list) == 0 {
			return runs.Whole{}, failed("", runs.PlanNotFound, noDraft, words)
		}
		id = list[0].ID
	}
	w, err := s.Store.Drafts().Plan(ctx, id)
	if err != nil {
		return runs.Whole{}, refused("", err, words)
	}
	if w.ID == runs.ExampleID { // of no project, and read by all; the store refuses to change it
		return w, nil
	}
	foreign, failure := c.IsForeign(ctx, w.Session)
	if failure != nil {
		return runs.Whole{}, failure
	}
	if foreign && write {
		return runs.Whole{}, failed("", runs.PermissionDenied, "Draft "+w.ID+" is of another project, so nothing was written. Only an agent of that project goes on with it.", words)
	}
	s.leases.dropEarlier(w)
	return w, nil
}

// handler serves a tool.
type handler = func(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result

// reads is the handler of a tool that reads any plan by its id. Of a project that the connection
// does not see, the id gives that plan alone. The connection does not use the plan's session by
// reading it: else get_answer without an id would tell the session's answers.
func (s *toolset) reads(serve handler) handler {
	return func(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
		answer := serve(ctx, c, raw)
		if answer.Session != "" {
			foreign, failure := c.IsForeign(ctx, answer.Session)
			answer.Foreign = foreign || failure != nil
		}
		return answer
	}
}

// dirs are the directories whose plans the caller lists; nil for all.
func (s *toolset) dirs(ctx context.Context, c *tool.Caller) []string {
	if s.AllProjects {
		return nil
	}
	return c.Agent.Dirs(ctx)
}

// detailOf returns the detail with a name. It also knows the names of the original
// tools.
func detailOf(name string) (drafts.Detail, bool) {
	switch name {
	case "":
		return drafts.Brief, true
	case "fast":
		name = "brief"
	case "all":
		name = "full"
	}
	for _, d := range drafts.Details() {
		if string(d) == name {
			return d, true
		}
	}
	return "", false
}
