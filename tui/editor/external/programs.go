package external

import (
	"os/exec"
	"runtime"
	"strings"

	"planb/tui/screen"
)

// Editor is the command line of the person's editor, as an environment
// names it; empty if it does not.
func Editor(environ []string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if command := strings.TrimSpace(screen.Variable(environ, name)); command != "" {
			return command
		}
	}
	return ""
}

// EditorProcess runs the editor of an environment, in that environment, on a
// file. Its command line may have arguments of its own; like git, it leaves
// reading the line to the shell.
func EditorProcess(environ []string, path string) *exec.Cmd {
	command := Editor(environ)
	words := []string{"sh", "-c", command + ` "$@"`, "planb", path}
	if runtime.GOOS == "windows" {
		words = append(strings.Fields(command), path)
	}
	process := exec.Command(words[0], words[1:]...)
	process.Env = environ
	return process
}

// pager is the command line of the person's pager: the one they set, else one there is
// here. A program that does not stop at a screen, such as cat, does not count.
func pager(environ []string) string {
	if command := strings.TrimSpace(screen.Variable(environ, "PAGER")); command != "" && command != "cat" {
		return command
	}
	for _, name := range []string{"less", "more"} {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}

// pagerProcess runs the pager of an environment on a file. Its command line may
// have arguments of its own; like git, it leaves reading the line to the shell,
// which sees nothing but that line and the file's name.
func pagerProcess(environ []string, path string) *exec.Cmd {
	command := pager(environ)
	words := []string{"sh", "-c", command + ` "$@"`, "planb", path}
	if runtime.GOOS == "windows" {
		words = append(strings.Fields(command), path)
	}
	process := exec.Command(words[0], words[1:]...)
	process.Env = environ
	if options := screen.Variable(environ, "LESS"); strings.Contains(options, "F") {
		// Or less would leave at once where a short text fits on the screen.
		process.Env = append(environ[:len(environ):len(environ)], "LESS="+options+" -+F")
	}
	return process
}
