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
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/mcp/pane"
	"planb/questions/safe"
	"planb/setup/clients"
	"planb/setup/doctor"
	"planb/store/bolt"
	"planb/tui/wording"
)

// doctorFlags are the flags of `planb doctor`.
type doctorFlags struct {
	json, all, try, compact, repair bool
	inPane                          string // the file that the pane of --try writes
}

func (p program) doctorCommand() *cobra.Command {
	var flags doctorFlags
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Check what planb needs, and say what to do",
		Long: "Look over the store, the terminal, what opens panes, and the registered clients, and say for every problem what to do.\n" +
			"It changes nothing in the store, except with --compact and --repair. The exit code is 1 if there is a problem.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case flags.inPane != "":
				return p.writePaneSize(flags.inPane)
			case flags.compact:
				return p.compact(cmd.Context())
			case flags.repair:
				return upkeep{p.Program}.repair(cmd.Context())
			}
			return p.doctor(cmd.Context(), flags)
		},
	}
	command.Flags().BoolVar(&flags.json, "json", false, "print the findings as JSON")
	command.Flags().BoolVar(&flags.all, "all", false, "also say why each of the other openers is not used, and name the file of each client")
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
	report := doctor.Report{Version: frame.VersionText(), System: runtime.GOOS + "/" + runtime.GOARCH}
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
	if flags.all || flags.json {
		report.Findings = slices.Concat(report.Findings, openers.Findings(), doctor.Clients(registered))
	} else {
		report.Findings = slices.Concat(report.Findings, openers.Brief(), doctor.ClientsInBrief(registered))
	}
	report.Findings = append(report.Findings, p.examineSettings()...)
	if flags.json {
		err = frame.PrintJSON(p.Stdout, report)
	} else {
		err = p.Print(reportText(lookups{p.Program}.ink(), p.homeShortened(report)))
	}
	if err == nil && report.Count(doctor.Problem) > 0 {
		err = frame.Exit{Code: frame.ExitFailed}
	}
	return err
}

func (p program) examineStore(ctx context.Context) (doctor.Store, error) {
	h, err := p.Home()
	if err != nil {
		return doctor.Store{}, err
	}
	x, err := h.Examine(ctx)
	if err != nil {
		return doctor.Store{}, err
	}
	found := x.Found
	s := doctor.Store{
		Path: h.Path(), DirMode: x.DirMode, Exposed: x.Exposed, FileMode: x.FileMode, Size: x.Size,
		Backups: x.Backups, LastBackup: x.LastBackup,
		Reserve: doctor.Reserve{GivenUp: x.Reserve.State == bolt.ReserveGivenUp, Needs: x.Reserve.Needs},
		Missing: x.Missing, NoRoom: x.NoRoom, Unfit: x.Unfit, Unchecked: x.Unchecked, Err: x.Err,
		Pages: found.File.Pages, FreePages: found.File.FreePages,
		Sessions: found.Content.Sessions, Asks: found.Content.Asks, Plans: found.Content.Plans,
		Drafts: found.Content.Drafts, TaskPlans: found.Content.TaskPlans,
		LeftOver: found.Content.OrphanBytes, Remains: found.Content.Remains,
		Problems: x.Problems, Gaps: found.Gaps(), Newer: found.Newer(),
	}
	if x.Reserve.State == bolt.ReserveWhole {
		s.Reserve.Kept = x.Reserve.Bytes
	}
	for _, left := range x.Left {
		if left.Err != nil {
			s.Stuck = append(s.Stuck, left.Path)
			continue
		}
		s.Swept++
		s.SweptBytes += left.Bytes
	}
	return s, nil
}

func (p program) examineTerminal(ctx context.Context) doctor.Terminal {
	t := doctor.Terminal{There: frame.IsTerminal(p.Stdout), Name: p.Env["TERM"], SSH: p.Env["SSH_CONNECTION"] != ""}
	if width, height, err := term.GetSize(p.Stdout.Fd()); err == nil {
		t.Width, t.Height = width, height
	}
	t.Colours = colours(ink.Profile(p.Stdout, p.Env.Pairs()))
	if p.Env.NoColor() {
		t.Colours = "none, because NO_COLOR is set"
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first one set wins
		if value := p.Env[name]; value != "" {
			t.Locale = name + "=" + value
			t.UTF8 = strings.Contains(strings.ToLower(strings.ReplaceAll(value, "-", "")), "utf8")
			break
		}
	}
	if tmux, _ := pane.FromEnv(p.Env.Get); tmux != nil {
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
	wrong := settings.Check("opener") // then the file or the default gives the opener
	choice, err := pane.Here(p.Env.Lookup).Explain(ctx, settings.Opener)
	if err != nil {
		return doctor.Openers{}, frame.UsageError(err)
	}
	openers := doctor.Openers{Why: choice.Why, Wanted: choice.Wanted, Off: p.Env["ASK_NO_OPEN"] == "1"}
	if wrong != nil {
		choice.Chosen, openers.Why, openers.Wanted = nil, wrong.Error(), p.Env["PLANB_OPENER"]
	}
	for _, known := range choice.Known {
		openers.List = append(openers.List, doctor.Opener{Name: known.Name, Reason: known.Reason, Tested: known.Tested})
	}
	if choice.Chosen == nil || openers.Off {
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
	executable, err := p.OwnProgram()
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
	width, height, err := term.GetSize(p.Stdout.Fd())
	if err != nil {
		return fmt.Errorf("the pane is no terminal: %w", err)
	}
	return os.WriteFile(path, fmt.Appendf(nil, "%d %d\n", width, height), 0o600)
}

func (p program) examineClients() ([]doctor.Client, error) {
	executable, err := p.OwnProgram()
	if err != nil {
		return nil, err
	}
	var list []doctor.Client
	own := map[string]bool{} // the person's own files; those of a project in the home directory are the same
	for _, project := range []bool{false, true} {
		place, err := p.clientPlace(project)
		if err != nil {
			return nil, err
		}
		for _, client := range clients.All() {
			found := doctor.Client{Registration: client.Inspect(place), PlanHook: client.InspectPlanHook(place)}
			if project {
				found.Registered = found.Registered && !own[found.File]
				found.PlanHook.Registered = found.PlanHook.Registered && !own[found.PlanHook.File]
				if !found.Registered && !found.PlanHook.Registered {
					continue
				}
			}
			own[found.File], own[found.PlanHook.File] = true, true
			if found.PlanHook.Registered {
				found.HookOurs, found.HookErr = found.PlanHook.Starts(executable, exec.LookPath)
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
	path, err := p.settingsPath()
	if err != nil {
		return nil // without a home directory there is no file
	}
	list := doctor.Settings(path, fileExists(path), p.settingsProblems())
	settings := p.settings(nil)
	for _, e := range settings.List {
		if err := settings.Check(e.Name); err != nil && e.Name != "opener" { // the openers have that one
			list = append(list, doctor.Variable(err))
		}
	}
	return list
}

func (p program) compact(ctx context.Context) error {
	h, err := p.Home()
	if err != nil {
		return err
	}
	before, after, err := h.Compact(ctx)
	if err != nil {
		return err
	}
	return p.Print(h.Path() + "\n" + fmt.Sprintf("%s before, %s now\n", wording.Bytes(before), wording.Bytes(after)))
}

// homeShortened returns the report as a terminal shows it: the home directory is ~.
func (p program) homeShortened(r doctor.Report) doctor.Report {
	home, err := p.homeDir()
	if err != nil || home == "/" || !frame.IsTerminal(p.Stdout) {
		return r
	}
	short := strings.NewReplacer(home+"/", "~/")
	r.Findings = slices.Clone(r.Findings)
	for i, f := range r.Findings {
		r.Findings[i].Detail, r.Findings[i].Remedy = short.Replace(f.Detail), short.Replace(f.Remedy)
	}
	return r
}

// doctorMark returns a state's sign, which says the same as its colour.
func doctorMark(k ink.Ink, s doctor.State) string {
	switch s {
	case doctor.OK:
		return k.Success.Render("✓")
	case doctor.Warning:
		return k.Warning.Render("▲")
	case doctor.Problem:
		return k.Danger.Render("✗")
	}
	return k.Faint.Render("·")
}

// reportText formats a doctor's report for a person, in lines of the ink's width where
// words allow it. It cleans text from outside.
func reportText(k ink.Ink, r doctor.Report) string {
	t := reportTable{ink: k}
	for _, f := range r.Findings {
		t.names = max(t.names, ansi.StringWidth(safe.New(f.Name).Line()))
	}
	t.line(k.Muted.Render(fmt.Sprintf("planb %s on %s", r.Version, r.System)))
	area := doctor.Area("")
	for _, f := range r.Findings {
		if f.Area != area {
			area = f.Area
			t.line("")
			t.line(k.Title.Render(areaTitle(area)))
		}
		t.finding(f)
	}
	t.line("")
	t.text.WriteString(layout.Row(doctorMark(k, r.Worst())+" ", k.Strong.Render(reportSummary(r)), k.Width))
	return t.text.String()
}

// areaTitle is the heading above the findings of an area.
func areaTitle(area doctor.Area) string {
	if area == doctor.AreaOpener {
		return "Panes"
	}
	return strings.ToUpper(string(area[:1])) + string(area[1:])
}

// reportSummary says in a sentence how good or bad all findings are.
func reportSummary(r doctor.Report) string {
	problems, warnings := r.Count(doctor.Problem), r.Count(doctor.Warning)
	switch {
	case problems == 0 && warnings == 0:
		return "All is well."
	case problems == 0:
		return fmt.Sprintf("planb works; %s.", betterThings(warnings))
	case warnings == 0:
		return wording.Count(problems, "problem") + "."
	}
	return fmt.Sprintf("%s, and %s.", wording.Count(problems, "problem"), betterThings(warnings))
}

func betterThings(n int) string { return wording.Count(n, "thing") + " could be better" }

// reportTable builds the text of a report.
type reportTable struct {
	text  strings.Builder
	ink   ink.Ink
	names int // width of the widest name
}

func (t *reportTable) line(s string) {
	t.text.WriteString(s)
	t.text.WriteByte('\n')
}

// finding writes a finding beside its name, and the remedy below it. Findings that are
// in order look quieter.
func (t *reportTable) finding(f doctor.Finding) {
	const margin = "  "
	style := t.ink.Muted
	if f.State == doctor.Warning || f.State == doctor.Problem {
		style = t.ink.Text
	}
	name := safe.New(f.Name).Line()
	head := margin + doctorMark(t.ink, f.State) + " " + name + strings.Repeat(" ", t.names-ansi.StringWidth(name)) + margin
	t.line(t.ink.Message(head, safe.New(f.Detail).Line(), style))
	if f.Remedy != "" {
		arrow := strings.Repeat(" ", ansi.StringWidth(head)) + t.ink.Accent.Render("→") + " "
		remedy, style := safe.New(f.Remedy).Line(), t.ink.Text
		if strings.HasPrefix(remedy, "planb ") && !strings.ContainsAny(remedy, ",;") {
			style = t.ink.Accent // nothing but a command
		}
		t.line(t.ink.Message(arrow, remedy, style))
	}
}
