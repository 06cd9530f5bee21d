package tasks

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	rules "planb/plans/tasks"
	"planb/store"
	kept "planb/store/tasks"
	"planb/tui/keymap"
	"planb/tui/retro"
	"planb/tui/screen"
)

// Store is what the screens need of the store of tasks.
type Store interface {
	Plans(ctx context.Context, by kept.Caller) ([]kept.Plan, error)
	Projects(ctx context.Context, by kept.Caller) ([]kept.Project, error)
	Plan(ctx context.Context, by kept.Caller, id string) (kept.Whole, error)
	Tasks(ctx context.Context, w kept.Whole, numbers ...int) ([]rules.Task, error)
	Past(ctx context.Context, by kept.Caller, task string) (kept.Past, error)
	Unreported(ctx context.Context, w kept.Whole) (map[int]kept.Attempt, error)
	Waiting(ctx context.Context, w kept.Whole, v *rules.View) ([]kept.WaitingChange, error)
}

// Deps is what the screens are given.
type Deps struct {
	Store   Store
	Decide  Decisions
	Watcher screen.Watcher
	// Review makes the ask in which the person approves a plan, or what agents added to it.
	Review func(ctx context.Context, plan string) (store.Ask, error)
	// Visit brings the person to the place of an agent; nil if nothing can.
	Visit   func(ctx context.Context, place string) error
	Keys    keymap.Keys
	Environ []string // for the person's editor
	// Past opens sessions and forms from the page of a task.
	Past retro.Deps
	By   string // names the person, user@host
	Now  func() time.Time
	// After sends a message in some time: screen.After, but not in tests.
	After func(time.Duration, tea.Msg) tea.Cmd
}

// caller is the person, who sees the plans of all projects.
func (d Deps) caller() kept.Caller { return kept.Caller{Actor: rules.User, Name: d.By} }
