package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/setup"
	"planb/themes"
)

func TestSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte("wait = \"4m30s\"\nthem = \"dark\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	problems := setup.ReadFile(path, themes.Collection{}).Problems
	for _, c := range []struct {
		about    string
		exists   bool
		problems []setup.Problem
		state    State
		says     string
	}{
		{"none", false, nil, Note, "not needed"},
		{"good", true, nil, OK, path},
		{"mistyped", true, problems, Warning, "them"},
	} {
		list := Settings(path, c.exists, c.problems)
		if len(list) != 1 || list[0].State != c.state || !strings.Contains(list[0].Detail, c.says) {
			t.Errorf("%s: %+v", c.about, list)
		}
		for _, f := range list {
			wellFormed(t, f)
		}
	}
}
