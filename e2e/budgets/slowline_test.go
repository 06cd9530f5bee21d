package budgets_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"planb/e2e/rig"
)

// firstPaint is how much a form may send to the terminal until it is complete:
// 8 KB need less than a second on a line of 9,600 bytes a second.
const firstPaint = 8 << 10

// On a slow line every byte counts. The largest example needs few bytes until
// it is complete. A key that changes nothing sends nothing, and neither does
// time that passes.
func TestSlowLine(t *testing.T) {
	t.Parallel()
	for example, form := range map[string]struct {
		heading   string // of the introduction
		variables []string
	}{
		"heavy.json":   {"What I found", []string{"PLANB_THEME=catppuccin-latte", "COLORTERM=truecolor"}}, // few themes cost more bytes
		"medium.json":  {"What happens today", []string{"PLANB_THEME=dark"}},
		"scripts.json": {"背景", []string{"PLANB_THEME=dark"}},
	} {
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			var y *typist
			rig.Until(t, "a form came up that had the time to draw its introduction at once", func() bool {
				y = startTypistWith(t, rawForm(t, example), form.variables...)
				y.sees("menu")
				y.sees(form.heading)
				y.quiet()
				// If drawing takes long, the form shows the Markdown itself meanwhile.
				return !y.wasSent([]byte("# " + form.heading))
			})
			painted, _ := y.size()
			if painted > firstPaint {
				t.Errorf("the first paint sent %d bytes, want at most %d", painted, firstPaint)
			}
			t.Logf("the first paint sent %d bytes", painted)
			if _, err := y.tty.WriteString(rig.KeyBytes["home"]); err != nil { // on the first tab
				t.Fatal(err)
			}
			// Longer than the form's interval for checking whether the agent
			// still waits.
			awaitSteady(func() int { n, _ := y.size(); return n }, 1200*time.Millisecond)
			if now, _ := y.size(); now != painted {
				t.Errorf("%d bytes were sent though nothing had changed: %q", now-painted, y.received[painted:])
			}
		})
	}
}

func rawForm(t *testing.T, name string) json.RawMessage {
	t.Helper()
	raw, err := os.ReadFile("testdata/specs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The bytes of a key are counted, not timed, so every test run checks them.
func TestAKeySendsFewBytes(t *testing.T) {
	t.Parallel()
	for i, measure := range highlights() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			if f := measure(t); f.got > f.most {
				t.Errorf("%s: %s bytes, want at most %s", f.what, digits(f.got), digits(f.most))
			}
		})
	}
}
