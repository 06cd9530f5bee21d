package pane

import (
	"slices"
	"strings"
	"testing"
)

const kittyListed = `[{"id":1,"tabs":[{"id":5,"windows":[{"id":1,"is_focused":false,"columns":200,"lines":50}]}]},
 {"id":2,"tabs":[{"id":6,"windows":[{"id":11,"columns":80,"lines":24},{"id":12,"is_focused":true,"columns":80,"lines":24}]}]}]`

func TestKittyLaunch(t *testing.T) {
	t.Parallel()
	behind := []string{"/bin/sh", "-c", ignoring, "planb", "/usr/bin/env", "A=$HOME", "PLANB_OPENER=kitty", "PLANB_AGENT_PANE=1", "/planb", "tui", "$(id)"}
	for _, test := range []struct {
		reason string
		split  placement
		in     Command
		want   []string
	}{
		{"room beside", placement{side: right, cells: 120}, Command{Title: "planb", Dir: "/src"},
			[]string{"launch", "--match=window_id:1", "--location=vsplit", "--title=planb", "--cwd=/src"}},
		{"room below", placement{cells: 30}, Command{}, []string{"launch", "--match=window_id:1", "--location=hsplit"}},
		{"no room: over it", placement{side: over}, Command{}, []string{"launch", "--match=window_id:1", "--type=overlay"}},
		{"a title is no option and controls nothing", placement{side: right}, Command{Title: "--hold\x1b[2J"},
			[]string{"launch", "--match=window_id:1", "--location=vsplit", "--title=--hold␛[2J"}},
	} {
		test.in.Argv, test.in.Env = []string{"/planb", "tui", "$(id)"}, []string{"A=$HOME"}
		got, err := kittyLaunch("1", test.split, test.in)
		if want := slices.Concat(test.want, behind); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %q, %v\nwant %q", test.reason, got, err, want)
		}
	}
	_, err := kittyLaunch("1", placement{}, Command{Argv: []string{"/planb", "@selection"}})
	if err == nil || !strings.Contains(err.Error(), "kitty would replace") {
		t.Errorf("a placeholder: got %v", err)
	}
}

func TestKittyFind(t *testing.T) {
	t.Parallel()
	got, err := kittyFind(kittyListed, "12")
	if want := (kittyWindow{ID: 12, Focused: true, Columns: 80, Lines: 24, tab: 6}); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for listed, want := range map[string]string{kittyListed: "is gone", "Error": "can't be read", "": "can't be read"} {
		if _, err := kittyFind(listed, "2"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want it to say %q", listed, err, want)
		}
	}
}

func TestKittyPlaceIsTheTab(t *testing.T) {
	t.Parallel()
	place := func(window, socket string) string {
		t.Helper()
		k, _ := kittyFromEnv(environment("KITTY_WINDOW_ID="+window, "KITTY_LISTEN_ON="+socket))
		k.run = (&recorder{answers: map[string]string{"ls": kittyListed}}).run
		place, err := k.Place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return place
	}
	one := place("11", "unix:/run/a")
	if beside := place("12", "unix:/run/a"); beside != one {
		t.Errorf("two windows of a tab are at %s and %s", one, beside)
	}
	for _, other := range []string{place("1", "unix:/run/a"), place("11", "unix:/run/b")} {
		if other == one {
			t.Errorf("two tabs are both at %s", one)
		}
	}
}

func TestKittyGivesBackOnlyWhatItHas(t *testing.T) {
	t.Parallel()
	for own, back := range map[string]bool{"12": true, "1": false} {
		k, _ := kittyFromEnv(environment("KITTY_WINDOW_ID="+own, "KITTY_LISTEN_ON=unix:@k", "PLANB_OPENER=kitty", "PLANB_AGENT_PANE=9"))
		r := &recorder{answers: map[string]string{"ls": kittyListed}}
		k.run = r.run
		if err := k.Leave(t.Context(), "Sent."); err != nil {
			t.Fatal(err)
		}
		if got := r.asked("kitty", "@", "--to=unix:@k", "focus-window", "--match=id:9"); got != back {
			t.Errorf("window %s: given back %v, want %v", own, got, back)
		}
	}
}

func TestKittyFromEnv(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		env    Env
		reason string
	}{
		{"as kitty sets it", environment("KITTY_WINDOW_ID=1", "KITTY_LISTEN_ON=unix:@mykitty-41"), ""},
		{"outside", environment(), "does not run inside kitty"},
		{"remote control is off", environment("KITTY_WINDOW_ID=1"), "set allow_remote_control and listen_on"},
		{"no number", environment("KITTY_WINDOW_ID=1 or state:active", "KITTY_LISTEN_ON=unix:@k"), "do not name"},
		{"no address", environment("KITTY_WINDOW_ID=1", "KITTY_LISTEN_ON=-h"), "do not name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			k, reason := kittyFromEnv(test.env)
			if (k == nil) != (test.reason != "") || !strings.Contains(reason, test.reason) {
				t.Errorf("got %v and %q, want %q", k, reason, test.reason)
			}
		})
	}
}
