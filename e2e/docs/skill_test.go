package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func skillText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("skills", "planb", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A client finds the skill by its front matter.
func TestSkillHasItsFrontMatter(t *testing.T) {
	_, rest, opened := strings.Cut(skillText(t), "---\n")
	front, _, closed := strings.Cut(rest, "\n---\n")
	if !opened || !closed {
		t.Fatal("the skill does not begin with a front matter between two lines of ---")
	}
	for _, line := range []string{"name: planb", "disable-model-invocation: true", `argument-hint: "[what to plan]"`} {
		if !strings.Contains("\n"+front+"\n", "\n"+line+"\n") {
			t.Errorf("the front matter lacks the line %s", line)
		}
	}
	description := regexp.MustCompile(`(?m)^description: (.+)$`).FindStringSubmatch(front)
	// Clients limit a skill's description to 1024 characters.
	if description == nil || len(description[1]) > 1024 {
		t.Error("the front matter has no description of at most 1024 characters")
	}
}

// The skill tells results apart by their first words. They must be the words
// that the server writes.
func TestSkillQuotesTheServer(t *testing.T) {
	var server strings.Builder
	err := filepath.WalkDir("mcp", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := os.ReadFile(file)
		server.Write(source)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	skill := skillText(t)
	for _, tool := range []string{"init_planb_session", "ask_user", "get_answer", "save_plan", "submit_plan", "write_plan", "edit_plan"} {
		if !strings.Contains(skill, "`"+tool+"`") || !strings.Contains(server.String(), `"`+tool+`"`) {
			t.Errorf("the tool %s is not in both the skill and the server", tool)
		}
	}
	rows := regexp.MustCompile("(?m)^\\| `.*?\\|").FindAllString(skill, -1)
	if len(rows) < 8 {
		t.Fatalf("the skill explains %d results, want at least 8", len(rows))
	}
	for _, row := range rows {
		for _, quote := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row, -1) {
			if !strings.Contains(server.String(), quote[1]) {
				t.Errorf("the skill quotes %q, which the server does not say", quote[1])
			}
		}
	}
}
