package templatefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/plans/tasks"
	"planb/plans/tasks/templatefile"
)

func template(key, title string) string {
	return `{"template":1,"key":"` + key + `","title":"` + title + `","status":"published","tasks":[{"title":"Do it"}]}`
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheProjectsTemplatesComeFirst(t *testing.T) {
	project, settings := t.TempDir(), t.TempDir()
	folders := templatefile.In(project, settings)
	if list, err := folders.List(); err != nil || len(list) != 0 {
		t.Fatalf("without folders: %v, %v", list, err)
	}
	write(t, filepath.Join(settings, "templates", "release.json"), template("release", "Mine"))
	write(t, filepath.Join(settings, "templates", "only.json"), template("only", "Only mine"))
	write(t, filepath.Join(project, "docs/planb/templates/r.json"), template("release", "The team's"))
	write(t, filepath.Join(project, "docs/planb/templates/broken.json"), `{"template":2}`)
	write(t, filepath.Join(project, "docs/planb/templates/README.md"), "not a template")
	write(t, filepath.Join(project, "docs/planb/templates/.hidden.json"), "{")
	list, err := folders.List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, found := range list {
		got = append(got, found.Key+" "+found.Title.Raw())
	}
	if want := "broken , only Only mine, release The team's"; strings.Join(got, ", ") != want {
		t.Errorf("templates %v", got)
	}
	if found, err := folders.Find("release"); err != nil || found.Title.Raw() != "The team's" {
		t.Errorf("release: %v, %v", found.Title, err)
	}
	if _, err := folders.Find("broken"); tasks.CodeOf(err) != tasks.CodeValidationInvalidInput {
		t.Errorf("broken: %v", err)
	}
	if _, err := folders.Find("nothing"); tasks.CodeOf(err) != tasks.CodeNotFound || !strings.Contains(err.Error(), `"only", "release"`) {
		t.Errorf("nothing: %v", err)
	}
}

func TestALinkOutOfTheFolderIsNotFollowed(t *testing.T) {
	project, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "out.json")
	folder := filepath.Join(project, "docs/planb/templates")
	write(t, elsewhere, template("out", "Outside"))
	write(t, filepath.Join(folder, "in.json"), template("in", "Inside"))
	for name, to := range map[string]string{"out.json": elsewhere, "again.json": "in.json"} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Skip(err)
		}
	}
	folders := templatefile.In(project, "")
	if _, err := folders.Find("out"); !errors.As(err, new(*templatefile.OutsideError)) {
		t.Errorf("a link out of the folder: %v", err)
	}
	if found, err := folders.Find("in"); err != nil || found.Title.Raw() != "Inside" {
		t.Errorf("in: %v, %v", found.Title, err)
	}
}

func TestATemplateIsSavedOnce(t *testing.T) {
	folders := templatefile.In(t.TempDir(), t.TempDir())
	path, err := folders.Save("release", []byte(template("release", "One")), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := folders.Save("release", []byte(template("release", "Two")), false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: %v", err)
	}
	if found, err := folders.Find("release"); err != nil || found.Title.Raw() != "One" {
		t.Errorf("after a refusal: %v, %v", found.Title, err)
	}
	if again, err := folders.Save("release", []byte(template("release", "Two")), true); err != nil || again != path {
		t.Errorf("replaced: %s, %v", again, err)
	}
	if found, err := folders.Find("release"); err != nil || found.Title.Raw() != "Two" {
		t.Errorf("after a replacement: %v, %v", found.Title, err)
	}
}
