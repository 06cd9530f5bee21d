package panes_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/mcp"
	"planb/setup"
	"planb/setup/known"
	"planb/themes"
)

// The settings' lists of toolsets and variables are those of the
// rooms that have them.
func TestSettingsKnowWhatTheyAreAbout(t *testing.T) {
	if own := setup.Defaults().Toolsets; !slices.Equal(own, mcp.DefaultToolsets()) {
		t.Errorf("the default toolsets are %v, the server's %v", own, mcp.DefaultToolsets())
	}
	for _, key := range setup.Keys(themes.Collection{}) {
		if key.Env != "" && !slices.Contains(known.Variables(), key.Env) {
			t.Errorf("%s is stronger than the setting %s, but clients do not pass it on", key.Env, key.Name)
		}
		if key.Name != "toolsets" {
			continue
		}
		for _, name := range append(mcp.Toolsets(), "all") {
			if !strings.Contains(key.Allowed(), strconv.Quote(name)) {
				t.Errorf("the server has the toolset %q, the settings allow %s", name, key.Allowed())
			}
		}
	}
}

// The flag decides how long a call waits, else the environment, else the
// settings. The one that counts is short here, and the others are long.
func TestWaitComesFromFlagsThenEnvironmentThenSettings(t *testing.T) {
	t.Parallel()
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
			a := rig.StartAgent(t, home, env, flags...)
			got := a.Call("ask_user", rig.TextForm(a.Session("Wait"), "Wait", "What shall it be called?"))
			if !strings.HasPrefix(got.String(), "NOT ANSWERED YET: the form ") {
				t.Errorf("the call returned %q", got)
			}
		})
	}
}
