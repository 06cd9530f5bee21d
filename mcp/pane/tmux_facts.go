package pane

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// TmuxFacts are the facts about a tmux that decide how well a form works there.
type TmuxFacts struct {
	Version    string
	EscapeTime time.Duration // how long tmux waits after Esc for the rest of a key
	RGB        bool          // it passes 24-bit colours on to the terminal
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
		return TmuxFacts{}, fmt.Errorf("tmux's version and escape-time can't be read from %q", server)
	}
	facts := TmuxFacts{Version: version, EscapeTime: time.Duration(ms) * time.Millisecond}
	clients, err := t.tmux(ctx, "list-clients", "-F", "#{client_termfeatures}")
	for features := range strings.Lines(clients) {
		facts.RGB = facts.RGB || slices.Contains(strings.Split(strings.TrimSpace(features), ","), "RGB")
	}
	return facts, err
}
