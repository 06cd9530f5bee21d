package pane

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

const windowsTerminalName = "windows-terminal"

// WindowsTerminal splits a pane in the window of Windows Terminal that was used
// last, the only one that can be named. It cannot show messages, so only the
// form shows the receipt.
//
// On Windows, wt.exe is started directly. It takes each ";" in a word as the
// end of a command, unless a backslash is before it. It joins the words after
// its options for the new process without escaping quotes, and replaces %NAME%
// in them; so a word may contain neither. Since version 1.19 the pane gets
// wt.exe's environment.
//
// On Linux under Windows (WSL), cmd.exe must start wt.exe, and wsl.exe the
// command: four programs that each parse the words in their own way. So they
// get the path of a script, and otherwise only plain words.
type WindowsTerminal struct {
	session string // WT_SESSION
	cmd     string // in WSL: absolute path of cmd.exe
	distro  string // in WSL: WSL_DISTRO_NAME
	run     func(context.Context, call) (string, error)
}

// WindowsTerminalFromEnv returns the Windows Terminal around this process, or
// nil and the reason.
func WindowsTerminalFromEnv(env Env) (*WindowsTerminal, string) {
	session, distro := env("WT_SESSION"), env("WSL_DISTRO_NAME")
	if session == "" {
		return nil, "this server's environment has no WT_SESSION, so it does not run inside Windows Terminal, or its client does not pass it on"
	}
	if reason := otherTerminal(env, "WT_SESSION", ""); reason != "" { // Windows Terminal sets no TERM_PROGRAM
		return nil, reason
	}
	w := &WindowsTerminal{session: session, run: runCall}
	if filepath.Separator == '\\' {
		return w, ""
	}
	if distro == "" {
		return nil, "WT_SESSION is set, but WSL_DISTRO_NAME is not, so Windows Terminal could not be told which WSL distribution to start in a pane; have the client pass it on"
	}
	if !isPlain(distro) {
		return nil, fmt.Sprintf("WSL_DISTRO_NAME=%q does not name a WSL distribution that could be started in a pane", distro)
	}
	w.distro, w.cmd = distro, lookPath(env("PATH"), "cmd.exe")
	if w.cmd == "" {
		return nil, "there is no cmd.exe on this server's PATH, which starts Windows Terminal's wt.exe; WSL puts it there unless appendWindowsPath is off"
	}
	return w, ""
}

// Name returns "windows-terminal".
func (*WindowsTerminal) Name() string { return windowsTerminalName }

// Place names the pane of this process.
func (w *WindowsTerminal) Place(context.Context) (string, error) {
	return placeName(w.Name(), w.session, ""), nil
}

// Open splits the pane.
func (w *WindowsTerminal) Open(ctx context.Context, command Command) error {
	if w.cmd != "" {
		return w.openFromWSL(ctx, command)
	}
	split, err := windowsSplit(command)
	if err != nil {
		return err
	}
	_, err = w.run(ctx, split)
	return err
}

// windowsPane splits the focused pane of the window used last.
func windowsPane() []string {
	return []string{"wt.exe", "-w", "0", "split-pane", "-V", "--size", "0." + strconv.Itoa(formPercent)}
}

func windowsSplit(command Command) (call, error) {
	if err := command.check(); err != nil {
		return call{}, err
	}
	for _, word := range append([]string{command.Dir}, command.Argv...) {
		if strings.ContainsAny(word, `%"`) || strings.HasSuffix(word, `\`) && strings.Contains(word, " ") {
			return call{}, fmt.Errorf("%q can't be handed to Windows Terminal, which gives a percent sign, a quote and a backslash at the end meanings of their own", word)
		}
	}
	argv := windowsPane()
	if title := titleLine(command); title != "" {
		argv = append(argv, "--title", notAnOption(title))
	}
	if command.Dir != "" {
		argv = append(argv, "--startingDirectory", command.Dir)
	}
	argv = append(append(argv, "--"), command.Argv...)
	for i, word := range argv {
		argv[i] = strings.ReplaceAll(word, ";", `\;`)
	}
	return call{argv: argv, env: append(command.Env[:len(command.Env):len(command.Env)], envOpener+"="+windowsTerminalName)}, nil
}

func (w *WindowsTerminal) openFromWSL(ctx context.Context, command Command) error {
	s, err := writeScript(command, w.Name())
	if err != nil {
		return err
	}
	argv := append([]string{w.cmd, "/c"}, windowsPane()...)
	argv = append(append(argv, "--", "wsl.exe", "-d", w.distro, "--exec"), s.words()...)
	if _, err := w.run(ctx, call{argv: argv}); err != nil {
		s.remove()
		return err
	}
	return nil
}
