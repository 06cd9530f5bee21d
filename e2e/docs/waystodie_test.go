package docs_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// Every cell of the table of ways to die names a test, and every test that it
// names exists.
func TestEveryCellOfTheWaysToDieIsHeld(t *testing.T) {
	known := testNames(t)
	named := regexp.MustCompile("`(Test\\w+)`")
	rows := 0
	for _, line := range strings.Split(rig.ReadFile(t, "testdata/ways-to-die.md"), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| what ends") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 4 {
			t.Errorf("%d cells, want 4: %s", len(cells), line)
			continue
		}
		rows++
		for _, cell := range cells[1:] {
			tests := named.FindAllStringSubmatch(cell, -1)
			if len(tests) == 0 {
				t.Errorf("%s: no test holds %q", strings.TrimSpace(cells[0]), strings.TrimSpace(cell))
			}
			for _, name := range tests {
				if !known[name[1]] {
					t.Errorf("%s: there is no %s", strings.TrimSpace(cells[0]), name[1])
				}
			}
		}
	}
	if rows == 0 {
		t.Error("the table has no rows")
	}
}

// testNames returns the names of all test functions of the module.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	names := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, match := range function.FindAllStringSubmatch(rig.ReadFile(t, path), -1) {
			names[match[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
