package draft

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/setup"
	"planb/store"
	"planb/store/runs"
)

// Commands are planb draft and the commands below it.
type Commands struct {
	frame.Program
	// Argv is the program that writes drafts, from the person's settings; empty for none.
	Argv func() ([]string, error)
	// Endpoint is the server whose models write drafts, from the person's settings.
	Endpoint func() (setup.Endpoint, error)
	// Ask shows a form on this terminal and returns it as the person left it.
	Ask func(ctx context.Context, st *store.Store, spec questions.Spec) (store.Ask, error)
	// Propose proposes a plan of tasks in a session, and returns its id. If the session has such a
	// plan already, it returns that one and how it stands.
	Propose func(ctx context.Context, st *store.Store, session string, raw []byte) (id string, there rules.Status, err error)
	// AnswerTimeout is how long a gate waits for the person.
	AnswerTimeout func() (time.Duration, error)
}

// Command returns planb draft with the commands below it.
func (c Commands) Command() *cobra.Command {
	command := c.listCommand()
	frame.AddGroup(command, "Write", c.newCommand(), c.runCommand(), c.resumeCommand(), c.retryCommand(), c.stopCommand())
	frame.AddGroup(command, "Look", c.namedListCommand(), c.statusCommand(), c.logCommand())
	frame.AddGroup(command, "Take", c.openCommand(), c.reportCommand(), c.zipCommand(), c.tasksCommand())
	return command
}

// ink returns how the commands print to stdout.
func (c Commands) ink() ink.Ink { return ink.On(c.Stdout, c.Env.Pairs(), c.Theme) }

// caller is the person at this terminal.
func (c Commands) caller() runs.Caller { return runs.Caller{Name: c.Env.Author(), Person: true} }

// ownClient names who began a session that no agent began.
func ownClient() store.Client {
	return store.Client{Name: safe.New("planb-draft"), Title: safe.New("planb draft"), Version: safe.New(frame.Version)}
}

// one requires the id of one draft.
func one(cmd *cobra.Command, args []string) error { return frame.ExactlyOne("draft")(cmd, args) }

// maxListed is how many drafts are looked at for a list or a short id.
const maxListed = 1000

// list returns the drafts of this project, or of all, the newest first.
func (c Commands) list(ctx context.Context, st *store.Store, all bool) ([]runs.Summary, error) {
	if all {
		return st.Drafts().List(ctx, nil, maxListed)
	}
	dir, err := c.ProjectDir()
	if err != nil {
		return nil, err
	}
	return st.Drafts().List(ctx, []string{dir}, maxListed)
}

// find returns the draft that a person names by its id or its short id. A draft of
// another project is found, too.
func (c Commands) find(ctx context.Context, st *store.Store, name string) (runs.Whole, error) {
	if name == runs.ExampleID {
		return st.Drafts().Plan(ctx, name)
	}
	if len(name) > len(store.ShortID(strings.Repeat("x", len(name)))) {
		return worded(st.Drafts().Plan(ctx, name))
	}
	plans, err := c.list(ctx, st, true)
	if err != nil {
		return runs.Whole{}, err
	}
	var found []string
	for _, p := range plans {
		if strings.HasPrefix(store.ShortID(p.ID), strings.ToLower(name)) {
			found = append(found, p.ID)
		}
	}
	switch len(found) {
	case 0:
		return runs.Whole{}, unknown(name)
	case 1:
		return worded(st.Drafts().Plan(ctx, found[0]))
	}
	return runs.Whole{}, fmt.Errorf("%d drafts begin with %q; give more of the id", len(found), name)
}

func unknown(name string) error {
	return fmt.Errorf("there is no draft %q; `planb draft` lists those of this project", safe.New(name).Line())
}

// worded words for a person a refusal that is meant for an agent.
func worded(w runs.Whole, err error) (runs.Whole, error) {
	return w, said(err)
}

// said words the error for a person, as errors begin and end.
func said(err error) error {
	if !errors.As(err, new(*runs.Error)) {
		return err
	}
	return errors.New(lower(strings.TrimSuffix(runs.Plainly(err).Error(), ".")))
}

// lower begins a sentence as errors begin.
func lower(text string) string {
	if text == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// named reads the draft for a command that writes nothing.
func (c Commands) named(ctx context.Context, name string, do func(st *store.Store, w runs.Whole) error) error {
	err := c.ReadStore(ctx, func(st *store.Store) error {
		w, err := c.find(ctx, st, name)
		if err != nil {
			return err
		}
		return do(st, w)
	})
	if frame.Missing(err) {
		return unknown(name)
	}
	return err
}
