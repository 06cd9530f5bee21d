package tasks

import (
	"context"
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

// What the person wrote in their editor is not lost, and replaces nothing that they did not
// see: a proposal that an agent changed while the editor was open stays as it is.
func TestEditingAProposalThatChangedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	t.Setenv("PLANB_DATA_DIR", filepath.Join(dir, "data"))
	program := frame.New()
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	program.Stdout = out
	c := Commands{Program: program}
	plan := func(titles ...string) rules.Proposal {
		doc, err := rules.ParseMarkdown(safe.New("# Open the shop\n\n## "+strings.Join(titles, "\n\n## ")+"\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return doc.Proposal
	}
	inStore := func(do func(d desk) error) {
		t.Helper()
		if err := c.write(t.Context(), func(_ context.Context, d desk) error { return do(d) }); err != nil {
			t.Fatal(err)
		}
	}
	id := ""
	inStore(func(d desk) error {
		project, err := d.project(t.Context())
		if err != nil {
			return err
		}
		made, err := d.Tasks().Propose(t.Context(), d.by, kept.Proposal{Proposal: plan("Buy books"), Project: project})
		id = made.ID
		return err
	})
	const mine = "# Open the shop\n\n## Buy maps\n"
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
	titles := func() (list string) {
		inStore(func(d desk) error {
			w, err := d.Tasks().Plan(t.Context(), d.everywhere(), id)
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

	c.Editor = func(ctx context.Context, path string) error {
		inStore(func(d desk) error {
			_, err := d.Tasks().Propose(ctx, d.everywhere(), kept.Proposal{Proposal: plan("Buy books", "Sell books"), Replaces: id})
			return err
		})
		return write(path, mine)
	}
	for _, name := range []string{id, rules.Short(id) + ".1"} {
		err = c.edit(t.Context(), []string{name}, false)
		if err == nil || !strings.Contains(err.Error(), "was proposed anew") || wrote(err) != mine {
			t.Errorf("%s: the edit is %v", name, err)
		}
		if got := titles(); got != "Buy books, Sell books, " {
			t.Errorf("%s: the tasks are %s", name, got)
		}
		inStore(func(d desk) error {
			_, err := d.Tasks().Propose(t.Context(), d.everywhere(), kept.Proposal{Proposal: plan("Buy books"), Replaces: id})
			return err
		})
	}
	const unreadable = "# Open the shop\n\n## Buy maps\n\nafter: nothing\n"
	c.Editor = func(_ context.Context, path string) error { return write(path, unreadable) }
	if err := c.edit(t.Context(), []string{id}, false); err == nil || wrote(err) != unreadable {
		t.Errorf("what cannot be read is %v", err)
	}
	c.Editor = func(_ context.Context, path string) error { return write(path, mine) }
	if err := c.edit(t.Context(), []string{id}, false); err != nil || titles() != "Buy maps, " {
		t.Errorf("%v, the tasks are %s", err, titles())
	}
	left, err := filepath.Glob(filepath.Join(dir, "planb-tasks-*"))
	if err != nil || len(left) != 3 {
		t.Errorf("files left: %v, %v", left, err)
	}
}
