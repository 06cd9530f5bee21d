package mcp

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/agent"
	"planb/mcp/asking"
	"planb/mcp/drafts"
	"planb/mcp/library"
	"planb/mcp/pane"
	"planb/mcp/planfile"
	"planb/mcp/planning"
	"planb/mcp/tasks"
	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/store"
	"planb/store/runs"
	kept "planb/store/tasks"
)

// Store is what the server needs of planb's memory; *store.Store is one.
type Store interface {
	agent.Store
	wait.Store
	asking.Store
	planning.Store
	planfile.Store
	library.Store
	tasks.Store
	drafts.Store
}

// Config is what a Server works with. Only Store, DataDir and AnswerTimeout have no default.
type Config struct {
	Store   Store
	DataDir string // where readable copies of plans go, under plans/
	// OwnDir makes a directory for its user only; nil: os.MkdirAll does.
	OwnDir func(dir string) error
	// Opener opens panes. If it is nil, nothing is opened, and agents are told to send
	// their user to a terminal.
	Opener pane.Opener
	// NoOpen says that another program shows the forms: nothing is opened, and calls
	// simply wait.
	NoOpen     bool
	Executable string // absolute path of planb, for the pane
	Env        func(name string) string
	WorkingDir string // the project, where the client tells no other
	// Wait is how long a call may wait for a person before it returns with
	// "not answered yet"; 0 goes by the client's own limit, as setup/known has it.
	Wait time.Duration
	// AnswerTimeout is how long a question may stay unanswered. Then the agent is told that
	// its time is over. A submit command has as long.
	AnswerTimeout time.Duration
	Toolsets      []string // DefaultToolsets by default, or "all"
	// Retooled returns a channel that gives the toolsets to offer from then on, each time
	// that they may have changed, until ctx ends. If Retooled is nil, they never change.
	Retooled func(ctx context.Context) <-chan []string
	// SettingsDir is the directory of the person's settings, which also has their
	// templates of tasks. It may be empty.
	SettingsDir string
	// Scopes are what the tools of tasks may do; nil: everything. See CheckScopes.
	Scopes []string
	// AllProjects lets a connection see the sessions of all projects, not only those
	// of its own and those it made.
	AllProjects bool
	// PlansDir is where plan files are; a relative one is of the project. By default
	// docs/planb/plans of the project. No link leads out of the project.
	PlansDir string
	// SubmitCommand reviews plans instead of planb: a program and its arguments, to
	// which the plan's path is added. Empty: the user reviews them in planb.
	SubmitCommand []string
	// PromptFile has the text of the prompt plan instead of planb's own; a relative
	// one is of the project, and no link leads out of it. It is read whenever the prompt
	// is asked for.
	PromptFile string
	// Skill is the text of the prompt planb, a skill in Markdown; empty: there is no
	// such prompt.
	Skill string
	// DraftModels write drafts without an agent; by default there are none.
	DraftModels drafts.Models
	DraftDedup  time.Duration // how long an equal request gets the draft that is there already; 0: it begins another
	Version     string        // of planb
	Log         *slog.Logger  // discards by default; never stdout
}

// Server answers MCP clients. All its connections share what waits for a person.
type Server struct {
	sdk         *server.MCPServer
	log         *slog.Logger
	agents      agent.Config
	room        *wait.Room
	library     *library.Library
	fitter      *tool.Fitter
	after       []tool.After
	sets        []tool.Set // that can be offered
	offer       offer
	retooled    func(context.Context) <-chan []string
	leaveTasks  func(context.Context, *agent.Agent) // ends the claims of an agent on tasks
	connections atomic.Int32
}

// New returns a Server. It reads and opens nothing yet.
func New(cfg Config) *Server {
	cfg = cfg.withDefaults()
	copies := planfile.Copies{Dir: cfg.DataDir}
	s := &Server{
		log: cfg.Log, room: newRoom(cfg, copies), retooled: cfg.Retooled,
		library: library.New(cfg.Store, copies, cfg.Log),
		fitter:  tool.NewFitter(copies.WriteAnswer, cfg.Log),
	}
	s.agents = agent.Config{
		Store: cfg.Store, Log: cfg.Log, Env: cfg.Env, WorkingDir: cfg.WorkingDir, AllProjects: cfg.AllProjects, Claim: s.room.Claim,
	}
	ofTasks, leaveTasks := tasks.Tools(tasks.Deps{Store: cfg.Store, Log: cfg.Log, Room: s.room, Place: s.room.Place, Scopes: cfg.Scopes, SettingsDir: cfg.SettingsDir})
	s.leaveTasks = leaveTasks
	draftDeps := drafts.Deps{Store: cfg.Store, Log: cfg.Log, Env: cfg.Env, Room: s.room, Limit: cfg.Wait, AllProjects: cfg.AllProjects, AgentWrites: offers(cfg.Toolsets, "drafts"), Models: cfg.DraftModels, Dedup: cfg.DraftDedup}
	s.sets = slices.Concat(
		asking.Tools(asking.Deps{Store: cfg.Store, Log: cfg.Log, Env: cfg.Env, Room: s.room, Unfinished: unfinished(cfg)}),
		planning.Tools(planning.Deps{
			Store: cfg.Store, Log: cfg.Log, Copies: copies, Room: s.room,
			Files:         planfile.New(cfg.Store, copies, cfg.PlansDir, cfg.OwnDir, cfg.Log),
			SubmitCommand: cfg.SubmitCommand, Timeout: cfg.AnswerTimeout,
		}),
		ofTasks,
		drafts.Tools(draftDeps),
	)
	s.after = []tool.After{s.room.AnnounceEarlier}
	for _, set := range s.sets {
		s.after = append(s.after, set.After...)
	}
	s.after = append(s.after, s.room.TellUnkept, s.offer.tellRetooled)
	hooks := &server.Hooks{}
	hooks.AddAfterListTools(s.offer.unlist)
	if offers(cfg.Toolsets, drafts.OldSet) {
		hooks.AddAfterInitialize(drafts.TellOldVersion)
	}
	hooks.AddOnError(s.offer.refuseTool)
	hooks.AddOnError(library.Refuse)
	hooks.AddOnError(refusePrompt)
	s.sdk = server.NewMCPServer("planb", cfg.Version,
		server.WithTitle("planb"),
		server.WithInstructions(instructionsFor(cfg.Toolsets)),
		server.WithToolCapabilities(true),
		server.WithResourceCapabilities(true, false),
		server.WithPromptCapabilities(false),
		server.WithCompletions(),
		server.WithResourceCompletionProvider(s.library),
		server.WithLogging(),
		server.WithHooks(hooks),
	)
	s.library.Offer(s.sdk, (offers(cfg.Toolsets, "tasks") || offers(cfg.Toolsets, "work")) && tasks.MayRead(cfg.Scopes))
	resources := drafts.NewResources(draftDeps)
	if offers(cfg.Toolsets, "drafts") {
		resources.Offer(s.sdk)
	}
	if offers(cfg.Toolsets, drafts.OldSet) {
		resources.OfferOld(s.sdk)
	}
	(&prompts{cfg.PromptFile, copies, cfg.Log, s.missing}).addPrompts(s.sdk, cfg.Toolsets, cfg.Skill)
	s.offerTools(cfg.Toolsets)
	return s
}

// unfinished is what init_planb_session tells of the drafts of a project, if their tools
// are offered.
func unfinished(cfg Config) func(ctx context.Context, dir string) []string {
	if !offers(cfg.Toolsets, "drafts") {
		return nil
	}
	return func(ctx context.Context, dir string) []string { return drafts.Unfinished(ctx, cfg.Store, cfg.Log, dir) }
}

func (cfg Config) withDefaults() Config {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.OwnDir == nil {
		cfg.OwnDir = func(dir string) error { return os.MkdirAll(dir, 0o700) }
	}
	if cfg.Env == nil {
		cfg.Env = func(string) string { return "" }
	}
	if cfg.Opener == nil {
		cfg.Opener = pane.None{Reason: "this server has nothing to open panes with"}
	}
	if len(cfg.Toolsets) == 0 {
		cfg.Toolsets = DefaultToolsets()
	}
	if cfg.Version == "" {
		cfg.Version = "dev"
	}
	return cfg
}

// newRoom returns the room in which asks wait. The toolset that an ask is about words it.
func newRoom(cfg Config, copies planfile.Copies) *wait.Room {
	return wait.New(wait.Config{
		Store: cfg.Store, Log: cfg.Log, Dir: copies.Dir, Keep: copies.WriteAnswer,
		Opener: cfg.Opener, NoOpen: cfg.NoOpen, Limit: cfg.Wait, Timeout: cfg.AnswerTimeout,
		Subject: func(ask store.Ask) wait.Subject {
			switch ask.About() {
			case store.AboutPlan:
				return planning.Review{}
			case kept.SubjectKind:
				return tasks.Approval{Store: cfg.Store}
			case runs.SubjectKind:
				return drafts.Gate{}
			}
			return asking.Questions{}
		},
		Command: func(ask store.Ask) pane.Command {
			env := pane.Environment(cfg.Env)
			if cfg.DataDir != "" {
				env = append(env, "PLANB_DATA_DIR="+cfg.DataDir)
			}
			return pane.Command{
				Argv: []string{cfg.Executable, "tui", "ask", "--place", ask.Place, ask.ID},
				Dir:  cfg.WorkingDir,
				Env:  env,
			}
		},
	})
}
