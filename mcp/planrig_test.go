package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"planb/mcp"
)

// author is an agent that works on plan files of a project.
type author struct {
	*world
	*client
	project string
}

// newAuthor has a project of its own, whose path has no links.
func newAuthor(t testing.TB, change func(*mcp.Config)) author {
	t.Helper()
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(cfg *mcp.Config) {
		withReviews(cfg)
		cfg.WorkingDir = project
		if change != nil {
			change(cfg)
		}
	})
	c := connect(t, w.Server)
	c.initialize("test")
	return author{w, c, project}
}

// file is the path of a plan in the project's default directory.
func (a author) file(name string) string {
	return filepath.Join(a.project, "docs", "planb", "plans", name+"-plan.md")
}

func (a author) put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// wantText is for files of the project, which are not for their owner alone.
func wantText(t testing.TB, path, text string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%s holds %.60q, %v; want %.60q", path, got, err, text)
	}
}

// said is the JSON that a tool on a plan file answers.
type said struct {
	PlanName     string
	PlanPath     string
	BytesWritten int
	Replacements int `json:"replacementsMade"`
	Note         string
}

func (a author) does(t testing.TB, tool string, args map[string]any) said {
	t.Helper()
	got := a.tool(tool, args)
	var s said
	if err := json.Unmarshal([]byte(got.texts()[0]), &s); got.IsError || err != nil {
		t.Fatalf("%s answered %q", tool, got.text())
	}
	return s
}

func (a author) refused(t testing.TB, tool string, args any, want string) {
	t.Helper()
	if got := a.tool(tool, args); !got.IsError || got.text() != want {
		t.Errorf("%s: got error %v\n%s\nwant\n%s", tool, got.IsError, got.text(), want)
	}
}

// versions are the texts of the versions of the only session there is.
func (a author) versions(t testing.TB) (texts []string) {
	t.Helper()
	sessions, _, err := a.store.Sessions(t.Context(), "", 10)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("there are %d sessions, %v", len(sessions), err)
	}
	list, err := a.store.Plans(t.Context(), sessions[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, plan := range list {
		text, err := a.store.PlanText(t.Context(), plan.Session, plan.Number)
		if err != nil || plan.Number != i+1 {
			t.Fatalf("version %d: %v", plan.Number, err)
		}
		texts = append(texts, text.Raw())
	}
	return texts
}

func (a author) wantVersions(t testing.TB, want ...string) {
	t.Helper()
	if got := a.versions(t); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("the versions are %q, want %q", got, want)
	}
}

// submitted takes the result of submit_plan apart.
func submitted(t testing.TB, got answer) (approved any, feedback any) {
	t.Helper()
	var s map[string]any
	if err := json.Unmarshal([]byte(got.texts()[0]), &s); got.IsError || err != nil {
		t.Fatalf("it answered %q", got.text())
	}
	return s["approved"], s["feedback"]
}
