package setup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"planb/mcp/pane"
	"planb/themes"
)

// Key is one thing that can be set.
type Key struct {
	Name    string // as in the file, with the table before a dot: ring.bell
	About   string // what it does, in one line
	Allowed string // which values may stand there, in words with an example
	Default string // the value it has when it is not set, as TOML

	kind valueKind
	// set takes over a value of the kind; false if it is not allowed.
	set func(*Settings, value) bool
}

type valueKind int

const (
	aText valueKind = iota
	aSwitch
)

// value is one of a key's kind.
type value struct {
	text string
	on   bool
}

// Keys lists all there is to set, in the order in which it is documented.
func Keys() []Key {
	return []Key{
		{
			Name:    "wait",
			About:   "how long a call may wait for a person before the agent is told to call again; 0s: as long as its client is known to allow",
			Allowed: `a duration that is not negative, such as "4m30s"`,
			Default: `"0s"`,
			set:     func(s *Settings, v value) bool { return setWait(&s.Wait, v.text) },
		},
		{
			Name:    "opener",
			About:   "what opens panes for forms",
			Allowed: "one of " + quoted(pane.Names()),
			Default: `"auto"`,
			set:     func(s *Settings, v value) bool { return setName(&s.Opener, v.text, pane.Names()) },
		},
		{
			Name:    "theme",
			About:   "the colours; empty: as the terminal's background wants it",
			Allowed: `"", or one of ` + quoted(themes.Names()),
			Default: `""`,
			set:     func(s *Settings, v value) bool { return setName(&s.Theme, v.text, append(themes.Names(), "")) },
		},
		ringKey("ring.bell", "ring the terminal's bell when something arrives in the companion", func(r *Ring) *bool { return &r.Bell }),
		ringKey("ring.title", "show how many wait in the companion's window title", func(r *Ring) *bool { return &r.Title }),
		ringKey("ring.desktop", "send a desktop notification, where the terminal knows them", func(r *Ring) *bool { return &r.Desktop }),
		ringKey("ring.message", "show a line in your terminal multiplexer", func(r *Ring) *bool { return &r.Message }),
	}
}

func ringKey(name, about string, field func(*Ring) *bool) Key {
	return Key{
		Name: name, About: about, Allowed: "true or false", Default: "true", kind: aSwitch,
		set: func(s *Settings, v value) bool {
			*field(&s.Ring) = v.on
			return true
		},
	}
}

// ParseWait reads how long a call may wait, as --wait, PLANB_WAIT and the
// settings have it.
func ParseWait(text string) (time.Duration, error) {
	var wait time.Duration
	if !setWait(&wait, text) {
		return 0, fmt.Errorf("%q is no duration that is not negative; write, for example, 4m30s", text)
	}
	return wait, nil
}

func setWait(wait *time.Duration, text string) bool {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || d < 0 {
		return false
	}
	*wait = d
	return true
}

func setName(to *string, name string, allowed []string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	if !slices.Contains(allowed, name) {
		return false
	}
	*to = name
	return true
}

func quoted(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, strconv.Quote(name))
	}
	return strings.Join(list, ", ")
}
