package pane

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// TmuxFacts are what makes a form work well in a tmux, or badly.
type TmuxFacts struct {
	Version    string
	EscapeTime time.Duration // how long tmux waits whether an Esc begins a key
	RGB        bool          // it passes 24-bit colours on to a terminal that looks at it
}

// Facts asks the tmux server of this process.
func (t *Tmux) Facts(ctx context.Context) (TmuxFacts, error) {
	server, err := t.tmux(ctx, "display-message", "-p", "-t", t.own, "#{version} #{escape-time}")
	if err != nil {
		return TmuxFacts{}, err
	}
	version, escape, _ := strings.Cut(server, " ")
	ms, err := strconv.Atoi(escape)
	if err != nil || version == "" {
		return TmuxFacts{}, fmt.Errorf("tmux says %q of its version and escape-time", server)
	}
	facts := TmuxFacts{Version: version, EscapeTime: time.Duration(ms) * time.Millisecond}
	clients, err := t.tmux(ctx, "list-clients", "-F", "#{client_termfeatures}")
	for features := range strings.Lines(clients) {
		facts.RGB = facts.RGB || slices.Contains(strings.Split(strings.TrimSpace(features), ","), "RGB")
	}
	return facts, err
}
