package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/questions"
	"planb/questions/safe"
	"planb/setup"
	"planb/store"
	"planb/store/kv"
	"planb/tui/cells"
	"planb/tui/wording"
)

type sessionsFlags struct {
	project, client, state string
	json                   bool
}

// These are the values of planb sessions --state.
const (
	stateWaiting = "waiting"
	stateQuiet   = "quiet"
)

func (p lookups) sessionsCommand() *cobra.Command {
	var flags sessionsFlags
	command := &cobra.Command{
		Use:   "sessions",
		Short: "List all sessions, the newest change first",
		Long: "List all sessions, the newest change first: short id, time of the last change, title, agent, project, and what is in it.\n" +
			"planb show and planb tui retro take the short id.",
		Example: "  planb sessions --project .\n  planb sessions --state waiting --json",
		Args:    frame.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.sessions(cmd.Context(), flags) },
	}
	command.Flags().StringVar(&flags.project, "project", "", "only sessions of `PROJECT`: its directory or one of its git worktrees, else a part of the project's path")
	command.Flags().StringVar(&flags.client, "client", "", "only sessions of agents with `NAME` in their name")
	command.Flags().StringVar(&flags.state, "state", "", "only sessions in `STATE`: waiting (a form waits for you) or quiet (none does)")
	frame.CompleteFlag(command, "state", stateWaiting, stateQuiet)
	command.Flags().BoolVar(&flags.json, "json", false, "print them as JSON")
	return command
}

// listedSession is a session as planb sessions --json prints it.
type listedSession struct {
	store.Session
	Waiting    int    `json:"waiting"`              // forms that are open
	Unreadable string `json:"unreadable,omitempty"` // why the record cannot be read
}

func (p lookups) sessions(ctx context.Context, flags sessionsFlags) error {
	switch flags.state {
	case "", stateWaiting, stateQuiet:
	default:
		return frame.UsageError(fmt.Errorf("--state is %q%s", flags.state, setup.DidYouMean(flags.state, []string{stateWaiting, stateQuiet}, "; it can be "+stateWaiting+" or "+stateQuiet)))
	}
	var list []listedSession
	err := p.ReadStore(ctx, func(st *store.Store) (err error) {
		list, err = chosenSessions(ctx, st, flags)
		return err
	})
	if frame.Missing(err) {
		list, err = []listedSession{}, nil // a list in JSON, too
	}
	if err != nil {
		return err
	}
	if flags.json {
		return frame.PrintJSON(p.Stdout, list)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(p.Stderr, "No session fits, or there is none yet.")
		return err
	}
	if k := p.ink(); k.Terminal {
		return p.Print(sessionTable(k, list, time.Now()))
	}
	for _, session := range list {
		if err := p.Print(session.line()); err != nil {
			return err
		}
	}
	return nil
}

// sessionTable lists sessions on a terminal, as the inbox does.
func sessionTable(k ink.Ink, list []listedSession, now time.Time) string {
	columns := []ink.Column{{}, {}, {Least: 24, Wants: 44, Fill: true}, {Leave: 2}, {Least: 8, Leave: 3}, {Leave: 1}, {Right: true, Leave: 4}}
	var rows [][]ink.Cell
	waiting := 0
	for _, s := range list {
		mark := ink.Cell{Text: " "}
		if s.Waiting > 0 {
			mark = ink.Cell{Text: questions.Pending.Standing(false).Mark, Style: k.Required}
			waiting++
		}
		title := ink.Cell{Text: s.Name().Line(), Style: k.Text}
		if s.Err != nil {
			title = ink.Cell{Text: safe.New(s.Unreadable).Line(), Style: k.Danger}
		}
		waits := ""
		if s.Waiting > 0 {
			waits = fmt.Sprintf("%d waiting", s.Waiting)
		}
		rows = append(rows, []ink.Cell{
			mark, {Text: store.ShortID(s.ID), Style: k.Accent}, title,
			{Text: wording.ClientName(s.Client), Style: k.Muted}, {Text: wording.ProjectName(s.Session)},
			{Text: cells.Join(waits, wording.Plural(s.Asks, "form"), wording.PlanVersion(s.Plans)), Style: k.Muted},
			{Text: wording.Ago(s.Updated.Local(), now), Style: k.Faint},
		})
	}
	about := wording.Count(len(list), "session")
	if waiting > 0 {
		about += fmt.Sprintf(", %d waiting for you", waiting)
	}
	return k.Table(columns, rows) + "\n" + layout.Text(k.Muted.Render(about+". Look at one with ")+k.Accent.Render("planb show "+store.ShortID(list[0].ID)), k.Width) + "\n"
}

// chosenSessions reads the sessions page by page and returns those that the
// flags select.
func chosenSessions(ctx context.Context, st *store.Store, flags sessionsFlags) ([]listedSession, error) {
	waiting, err := st.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	open := map[string]int{}
	for _, ask := range waiting {
		open[ask.Session]++
	}
	inProject, err := projectFilter(ctx, st, flags.project)
	if err != nil {
		return nil, err
	}
	chosen := []listedSession{}
	seen := map[string]bool{}
	for after := ""; ; {
		page, next, err := st.Sessions(ctx, after, kv.MaxPageRecords-1)
		if err != nil {
			return nil, err
		}
		for _, session := range page {
			listed := listedSession{Session: session, Waiting: open[session.ID]}
			if session.Err != nil {
				listed.Unreadable = session.Err.Error()
			}
			if !seen[session.ID] && inProject(session) && listed.passes(flags) {
				chosen = append(chosen, listed)
			}
			seen[session.ID] = true // one that changes between two pages comes twice
		}
		if after = next; after == "" {
			return chosen, nil
		}
	}
}

// projectFilter selects the sessions of a directory's project. If name is no
// directory here, it selects those with name in their project's path.
func projectFilter(ctx context.Context, st *store.Store, name string) (func(store.Session) bool, error) {
	if name == "" {
		return func(store.Session) bool { return true }, nil
	}
	dir, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return func(s store.Session) bool { return contains(s.Project.Raw(), name) }, nil
	}
	scope, err := st.Scope(ctx, dir)
	return scope.Has, err
}

func (s listedSession) passes(flags sessionsFlags) bool {
	if flags.client != "" && !contains(s.Client.Name.Raw(), flags.client) && !contains(s.Client.Title.Raw(), flags.client) {
		return false
	}
	switch flags.state {
	case stateWaiting:
		return s.Waiting > 0
	case stateQuiet:
		return s.Waiting == 0
	}
	return true
}

// line formats the session for a file or a pipe, cleaned.
func (s listedSession) line() string {
	parts := []string{s.Name().Line()}
	if s.Err != nil {
		parts = append(parts, safe.New(s.Unreadable).Line())
	}
	for _, text := range []safe.Text{agentName(s.Client), s.Project} {
		if !text.Blank() {
			parts = append(parts, text.Line())
		}
	}
	if s.Asks > 0 {
		parts = append(parts, wording.Count(s.Asks, "form"))
	}
	if s.Plans > 0 {
		parts = append(parts, wording.Count(s.Plans, "plan version"))
	}
	if s.Waiting > 0 {
		parts = append(parts, fmt.Sprintf("%d waiting", s.Waiting))
	}
	return store.ShortID(s.ID) + "  " + clock(s.Updated) + "  " + strings.Join(parts, " · ") + "\n"
}

const clockTime = "2006-01-02 15:04"

// agentName returns the title of a client, else its name.
func agentName(client store.Client) safe.Text {
	if !client.Title.Blank() {
		return client.Title
	}
	return client.Name
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
