package drafts

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/drafts/schedule"
	"planb/store"
	"planb/store/runs"
	"planb/tui/keymap"
	"planb/tui/retro"
	"planb/tui/screen"
)

// Store is what the screens need of the store of drafts.
type Store interface {
	List(ctx context.Context, dirs []string, limit int) ([]runs.Summary, error)
	Plan(ctx context.Context, id string) (runs.Whole, error)
	Writers(ctx context.Context, plan string) (map[string]runs.Writer, error)
	Decisions
}

// Decisions is what a person decides about drafts, beside the forms that they answer.
type Decisions interface {
	Edit(ctx context.Context, by runs.Caller, e runs.Edit) (w runs.Whole, dirty []string, err error)
	Regenerate(ctx context.Context, by runs.Caller, plan, step, sha256, guidance string) (w runs.Whole, dirty []string, err error)
	Place(ctx context.Context, by runs.Caller, plan string, f schedule.Flags) (w runs.Whole, dirty []string, err error)
	Stop(ctx context.Context, by runs.Caller, id, why string) (w runs.Whole, stopped bool, err error)
	Resume(ctx context.Context, by runs.Caller, id string, r runs.Resumption) (w runs.Whole, recompute []string, err error)
	Retry(ctx context.Context, by runs.Caller, id, profile string) (runs.Whole, error)
}

// Deps is what the screens are given.
type Deps struct {
	Store Store
	// Asks returns the asks of a session, oldest first; nil if nobody is to look at them.
	Asks    func(ctx context.Context, session string) ([]store.Ask, error)
	Watcher screen.Watcher
	// Gate makes the ask in which the person answers a step of a draft, or finds the one that
	// is open.
	Gate func(ctx context.Context, w runs.Whole, step rules.Step) (store.Ask, error)
	// OpenReport shows the report outside of this program, and says where it is. It is nil if
	// nothing can.
	OpenReport func(ctx context.Context, w runs.Whole) (said string, err error)
	// SaveReport saves the report as the next version of the plan of the draft's session.
	SaveReport func(ctx context.Context, w runs.Whole) (version int, err error)
	// Section and Schedule return what is written of a draft. They are rules.Draft.Markdown and
	// rules.Draft.Schedule; tests put other functions here.
	Section  func(d rules.Draft, step string) string
	Schedule func(d rules.Draft) (schedule.Schedule, error)

	// OpenForm makes the screen of an ask.
	OpenForm func(retro.Form) screen.Screen
	Keys     keymap.Keys
	Environ  []string // for the person's editor
	By       string   // names the person, user@host
	Now      func() time.Time
	// After sends a message after some time. It is screen.After; tests send it themselves.
	After func(time.Duration, tea.Msg) tea.Cmd
}

// caller is the person, who decides.
func (d Deps) caller() runs.Caller { return runs.Caller{Name: d.By, Person: true} }
