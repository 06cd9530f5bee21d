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

// A repository may hold a link to any folder in place of its own. The person's may be wherever they
// keep their settings.
func TestAFolderThatIsALinkOutOfTheProjectIsNotUsed(t *testing.T) {
	settings, kept := t.TempDir(), t.TempDir()
	write(t, filepath.Join(kept, "kept.json"), template("kept", "Elsewhere"))
	if err := os.Symlink(kept, filepath.Join(settings, "templates")); err != nil {
		t.Skip(err)
	}
	if found, err := templatefile.In(t.TempDir(), settings).Find("kept"); err != nil || found.Title.Raw() != "Elsewhere" {
		t.Errorf("the person's folder is a link: %v, %v", found.Title, err)
	}
	for _, link := range []string{"docs", "docs/planb", "docs/planb/templates"} {
		project, rest := t.TempDir(), strings.TrimPrefix("docs/planb/templates", link)
		elsewhere := t.TempDir()
		write(t, filepath.Join(elsewhere, rest, "out.json"), template("out", "Outside"))
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(project, link)), 0o700), os.Symlink(elsewhere, filepath.Join(project, link))); err != nil {
			t.Fatal(err)
		}
		folders := templatefile.In(project, "")
		_, listed := folders.List()
		_, found := folders.Find("out")
		_, saved := folders.Save("new", []byte(template("new", "New")), true)
		for what, err := range map[string]error{"List": listed, "Find": found, "Save": saved} {
			if !errors.As(err, new(*templatefile.OutsideError)) {
				t.Errorf("%s is a link out of the project: %s: %v", link, what, err)
			}
		}
		if _, err := os.Stat(filepath.Join(elsewhere, rest, "new.json")); err == nil {
			t.Errorf("%s: a template was written outside the project", link)
		}
	}
	project := t.TempDir()
	write(t, filepath.Join(project, "work/templates/in.json"), template("in", "Inside"))
	if err := errors.Join(os.MkdirAll(filepath.Join(project, "docs"), 0o700), os.Symlink("../work", filepath.Join(project, "docs/planb"))); err != nil {
		t.Fatal(err)
	}
	if found, err := templatefile.In(project, "").Find("in"); err != nil || found.Title.Raw() != "Inside" {
		t.Errorf("a link within the project: %v, %v", found.Title, err)
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
	if _, err := folders[1:].Save("mine", []byte(template("mine", "Mine")), false); err != nil {
		t.Errorf("the person's own: %v", err)
	}
}
