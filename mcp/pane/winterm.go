package pane

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

const windowsTerminalName = "windows-terminal"

// windowsTerminalFromEnv returns the opener that splits a pane in the window of
// Windows Terminal that was used last, the only one that can be named; or nil and
// the reason. The place is the pane of this process.
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
func windowsTerminalFromEnv(env Env) (*launcher, string) {
	session, distro := env("WT_SESSION"), env("WSL_DISTRO_NAME")
	if session == "" {
		return nil, "WT_SESSION is not set, so planb does not run inside Windows Terminal, or its client does not pass it on"
	}
	if reason := otherTerminal(env, "WT_SESSION", ""); reason != "" { // Windows Terminal sets no TERM_PROGRAM
		return nil, reason
	}
	w := &launcher{name: windowsTerminalName, server: session, run: runCall}
	if filepath.Separator == '\\' {
		w.prepare = func(command Command) (launch, error) {
			split, err := windowsSplit(command)
			return launch{call: split}, err
		}
		return w, ""
	}
	if distro == "" {
		return nil, "WT_SESSION is set, but WSL_DISTRO_NAME is not, so Windows Terminal could not be told which WSL distribution to start in a pane; have the client pass it on"
	}
	if !isPlain(distro) {
		return nil, fmt.Sprintf("WSL_DISTRO_NAME=%q does not name a WSL distribution that could be started in a pane", distro)
	}
	cmd := lookPath(env("PATH"), "cmd.exe")
	if cmd == "" {
		return nil, "there is no cmd.exe on this server's PATH, which starts Windows Terminal's wt.exe; WSL puts it there unless appendWindowsPath is off"
	}
	w.prepare = func(command Command) (launch, error) {
		return byScript(command, windowsTerminalName, func(words []string) call {
			argv := append([]string{cmd, "/c"}, windowsPane()...)
			return call{argv: append(append(argv, "--", "wsl.exe", "-d", distro, "--exec"), words...)}
		})
	}
	return w, ""
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
