package pane

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func environment(pairs ...string) Env {
	values := map[string]string{}
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		values[name] = value
	}
	return func(name string) string { return values[name] }
}

// with returns env with more variables, which override it.
func with(env Env, pairs ...string) Env {
	more := environment(pairs...)
	return func(name string) string {
		if value := more(name); value != "" {
			return value
		}
		return env(name)
	}
}

// programs returns a directory with programs of those names.
func programs(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestDetect(t *testing.T) {
	t.Parallel()
	inTmux := environment("TMUX=/tmp/tmux-1000/default,41,0", "TMUX_PANE=%3")
	desktop := environment("DISPLAY=:0", "PATH="+programs(t, "x-terminal-emulator", "ghostty"))
	mac := environment("PATH=" + programs(t, "osascript"))
	wsl := with(desktop, "WT_SESSION="+aSession, "WSL_DISTRO_NAME=Debian", "PATH="+programs(t, "cmd.exe"))
	for _, test := range []struct {
		name   string
		env    Env
		wanted string
		opener string
		reason string // of None
	}{
		{"tmux is seen", inTmux, "", "tmux", ""},
		{"auto is the same", inTmux, "auto", "tmux", ""},
		{"by name, however it is written", inTmux, " Tmux ", "tmux", ""},
		{"switched off", inTmux, "none", "none", "switched off"},
		{"outside", environment(), "", "none", "does not run inside tmux"},
		{"asked for, but outside", environment(), "tmux", "none", "does not run inside tmux"},
		{"screen is seen", environment("STY=41.x", "WINDOW=0"), "", "screen", ""},
		{"tmux inside screen is what the person looks at", environment("TMUX=/tmp/x,1,0", "TMUX_PANE=%3", "STY=41.x", "WINDOW=0"), "", "tmux", ""},
		{"by name, before what comes first", environment("TMUX=/tmp/x,1,0", "TMUX_PANE=%3", "STY=41.x", "WINDOW=0"), "screen", "screen", ""},
		{"half of one, the whole of another", environment("TMUX=/tmp/x,1,0", "STY=41.x", "WINDOW=0"), "", "screen", ""},
		{"zellij is seen", environment("ZELLIJ=0", "ZELLIJ_PANE_ID=7", "ZELLIJ_SESSION_NAME=x"), "", "zellij", ""},
		{"tmux inside zellij", environment("ZELLIJ=0", "ZELLIJ_PANE_ID=7", "ZELLIJ_SESSION_NAME=x", "TMUX=/tmp/x,1,0", "TMUX_PANE=%3"), "", "tmux", ""},
		{"WezTerm is seen", environment("WEZTERM_PANE=0"), "", "wezterm", ""},
		{"zellij inside WezTerm", environment("ZELLIJ=0", "ZELLIJ_PANE_ID=7", "ZELLIJ_SESSION_NAME=x", "WEZTERM_PANE=0"), "", "zellij", ""},
		{"kitty is seen", environment("KITTY_WINDOW_ID=1", "KITTY_LISTEN_ON=unix:@k"), "", "kitty", ""},
		{"tmux inside kitty", environment("KITTY_WINDOW_ID=1", "KITTY_LISTEN_ON=unix:@k", "TMUX=/tmp/x,1,0", "TMUX_PANE=%3"), "", "tmux", ""},
		{"a kitty that does not listen", environment("KITTY_WINDOW_ID=1", "TERM_PROGRAM=kitty"), "", "none", "kitty can't be reached"},
		{"a display", desktop, "", "window", ""},
		{"screen on a display", with(desktop, "STY=41.x", "WINDOW=0"), "", "screen", ""},
		{"a kitty that does not listen, on a display", with(desktop, "KITTY_WINDOW_ID=1"), "", "window", ""},
		{"a display that may be elsewhere", with(desktop, "SSH_CONNECTION=10.0.0.1 5 10.0.0.2 22"), "", "none", "you do not see"},
		{"a display that SSH forwards goes with it", with(desktop, "DISPLAY=localhost:10.0", "SSH_CONNECTION=10.0.0.1 5 10.0.0.2 22"), "auto", "none", "set the opener to \"window\""},
		{"a display that may be elsewhere, by name", with(desktop, "SSH_CONNECTION=10.0.0.1 5 10.0.0.2 22"), "window", "window", ""},
		{"tmux over SSH is where the person is", with(inTmux, "DISPLAY=:0", "SSH_CONNECTION=10.0.0.1 5 10.0.0.2 22"), "", "tmux", ""},
		{"iTerm2 is seen, which sets both", with(mac, "ITERM_SESSION_ID=w0t0p0:"+aSession, "TERM_PROGRAM=iTerm.app"), "", "iterm2", ""},
		{"tmux in iTerm2", with(inTmux, "ITERM_SESSION_ID=w0t0p0:"+aSession), "", "tmux", ""},
		{"macOS's Terminal is seen", with(mac, "TERM_PROGRAM=Apple_Terminal"), "", "apple-terminal", ""},
		{"an editor's terminal", with(mac, "TERM_PROGRAM=vscode"), "", "none", "none of TMUX"},
		{"screen in macOS's Terminal", with(mac, "TERM_PROGRAM=Apple_Terminal", "STY=41.x", "WINDOW=0"), "", "screen", ""},
		{"macOS's Terminal, over SSH", with(mac, "TERM_PROGRAM=Apple_Terminal", "SSH_CONNECTION=10.0.0.1 5 10.0.0.2 22"), "", "none", "you do not see"},
		{"Ghostty is seen", with(desktop, "TERM_PROGRAM=ghostty"), "", "ghostty", ""},
		{"Ghostty hands its name on over SSH", with(desktop, "TERM_PROGRAM=ghostty", "SSH_CONNECTION=10.0.0.1 5 10.0.0.2 22"), "", "none", "you do not see"},
		{"another terminal, started from Ghostty", with(desktop, "TERM_PROGRAM=vscode", "GHOSTTY_RESOURCES_DIR=/x"), "", "window", ""},
		{"Windows Terminal is seen, though WSL has a display", wsl, "", "windows-terminal", ""},
		{"tmux in Windows Terminal", with(wsl, "TMUX=/tmp/x,1,0", "TMUX_PANE=%3"), "", "tmux", ""},
		{"half of it", environment("TMUX=/tmp/x,1,0"), "", "none", "TMUX_PANE"},
		{"a pane id that is none", environment("TMUX=/tmp/x,1,0", "TMUX_PANE=%3;kill-server"), "", "none", "do not name a tmux pane"},
		{"an empty pane id", environment("TMUX=/tmp/x,1,0", "TMUX_PANE=%"), "", "none", "do not name a tmux pane"},
		{"a socket that is no path", environment("TMUX=x,1,0", "TMUX_PANE=%3"), "", "none", "do not name a tmux pane"},
	} {
		t.Run(test.name, func(t *testing.T) {
			opener, err := Detect(test.env, test.wanted)
			if err != nil {
				t.Fatal(err)
			}
			if opener.Name() != test.opener {
				t.Errorf("got %s, want %s", opener.Name(), test.opener)
			}
			if none, ok := opener.(None); ok && !strings.Contains(none.Reason, test.reason) {
				t.Errorf("the reason is %q, want it to say %q", none.Reason, test.reason)
			}
		})
	}
}

func TestWhyNothingIsFoundIsSaidOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		env  Env
		want string
	}{
		{"nothing shows", environment("TERM_PROGRAM=vscode"), "none of TMUX, ZELLIJ, WEZTERM_PANE, KITTY_WINDOW_ID, STY is set, and there is no display, " +
			"so planb does not run inside tmux, zellij, wezterm, kitty, screen, or its client does not pass them on"},
		{"several windows over SSH", environment("TERM_PROGRAM=ghostty", "DISPLAY=localhost:10.0", "SSH_CONNECTION=10.0.0.1 5 10.0.0.2 22", "PATH="+programs(t, "ghostty", "xdg-terminal-exec")),
			"this server runs over SSH (SSH_CONNECTION is set), and a window could come up on a screen you do not see; set the opener to \"ghostty\" if you do see it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			opener, err := Detect(test.env, "")
			if none, ok := opener.(None); err != nil || !ok || none.Reason != test.want {
				t.Errorf("got  %v, %v\nwant %s", opener, err, test.want)
			}
		})
	}
}

func TestDetectRefusesAnUnknownName(t *testing.T) {
	t.Parallel()
	_, err := Detect(environment(), "zellij2")
	const want = `there is no opener "zellij2"; known are: auto, none, tmux, zellij, wezterm, kitty, screen, iterm2, apple-terminal, ghostty, windows-terminal, window`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestNoneSaysWhy(t *testing.T) {
	t.Parallel()
	none := None{Reason: "because"}
	if err := none.Open(context.Background(), Command{}); err == nil || err.Error() != "because" {
		t.Errorf("Open said %v", err)
	}
	if place, err := none.Place(context.Background()); place != "" || err != nil {
		t.Errorf("Place said %q, %v", place, err)
	}
	if err := none.Leave(context.Background(), "done"); err != nil {
		t.Errorf("Leave said %v", err)
	}
}

func TestEnvironmentHandsOnOnlyWhatIsListed(t *testing.T) {
	t.Parallel()
	got := Environment(environment("NO_COLOR=1", "PLANB_THEME=dusk", "AWS_SECRET_ACCESS_KEY=x", "EDITOR=", "TMUX=/x,1,0"))
	want := []string{"PLANB_THEME=dusk", "NO_COLOR=1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCommandsThatWouldNotRunAsTheyStandAreRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		argv []string
		want string
	}{
		{"one word goes through a shell", []string{"/bin/planb"}, "at least one argument"},
		{"nothing", nil, "at least one argument"},
		{"a relative program", []string{"planb", "tui"}, "absolute path"},
		{"a zero byte", []string{"/bin/planb", "a\x00b"}, "zero byte"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := Command{Argv: test.argv}.check()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want it to say %q", err, test.want)
			}
		})
	}
}
