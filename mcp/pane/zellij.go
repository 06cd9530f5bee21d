package pane

import (
	"fmt"

	"planb/questions/safe"
)

// zellijFromEnv returns the opener for the zellij session around this process, or
// nil and the reason. zellij opens a pane beside the focused one, closes it when its
// command ends, and then gives the focus back itself. The place is this process's
// pane: most versions of zellij do not say which tab a pane is in.
func zellijFromEnv(env Env) (*launcher, string) {
	pane, session := env("ZELLIJ_PANE_ID"), env("ZELLIJ_SESSION_NAME")
	if env("ZELLIJ") == "" || pane == "" || session == "" {
		return nil, "ZELLIJ, ZELLIJ_PANE_ID and ZELLIJ_SESSION_NAME are not set, so planb does not run inside zellij, or its client does not pass them on"
	}
	if !isNumber(pane) {
		return nil, fmt.Sprintf("ZELLIJ_PANE_ID=%q does not name a zellij pane", pane)
	}
	prepare := func(command Command) (launch, error) {
		argv, err := zellijRun(pane, command)
		return launch{call: call{argv: argv}}, err
	}
	return &launcher{name: "zellij", server: session, number: pane, prepare: prepare, run: runCall}, ""
}

// zellijRun builds the command line. zellij takes what follows "--" unchanged.
// Its own values follow a "=", so that none is read as an option.
func zellijRun(pane string, command Command) ([]string, error) {
	words, err := withEnv(command, "zellij", pane)
	if err != nil {
		return nil, err
	}
	argv := []string{"zellij", "run", "--direction=right", "--close-on-exit"}
	if command.Title != "" {
		argv = append(argv, "--name="+safe.New(command.Title).Line())
	}
	if command.Dir != "" {
		argv = append(argv, "--cwd="+command.Dir)
	}
	return append(append(argv, "--"), words...), nil
}
