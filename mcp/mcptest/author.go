package mcptest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"planb/mcp"
)

// Author is an agent that works on plan files of a project.
type Author struct {
	*World
	*Client
	Project string
}

// NewAuthor has a project of its own, whose path has no links.
func NewAuthor(t testing.TB, change func(*mcp.Config)) Author {
	t.Helper()
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := NewWorld(t, func(cfg *mcp.Config) {
		WithReviews(cfg)
		cfg.WorkingDir = project
		if change != nil {
			change(cfg)
		}
	})
	c := Connect(t, w.Server)
	c.Initialize("test")
	return Author{w, c, project}
}

// File is the path of a plan in the project's default directory.
func (a Author) File(name string) string {
	return filepath.Join(a.Project, "docs", "planb", "plans", name+"-plan.md")
}

// Put writes a file.
func (a Author) Put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// WantText is for files of the project, which are not for their owner alone.
func WantText(t testing.TB, path, text string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%s holds %.60q, %v; want %.60q", path, got, err, text)
	}
}

// Said is the JSON that a tool on a plan file answers.
type Said struct {
	PlanName     string
	PlanPath     string
	BytesWritten int
	Replacements int `json:"replacementsMade"`
	Note         string
}

// Does calls a tool that must not fail.
func (a Author) Does(t testing.TB, tool string, args map[string]any) Said {
	t.Helper()
	got := a.Tool(tool, args)
	var s Said
	if err := json.Unmarshal([]byte(got.Texts()[0]), &s); got.IsError || err != nil {
		t.Fatalf("%s answered %q", tool, got.Text())
	}
	return s
}

// Refused calls a tool that must fail with the text.
func (a Author) Refused(t testing.TB, tool string, args any, want string) {
	t.Helper()
	if got := a.Tool(tool, args); !got.IsError || got.Text() != want {
		t.Errorf("%s: got error %v\n%s\nwant\n%s", tool, got.IsError, got.Text(), want)
	}
}

// Versions are the texts of the versions of the only session there is.
func (a Author) Versions(t testing.TB) (texts []string) {
	t.Helper()
	sessions, _, err := a.Store.Sessions(t.Context(), "", 10)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("there are %d sessions, %v", len(sessions), err)
	}
	list, err := a.Store.Plans(t.Context(), sessions[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, plan := range list {
		text, err := a.Store.PlanText(t.Context(), plan.Session, plan.Number)
		if err != nil || plan.Number != i+1 {
			t.Fatalf("version %d: %v", plan.Number, err)
		}
		texts = append(texts, text.Raw())
	}
	return texts
}

// WantVersions fails the test unless these are the versions.
func (a Author) WantVersions(t testing.TB, want ...string) {
	t.Helper()
	if got := a.Versions(t); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("the versions are %q, want %q", got, want)
	}
}

// Submitted takes the result of submit_plan apart.
func Submitted(t testing.TB, got Answer) (approved any, feedback any) {
	t.Helper()
	var s map[string]any
	if err := json.Unmarshal([]byte(got.Texts()[0]), &s); got.IsError || err != nil {
		t.Fatalf("it answered %q", got.Text())
	}
	return s["approved"], s["feedback"]
}
