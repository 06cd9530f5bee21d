package docs_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/tui/keymap"
)

var rewriteKeys = flag.Bool("keys", false, "write the tables of keys in docs/keys.md anew")

// pages returns the README and the pages in docs as one text.
func pages(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("the pages in docs: %v, %v", files, err)
	}
	text := rig.ReadFile(t, "README.md")
	for _, file := range files {
		text += "\n" + rig.ReadFile(t, file)
	}
	return text
}

// maxReadmeWords keeps what someone needs before the first answer on one page.
const maxReadmeWords = 1500

func TestReadmeIsShort(t *testing.T) {
	if words := len(strings.Fields(rig.ReadFile(t, "README.md"))); words > maxReadmeWords {
		t.Errorf("the README has %d words, want at most %d; details belong to a page in docs", words, maxReadmeWords)
	}
}

// Every link of the README and of the pages leads to a file and to a heading in it, and
// the README leads to every page.
func TestLinksOfThePagesLeadSomewhere(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, file := range append(files, "README.md") {
		for _, match := range link.FindAllStringSubmatch(rig.ReadFile(t, file), -1) {
			path, heading, _ := strings.Cut(match[1], "#")
			path = filepath.Join(filepath.Dir(file), path)
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s links to %s: %v", file, match[1], err)
			} else if heading != "" && !hasHeading(rig.ReadFile(t, path), heading) {
				t.Errorf("%s links to %s, which has no such heading", file, match[1])
			}
		}
	}
	readme := rig.ReadFile(t, "README.md")
	for _, file := range files {
		if !strings.Contains(readme, "("+filepath.ToSlash(file)) {
			t.Errorf("the README does not link to %s", file)
		}
	}
}

// hasHeading reports whether a heading of the page has that anchor.
func hasHeading(page, anchor string) bool {
	for _, match := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(page, -1) {
		if strings.ReplaceAll(strings.ToLower(match[1]), " ", "-") == anchor {
			return true
		}
	}
	return false
}

// keysPage has the tables of keys, which are the help of the form and of the review,
// word for word.
const keysPage = "docs/keys.md"

func TestDocsNameEveryKey(t *testing.T) {
	const begin, end = "<!-- %s: go test ./e2e/docs -keys -->\n", "<!-- end of %s -->"
	page := rig.ReadFile(t, keysPage)
	for _, table := range []struct {
		name   string
		keys   keymap.Map
		groups []string
	}{
		{"keys", keymap.Form(), keymap.FormGroups()},
		{"keys of a review", keymap.Review(), keymap.ReviewGroups()},
		{"keys of tasks", keymap.Map{OutsideText: keymap.Tasks()}, []string{keymap.GroupMove, keymap.GroupTasks, keymap.GroupLook}},
		{"keys of drafts", keymap.Map{OutsideText: keymap.Drafts()}, []string{keymap.GroupMove, keymap.GroupDrafts, keymap.GroupLook}},
	} {
		begin, end := fmt.Sprintf(begin, table.name), fmt.Sprintf(end, table.name)
		before, rest, found := strings.Cut(page, begin)
		have, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("%s has no table of keys between %q and %q", keysPage, begin, end)
		}
		if want := keyTable(keymap.Table(table.keys, table.groups)); *rewriteKeys {
			page = before + begin + want + end + after
		} else if have != want {
			t.Errorf("the %s in %s are not those of the screen; run  go test ./e2e/docs -keys\npage:\n%s\nscreen:\n%s", table.name, keysPage, have, want)
		}
	}
	if *rewriteKeys {
		if err := os.WriteFile(keysPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func keyTable(keys []keymap.Row) string {
	var table strings.Builder
	table.WriteString("\n| key | does |\n|---|---|\n")
	for _, key := range keys {
		fmt.Fprintf(&table, "| %s | %s |\n", key.Key, strings.ReplaceAll(key.Does, "|", `\|`))
	}
	table.WriteString("\n")
	return table.String()
}

func TestDocsShowEveryPicture(t *testing.T) {
	shown := pages(t)
	if !strings.HasPrefix(shown, "<picture>") {
		t.Error("the README does not begin with a picture")
	}
	for _, path := range regexp.MustCompile(`testdata/pictures/[\w-]+\.png`).FindAllString(shown, -1) {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("the README or a page in docs shows %s: %v", path, err)
		}
	}
	files, err := os.ReadDir("testdata/pictures")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if path := "testdata/pictures/" + file.Name(); !strings.Contains(shown, path) {
			t.Errorf("neither the README nor a page in docs shows %s", path)
		}
	}
}

// A reader must be able to copy each configuration as a whole.
func TestConfigurationsInDocsCanBeCopied(t *testing.T) {
	docs := pages(t)
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(docs, -1)
	if len(blocks) < 3 {
		t.Fatalf("%d JSON examples, want opencode's, Gemini's and an answer", len(blocks))
	}
	for _, block := range blocks {
		if !json.Valid([]byte(block[1])) {
			t.Errorf("not valid JSON:\n%s", block[1])
		}
	}
	for _, must := range []string{"go run . demo", "go test ./...", `env_vars = ["TMUX", "TMUX_PANE"]`} {
		if !strings.Contains(docs, must) {
			t.Errorf("neither the README nor a page in docs has %q", must)
		}
	}
	if !strings.Contains(rig.ReadFile(t, ".ci/run"), " go test ./...\n") {
		t.Error("CI does not run the README's test command")
	}
}

// Every command in the tables is in --help.
func TestCommandsInDocsExist(t *testing.T) {
	help := printed(t, "--help") + printed(t, "tui", "--help")
	for _, match := range regexp.MustCompile("\n\\| `planb ([a-z]+)").FindAllStringSubmatch(pages(t), -1) {
		if !slices.Contains(strings.Fields(help), match[1]) {
			t.Errorf("the docs name planb %s, which --help does not", match[1])
		}
	}
}
