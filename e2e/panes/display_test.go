package panes_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planb/e2e/rig"
)

// display is an X server of the test that draws on nothing.
type display struct {
	t    *testing.T
	name string // as in DISPLAY
}

// needs skips a test if programs are missing. CI has them.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s is missing; this test needs it", program)
			}
			t.Skipf("%s is missing", program)
		}
	}
}

func startDisplay(t *testing.T) display {
	t.Helper()
	needs(t, "Xvfb")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	// Without -noreset the server starts anew when its last client leaves, as each look of this
	// test does, and throws out a terminal that is just coming.
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{write} // the server writes the number of the free display there
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	t.Cleanup(func() { stop(server) })
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	return display{t, ":" + strings.TrimSpace(number)}
}

// stop ends a program that the test started.
func stop(program *exec.Cmd) {
	_ = program.Process.Kill() // it may have ended
	_ = program.Wait()
}

// do runs a program on the display and returns its output.
func (d display) do(program string, args ...string) string {
	d.t.Helper()
	out, err := d.try(program, args...)
	if err != nil {
		d.t.Fatalf("%s %q: %v: %s", program, args, err, out)
	}
	return out
}

func (d display) try(program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), rig.Patience)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Env = append(os.Environ(), "DISPLAY="+d.name)
	out, err := command.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// An agent outside every multiplexer asks. A window of the system's terminal
// opens on the display, and the person's keys in it answer.
func TestAFormOpensInANewWindow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		program string // the name of the system's terminal
		runs    string // how that program runs xterm with its arguments
		title   string // of the window
	}{
		{"x-terminal-emulator", `"$@"`, "planb · Test Agent"},
		{"xdg-terminal-exec", `-T theirs -e "$@"`, "theirs"},
	} {
		t.Run(test.program, func(t *testing.T) {
			t.Parallel()
			needs(t, "xterm", "xdotool")
			d := startDisplay(t)
			// The PATH lacks the terminal of the machine that the test runs on.
			// The log is what the form draws.
			path, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
			xterm, err := exec.LookPath("xterm")
			if err != nil {
				t.Fatal(err)
			}
			script := fmt.Sprintf("#!/bin/sh\nexec %s -l -lf %s %s\n", xterm, log, test.runs)
			if err := rig.WriteProgram(filepath.Join(path, test.program), script); err != nil {
				t.Fatal(err)
			}
			dataDir := t.TempDir()
			a := rig.StartAgent(t, dataDir, []string{"DISPLAY=" + d.name, "PATH=" + path})
			call := a.Start("ask_user", rig.Arguments(t, a.Session("Elsewhere"), rig.NameForm))
			answerInWindow(t, d, test.title, dataDir, log)
			if got := call.Reply().String(); got != `{"name":"Aurora"}` {
				t.Errorf("the agent received %q", got)
			}
			rig.Until(t, "the window has closed", func() bool {
				_, err := d.try("xdotool", "search", "--onlyvisible", "--class", "xterm")
				return err != nil
			})
		})
	}
}

// answerInWindow answers the form in the window with that title.
func answerInWindow(t *testing.T, d display, title, dataDir, log string) {
	t.Helper()
	var window string
	rig.Until(t, "a window came up", func() bool {
		// The form sets a title of its own once it is painted.
		out, err := d.try("xdotool", "search", "--onlyvisible", "--name", "^("+title+"|planb · Name the project)$")
		window = out
		return err == nil && out != ""
	})
	form := onlyChild(t, d.do("xdotool", "getwindowpid", window))
	// Only now can its environment be read: /proc names a program earlier than
	// that.
	rig.Until(t, "the form is there", func() bool { return strings.Contains(rig.ReadFile(t, log), "to answer") })
	environ := "\x00" + rig.ReadFile(t, "/proc/"+form+"/environ")
	for _, want := range []string{"PLANB_OPENER=window", "PLANB_DATA_DIR=" + dataDir, "LC_ALL=C.UTF-8"} {
		if !strings.Contains(environ, "\x00"+want+"\x00") {
			t.Errorf("the form's environment lacks %s: %q", want, environ)
		}
	}
	// Without a window manager the new window does not get the focus by itself.
	d.do("xdotool", "windowfocus", "--sync", window, "key", "Down")
	rig.Until(t, "the form takes keys", func() bool { return strings.Contains(rig.ReadFile(t, log), "ctrl+s") })
	d.do("xdotool", "type", "Aurora")
	d.do("xdotool", "key", "ctrl+s")
}

// onlyChild returns the only child process, once it is planb.
func onlyChild(t *testing.T, pid string) string {
	t.Helper()
	var child string
	rig.Until(t, "planb runs in the window", func() bool {
		children, err := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children")
		if err != nil {
			t.Fatal(err)
		}
		child = strings.TrimSpace(string(children))
		program, err := os.Readlink("/proc/" + child + "/exe")
		return err == nil && program == rig.Planb(t)
	})
	return child
}

// kitty is a kitty of the test, with one window that stands for the agent's.
type kitty struct {
	display
	socket string
}

func startKitty(t *testing.T) kitty {
	t.Helper()
	needs(t, "kitty", "xdotool")
	d := startDisplay(t)
	dir, err := os.MkdirTemp("", "planb-kitty-") // short, because a socket's path has a limit
	if err != nil {
		t.Fatal(err)
	}
	k := kitty{d, "unix:" + filepath.Join(dir, "s")}
	program := exec.Command("kitty", "--config=NONE", "--override=allow_remote_control=yes", "--override=enabled_layouts=splits",
		"--override=initial_window_width=600", "--override=initial_window_height=400", "--override=remember_window_size=no",
		"--override=font_size=6", "--override=cursor_blink_interval=0", "--override=update_check_interval=0",
		"--listen-on="+k.socket, "sleep", "1000")
	program.Env = append(os.Environ(), "DISPLAY="+d.name, "LIBGL_ALWAYS_SOFTWARE=1", "LC_ALL=C.UTF-8", "HOME="+dir)
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop(program)
		_ = os.RemoveAll(dir) // kitty may still write there
	})
	rig.Until(t, "kitty answers", func() bool {
		_, err := k.remote("ls", nil)
		return err == nil
	})
	// Without a window manager the new window does not get the focus by itself.
	k.do("xdotool", "windowfocus", "--sync", fmt.Sprint(k.look().X11))
	return k
}

// remote has kitty do a command of its remote control. It speaks to kitty's socket itself:
// each "kitty @" starts a Python.
func (k kitty) remote(command string, payload map[string]any) (string, error) {
	conn, err := net.Dial("unix", strings.TrimPrefix(k.socket, "unix:"))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(rig.Patience)); err != nil {
		return "", err
	}
	request, err := json.Marshal(map[string]any{"cmd": command, "version": []int{0, 26, 0}, "payload": payload})
	if err != nil {
		return "", err
	}
	const begin, end = "\x1bP@kitty-cmd", "\x1b\\"
	if _, err := io.WriteString(conn, begin+string(request)+end); err != nil || command == "send-text" { // which has no reply
		return "", err
	}
	var got strings.Builder
	for r := bufio.NewReader(conn); !strings.HasSuffix(got.String(), end); {
		part, err := r.ReadString('\\')
		if err != nil {
			return "", err
		}
		got.WriteString(part)
	}
	var reply struct {
		OK    bool
		Data  string
		Error string
	}
	if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimPrefix(got.String(), begin), end)), &reply); err != nil {
		return "", err
	}
	if !reply.OK {
		return "", errors.New(reply.Error)
	}
	return reply.Data, nil
}

// windows lists kitty's windows by id, and the one that has the focus.
func (k kitty) windows() (ids []int, focused int) {
	k.t.Helper()
	tab := k.look()
	for _, window := range tab.Tabs[0].Windows {
		ids = append(ids, window.ID)
		if window.Focused {
			focused = window.ID
		}
	}
	return ids, focused
}

// kittyWindow is what kitty tells about its one window on the display.
type kittyWindow struct {
	X11  int `json:"platform_window_id"`
	Tabs []struct {
		Windows []struct {
			ID      int
			Focused bool `json:"is_focused"`
		}
	}
}

func (k kitty) look() kittyWindow {
	k.t.Helper()
	listed, err := k.remote("ls", nil)
	if err != nil {
		k.t.Fatalf("kitty: %v", err)
	}
	var all []kittyWindow
	if err := json.Unmarshal([]byte(listed), &all); err != nil {
		k.t.Fatal(err)
	}
	return all[0]
}

// It runs beside no other test of this room: each command to kitty starts a Python, and on a
// busy machine one took longer than planb waits.
func TestAFormOpensInKitty(t *testing.T) {
	k := startKitty(t)
	home, _ := k.windows()
	a := rig.StartAgent(t, t.TempDir(), []string{
		"DISPLAY=" + k.name, "KITTY_LISTEN_ON=" + k.socket, fmt.Sprintf("KITTY_WINDOW_ID=%d", home[0]),
	})
	call := a.Start("ask_user", rig.Arguments(t, a.Session("Elsewhere"), rig.NameForm))
	var form int
	rig.Until(t, "a second window is there and has the focus", func() bool {
		ids, focused := k.windows()
		form = focused
		return len(ids) == 2 && focused != 0 && focused != home[0]
	})
	at := fmt.Sprintf("id:%d", form)
	types := func(keys string) {
		t.Helper()
		if _, err := k.remote("send-text", map[string]any{"match": at, "data": "text:" + keys}); err != nil {
			t.Fatalf("kitty: %v", err)
		}
	}
	shows := func(text string) func() bool {
		return func() bool {
			screen, err := k.remote("get-text", map[string]any{"match": at})
			return err == nil && strings.Contains(screen, "What shall it be called?") && strings.Contains(screen, text)
		}
	}
	rig.Until(t, "the form is there", shows(rig.EnterHint))
	types("\x1b[B") // ↓
	rig.Until(t, "the form takes keys", shows("esc menu"))
	types("Aurora")
	types("\x13") // Ctrl+S
	if got := call.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
	rig.Until(t, "the form's window has closed, and the agent's has the focus", func() bool {
		ids, focused := k.windows()
		return len(ids) == 1 && focused == home[0]
	})
}
