package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/questions/safe"
	"planb/setup"
	"planb/setup/clients"
	"planb/setup/configfile"
	"planb/setup/doctor"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/tui/cells"
)

// setupFlags are the flags of `planb setup`.
type setupFlags struct {
	project, print, yes, remove bool
	planHook                    bool   // only the hook for the client's own plans
	taskHook                    bool   // only the hook that tells where the tasks stand
	key                         string // only for tmux
}

func (p program) setupCommand() *cobra.Command {
	var flags setupFlags
	command := &cobra.Command{
		Use:   "setup [CLIENT]",
		Short: "Connect planb to your agent, or to tmux",
		Long: "Connect planb to your agent: planb adds itself to the configuration of its client. It shows the change first, writes it when you agree, and leaves a backup beside the file.\n\n" +
			"    writes the file        " + strings.Join(writtenClients(), ", ") + "\n" +
			"    prints what to add     " + strings.Join(manualClients(), ", ") + "\n\n" +
			"Without a client it lists which clients start planb.",
		Example: "  planb setup claude\n  planb setup codex --print\n  planb setup tmux",
		Args:    frame.AtMostOne("client"),
		RunE: func(_ *cobra.Command, args []string) error {
			if flags.planHook && flags.taskHook {
				return frame.UsageError(errors.New("--plan-hook and --task-hook are set up one after the other; give one of them"))
			}
			if _, flag := flags.hook(); len(args) == 0 && flag != "" {
				return frame.UsageError(errors.New(flag + " needs a client; it is there for claude"))
			}
			if len(args) == 0 {
				return p.listClients(flags)
			}
			return p.setUpClient(args[0], flags)
		},
	}
	command.PersistentFlags().BoolVar(&flags.print, "print", false, "print the change, write nothing")
	command.PersistentFlags().BoolVarP(&flags.yes, "yes", "y", false, "write without asking")
	command.PersistentFlags().BoolVar(&flags.remove, "remove", false, "remove planb again")
	command.Flags().BoolVar(&flags.project, "project", false, "use this directory's files, which a team shares, not yours")
	command.Flags().BoolVar(&flags.planHook, "plan-hook", false, "only for claude: have its own plans reviewed in planb")
	command.Flags().BoolVar(&flags.taskHook, "task-hook", false, "only for claude: tell each session where the tasks stand")
	command.AddCommand(p.setupTmuxCommand(&flags))
	return command
}

// hook is the hook that is set up, and its flag; an empty flag for none.
func (f setupFlags) hook() (hook clients.Hook, flag string) {
	switch {
	case f.planHook:
		return clients.ReviewsPlans, "--plan-hook"
	case f.taskHook:
		return clients.TellsTasks, "--task-hook"
	}
	return 0, ""
}

func (p program) setupTmuxCommand(flags *setupFlags) *cobra.Command {
	command := &cobra.Command{
		Use:   "tmux",
		Short: "Show in tmux's status line what waits, with a key for it",
		Long: "Show in tmux what waits: a count in the status line, and a key that shows the inbox in a popup. It also shortens\n" +
			"escape-time, so that Esc works at once, and makes status-right longer, so that the count is not cut off.",
		Args: frame.NoArguments,
		RunE: func(*cobra.Command, []string) error { return p.setUpTmux(*flags) },
	}
	command.Flags().StringVar(&flags.key, "key", clients.DefaultTmuxKey, "put the inbox on `KEY`, after tmux's prefix")
	return command
}

func clientNames() []string { return append(writtenClients(), manualClients()...) }

// writtenClients are the names of the clients whose files planb changes.
func writtenClients() (names []string) {
	for _, c := range clients.All() {
		names = append(names, c.Name)
	}
	return names
}

// manualClients are the names of the clients for which planb prints what to add.
func manualClients() (names []string) {
	for _, m := range clients.Manuals("") {
		names = append(names, m.Name)
	}
	return names
}

// clientPlace says where the clients' files are: this person's, or the
// project's in the working directory.
func (p program) clientPlace(project bool) (clients.Place, error) {
	home, err := p.homeDir()
	if err != nil {
		return clients.Place{}, err
	}
	place := clients.Place{Env: p.Env.Get, Home: home, Exists: fileExists}
	if project {
		if place.Project, err = frame.WorkingDir(); err != nil {
			return clients.Place{}, err
		}
	}
	return place, nil
}

func (p configured) homeDir() (string, error) {
	if home := p.Env["HOME"]; home != "" {
		return home, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("there is no home directory to look for configuration in: %w; set HOME", err)
	}
	return home, nil
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// registeredCommand returns the command that others start this program with. In shared
// files that is its name. Elsewhere it is the path at which PATH finds it, because an
// update does not change that path.
func (p program) registeredCommand(shared bool) (string, error) {
	executable, err := p.OwnProgram()
	if err != nil {
		return "", err
	}
	if strings.Contains(executable, string(filepath.Separator)+"go-build") {
		return "", fmt.Errorf("this planb was built to run once (%s) and will be gone; install it with  go install .  and set that up", executable)
	}
	onPath := p.startsThis("planb")
	if shared {
		if !onPath {
			p.Warn("the project's files start planb by its name, but that name does not find this planb; put this planb into a directory of PATH")
		}
		return "planb", nil
	}
	if found, err := exec.LookPath("planb"); err == nil && onPath {
		return filepath.Abs(found)
	}
	return executable, nil
}

// startsThis reports whether the command is this program.
func (p program) startsThis(command string) bool {
	executable, err := p.OwnProgram()
	if err != nil {
		return false
	}
	found, err := exec.LookPath(command)
	return err == nil && sameFile(found, executable)
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

func (p program) setUpClient(name string, flags setupFlags) error {
	command, err := p.registeredCommand(flags.project)
	if err != nil {
		return err
	}
	if manual, ok := clients.ManualByName(name, command); ok {
		if hook, flag := flags.hook(); flag != "" {
			return frame.UsageError(noHook(hook, manual.Title))
		}
		if flags.remove {
			return frame.UsageError(fmt.Errorf("planb does not write the file of %s; remove the entry \"planb\" from %s", manual.Title, manual.File))
		}
		return p.printManual(manual)
	}
	client, ok := clients.ByName(name)
	if !ok {
		return frame.UsageError(fmt.Errorf("there is no client %q%s", name, setup.DidYouMean(name, append(clientNames(), "tmux"), "; known are: "+strings.Join(clientNames(), ", ")+", and tmux")))
	}
	place, err := p.clientPlace(flags.project)
	if err != nil {
		return err
	}
	keep, after := p.startsThis, client.After
	if flags.project {
		keep = nil // the same command may not start planb for others of the team
		after = strings.TrimSpace(after + " " + client.Team)
	}
	var files []clients.File
	var done string
	hook, flag := flags.hook()
	switch {
	case flag != "" && !client.HasHook(hook):
		return frame.UsageError(noHook(hook, client.Title))
	case flag != "" && flags.remove:
		files, done, after = client.UnregisterHook(hook, place), client.Title+" "+withoutHook(hook), ""
	case flag != "":
		files, done, after = client.RegisterHook(hook, place, command, keep), client.Title+" "+withHook(hook), "It takes effect in the next session; see it with /hooks."
	case flags.remove:
		files, done, after = client.Unregister(place), client.Title+" is not connected to planb", ""
	default:
		files, done = client.Register(place, command, keep), client.Title+" is set up"
	}
	var rewrites []*configfile.Rewrite
	for _, file := range files {
		rewrite, err := file.Plan()
		if err != nil {
			return byHand(err, file, client.Title, flags.remove)
		}
		rewrites = append(rewrites, rewrite)
	}
	return p.rewrite(rewrites, flags, done, after)
}

// withHook says what a client does with a hook.
func withHook(hook clients.Hook) string {
	if hook == clients.TellsTasks {
		return "tells its sessions where the tasks stand"
	}
	return "has its plans reviewed in planb"
}

// withoutHook says what a client does without a hook.
func withoutHook(hook clients.Hook) string {
	if hook == clients.TellsTasks {
		return "no longer tells its sessions where the tasks stand"
	}
	return "shows its plans itself"
}

func noHook(hook clients.Hook, title string) error {
	if hook == clients.TellsTasks {
		return fmt.Errorf("%s runs no hook when a session starts, or none that planb can set up; have it run  planb tasks prime", title)
	}
	return fmt.Errorf("%s asks no hook about its plans, or none that planb can set up; see docs/clients.md for other ways", title)
}

// byHand says what to add to a file that planb does not change.
func byHand(problem error, file clients.File, title string, remove bool) error {
	problem = fmt.Errorf("nothing was written: %w", problem)
	if remove {
		return problem
	}
	manual, err := file.Manual()
	if err != nil {
		return errors.Join(problem, err)
	}
	indented := "    " + strings.ReplaceAll(strings.TrimRight(manual, "\n"), "\n", "\n    ")
	return fmt.Errorf("%w; put it right, or add this by hand, so that %s may %s:\n\n%s", problem, title, file.Purpose, indented)
}

func (p program) printManual(m clients.Manual) error {
	err := p.Tell(fmt.Sprintf("Set up %s by hand: add this to %s, beside what is there:\n\n", m.Title, m.File))
	err = errors.Join(err, p.Print(m.Entry))
	if m.Note != "" {
		err = errors.Join(err, p.Tell("\n"+m.Note+"\n"))
	}
	return err
}

func (p program) setUpTmux(flags setupFlags) error {
	home, err := p.homeDir()
	if err != nil {
		return err
	}
	done := "tmux is set up"
	var lines []string
	if flags.remove {
		done = "tmux is not connected to planb"
	} else {
		command, err := p.registeredCommand(false)
		if err != nil {
			return err
		}
		if lines, err = clients.TmuxLines(command, flags.key); err != nil {
			return frame.UsageError(err)
		}
	}
	place := clients.Place{Env: p.Env.Get, Home: home, Exists: fileExists}
	rewrite, err := place.PlanTmux(lines)
	if err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	after := "tmux reads it when it starts the next time, or now with  tmux source-file " + rewrite.Path
	if flags.remove {
		after = "A tmux that runs keeps the key and the count until it ends."
	}
	return p.rewrite([]*configfile.Rewrite{rewrite}, flags, done, after)
}

// listClients prints for each client whether it starts planb.
func (p program) listClients(flags setupFlags) error {
	place, err := p.clientPlace(flags.project)
	if err != nil {
		return err
	}
	k := ink.On(p.Stdout, p.Env.Pairs(), p.Theme)
	const nameCells, stateCells, indent = 16, 15, "     " // a longer state has the file below
	var out strings.Builder
	for _, client := range clients.All() {
		r := client.Inspect(place)
		mark, state := doctor.Note, "not connected"
		switch {
		case r.Err != nil:
			mark, state = doctor.Problem, r.Err.Error()
		case r.Registered && r.Disabled:
			mark, state = doctor.Warning, "connected, but switched off"
		case r.Registered && r.Elsewhere:
			mark, state = doctor.Problem, "has an address in place of a program"
		case r.Registered:
			mark, state = doctor.OK, "starts planb"
		case len(r.Projects) > 0:
			mark, state = doctor.OK, "starts planb in "+strings.Join(r.Projects, ", ")+" only"
		}
		state, file := safe.New(state).Line(), safe.New(r.File).Line()
		if !k.Terminal {
			if err := p.Print(layout.Row(fmt.Sprintf("%-10s ", client.Name), fmt.Sprintf("%s (%s)", state, file), p.Width())); err != nil {
				return err
			}
			continue
		}
		if rest, ok := strings.CutPrefix(file, place.Home+"/"); ok {
			file = "~/" + rest
		}
		head := "  " + doctorMark(k, mark) + "  " + cells.Pad(client.Name, nameCells)
		beside := head + k.Muted.Render(cells.Pad(state, stateCells)) + k.Faint.Render(file)
		if ansi.StringWidth(state) < stateCells && ansi.StringWidth(beside) <= k.Width {
			out.WriteString(beside + "\n")
			continue
		}
		out.WriteString(k.Message(head, state, k.Muted) + "\n" + layout.Item(indent, file, k.Width))
	}
	return p.Print(out.String() + k.Message("", "\nSet one up with, for example,  planb setup claude", k.Text) + "\n")
}

// rewrite shows the changes to the files and writes them if the person agrees.
// It prints done and after when the files are as they should be.
func (p program) rewrite(all []*configfile.Rewrite, flags setupFlags, done, after string) error {
	var changed []*configfile.Rewrite
	for _, r := range all {
		if r.Changed() {
			changed = append(changed, r)
		}
	}
	if len(changed) == 0 {
		return p.Tell("Nothing has to be changed: " + done + ".\n")
	}
	if !flags.print {
		if err := p.checkHomeOwner(flags.project); err != nil {
			return err
		}
	}
	// The person must see the change in the same place as the question about it.
	show := p.Stderr
	if flags.print || flags.yes {
		show = p.Stdout
	}
	for _, r := range changed {
		if _, err := io.WriteString(show, p.shownDiff(show, r.Diff())); err != nil {
			return err
		}
	}
	if flags.print {
		return nil
	}
	if err := p.Consent("Write this?", flags.yes); err != nil {
		return err
	}
	for _, r := range changed {
		backup, err := r.Write(time.Now())
		if err != nil {
			return err
		}
		text := layout.Item("Written: ", safe.New(r.Path).Line(), p.Width())
		if backup != "" {
			text += layout.Item("  as it was: ", safe.New(backup).Line(), p.Width())
		}
		if err := p.Print(text); err != nil {
			return err
		}
	}
	return p.Tell(strings.TrimSpace(done+". "+after) + "\n")
}

// checkHomeOwner refuses to write files that the home directory's owner could not
// change later, as under sudo.
func (p configured) checkHomeOwner(project bool) error {
	if project {
		return nil
	}
	home, err := p.homeDir()
	if err != nil {
		return err
	}
	var fault *kv.Fault
	if err := bolt.OwnDir(home); errors.As(err, &fault) {
		return fmt.Errorf("nothing was written: %s %s, and its owner could not change the files later; run `planb setup` as that user", fault.Path, fault.What)
	} else if err != nil {
		return err
	}
	return nil
}

// shownDiff returns a diff as it is written to the file: unchanged, or on a
// terminal cleaned and with colours.
func (p program) shownDiff(to *os.File, diff string) string {
	k := ink.On(to, p.Env.Pairs(), p.Theme)
	if !k.Terminal {
		return diff
	}
	var out strings.Builder
	for line := range strings.Lines(diff) {
		style := k.Text
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			style = k.Strong
		case strings.HasPrefix(line, "+"):
			style = k.Added
		case strings.HasPrefix(line, "-"):
			style = k.Removed
		}
		out.WriteString(style.Render(safe.New(strings.TrimRight(line, "\r\n")).Line()) + "\n")
	}
	return out.String()
}
