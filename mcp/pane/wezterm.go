package pane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"planb/questions/safe"
)

// WezTerm opens panes in the WezTerm tab around the server. It cannot show messages, so
// Leave shows no receipt there; the form prints it at its end.
type WezTerm struct {
	server string // WEZTERM_UNIX_SOCKET; empty if the client does not pass it on
	own    string // WEZTERM_PANE
	agent  string // in a pane opened by planb: the agent's pane
	run    func(context.Context, call) (string, error)
}

// wezTermFromEnv returns the WezTerm around this process, or nil and the
// reason.
func wezTermFromEnv(env Env) (*WezTerm, string) {
	own := env("WEZTERM_PANE")
	if own == "" {
		return nil, "WEZTERM_PANE is not set, so planb does not run inside WezTerm, or its client does not pass it on"
	}
	if !isNumber(own) {
		return nil, fmt.Sprintf("WEZTERM_PANE=%q does not name a WezTerm pane", own)
	}
	w := &WezTerm{server: env("WEZTERM_UNIX_SOCKET"), own: own, run: runCall}
	w.agent = agentIn(env, w.Name())
	return w, ""
}

// Name returns "wezterm".
func (w *WezTerm) Name() string { return "wezterm" }

// Place names the tab.
func (w *WezTerm) Place(ctx context.Context) (string, error) {
	at, err := w.look(ctx)
	if err != nil {
		return "", err
	}
	return placeName(w.Name(), w.server, strconv.Itoa(at.Tab)), nil
}

// Open splits the pane of this process; fit decides where.
func (w *WezTerm) Open(ctx context.Context, command Command) error {
	at, err := w.look(ctx)
	if err != nil {
		return err
	}
	split := fit(at.Size.Columns, at.Size.Rows)
	arguments, err := weztermSplit(w.own, split, command)
	if err != nil {
		return err
	}
	opened, err := w.cli(ctx, arguments...)
	if err != nil {
		return err
	}
	if split.side == over && isNumber(opened) {
		// If this WezTerm cannot zoom, half of a small tab must do.
		_, _ = w.cli(ctx, "zoom-pane", "--pane-id", opened, "--zoom")
	}
	return nil
}

// Leave gives the focus back, if the person is still in this pane.
func (w *WezTerm) Leave(ctx context.Context, _ string) error {
	if w.agent == "" {
		return nil
	}
	at, err := w.look(ctx)
	if err != nil || !at.Active {
		return err
	}
	_, err = w.cli(ctx, "activate-pane", "--pane-id", w.agent)
	return err
}

// cli runs one of WezTerm's commands, without starting a WezTerm.
func (w *WezTerm) cli(ctx context.Context, arguments ...string) (string, error) {
	return w.run(ctx, call{argv: append([]string{"wezterm", "cli", "--no-auto-start"}, arguments...)})
}

// weztermPane is a pane in the output of `wezterm cli list`.
type weztermPane struct {
	Pane   int  `json:"pane_id"`
	Tab    int  `json:"tab_id"`
	Active bool `json:"is_active"`
	Size   struct {
		Rows    int `json:"rows"`
		Columns int `json:"cols"`
	} `json:"size"`
}

func (w *WezTerm) look(ctx context.Context) (weztermPane, error) {
	listed, err := w.cli(ctx, "list", "--format", "json")
	if err != nil {
		return weztermPane{}, err
	}
	return weztermFind(listed, w.own)
}

func weztermFind(listed, pane string) (weztermPane, error) {
	var all []weztermPane
	if err := json.Unmarshal([]byte(listed), &all); err != nil {
		return weztermPane{}, fmt.Errorf("wezterm's list of panes can't be read: %s", safe.New(err.Error()).Line())
	}
	for _, one := range all {
		if strconv.Itoa(one.Pane) == pane {
			return one, nil
		}
	}
	return weztermPane{}, errors.New("the WezTerm pane this server was started in is gone")
}

// weztermSplit builds the arguments. WezTerm takes what follows "--" unchanged,
// and also a directory after its option, since it is absolute.
func weztermSplit(pane string, split placement, command Command) ([]string, error) {
	words, err := withEnv(command, "wezterm", pane)
	if err != nil {
		return nil, err
	}
	side := "--bottom"
	if split.side == right {
		side = "--right"
	}
	arguments := []string{"split-pane", "--pane-id", pane, side}
	if split.cells > 0 {
		arguments = append(arguments, "--cells", strconv.Itoa(split.cells))
	}
	if command.Dir != "" {
		arguments = append(arguments, "--cwd", command.Dir)
	}
	return append(append(arguments, "--"), words...), nil
}
