package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// How long a call waits is what the flag says, else the environment, else the
// settings: whichever counts here is short, and the others are long.
func TestWaitComesFromFlagsThenEnvironmentThenSettings(t *testing.T) {
	for name, c := range map[string]struct {
		settings, environment, flag string
	}{
		"settings":    {settings: "10ms"},
		"environment": {settings: "1h", environment: "10ms"},
		"flag":        {settings: "1h", environment: "1h", flag: "10ms"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			dir := filepath.Join(home, "config", "planb")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "config.toml")
			if err := os.WriteFile(file, []byte(`wait = "`+c.settings+`"`), 0o600); err != nil {
				t.Fatal(err)
			}
			env := []string{"ASK_NO_OPEN=1", "XDG_CONFIG_HOME=" + filepath.Join(home, "config")}
			if c.environment != "" {
				env = append(env, "PLANB_WAIT="+c.environment)
			}
			var flags []string
			if c.flag != "" {
				flags = []string{"--wait", c.flag}
			}
			a := startAgent(t, home, env, flags...)
			got := a.call("ask_user", map[string]any{
				"sessionId": a.session("Wait"), "title": "Wait",
				"questions": []any{map[string]any{"id": "name", "kind": "text", "label": "What shall it be called?"}},
			})
			if !strings.HasPrefix(got.String(), "NOT ANSWERED YET.") {
				t.Errorf("the call returned %q", got)
			}
		})
	}
}
