package tasks

import (
	"context"
	"log/slog"
	"slices"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/mcp/wait"
	rules "planb/plans/tasks"
	"planb/store"
	"planb/store/tasks"
)

// Store is what these tools need of the store.
type Store interface {
	Tasks() *tasks.Store
	ReviewTasks(ctx context.Context, by tasks.Caller, id string, r store.TaskReview) (store.Ask, error)
	CreateSession(ctx context.Context, session store.Session) (store.Session, error)
	Undelivered(ctx context.Context, session string) ([]store.Ask, error)
	Ask(ctx context.Context, id string) (store.Ask, error)
}

// Deps is what the tools work with.
type Deps struct {
	Store Store
	Log   *slog.Logger
	Room  *wait.Room
	// Place says where a person finds the agents of this server; empty if that is unknown.
	Place func(context.Context) string
	// SettingsDir is the directory of the person's settings, which also has their
	// templates. It may be empty.
	SettingsDir string
	// Scopes are what this server may do; see CheckScopes. Nil: everything.
	Scopes []string
}

// toolset has the tools of tasks.
type toolset struct {
	Deps
	workers *workers
}

// Tools returns the toolsets tasks and work: tasks has all tools, work those of an agent
// that only works tasks off. leave ends the claims of an agent whose connection has ended.
func Tools(d Deps) (sets []tool.Set, leave func(context.Context, *agent.Agent)) {
	s := &toolset{Deps: d, workers: &workers{store: d.Store, log: d.Log}}
	work := []tool.Tool{
		s.allowed(tasksRead, s.nextTool()), s.allowed(tasksWrite, s.claimTool()),
		s.allowed(tasksWrite, s.updateTool()), s.allowed(tasksWrite, s.completeTool()),
	}
	plans := []tool.Tool{
		s.allowed(plansWrite, s.createProjectTool()), s.allowed(plansRead, s.listProjectsTool()),
		s.allowed(plansWrite, s.proposeTool()), s.allowed(plansWrite, s.templateTool()), s.allowed(plansWrite, s.approveTool()),
		s.allowed(tasksWrite, s.addTool()), s.allowed(tasksWrite, s.dependencyTool()),
	}
	return []tool.Set{
		{Name: "tasks", Tools: append(plans, work...), After: []tool.After{s.tellNews}},
		{Name: "work", Tools: work},
	}, s.workers.leave
}

// caller is who calls a tool, for the store.
func (s *toolset) caller(ctx context.Context, c *tool.Caller) tasks.Caller {
	by := s.maker(ctx, c)
	by.Dir = c.Agent.ProjectDir(ctx)
	return by
}

// maker is the caller of a tool that makes something in the client's directory.
func (s *toolset) maker(ctx context.Context, c *tool.Caller) tasks.Caller {
	return tasks.Caller{Actor: rules.Agent, Name: agent.Title(c.Agent.Client(ctx)), Dir: c.Agent.Dirs(ctx)[0]}
}

// sessionArgument reads the sessionId of a call that needs none; failure says what to
// tell the model.
func (s *toolset) sessionArgument(ctx context.Context, c *tool.Caller, args *tool.Arguments) (id string, failure *tool.Result) {
	given := args.Text("sessionId")
	if given == "" {
		return "", nil
	}
	session, failure := c.Session(ctx, given, args.Tool)
	if failure != nil && failure.Unknown {
		return "", failed(rules.Missing("session", given, c.Agent.ChosenSessions()))
	}
	return session.ID, failure
}

// announcing returns the session whose earlier answers a result announces: the plan's, if
// this connection uses it.
func announcing(c *tool.Caller, session string) string {
	if slices.Contains(c.Agent.ChosenSessions(), session) {
		return session
	}
	return ""
}
