package draft

import "testing"

// The report is opened where there is a browser, and never over SSH.
func TestBrowser(t *testing.T) {
	t.Parallel()
	for _, try := range []struct {
		system string
		env    map[string]string
		opens  string // empty: nothing
	}{
		{"linux", map[string]string{"DISPLAY": ":0"}, "xdg-open"},
		{"linux", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, "xdg-open"},
		{"linux", nil, ""},
		{"linux", map[string]string{"DISPLAY": ":0", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, ""},
		{"darwin", nil, "open"},
		{"darwin", map[string]string{"SSH_TTY": "/dev/ttys001"}, ""},
		{"windows", nil, "rundll32"},
		{"freebsd", map[string]string{"DISPLAY": ":0"}, "xdg-open"},
	} {
		argv, why := browser(try.system, func(name string) string { return try.env[name] })
		got := ""
		if len(argv) > 0 {
			got = argv[0]
		}
		if got != try.opens || (why == "") != (got != "") {
			t.Errorf("%s with %v: got %q because %q, want %q", try.system, try.env, got, why, try.opens)
		}
	}
}
