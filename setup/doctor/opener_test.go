package doctor

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestOpeners(t *testing.T) {
	tmux, kitty := Opener{Name: "tmux", Tested: true}, Opener{Name: "kitty", Reason: "KITTY_WINDOW_ID is not set"}
	for _, c := range []struct {
		about   string
		openers Openers
		states  []State
	}{
		{"tmux", Openers{List: []Opener{tmux, kitty}, Chosen: "tmux", Why: "it comes first"}, []State{OK, OK, Note, Note}},
		{"tmux, tried", Openers{List: []Opener{tmux}, Chosen: "tmux", Why: "it comes first", Tested: true}, []State{OK, OK, OK}},
		{"tmux that fails", Openers{List: []Opener{tmux}, Chosen: "tmux", Why: "it comes first", Tested: true, TestErr: errors.New("no space")}, []State{OK, Problem, OK}},
		{"none", Openers{List: []Opener{kitty}, Why: "none was found"}, []State{Warning, Note, Note}},
		{"not the one that was set", Openers{List: []Opener{tmux, kitty}, Wanted: "kitty", Why: "KITTY_WINDOW_ID is not set"}, []State{Problem, OK, Note, Note}},
		{"switched off for another program", Openers{List: []Opener{tmux, kitty}, Off: true, Why: "it comes first"}, []State{Warning, OK, Note, Note}},
	} {
		t.Run(c.about, func(t *testing.T) {
			list := c.openers.Findings()
			if len(list) != len(c.states) {
				t.Fatalf("%+v", list)
			}
			for i, f := range list {
				wellFormed(t, f)
				if f.State != c.states[i] {
					t.Errorf("%s is %s, want %s", f.Name, f.State, c.states[i])
				}
			}
		})
	}
}

// A person who has an opener that works need not read why nine others do not.
func TestOpenersInBrief(t *testing.T) {
	openers := Openers{
		List:   []Opener{{Name: "tmux", Tested: true}, {Name: "zellij", Reason: "ZELLIJ is not set"}, {Name: "kitty", Tested: true}, {Name: "screen", Reason: "STY is not set", Tested: true}},
		Chosen: "tmux", Why: "it comes first",
	}
	list := openers.Brief()
	if len(list) != 2 || list[0].Detail != "tmux: it comes first" ||
		list[1].Detail != "could be used: kitty; not here: zellij, screen (`planb doctor --all` says why)" {
		t.Errorf("%+v", list)
	}
	openers.Chosen, openers.List = "zellij", openers.List[:2]
	if list := openers.Brief(); len(list) != 3 || !strings.HasPrefix(list[2].Detail, "zellij: built from") {
		t.Errorf("an opener that is used and was never tested: %+v", list)
	}
	openers.Chosen, openers.Why, openers.List = "", "none was found", append(openers.List[1:], Opener{Name: "window", Reason: "DISPLAY is not set", Tested: true})
	if list := openers.Brief(); len(list) != 2 || list[0].Detail != "nothing: none was found" || list[1].Name != "looked for" || list[1].Detail != "zellij, a new window; none is here (`planb doctor --all` says why)" {
		t.Errorf("without an opener: %+v", list)
	}
}

// The openers that no test ran with the real program are named once, whichever is chosen.
func TestUntestedOpenersAreNamedOnce(t *testing.T) {
	openers := Openers{List: []Opener{{Name: "tmux", Tested: true}, {Name: "zellij"}, {Name: "wezterm", Reason: "not set"}}, Chosen: "zellij", Why: "it comes first"}
	var said []string
	for _, f := range openers.Findings() {
		if strings.Contains(f.Detail, "documentation") {
			said = append(said, f.Detail)
		}
	}
	if want := []string{"zellij, wezterm: built from the program's documentation, and tested against a stand-in only"}; !slices.Equal(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}
