package pane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"planb/questions/safe"
)

// Kitty opens windows in the kitty tab around the server; kitty's word for a
// pane is window. It needs allow_remote_control and listen_on in kitty.conf. It
// cannot show messages, so Leave shows no receipt there; the form prints it at its end.
type Kitty struct {
	socket string // KITTY_LISTEN_ON
	own    string // KITTY_WINDOW_ID
	agent  string // in a window opened by planb: the agent's window
	run    func(context.Context, call) (string, error)
}

// kittyFromEnv returns the kitty around this process, or nil and the reason.
func kittyFromEnv(env Env) (*Kitty, string) {
	own, socket := env("KITTY_WINDOW_ID"), env("KITTY_LISTEN_ON")
	if own == "" {
		return nil, "KITTY_WINDOW_ID is not set, so planb does not run inside kitty, or its client does not pass it on"
	}
	if socket == "" {
		return nil, "kitty can't be reached: KITTY_LISTEN_ON is not set; " +
			"set allow_remote_control and listen_on in kitty.conf, and have the client pass the variable on"
	}
	if !isNumber(own) || !strings.Contains(socket, ":") || strings.HasPrefix(socket, "-") {
		return nil, fmt.Sprintf("KITTY_WINDOW_ID=%q and KITTY_LISTEN_ON=%q do not name a kitty window", own, socket)
	}
	k := &Kitty{socket: socket, own: own, run: runCall}
	k.agent = agentIn(env, k.Name())
	return k, ""
}

// Name returns "kitty".
func (k *Kitty) Name() string { return "kitty" }

// Place names the tab.
func (k *Kitty) Place(ctx context.Context) (string, error) {
	at, err := k.look(ctx)
	if err != nil {
		return "", err
	}
	return placeName(k.Name(), k.socket, strconv.Itoa(at.tab)), nil
}

// Open splits the tab of this process, or covers it if two panes would be too
// small.
func (k *Kitty) Open(ctx context.Context, command Command) error {
	at, err := k.look(ctx)
	if err != nil {
		return err
	}
	arguments, err := kittyLaunch(k.own, fit(at.Columns, at.Lines), command)
	if err != nil {
		return err
	}
	_, err = k.remote(ctx, arguments...)
	return err
}

// Leave gives the focus back if the person is still in this window. If they are
// in another program, it does not call them back to kitty.
func (k *Kitty) Leave(ctx context.Context, _ string) error {
	if k.agent == "" {
		return nil
	}
	at, err := k.look(ctx)
	if err != nil || !at.Focused {
		return err
	}
	_, err = k.remote(ctx, "focus-window", "--match=id:"+k.agent)
	return err
}

func (k *Kitty) remote(ctx context.Context, arguments ...string) (string, error) {
	return k.run(ctx, call{argv: append([]string{"kitty", "@", "--to=" + k.socket}, arguments...)})
}

// kittyWindow is a window in the output of `kitty @ ls`.
type kittyWindow struct {
	ID      int  `json:"id"`
	Focused bool `json:"is_focused"`
	Columns int  `json:"columns"`
	Lines   int  `json:"lines"`
	tab     int
}

func (k *Kitty) look(ctx context.Context) (kittyWindow, error) {
	listed, err := k.remote(ctx, "ls")
	if err != nil {
		return kittyWindow{}, err
	}
	return kittyFind(listed, k.own)
}

func kittyFind(listed, window string) (kittyWindow, error) {
	var all []struct {
		Tabs []struct {
			ID      int           `json:"id"`
			Windows []kittyWindow `json:"windows"`
		} `json:"tabs"`
	}
	if err := json.Unmarshal([]byte(listed), &all); err != nil {
		return kittyWindow{}, fmt.Errorf("kitty's list of windows can't be read: %s", safe.New(err.Error()).Line())
	}
	for _, osWindow := range all {
		for _, tab := range osWindow.Tabs {
			for _, one := range tab.Windows {
				if strconv.Itoa(one.ID) == window {
					one.tab = tab.ID
					return one, nil
				}
			}
		}
	}
	return kittyWindow{}, errors.New("the kitty window this server was started in is gone")
}

// kittyLaunch builds the arguments. Variables go through env(1), because kitty
// expands $NAME in the values of its own --env. In the command kitty replaces
// words such as @selection, so no word may begin with "@".
func kittyLaunch(window string, split placement, command Command) ([]string, error) {
	words, err := withEnv(command, "kitty", window)
	if err != nil {
		return nil, err
	}
	for _, word := range words {
		if strings.HasPrefix(word, "@") {
			return nil, fmt.Errorf("the command's word %q starts with an \"@\", which kitty would replace", word)
		}
	}
	arguments := []string{"launch", "--match=window_id:" + window}
	switch split.side {
	case right:
		arguments = append(arguments, "--location=vsplit")
	case over:
		arguments = append(arguments, "--type=overlay")
	default:
		arguments = append(arguments, "--location=hsplit")
	}
	if command.Title != "" {
		arguments = append(arguments, "--title="+safe.New(command.Title).Line())
	}
	if command.Dir != "" {
		arguments = append(arguments, "--cwd="+command.Dir)
	}
	return append(arguments, words...), nil
}
