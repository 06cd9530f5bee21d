package pane

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// world is the processes and tmux servers around this one.
type world struct {
	env     []string
	above   []process
	servers map[string]string // what each socket's server lists; "-": it is dead
	asked   int
}

func (w *world) surroundings() Surroundings {
	server := func(socket string) (tmuxServer, bool) {
		listed, there := w.servers[socket]
		return tmuxServer{socket, func(context.Context, []string) (string, error) {
			w.asked++
			if listed == "-" {
				return "", errors.New("no server running")
			}
			return listed, nil
		}}, there
	}
	return Surroundings{
		Env:    environment(w.env...),
		above:  func() []process { return w.above },
		server: server,
		servers: func(Env) ([]tmuxServer, error) {
			var servers []tmuxServer
			for _, socket := range []string{"/tmp/tmux-0/a", "/tmp/tmux-0/b"} {
				if server, there := server(socket); there {
					servers = append(servers, server)
				}
			}
			return servers, nil
		},
	}
}

func TestTmuxIsFoundThroughTheProcessesAbove(t *testing.T) {
	t.Parallel()
	cleared := process{pid: 30, name: "codex"}
	empty := process{pid: 30, name: "codex", env: environment("PATH=/bin")}
	shell := process{pid: 20, name: "bash", env: environment("TMUX=/tmp/tmux-0/a,10,0", "TMUX_PANE=%2")}
	bare := process{pid: 20, name: "bash", env: environment()}
	server := process{pid: 10, name: "tmux: server", env: environment("KITTY_WINDOW_ID=1", "KITTY_LISTEN_ON=unix:@k")}
	for _, test := range []struct {
		name   string
		world  world
		wanted string
		socket string // of the tmux found; empty: none
		pane   string
		says   string // the reason, where there is none
		why    string
	}{
		{
			"its own environment wins", world{env: []string{"TMUX=/x,1,0", "TMUX_PANE=%9"}, above: []process{shell}},
			"", "/x", "%9", "", "TMUX is set, and",
		},
		{
			"its own is half of one: nobody else is asked", world{env: []string{"TMUX=/x,1,0"}, above: []process{shell}},
			"", "", "", "TMUX_PANE", "",
		},
		{
			"the shell above has it", world{above: []process{empty, shell, server}, servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2\n"}},
			"", "/tmp/tmux-0/a", "%2", "", "TMUX is set in process 20 (bash), from which planb was started",
		},
		{
			"the one above cannot be read", world{above: []process{cleared, shell, server}, servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2\n"}},
			"tmux", "/tmp/tmux-0/a", "%2", "", "you have set it",
		},
		{
			"the pane the shell above was in is gone, and the shell in another one",
			world{above: []process{empty, shell, server}, servers: map[string]string{"/tmp/tmux-0/a": "10 20 %3\n"}},
			"", "/tmp/tmux-0/a", "%3", "", "planb was started from process 20 (bash), which is in a pane of tmux",
		},
		{
			"the tmux the nearest one above was in is gone, that of the next is not",
			world{above: []process{{pid: 30, name: "codex", env: environment("TMUX=/tmp/tmux-0/b,7,0", "TMUX_PANE=%1")}, shell, server}, servers: map[string]string{"/tmp/tmux-0/a": "10 99 %2\n"}},
			"", "/tmp/tmux-0/a", "%2", "", "TMUX is set in process 20 (bash), from which planb was started",
		},
		{
			"the tmux the shell above was in is gone", world{above: []process{empty, shell}, servers: map[string]string{"/tmp/tmux-0/a": "-"}},
			"", "", "", "none of TMUX", "",
		},
		{
			"the tmux the shell above names is somebody else's", world{above: []process{empty, shell}},
			"", "", "", "none of TMUX", "",
		},
		{
			"nobody above has it, but it is in a pane",
			world{above: []process{empty, {pid: 20, name: "sh"}, {pid: 10, name: "tmux: server"}}, servers: map[string]string{"/tmp/tmux-0/a": "10 19 %1\n10 20 %2\n", "/tmp/tmux-0/b": "11 21 %2\n"}},
			"", "/tmp/tmux-0/a", "%2", "", "planb was started from process 20 (sh), which is in a pane of tmux",
		},
		{
			"a pane in a pane: the inner one is nearer",
			world{above: []process{cleared, {pid: 20}, {pid: 11}, {pid: 9}, {pid: 8}}, servers: map[string]string{"/tmp/tmux-0/a": "8 9 %1\n", "/tmp/tmux-0/b": "11 20 %5\n"}},
			"", "/tmp/tmux-0/b", "%5", "", "planb was started from process 20",
		},
		{
			"what a tmux server was started in is not where its panes are",
			world{above: []process{empty, bare, {pid: 11, name: "tmux: server", env: environment("TMUX=/x,8,0", "TMUX_PANE=%1")}}, servers: map[string]string{"/tmp/tmux-0/b": "11 20 %5\n"}},
			"", "/tmp/tmux-0/b", "%5", "", "planb was started from process 20",
		},
		{
			"a linked window is one pane", world{above: []process{bare}, servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2\n10 20 %2\n"}},
			"", "/tmp/tmux-0/a", "%2", "", "planb was started from process 20",
		},
		{
			"two that say the same", world{above: []process{bare}, servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2\n", "/tmp/tmux-0/b": "11 20 %1\n"}},
			"", "", "", "process 20 (bash) is in pane %2 of /tmp/tmux-0/a and pane %1 of /tmp/tmux-0/b at once; have the client pass TMUX and TMUX_PANE on", "",
		},
		{
			"the number is another container's: its parent is not that server",
			world{above: []process{cleared, bare, {pid: 7, name: "sshd"}}, servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2\n"}},
			"", "", "", "tmux runs (/tmp/tmux-0/a), but planb runs in none of its panes", "",
		},
		{
			"tmux runs elsewhere", world{above: []process{empty}, servers: map[string]string{"/tmp/tmux-0/a": "10 99 %2\n", "/tmp/tmux-0/b": "-"}},
			"", "", "", "tmux runs (/tmp/tmux-0/a), but planb runs in none of its panes; have the client", "",
		},
		{
			"several run elsewhere", world{above: []process{empty}, servers: map[string]string{"/tmp/tmux-0/a": "10 99 %2\n", "/tmp/tmux-0/b": "11 98 %1\n"}},
			"", "", "", "tmux runs (/tmp/tmux-0/a and 1 more), but planb runs in none of its panes", "",
		},
		{
			"sockets that were left behind", world{above: []process{empty}, servers: map[string]string{"/tmp/tmux-0/a": "-"}},
			"", "", "", "none of TMUX", "",
		},
		{
			"what is no list of panes", world{above: []process{bare}, servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2;kill-server\n"}},
			"", "", "", "none of TMUX", "",
		},
		{
			"another one is wanted", world{above: []process{shell}, servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2\n"}},
			"screen", "", "", "STY and WINDOW are not set", "",
		},
		{
			"none is wanted", world{above: []process{shell}}, "none", "", "", "switched off", "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			opener, err := test.world.surroundings().Detect(test.wanted)
			if err != nil {
				t.Fatal(err)
			}
			if test.world.asked > 0 {
				t.Error("tmux was asked before it was needed")
			}
			settled := Resolve(t.Context(), opener)
			switch o := settled.(type) {
			case *Tmux:
				if o.socket != test.socket || o.own != test.pane {
					t.Errorf("found pane %s of %s; want %s of %s", o.own, o.socket, test.pane, test.socket)
				}
			case None:
				if test.socket != "" || !strings.Contains(o.Reason, test.says) {
					t.Errorf("found none: %s", o.Reason)
				}
			default:
				t.Errorf("found %s", o.Name())
			}
			if opener.Name() != settled.Name() {
				t.Errorf("it is called %s and is %s", opener.Name(), settled.Name())
			}
			asked := test.world.asked
			Resolve(t.Context(), opener)
			if test.world.asked != asked {
				t.Error("tmux was asked twice")
			}
			why := test.why + test.says
			if none, nothing := settled.(None); nothing && none.nowhere {
				why = "in no terminal that it can open a pane in" // the openers' own reasons name the variables
			}
			choice, err := test.world.surroundings().Explain(t.Context(), test.wanted)
			if err != nil || (choice.Chosen == nil) != (test.socket == "") || !strings.Contains(choice.Why, why) {
				t.Errorf("it is explained by %q, %v", choice.Why, err)
			}
			for _, known := range choice.Known {
				if choice.Chosen != nil && known.Name == choice.Chosen.Name() && known.Reason != "" {
					t.Errorf("%s is chosen and cannot be used: %s", known.Name, known.Reason)
				}
			}
		})
	}
}

// Any other multiplexer is found in the same way, by the nearest process that
// knows one.
func TestAnotherMultiplexerIsFoundThroughTheProcessesAbove(t *testing.T) {
	t.Parallel()
	w := world{above: []process{
		{pid: 30, name: "codex", env: environment()},
		{pid: 20, name: "bash", env: environment("STY=41.x", "WINDOW=3", "PLANB_AGENT_PANE=1", "PLANB_OPENER=screen")},
		{pid: 10, name: "bash", env: environment("TMUX=/tmp/tmux-0/a,10,0", "TMUX_PANE=%2")},
	}}
	opener, err := w.surroundings().Detect("")
	if err != nil {
		t.Fatal(err)
	}
	screen, ok := opener.(*Screen)
	if !ok || screen.agent != "" {
		t.Errorf("found %s: %+v", opener.Name(), opener)
	}
}

func TestLookingForTmuxCanBeCutShort(t *testing.T) {
	t.Parallel()
	w := world{above: []process{{pid: 20}}, servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2\n"}}
	opener, err := w.surroundings().Detect("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := opener.Open(ctx, Command{}); err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("got %v", err)
	}
	if _, ok := Resolve(t.Context(), opener).(*Tmux); !ok {
		t.Error("it is not looked for again")
	}
}

// A tmux that hangs is asked again the next time, and delays its caller no
// longer than the limit.
func TestATmuxThatHangsIsLookedForAgain(t *testing.T) {
	for _, servers := range []int{1, maxSockets} {
		synctest.Test(t, func(t *testing.T) {
			hangs, count := true, servers
			server := tmuxServer{"/tmp/tmux-0/a", func(ctx context.Context, _ []string) (string, error) {
				if hangs {
					<-ctx.Done()
					return "", ctx.Err()
				}
				return "10 20 %2\n", nil
			}}
			s := Surroundings{
				Env:     environment(),
				above:   func() []process { return []process{{pid: 20}} },
				server:  func(string) (tmuxServer, bool) { return server, true },
				servers: func(Env) ([]tmuxServer, error) { return slices.Repeat([]tmuxServer{server}, count), nil },
			}
			opener, err := s.Detect("")
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			if none, ok := Resolve(t.Context(), opener).(None); !ok || !strings.Contains(none.Reason, "did not tell its panes in time") {
				t.Errorf("%d servers: got %v", servers, opener)
			}
			if took := time.Since(start); took > seekTime {
				t.Errorf("%d servers: it took %v", servers, took)
			}
			hangs, count = false, 1
			if _, ok := Resolve(t.Context(), opener).(*Tmux); !ok {
				t.Errorf("%d servers: it is not looked for again", servers)
			}
		})
	}
}

func TestAnEmptyTMUXSaysThatThereIsNone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pairs []string
		looks bool
	}{{nil, true}, {[]string{"TMUX="}, false}, {[]string{"TMUX=/x,1,0"}, true}} {
		values := map[string]string{}
		for _, pair := range test.pairs {
			name, value, _ := strings.Cut(pair, "=")
			values[name] = value
		}
		here := Here(func(name string) (string, bool) { value, set := values[name]; return value, set })
		if looks := here.above != nil; looks != test.looks {
			t.Errorf("%q: others are looked at: %v", test.pairs, looks)
		}
	}
}

// Two panes of one window have the same place, even if they were created in
// different sessions.
func TestATmuxServerIsNoSession(t *testing.T) {
	t.Parallel()
	a, b := newTmux("/x,10,0", "%1"), newTmux("/x,10,4", "%2")
	if a.server != b.server || a.server != "/x,10" || a.socket != "/x" {
		t.Errorf("got %q and %q", a.server, b.server)
	}
}
