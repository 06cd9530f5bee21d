package pane

import (
	"context"
	"fmt"

	"planb/questions/safe"
)

// Zellij opens panes in the zellij session around the server. zellij opens a
// pane beside the focused one, closes it when its command ends, and then gives
// the focus back itself, so Zellij is no Leaver. It shows no messages, so only
// the form shows the receipt.
type Zellij struct {
	session string // ZELLIJ_SESSION_NAME
	pane    string // ZELLIJ_PANE_ID
	run     func(context.Context, call) (string, error)
}

// ZellijFromEnv returns the zellij around this process, or nil and the reason.
func ZellijFromEnv(env Env) (*Zellij, string) {
	pane, session := env("ZELLIJ_PANE_ID"), env("ZELLIJ_SESSION_NAME")
	if env("ZELLIJ") == "" || pane == "" || session == "" {
		return nil, "this server's environment has no ZELLIJ, ZELLIJ_PANE_ID and ZELLIJ_SESSION_NAME, so it does not run inside zellij, or its client does not pass them on"
	}
	if !isNumber(pane) {
		return nil, fmt.Sprintf("ZELLIJ_PANE_ID=%q does not name a zellij pane", pane)
	}
	return &Zellij{session: session, pane: pane, run: runCall}, ""
}

// Name returns "zellij".
func (z *Zellij) Name() string { return "zellij" }

// Place names this process's pane: most versions of zellij do not say which tab
// a pane is in.
func (z *Zellij) Place(context.Context) (string, error) {
	return placeName(z.Name(), z.session, z.pane), nil
}

// Open opens a pane to the right.
func (z *Zellij) Open(ctx context.Context, command Command) error {
	argv, err := zellijRun(z.pane, command)
	if err != nil {
		return err
	}
	_, err = z.run(ctx, call{argv: argv})
	return err
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
