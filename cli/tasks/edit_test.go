package tasks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"planb/cli/frame"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
)

// shop is a proposed plan of this directory's project, and the commands of a person.
type shop struct {
	Commands
	id string
}

// newShop proposes the plan, with one task.
func newShop(t *testing.T) *shop {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	t.Setenv("PLANB_DATA_DIR", filepath.Join(dir, "data"))
	program := frame.New()
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = out.Close() })
	program.Stdout = out
	s := &shop{Commands: Commands{Program: program}}
	s.inStore(t, func(d desk) error {
		project, err := d.project(t.Context())
		if err != nil {
			return err
		}
		made, err := d.Tasks().Propose(t.Context(), d.by, kept.Proposal{Proposal: tasksTitled(t, "Buy books"), Project: project})
		s.id = made.ID
		return err
	})
	return s
}

// tasksTitled is the content of the plan with these tasks.
func tasksTitled(t *testing.T, titles ...string) rules.Proposal {
	t.Helper()
	doc, err := rules.ParseMarkdown(safe.New("# Open the shop\n\n## "+strings.Join(titles, "\n\n## ")+"\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Proposal
}

func (s *shop) inStore(t *testing.T, do func(d desk) error) {
	t.Helper()
	if err := s.makingStore(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// cancelsFirst has the person cancel the first task.
func (s *shop) cancelsFirst(t *testing.T) {
	t.Helper()
	s.inStore(t, func(d desk) error {
		w, err := d.Tasks().Plan(t.Context(), d.by, s.id)
		if err != nil {
			return err
		}
		_, err = d.Tasks().Cancel(t.Context(), d.by, w.TaskID(1))
		return err
	})
}

// proposes proposes the plan anew.
func (s *shop) proposes(t *testing.T, titles ...string) {
	t.Helper()
	s.inStore(t, func(d desk) error {
		_, err := d.Tasks().Propose(t.Context(), d.everywhere(), kept.Proposal{Proposal: tasksTitled(t, titles...), Replaces: s.id})
		return err
	})
}

// titles are the tasks that the plan has now.
func (s *shop) titles(t *testing.T) (list string) {
	t.Helper()
	s.inStore(t, func(d desk) error {
		w, err := d.Tasks().Plan(t.Context(), d.everywhere(), s.id)
		if err != nil {
			return err
		}
		tasks, err := d.Tasks().Tasks(t.Context(), w)
		for _, task := range tasks {
			list += task.Title.Raw() + ", "
		}
		return err
	})
	return list
}

// What the person wrote in their editor is not lost, and replaces nothing that they did not
// see: a proposal that an agent changed while the editor was open stays as it is.
func TestEditingAProposalThatChangedMeanwhile(t *testing.T) {
	shop := newShop(t)
	id := shop.id
	const mine = "# Open the shop\n\n## Buy maps {#buy-books}\n"
	write := func(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
	wrote := func(err error) string {
		t.Helper()
		at := regexp.MustCompile(`^what you wrote is kept in (\S+\.md): `).FindStringSubmatch(err.Error())
		if at == nil {
			t.Fatalf("it is not said where the text is: %v", err)
		}
		text, err := os.ReadFile(at[1])
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	shop.Editor = func(_ context.Context, path string) error {
		shop.proposes(t, "Buy books", "Sell books")
		return write(path, mine)
	}
	for _, name := range []string{id, rules.Short(id) + ".1"} {
		err := shop.edit(t.Context(), []string{name}, false)
		if err == nil || !strings.Contains(err.Error(), "was proposed anew") || wrote(err) != mine {
			t.Errorf("%s: the edit is %v", name, err)
		}
		if got := shop.titles(t); got != "Buy books, Sell books, " {
			t.Errorf("%s: the tasks are %s", name, got)
		}
		shop.proposes(t, "Buy books")
	}
	const unreadable = "# Open the shop\n\n## Buy maps\n\nafter: nothing\n"
	shop.Editor = func(_ context.Context, path string) error { return write(path, unreadable) }
	if err := shop.edit(t.Context(), []string{id}, false); err == nil || wrote(err) != unreadable {
		t.Errorf("what cannot be read is %v", err)
	}
	shop.Editor = func(_ context.Context, path string) error { return write(path, mine) }
	if err := shop.edit(t.Context(), []string{id}, false); err != nil || shop.titles(t) != "Buy maps, " {
		t.Errorf("%v, the tasks are %s", err, shop.titles(t))
	}
	left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "planb-tasks-*"))
	if err != nil || len(left) != 3 {
		t.Errorf("files left: %v, %v", left, err)
	}
}

// The edit of one task of a proposal may also take it out, or put parts in its place.
func TestTakingATaskOutOfAProposal(t *testing.T) {
	shop := newShop(t)
	file := filepath.Join(t.TempDir(), "task.md")
	for text, want := range map[string]string{
		"## Buy books {#buy-books}\n\ncancel: yes\n":                                                      "Sell books, ",
		"## Buy novels\n\nsplit from: buy-books\n\n## Buy atlases\n\nsplit from: buy-books\n":             "Sell books, Buy novels, Buy atlases, ",
		"## Buy books {#buy-books}\n\nOf all kinds.\n\n## Read them\n\nafter: buy-books\n\npriority: 1\n": "Buy books, Sell books, Read them, ",
	} {
		shop.proposes(t, "Buy books", "Sell books")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := shop.edit(t.Context(), []string{rules.Short(shop.id) + ".1", file}, false); err != nil {
			t.Fatal(err)
		}
		if got := shop.titles(t); got != want {
			t.Errorf("with %q the tasks are %s", text, got)
		}
	}
}

// The edit of one task says what becomes of that task: a text that does not name it would leave it
// as it is, beside another one.
func TestEditingATaskUnderAnotherKey(t *testing.T) {
	shop := newShop(t)
	file := filepath.Join(t.TempDir(), "task.md")
	edits := func() {
		t.Helper()
		for _, text := range []string{"## Buy many books {#many}\n", "## Buy many books\n"} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			err := shop.edit(t.Context(), []string{rules.Short(shop.id) + ".1", file}, false)
			if want := `the text does not name "buy-books", the task that is edited, and nothing was changed; its heading must end in {#buy-books}`; err == nil || err.Error() != want {
				t.Errorf("with %q: %v", text, err)
			}
		}
		if got := shop.titles(t); got != "Buy books, " {
			t.Errorf("the tasks are %s", got)
		}
	}
	edits()
	shop.approves(t)
	edits()
}

// An editor that fails leaves a file only where the person wrote something, and it is said where.
func TestEditingWithAnEditorThatFails(t *testing.T) {
	shop := newShop(t)
	left := func() []string {
		list, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "planb-tasks-*"))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	shop.Editor = func(context.Context, string) error { return errors.New("no editor is named") }
	if err := shop.edit(t.Context(), []string{shop.id}, false); err == nil || err.Error() != "no editor is named" || len(left()) > 0 {
		t.Errorf("without an editor: %v, files left: %v", err, left())
	}
	const mine = "# Open the shop\n\n## Buy maps\n"
	shop.Editor = func(_ context.Context, path string) error {
		return errors.Join(os.WriteFile(path, []byte(mine), 0o600), errors.New("the editor failed"))
	}
	err := shop.edit(t.Context(), []string{shop.id}, false)
	if files := left(); len(files) != 1 || err == nil || err.Error() != "the editor failed; what you wrote is kept in "+files[0] {
		t.Fatalf("where it failed later: %v, files left: %v", err, files)
	}
	if text, err := os.ReadFile(left()[0]); err != nil || string(text) != mine {
		t.Errorf("what is kept is %q, %v", text, err)
	}
	if got := shop.titles(t); got != "Buy books, " {
		t.Errorf("the tasks are %s", got)
	}
}

// What is added to a proposal comes to the tasks that the command has read. If an agent
// proposed others meanwhile, they stay, and nothing is added.
func TestAddingToAProposalThatChangedMeanwhile(t *testing.T) {
	shop := newShop(t)
	fresh := tasksTitled(t, "Buy maps")
	var before kept.Whole
	shop.inStore(t, func(d desk) error {
		found, err := d.find(t.Context(), shop.id)
		before = found.Whole
		return err
	})
	shop.proposes(t, "Buy books", "Sell books")
	shop.inStore(t, func(d desk) error {
		if err := d.addTo(t.Context(), &before, fresh, &imported{}); err == nil || !strings.Contains(err.Error(), "was proposed anew") {
			t.Errorf("adding is %v", err)
		}
		return nil
	})
	if got := shop.titles(t); got != "Buy books, Sell books, " {
		t.Errorf("the tasks are %s", got)
	}
	if err := shop.add(t.Context(), shop.id, "Buy maps", addFlags{}); err != nil {
		t.Error(err)
	}
	file := filepath.Join(os.Getenv("TMPDIR"), "more.md")
	if err := os.WriteFile(file, []byte("# Open the shop\n\n- [ ] Draw maps\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := shop.bringIn(t.Context(), file, importFlags{}); err != nil {
		t.Error(err)
	}
	if got := shop.titles(t); got != "Buy books, Sell books, Buy maps, Draw maps, " {
		t.Errorf("the tasks are %s", got)
	}
}

// A plan that is named by its id is added to from anywhere.
func TestImportIntoAPlanOfAnotherProject(t *testing.T) {
	shop := newShop(t)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("more.md", []byte("# More\n\n- [ ] Draw maps\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := shop.bringIn(t.Context(), "more.md", importFlags{into: rules.Short(shop.id)}); err != nil {
		t.Error(err)
	}
	if got := shop.titles(t); got != "Buy books, Draw maps, " {
		t.Errorf("the tasks are %s", got)
	}
}
