package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"planb/mcp/pane"
	"planb/setup/clients"
	"planb/setup/doctor"
	"planb/store/bolt"
	"planb/store/kv"
)

// doctorFlags are what `planb doctor` can be told.
type doctorFlags struct {
	json, try, compact, repair bool
	inPane                     string // the file that the pane of --try writes
}

func (p program) doctorCommand() *cobra.Command {
	var flags doctorFlags
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Look over the store, the terminal, what opens panes, and the registered clients",
		Long: "Look over the store, the terminal, what opens panes, and the registered clients, and say for every problem what to do.\n" +
			"It changes nothing in the store, except with --compact and --repair. The exit code is 1 if there is a problem.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case flags.inPane != "":
				return p.writePaneSize(flags.inPane)
			case flags.compact:
				return p.compact(cmd.Context())
			case flags.repair:
				return p.repair(cmd.Context())
			}
			return p.doctor(cmd.Context(), flags)
		},
	}
	command.Flags().BoolVar(&flags.json, "json", false, "print the findings as JSON")
	command.Flags().BoolVar(&flags.try, "try", false, "also open a pane, which closes by itself")
	command.Flags().BoolVar(&flags.compact, "compact", false, "rewrite the store without its free pages; other processes wait meanwhile")
	command.Flags().BoolVar(&flags.repair, "repair", false, "rewrite the store from all that can be read of it, and keep the old file")
	command.Flags().StringVar(&flags.inPane, "in-pane", "", "write the size of this terminal to a file")
	if err := command.Flags().MarkHidden("in-pane"); err != nil {
		panic(err) // the flag is defined one line above
	}
	return command
}

func (p program) doctor(ctx context.Context, flags doctorFlags) error {
	report := doctor.Report{Version: versionText(), System: runtime.GOOS + "/" + runtime.GOARCH}
	kept, err := p.examineStore(ctx)
	if err != nil {
		return err
	}
	terminal := p.examineTerminal(ctx) // before --try opens a pane, which makes this one smaller
	openers, err := p.examineOpeners(ctx, flags.try)
	if err != nil {
		return err
	}
	registered, err := p.examineClients()
	if err != nil {
		return err
	}
	report.Findings = append(report.Findings, kept.Findings()...)
	report.Findings = append(report.Findings, terminal.Findings()...)
	report.Findings = append(report.Findings, openers.Findings()...)
	report.Findings = append(report.Findings, doctor.Clients(registered)...)
	report.Findings = append(report.Findings, p.examineSettings()...)
	if flags.json {
		err = printJSON(p.stdout, report)
	} else {
		err = report.WriteTable(p.stdout, p.width(), isTerminal(p.stdout) && !p.env.noColor())
	}
	if err == nil && report.Count(doctor.Problem) > 0 {
		err = exitError{code: exitFailed}
	}
	return err
}

func (p program) examineStore(ctx context.Context) (s doctor.Store, err error) {
	path, err := p.storePath()
	if err != nil {
		return doctor.Store{}, err
	}
	s = doctor.Store{Path: path}
	list, err := backups(path)
	if err != nil {
		return doctor.Store{}, err
	}
	if s.Backups = len(list); s.Backups > 0 {
		info, err := os.Stat(list[len(list)-1])
		if err != nil {
			return doctor.Store{}, err
		}
		s.LastBackup = info.ModTime()
	}
	if info, err := os.Stat(filepath.Dir(path)); err == nil {
		s.DirMode, s.Exposed = info.Mode(), bolt.CheckExposed(filepath.Dir(path)) != nil
	}
	if info, err := os.Stat(path); err == nil {
		s.FileMode, s.Size = info.Mode(), info.Size()
	}
	if s.Reserve, err = examineReserve(path); err != nil {
		return doctor.Store{}, err
	}
	if err := sweepScratch(path, &s); err != nil {
		return doctor.Store{}, err
	}
	engine, err := bolt.Open(ctx, path, bolt.Options{MustExist: true})
	var fault *kv.Fault
	switch {
	case missing(err):
		s.Missing = true
		return s, nil
	case errors.As(err, &fault) && fault.Unwritable():
		s.Unfit = err
		return s, nil
	case err != nil:
		s.Err = err
		return s, nil
	}
	err = p.examineRecords(ctx, engine, path, &s)
	return s, errors.Join(err, engine.Close())
}

// examineReserve looks at the space reserved for a full disk.
func examineReserve(path string) (doctor.Reserve, error) {
	found, err := bolt.ReserveAt(path)
	told := doctor.Reserve{GivenUp: found.State == bolt.ReserveGivenUp, Needs: found.Needs}
	if found.State == bolt.ReserveWhole {
		told.Kept = found.Bytes
	}
	return told, err
}

// examineRecords checks every page and record of a copy. The copy is made
// beside the store, which also shows whether the directory can be written; if
// not, in the temporary directory.
func (p program) examineRecords(ctx context.Context, engine *bolt.Engine, path string, s *doctor.Store) error {
	copied := func(to string) error { return engine.Copy(ctx, to) }
	found, err := p.checkCopy(ctx, filepath.Dir(path), path, copied)
	if unwritable(err) {
		if fault, ok := errors.AsType[*kv.Fault](err); ok && fault.Kind == kv.FaultFull {
			s.NoRoom = err
		} else {
			s.Unfit = err
		}
		found, err = p.checkCopy(ctx, os.TempDir(), path, copied)
	}
	switch {
	case unwritable(err):
		s.Unchecked = err
		return nil
	case err != nil:
		s.Err = err
		return nil
	}
	s.Pages, s.FreePages = found.File.Pages, found.File.FreePages
	s.Sessions, s.Asks, s.Plans = found.Content.Sessions, found.Content.Asks, found.Content.Plans
	s.LeftOver, s.Remains = found.Content.OrphanBytes, found.Content.Remains
	for _, problem := range found.problems() {
		s.Problems = append(s.Problems, strings.ReplaceAll(problem, found.path, path))
	}
	s.Gaps = found.gaps()
	return found.done()
}

// unwritable reports whether an error is about the place that was written to,
// not about the data.
func unwritable(err error) bool {
	fault, isFault := errors.AsType[*kv.Fault](err)
	return err != nil && (!isFault || fault.Unwritable())
}

// sweepScratch removes the temporary copies of commands that were killed, and
// notes them in s.
func sweepScratch(path string, s *doctor.Store) error {
	dir := filepath.Dir(path)
	for _, place := range []string{dir, filepath.Join(dir, backupsDir), os.TempDir()} {
		left, err := bolt.SweepScratch(place)
		if err != nil {
			return err
		}
		for _, copied := range left {
			if copied.Err != nil {
				s.Stuck = append(s.Stuck, copied.Path)
				continue
			}
			s.Swept++
			s.SweptBytes += copied.Bytes
		}
	}
	return nil
}

func (p program) examineTerminal(ctx context.Context) doctor.Terminal {
	t := doctor.Terminal{There: isTerminal(p.stdout), Name: p.env["TERM"], SSH: p.env["SSH_CONNECTION"] != ""}
	if width, height, err := term.GetSize(p.stdout.Fd()); err == nil {
		t.Width, t.Height = width, height
	}
	t.Colours = colours(colorprofile.Detect(p.stdout, p.env.pairs()))
	if p.env.noColor() {
		t.Colours = "none, because NO_COLOR is set"
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first one set wins
		if value := p.env[name]; value != "" {
			t.Locale = name + "=" + value
			t.UTF8 = strings.Contains(strings.ToLower(strings.ReplaceAll(value, "-", "")), "utf8")
			break
		}
	}
	if tmux, _ := pane.FromEnv(p.env.get); tmux != nil {
		facts, err := tmux.Facts(ctx)
		t.Tmux = &doctor.Tmux{Version: facts.Version, EscapeTime: facts.EscapeTime, RGB: facts.RGB, Err: err}
	}
	return t
}

func colours(profile colorprofile.Profile) string {
	switch profile {
	case colorprofile.TrueColor:
		return "24-bit colours"
	case colorprofile.ANSI256:
		return "256 colours"
	case colorprofile.ANSI:
		return "16 colours"
	}
	return "none"
}

func (p program) examineOpeners(ctx context.Context, try bool) (doctor.Openers, error) {
	settings := p.settings(nil)
	if err := settings.Check("opener"); err != nil {
		return doctor.Openers{}, usageError(err)
	}
	choice, err := pane.Here(p.env.lookup).Explain(ctx, settings.Opener)
	if err != nil {
		return doctor.Openers{}, usageError(err)
	}
	openers := doctor.Openers{Why: choice.Why, Wanted: choice.Wanted}
	for _, known := range choice.Known {
		openers.List = append(openers.List, doctor.Opener{Name: known.Name, Reason: known.Reason, Tried: known.Tried})
	}
	if choice.Chosen == nil {
		return openers, nil
	}
	openers.Chosen = choice.Chosen.Name()
	if try {
		openers.Tested, openers.TestErr = true, p.tryPane(ctx, choice.Chosen)
	}
	return openers, nil
}

// tryTime is how long a pane may take to open and to start planb.
const tryTime = 10 * time.Second

// tryPane opens a pane that writes a file and closes by itself.
func (p program) tryPane(ctx context.Context, opener pane.Opener) (err error) {
	executable, err := ownProgram()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "planb-try-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sign := filepath.Join(dir, "size")
	if err := opener.Open(ctx, pane.Command{Argv: []string{executable, "doctor", "--in-pane", sign}, Title: "planb"}); err != nil {
		return err
	}
	for end := time.Now().Add(tryTime); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(sign); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return fmt.Errorf("%s was told to open a pane, but planb did not start in it within %v", opener.Name(), tryTime)
}

func (p program) writePaneSize(path string) error {
	width, height, err := term.GetSize(p.stdout.Fd())
	if err != nil {
		return fmt.Errorf("the pane is no terminal: %w", err)
	}
	return os.WriteFile(path, fmt.Appendf(nil, "%d %d\n", width, height), 0o600)
}

func (p program) examineClients() ([]doctor.Client, error) {
	executable, err := ownProgram()
	if err != nil {
		return nil, err
	}
	var list []doctor.Client
	for _, project := range []bool{false, true} {
		place, err := p.clientPlace(project)
		if err != nil {
			return nil, err
		}
		for _, client := range clients.All() {
			found := doctor.Client{Registration: client.Inspect(place), PlanHook: client.InspectPlanHook(place)}
			if project && !found.Registered && !found.PlanHook.Registered {
				continue
			}
			if found.PlanHook.Registered {
				_, found.HookErr = exec.LookPath(found.PlanHook.Program)
			}
			if found.Registered {
				found.Ours, found.StartErr = found.Starts(executable, exec.LookPath)
			}
			list = append(list, found)
		}
	}
	return list, nil
}

func (p program) examineSettings() []doctor.Finding {
	path, err := p.env.settingsPath()
	if err != nil {
		return nil // without a home directory there is no file
	}
	problems := p.settingsProblems()
	return doctor.Settings(path, fileExists(path), problems)
}

func (p program) compact(ctx context.Context) error {
	path, err := p.storePath()
	if err != nil {
		return err
	}
	engine, err := bolt.Open(ctx, path, bolt.Options{MustExist: true})
	if err != nil {
		return err
	}
	before, err := os.Stat(path)
	if err == nil {
		err = engine.Compact(ctx)
	}
	if err = errors.Join(err, engine.Close()); err != nil {
		return err
	}
	after, err := os.Stat(path)
	if err != nil {
		return err
	}
	return p.print(path + "\n" + fmt.Sprintf("%s before, %s now\n", humanBytes(before.Size()), humanBytes(after.Size())))
}
