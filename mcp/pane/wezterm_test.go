package pane

import (
	"slices"
	"strings"
	"testing"
)

const weztermListed = `[{"window_id":0,"tab_id":5,"pane_id":1,"size":{"rows":50,"cols":200},"is_active":false,"title":"x"},
 {"window_id":0,"tab_id":6,"pane_id":12,"size":{"rows":24,"cols":80},"is_active":true}]`

func TestWezTermSplit(t *testing.T) {
	t.Parallel()
	behind := []string{"--", "/bin/sh", "-c", ignoring, "planb", "/usr/bin/env", "PLANB_OPENER=wezterm", "PLANB_AGENT_PANE=1", "/planb", "--x", "$(id)"}
	for _, test := range []struct {
		reason string
		split  placement
		dir    string
		want   []string
	}{
		{"room beside", placement{side: right, cells: 120}, "/src", []string{"split-pane", "--pane-id", "1", "--right", "--cells", "120", "--cwd", "/src"}},
		{"room below", placement{cells: 30}, "/src", []string{"split-pane", "--pane-id", "1", "--bottom", "--cells", "30", "--cwd", "/src"}},
		{"no room: half, to be zoomed; no directory", placement{side: over}, "", []string{"split-pane", "--pane-id", "1", "--bottom"}},
	} {
		got, err := weztermSplit("1", test.split, Command{Argv: []string{"/planb", "--x", "$(id)"}, Dir: test.dir})
		if want := slices.Concat(test.want, behind); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %q, %v\nwant %q", test.reason, got, err, want)
		}
	}
}

func TestWezTermFind(t *testing.T) {
	t.Parallel()
	got, err := weztermFind(weztermListed, "12")
	if err != nil || got.Tab != 6 || !got.Active || got.Size.Columns != 80 || got.Size.Rows != 24 {
		t.Errorf("got %+v, %v", got, err)
	}
	for listed, want := range map[string]string{weztermListed: "is gone", "WINID TABID": "can't be read", "": "can't be read"} {
		if _, err := weztermFind(listed, "2"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want it to say %q", listed, err, want)
		}
	}
}

func TestWezTermZoomsWhereThereIsNoRoom(t *testing.T) {
	t.Parallel()
	w, _ := wezTermFromEnv(environment("WEZTERM_PANE=12"))
	r := &recorder{answers: map[string]string{"list": weztermListed, "split-pane": "13"}}
	w.run = r.run
	if err := w.Open(t.Context(), Command{Argv: []string{"/planb", "tui"}}); err != nil {
		t.Fatal(err)
	}
	if !r.asked("wezterm", "cli", "--no-auto-start", "zoom-pane", "--pane-id", "13", "--zoom") {
		t.Errorf("it was asked %+v", r.calls)
	}
}

func TestWezTermGivesBackOnlyWhatItHas(t *testing.T) {
	t.Parallel()
	for own, back := range map[string]bool{"12": true, "1": false} {
		w, _ := wezTermFromEnv(environment("WEZTERM_PANE="+own, "PLANB_OPENER=wezterm", "PLANB_AGENT_PANE=9"))
		r := &recorder{answers: map[string]string{"list": weztermListed}}
		w.run = r.run
		if err := w.Leave(t.Context(), "Sent."); err != nil {
			t.Fatal(err)
		}
		if got := r.asked("wezterm", "cli", "--no-auto-start", "activate-pane", "--pane-id", "9"); got != back {
			t.Errorf("pane %s: given back %v, want %v", own, got, back)
		}
	}
}

func TestWezTermFromEnv(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{"0": "", "": "does not run inside WezTerm", "-1": "does not name", "1 --x": "does not name"} {
		w, reason := wezTermFromEnv(environment("WEZTERM_PANE=" + value))
		if (w == nil) != (want != "") || !strings.Contains(reason, want) {
			t.Errorf("%q: got %v and %q, want %q", value, w, reason, want)
		}
	}
}

func TestWezTermPlaceIsTheTab(t *testing.T) {
	t.Parallel()
	place := func(pairs ...string) string {
		t.Helper()
		w, _ := wezTermFromEnv(environment(pairs...))
		w.run = (&recorder{answers: map[string]string{"list": weztermListed}}).run
		place, err := w.Place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return place
	}
	one := place("WEZTERM_PANE=12", "WEZTERM_UNIX_SOCKET=/run/a")
	if !strings.HasPrefix(one, "wezterm-") || !strings.HasSuffix(one, "-6") {
		t.Errorf("the place is %s, want one of tab 6", one)
	}
	if other := place("WEZTERM_PANE=12", "WEZTERM_UNIX_SOCKET=/run/b"); other == one {
		t.Errorf("two WezTerms are both at %s", one)
	}
}
