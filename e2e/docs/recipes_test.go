package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/e2e/rig/inprocess"
	"planb/mcp/pane"
	"planb/setup"
	"planb/setup/clients"
	"planb/setup/known"
	"planb/themes"
)

// The recipes of CONTRIBUTING.md end in lists that a person reads. Each list here
// is one that a recipe tells to add to.
func TestTheDocsHaveWhatTheRecipesAdd(t *testing.T) {
	docs := pages(t)
	rows := func(names []string, row string) (lines []string) {
		for _, name := range names {
			lines = append(lines, strings.ReplaceAll(row, "NAME", name))
		}
		return lines
	}
	var clientNames, variables []string
	for _, c := range known.All() {
		clientNames = append(clientNames, c.Name)
	}
	for _, key := range setup.Keys(themes.Collection{}) {
		if key.Env != "" {
			variables = append(variables, key.Env)
		}
	}
	for recipe, want := range map[string][]string{
		"a command":     rows(commands(t), "\n| `planb NAME"),
		"a pane opener": rows(slices.DeleteFunc(pane.Names(), func(name string) bool { return name == "auto" || name == "none" }), "\n| `NAME` |"),
		"a client":      clientNames,
		"a setting":     rows(variables, "`NAME`"),
	} {
		for _, text := range want {
			if !strings.Contains(docs, text) {
				t.Errorf("%s: neither the README nor a page in docs has %q", recipe, text)
			}
		}
	}
	plain := strings.NewReplacer("é", "e", " ", "-").Replace(strings.ToLower(docs))
	for _, choice := range (themes.Collection{}).Choices() {
		if choice.Follows && !strings.Contains(plain, choice.Name) {
			t.Errorf("a theme: the docs do not list the family %s", choice.Name)
		}
	}
}

// A path that CONTRIBUTING.md names exists, with <name> and * for any name. A bare file
// name exists in some room.
func TestContributingNamesOnlyPathsThatExist(t *testing.T) {
	inRooms := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		inRooms[filepath.Base(path)] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	placeholder := regexp.MustCompile(`<\w+>`)
	for _, match := range regexp.MustCompile("`([\\w.<>*/-]+)`").FindAllStringSubmatch(rig.ReadFile(t, "CONTRIBUTING.md"), -1) {
		name := placeholder.ReplaceAllString(match[1], "*")
		isFile := slices.Contains([]string{".go", ".md", ".json", ".html", ".toml"}, filepath.Ext(name))
		switch found, err := filepath.Glob(name); {
		case err != nil:
			t.Error(err)
		case strings.Contains(name, "/") && len(found) == 0, isFile && len(found) == 0 && !inRooms[name] && !strings.Contains(name, "*"):
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", match[1])
		}
	}
}

// A name with a file in brackets behind it stands in that file. A bare file name means any
// file of that name.
func TestContributingNamesOnlyWhatItsFilesHave(t *testing.T) {
	found := map[string][]string{} // by their names
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		found[filepath.Base(path)] = append(found[filepath.Base(path)], path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	listed := regexp.MustCompile("((?:`[\\w.]+`,\\s+)*`[\\w.]+`)\\s+\\(`([\\w./-]+\\.go)`").FindAllStringSubmatch(rig.ReadFile(t, "CONTRIBUTING.md"), -1)
	if len(listed) < 100 {
		t.Errorf("CONTRIBUTING.md names only %d things with their files", len(listed))
	}
	for _, pair := range listed {
		names, file := pair[1], pair[2]
		paths := []string{file}
		if !strings.Contains(file, "/") {
			paths = found[file]
		}
		for name := range strings.SplitSeq(names, ",") {
			name = strings.Trim(name, "` \n")
			word := regexp.MustCompile(`\b` + name[strings.LastIndexByte(name, '.')+1:] + `\b`)
			if !slices.ContainsFunc(paths, func(path string) bool { return word.MatchString(rig.ReadFile(t, path)) }) {
				t.Errorf("CONTRIBUTING.md says that %s is in %s", name, file)
			}
		}
	}
}

// room is a part of "Where things are": some rooms, and what CONTRIBUTING.md says of them.
type room struct {
	dirs  []string
	files []string // bare names of Go files
}

func listedRooms(t *testing.T) (rooms []room) {
	t.Helper()
	_, list, _ := strings.Cut(rig.ReadFile(t, "CONTRIBUTING.md"), "\n## Where things are\n")
	list, _, ok := strings.Cut(list, "\n## ")
	if !ok {
		t.Fatal("CONTRIBUTING.md does not say where things are")
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	for _, entry := range strings.Split(list, "\n- **")[1:] {
		entry, _, _ = strings.Cut(entry, "\n\n")
		head, text, _ := strings.Cut(entry, "**:")
		var r room
		for _, name := range quoted.FindAllStringSubmatch(head, -1) {
			dir := name[1]
			if rest, short := strings.CutPrefix(dir, "…/"); short {
				dir = filepath.Join(filepath.Dir(r.dirs[0]), rest)
			}
			if _, err := os.Stat(dir); err != nil {
				t.Errorf("CONTRIBUTING.md lists the room %s, which does not exist", dir)
			}
			r.dirs = append(r.dirs, dir)
		}
		for _, name := range quoted.FindAllStringSubmatch(text, -1) {
			if file := name[1]; !strings.Contains(file, "/") && filepath.Ext(file) == ".go" && !strings.HasPrefix(file, "…") {
				r.files = append(r.files, file)
			}
		}
		rooms = append(rooms, r)
	}
	if len(rooms) < 80 {
		t.Errorf("CONTRIBUTING.md lists only %d rooms", len(rooms))
	}
	return rooms
}

// What is said of a room names only files of that room, unless it names them by their paths.
func TestContributingNamesTheFilesOfARoomInItsPlace(t *testing.T) {
	checked := 0
	for _, r := range listedRooms(t) {
		for _, file := range r.files {
			checked++
			if !slices.ContainsFunc(r.dirs, func(dir string) bool {
				_, err := os.Stat(filepath.Join(dir, file))
				return err == nil
			}) {
				t.Errorf("CONTRIBUTING.md says that %s is in %s", file, strings.Join(r.dirs, " or "))
			}
		}
	}
	if checked < 400 {
		t.Errorf("the rooms name only %d files", checked)
	}
}

// A newcomer finds the file that decides something by its name only in a small room. So a
// third of the files of a larger one say what they decide. Files for one system do not count.
func TestContributingSaysOfLargeRoomsWhichFileDecidesWhat(t *testing.T) {
	uncounted := regexp.MustCompile(`_(test|unix|linux|bsd|darwin|windows|other)\.go$`)
	for _, r := range listedRooms(t) {
		dir := r.dirs[0]
		if strings.HasPrefix(dir, "e2e") || strings.HasSuffix(dir, "test") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, uncounted.MatchString)
		if len(files) > 8 && 3*len(r.files) < len(files) {
			t.Errorf("CONTRIBUTING.md says of %d files of %s what they decide, of %d", len(r.files), dir, len(files))
		}
	}
}

// printed returns what a command prints that needs nothing but planb.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	end, err := inprocess.Command{Args: args, Dir: t.TempDir()}.Run(t.Context())
	if err != nil || end.Code != 0 {
		t.Fatalf("planb %v: exit code %d, %v: %s", args, end.Code, err, end.Stderr)
	}
	return string(end.Stdout)
}

// commands returns the names of all commands that help lists, but for cobra's own.
func commands(t *testing.T) (names []string) {
	t.Helper()
	for line := range strings.Lines(printed(t, "__complete", "")) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if name != "" && name != "help" && !strings.HasPrefix(name, ":") && !strings.Contains(name, " ") {
			names = append(names, name)
		}
	}
	if len(names) < 10 {
		t.Fatalf("the shell is offered only %q", names)
	}
	return names
}

func TestEveryCommandHasAScript(t *testing.T) {
	files, err := filepath.Glob("testdata/scripts/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	run := map[string]bool{}
	for _, file := range files {
		words := strings.Fields(rig.ReadFile(t, file))
		for i, word := range words[1:] {
			run[word] = run[word] || words[i] == "planb"
		}
	}
	for _, name := range commands(t) {
		if !run[name] {
			t.Errorf("no script in testdata/scripts runs planb %s", name)
		}
	}
}

// A client is in the table, and planb writes its configuration or prints it.
func TestEveryKnownClientCanBeSetUp(t *testing.T) {
	for _, c := range known.All() {
		_, written := clients.ByName(c.Name)
		if _, printed := clients.ManualByName(c.Name, "planb"); written == printed {
			t.Errorf("planb setup %s: the configuration is written: %v, printed: %v", c.Name, written, printed)
		}
	}
}
