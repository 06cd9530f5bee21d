package planning_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
)

// Whatever a person chose, no link in a project's repository leads out of the
// project.
func TestNoLinkLeadsOutOfAProject(t *testing.T) {
	t.Parallel()
	for name, chosen := range map[string]func(project string) string{
		"by default":              func(string) string { return "" },
		"relative":                func(string) string { return "notes/all/plans" },
		"absolute in the project": func(project string) string { return filepath.Join(project, "notes/all/plans") },
	} {
		for component := range 4 { // of the path, the last is the file
			t.Run(strings.Join([]string{name, []string{"first", "second", "third", "file"}[component]}, ", "), func(t *testing.T) {
				outside := t.TempDir()
				var dir string
				a := mcptest.NewAuthor(t, func(cfg *mcp.Config) {
					cfg.PlansDir = chosen(cfg.WorkingDir)
					dir = filepath.Join(cfg.WorkingDir, "notes/all/plans")
					if cfg.PlansDir == "" {
						dir = filepath.Join(cfg.WorkingDir, "docs/planb/plans")
					}
				})
				// The file stands where the rest of the path would find it.
				path, rest := dir, "a-plan.md"
				for range 2 - component {
					path, rest = filepath.Dir(path), filepath.Join(filepath.Base(path), rest)
				}
				if component == 3 {
					path = filepath.Join(dir, "a-plan.md")
				}
				secret := filepath.Join(outside, rest)
				a.Put(t, secret, "secret")
				target := outside
				if component == 3 {
					target = secret
				}
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(target, path)); err != nil {
					t.Fatal(err)
				}
				before := tree(t, outside)
				for tool, args := range map[string]map[string]any{
					"write_plan":  {"planName": "a", "content": "# A"},
					"edit_plan":   {"planName": "a", "oldString": "secret", "newString": "x"},
					"submit_plan": {"planName": "a"},
				} {
					if got := a.Tool(tool, args); !got.IsError || strings.Contains(got.Text(), "secret") {
						t.Errorf("%s: %q", tool, got.Text())
					}
				}
				if after := tree(t, outside); after != before {
					t.Errorf("outside are\n%s, and were\n%s", after, before)
				}
				mcptest.WantText(t, secret, "secret")
			})
		}
	}
}

// tree lists all that is below a directory.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var list strings.Builder
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		list.WriteString(path + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list.String()
}

// A plans directory that a person chose outside the project may be a link.
func TestAPersonsOwnLinkIsFollowed(t *testing.T) {
	t.Parallel()
	real := filepath.Join(t.TempDir(), "real")
	link := filepath.Join(t.TempDir(), "plans")
	if err := errors.Join(os.Mkdir(real, 0o755), os.Symlink(real, link)); err != nil {
		t.Fatal(err)
	}
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.PlansDir = link })
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "# A"})
	mcptest.WantText(t, filepath.Join(real, "a-plan.md"), "# A")
}

// A link that is put in a directory's place while plans are written leads nowhere.
func TestALinkPutInPlaceMeanwhileLeadsNowhere(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.PlansDir = "plans" })
	dir, aside := filepath.Join(a.Project, "plans"), filepath.Join(a.Project, "aside")
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "0"})
	stop, stopped := make(chan struct{}), make(chan error, 1)
	var swaps atomic.Int32
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			if err := os.Rename(dir, aside); err != nil {
				stopped <- err
				return
			}
			if os.Symlink(outside, dir) == nil {
				swaps.Add(1)
			}
			// It is the link, or a directory that the server made anew.
			for os.RemoveAll(dir) != nil || os.Rename(aside, dir) != nil {
			}
		}
	}()
	written := 0
	for i := 0; i < 1000 && (written < 50 || swaps.Load() < 200); i++ {
		if got := a.Tool("write_plan", map[string]any{"planName": "a", "content": strings.Repeat("x", i%7+1)}); !got.IsError {
			written++
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if list := tree(t, outside); list != outside+"\n" {
		t.Errorf("outside are\n%s", list)
	}
	if written == 0 || swaps.Load() == 0 {
		t.Errorf("%d plans were written, and the link was put in place %d times", written, swaps.Load())
	}
}

func TestAPromptFileOfTheProjectStaysInIt(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret.md")
	for name, test := range map[string]struct {
		link, to string
		chosen   func(project string) string
		works    bool
	}{
		"the file":            {"prompts/plan.md", outside, func(string) string { return "prompts/plan.md" }, false},
		"its directory":       {"prompts", filepath.Dir(outside), func(string) string { return "prompts/secret.md" }, false},
		"by an absolute path": {"prompts/plan.md", outside, func(project string) string { return filepath.Join(project, "prompts/plan.md") }, false},
		"within the project":  {"prompts/plan.md", "other.md", func(string) string { return "prompts/plan.md" }, true},
		"a person's own":      {"elsewhere.md", outside, func(string) string { return outside }, true},
	} {
		t.Run(name, func(t *testing.T) {
			a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.PromptFile = test.chosen(cfg.WorkingDir) })
			a.Put(t, outside, "secret")
			a.Put(t, filepath.Join(a.Project, "prompts/other.md"), "secret of the project")
			link := filepath.Join(a.Project, test.link)
			if err := relink(link, test.to); err != nil {
				t.Fatal(err)
			}
			got := a.Request("prompts/get", map[string]any{"name": "plan", "arguments": map[string]any{"ARGUMENTS": "x"}})
			if works := strings.Contains(string(got.Result), `"text":"secret`); works != test.works {
				t.Errorf("got %s", got.Line)
			}
		})
	}
}
