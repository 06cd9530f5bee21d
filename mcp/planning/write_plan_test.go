package planning_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans"
	"planb/plans/review"
)

func TestA1APlanIsAFileOfTheProject(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	a.Does(t, "write_plan", map[string]any{"planName": "feature", "content": "# Feature\n"})
	mcptest.WantText(t, filepath.Join(a.Project, "docs/planb/plans/feature-plan.md"), "# Feature\n")
	sessions, _, err := a.Store.Sessions(t.Context(), "", 10)
	if err != nil || len(sessions) != 1 || sessions[0].Title.Raw() != "Feature" || sessions[0].Project.Raw() != a.Project || sessions[0].Client.Name.Raw() != "test" {
		t.Errorf("the sessions are %+v, %v", sessions, err)
	}
}

func TestA1TheProjectIsTheClients(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) {
		mcptest.WithReviews(cfg)
		cfg.Env = func(name string) string {
			return map[string]string{"CLAUDE_PROJECT_DIR": root}[name]
		}
	})
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	if got := c.Tool("write_plan", map[string]any{"planName": "a", "content": "# A"}); got.IsError {
		t.Fatal(got.Text())
	}
	mcptest.WantText(t, filepath.Join(root, "docs/planb/plans/a-plan.md"), "# A")
}

func TestA2PlansDir(t *testing.T) {
	t.Parallel()
	elsewhere := t.TempDir()
	for name, dir := range map[string]string{"relative": "notes/plans", "above": "../beside", "absolute": filepath.Join(elsewhere, "plans")} {
		t.Run(name, func(t *testing.T) {
			a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.PlansDir = dir })
			want := filepath.Join(dir, "a-plan.md")
			if !filepath.IsAbs(dir) {
				want = filepath.Join(a.Project, dir, "a-plan.md")
			}
			if got := a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "# A"}); got.PlanPath != want {
				t.Errorf("written to %s, want %s", got.PlanPath, want)
			}
			mcptest.WantText(t, want, "# A")
		})
	}
}

func TestA8WritePlan(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	path := a.File("feature")
	for i, content := range []string{"# Ä\r\n", "# Two\n", "# Two\n"} {
		got := a.Tool("write_plan", map[string]any{"plan_name": "feature", "content": content})
		want := fmt.Sprintf(`{"planName":"feature","planPath":%q,"bytesWritten":%d}`, path, len(content))
		if got.IsError || got.Text() != want {
			t.Errorf("call %d: got %s, want %s", i, got.Text(), want)
		}
		if version := got.Data["version"]; version != float64(min(i+1, 2)) || (got.Data["unchanged"] == true) != (i == 2) {
			t.Errorf("call %d: as data %v", i, got.Data)
		}
		mcptest.WantText(t, path, content)
	}
	a.WantVersions(t, "# Ä\r\n", "# Two\n")
	empty := "content is empty, so " + path + " was not written: give the plan's whole text, in Markdown."
	a.Refused(t, "write_plan", map[string]any{"planName": "feature", "content": ""}, empty)
	a.Refused(t, "write_plan", map[string]any{"planName": "feature", "content": " \n\t\u200b"}, empty)
	a.Refused(t, "write_plan", map[string]any{"planName": "feature"}, "content is missing: the plan's whole text, in Markdown.")
	mcptest.WantText(t, path, "# Two\n")
}

func TestA9NamesStayInTheDirectory(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	for _, name := range []string{"../escape", "a/b", "a.b", "-a", "a_", "ä", "a b", `a\b`, "a\x00"} {
		want := "Invalid planName `" + name + "`; use only letters, numbers, dashes, and underscores"
		a.Refused(t, "write_plan", map[string]any{"planName": name, "content": "# A"}, want)
		a.Refused(t, "edit_plan", map[string]any{"planName": name, "oldString": "a", "newString": "b"}, want)
		a.Refused(t, "submit_plan", map[string]any{"planName": name}, want)
	}
	a.Refused(t, "write_plan", map[string]any{"planName": "", "content": "# A"},
		"planName is missing: a name of letters, digits, dashes and underscores, the same in every call for this plan.")
	if left, err := os.ReadDir(a.Project); err != nil || len(left) > 0 {
		t.Errorf("the project has %v, %v", left, err)
	}
}

// Whatever links there are, nothing is read or written outside.
func TestA9LinksLeadNowhere(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	secret := filepath.Join(outside, "a-plan.md")
	for name, link := range map[string]func(a mcptest.Author) error{
		"the file":          func(a mcptest.Author) error { return os.Symlink(secret, a.File("a")) },
		"the file, within":  func(a mcptest.Author) error { return os.Symlink("other.md", a.File("a")) },
		"a dangling one":    func(a mcptest.Author) error { return os.Symlink(filepath.Join(outside, "none"), a.File("a")) },
		"its directory":     func(a mcptest.Author) error { return relink(filepath.Dir(a.File("a")), outside) },
		"a directory above": func(a mcptest.Author) error { return relink(filepath.Join(a.Project, "docs"), outside) },
	} {
		t.Run(name, func(t *testing.T) {
			a := mcptest.NewAuthor(t, nil)
			a.Put(t, filepath.Join(filepath.Dir(a.File("a")), "other.md"), "other")
			a.Put(t, secret, "secret")
			if err := link(a); err != nil {
				t.Fatal(err)
			}
			for tool, args := range map[string]map[string]any{
				"write_plan":  {"planName": "a", "content": "# A"},
				"edit_plan":   {"planName": "a", "oldString": "secret", "newString": "x"},
				"submit_plan": {"planName": "a"},
			} {
				if got := a.Tool(tool, args); !got.IsError || strings.Contains(got.Text(), "secret") {
					t.Errorf("%s: %q", tool, got.Text())
				}
			}
			mcptest.WantText(t, secret, "secret")
			if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
				t.Errorf("outside are %v, %v", left, err)
			}
		})
	}
}

func relink(path, to string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return os.Symlink(to, path)
}

func TestA10EditPlan(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	path := a.File("a")
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one 2 two\r\n\n\nthree"})
	for i, step := range []struct {
		args string
		want string
		made int
	}{
		{`{"old_string":"\r\n\n","new_string":"\n"}`, "one 2 two\n\nthree", 1},
		{`{"oldString":"e","newString":"E","replaceAll":true}`, "onE 2 two\n\nthrEE", 3},
		{`{"oldString":"t","newString":"","replace_all":"true"}`, "onE 2 wo\n\nhrEE", 2},
		{`{"edits":[{"oldString":"2","newString":"wo"},{"old_string":"wo","newString":"2"}]}`, "onE wo 2\n\nhrEE", 2},
		{`{"oldString":"onE","newString":"onE!","edits":[]}`, "onE! wo 2\n\nhrEE", 1},
		{`{"oldString":"onE!","newString":"onE","edits":""}`, "onE wo 2\n\nhrEE", 1},
		{`{"edits":"[{\"oldString\":\"E\",\"newString\":\"e\",\"replaceAll\":true}]"}`, "one wo 2\n\nhree", 3},
	} {
		args := map[string]any{"planName": "a"}
		if err := json.Unmarshal([]byte(step.args), &args); err != nil {
			t.Fatal(err)
		}
		got := a.Tool("edit_plan", args)
		want := fmt.Sprintf(`{"planName":"a","planPath":%q,"replacementsMade":%d}`, path, step.made)
		if got.IsError || got.Text() != want || got.Data["version"] != float64(i+2) {
			t.Errorf("%s: got %s (%v), want %s", step.args, got.Text(), got.Data, want)
		}
		mcptest.WantText(t, path, step.want)
	}
	a.Refused(t, "edit_plan", map[string]any{"planName": "none", "oldString": "a", "newString": "b"}, "File does not exist: "+a.File("none")+"\nThe plans there are: a. "+writeFirst)
}

func TestAnEditSaysWhatItLeftAlone(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one\ntwo two\nthree two\none\n"})
	got := a.Does(t, "edit_plan", map[string]any{"planName": "a", "edits": []any{
		map[string]any{"oldString": "one", "newString": "1", "replaceAll": true},
		map[string]any{"oldString": "two", "newString": "2"},
		map[string]any{"oldString": "three", "newString": "3"},
	}})
	if want := "edits[1]: oldString occurs 3 times; only the first, in line 2 of the text before, was replaced."; got.Note != want {
		t.Errorf("the note is %q, want %q", got.Note, want)
	}
	mcptest.WantText(t, a.File("a"), "1\n2 two\n3 two\n1\n")
}

const writeFirst = "Write it first, with write_plan. A plan that is no file is submitted by its sessionId, without planName."

func TestA10NothingToEditYet(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	a.Refused(t, "edit_plan", map[string]any{"planName": "a", "oldString": "a", "newString": "b"}, "File does not exist: "+a.File("a")+"\nThere is no plan yet. "+writeFirst)
	a.Refused(t, "submit_plan", map[string]any{"planName": "a"}, "File does not exist: "+a.File("a")+"\nThere is no plan yet. "+writeFirst)
	if left, err := os.ReadDir(a.Project); err != nil || len(left) > 0 {
		t.Errorf("the project has %v, %v", left, err)
	}
}

// An unknown name is answered with those there are, some of them where there are
// too many; what is no plan is none.
func TestAnUnknownPlanNameIsAnsweredWithThoseThereAre(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	for _, name := range []string{"tower", "harbour"} {
		a.Does(t, "write_plan", map[string]any{"planName": name, "content": "# " + name})
	}
	a.Put(t, filepath.Join(filepath.Dir(a.File("x")), "notes.md"), "no plan")
	for _, tool := range []string{"edit_plan", "submit_plan"} {
		args := map[string]any{"planName": "harbor"}
		if tool == "edit_plan" {
			args["oldString"], args["newString"] = "a", "b"
		}
		a.Refused(t, tool, args, "File does not exist: "+a.File("harbor")+"\nThe plans there are: harbour, tower. "+writeFirst)
	}
	for i := range 80 {
		a.Put(t, a.File(fmt.Sprint("more", i)), "# More")
	}
	if got := a.Tool("submit_plan", map[string]any{"planName": "harbor"}); !strings.Contains(got.Text(), ", and 32 more in ") {
		t.Errorf("of 82 plans are named: %q", got.Text())
	}
}

// An agent that writes over the text of another session is told so.
func TestWritingOverAnotherSessionsPlanSaysSo(t *testing.T) {
	t.Parallel()
	var dir string
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { dir = cfg.DataDir })
	b := mcptest.Author{World: a.World, Client: mcptest.Connect(t, a.Server), Project: a.Project}
	b.Initialize("another")
	first, second := a.Session(), b.Session()
	write := func(by mcptest.Author, session, text string) mcptest.Answer {
		args := map[string]any{"planName": "harbour", "content": text}
		if session != "" {
			args["sessionId"] = session
		}
		return by.Tool("write_plan", args)
	}
	if got := write(a, first, "# Harbour"); got.Data["otherSession"] != nil {
		t.Errorf("who writes first is told %q", got.Text())
	}
	if got := write(a, "", "# Harbour, changed"); got.Data["otherSession"] != nil {
		t.Errorf("who writes its own again is told %q", got.Text())
	}
	over := write(b, second, "# Tower")
	kept := filepath.Join(dir, "plans", first, "v2.md")
	want := "The file held a text that was written elsewhere: version 2 of session " + first + ". It is kept (" + kept + "), and your text " +
		"replaced it as version 1 of session " + second + ". Compare the two, and put back with edit_plan what you did not mean to undo."
	var said mcptest.Said
	if err := json.Unmarshal([]byte(over.Texts()[0]), &said); err != nil || said.Note != want || over.Data["otherSession"] != first {
		t.Errorf("the note is %q, want %q", said.Note, want)
	}
	mcptest.WantFile(t, kept, "# Harbour, changed")
	if got := write(b, second, "# Tower"); got.Data["otherSession"] != nil {
		t.Errorf("the same text again is told %q", got.Text())
	}
	if got := write(a, "", "# Harbour again"); got.Data["otherSession"] != second {
		t.Errorf("who names no session is told %q", got.Text())
	}
}

const readFirst = "\nRead the file, and give oldString exactly as it stands there."

func TestA11AllThatIsWrongWithEdits(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	path := a.File("a")
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one two three"})
	edit := func(old, new string) map[string]any { return map[string]any{"oldString": old, "newString": new} }
	for _, test := range []struct {
		args map[string]any
		want string
	}{
		{edit("four", "4"), "1 edit(s) failed for file " + path + "; no changes were written:\n  edits[0]: string not found: `four`" + readFirst},
		{
			map[string]any{"edits": []any{edit("four", "4"), edit("one two", "1"), edit("two", "2"), edit("", "x")}},
			"3 edit(s) failed for file " + path + "; no changes were written:\n" +
				"  edits[0]: string not found: `four`\n" +
				"  edits[2]: edit overlaps the edit at index 1; use non-overlapping edits or combine them\n" +
				"  edits[3]: oldString is empty; give the exact text to replace" + readFirst,
		},
		{map[string]any{"edits": []any{}}, "No edits supplied for file " + path + ": provide at least one edit"},
		{edit("one two three", " "), "The edits would leave nothing of " + path + "; no changes were written"},
		{map[string]any{}, "oldString is missing: the exact text to replace, or give several in edits.\nnewString is missing: what stands there instead; empty to delete."},
		{map[string]any{"edits": []any{edit("one", "1")}, "oldString": "two"}, "edits was given beside oldString or newString; give either one edit or the list."},
		{map[string]any{"edits": []any{edit("one", "1")}, "replaceAll": true}, "replaceAll was given beside edits; put it into the edits that it is for."},
		{map[string]any{"edits": "one"}, `edits must be a list of {"oldString":…,"newString":…}; got one.`},
		{
			map[string]any{"edits": []any{map[string]any{"oldString": "one", "with": "1"}, 5}},
			"edits[0]: newString is missing: what stands there instead; empty to delete.\n" +
				`edits[0]: "with" is no argument of edits[0]; it takes oldString, newString, replaceAll.` + "\n" +
				"edits[1]: The arguments must be a JSON object; got 5.\n" +
				"edits[1]: oldString is missing: the exact text to replace, or give several in edits.\n" +
				"edits[1]: newString is missing: what stands there instead; empty to delete.",
		},
	} {
		test.args["planName"] = "a"
		a.Refused(t, "edit_plan", test.args, test.want)
	}
	mcptest.WantText(t, path, "one two three")
	a.WantVersions(t, "one two three")
}

// A file that holds the text already is left alone: what watches it sees no change.
func TestA8TheSameTextIsNotWrittenAgain(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	path := a.File("a")
	a.Put(t, path, "# A")
	was, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "# A"})
	if now, err := os.Stat(path); err != nil || !os.SameFile(was, now) {
		t.Errorf("it is another file now, %v", err)
	}
	a.WantVersions(t, "# A")
}

func TestA12WhatAClientShows(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	got := a.Tool("write_plan", map[string]any{"planName": "a", "content": "# A\n"})
	if got.Data["title"] != "Write a-plan.md" || !strings.Contains(fmt.Sprint(got.Data["diff"]), "\n+# A\n") {
		t.Errorf("as data: %v", got.Data)
	}
	got = a.Tool("edit_plan", map[string]any{"planName": "a", "oldString": "A", "newString": "B"})
	if got.Data["title"] != "Edit a-plan.md" || !strings.Contains(fmt.Sprint(got.Data["diff"]), "\n-# A\n+# B\n") {
		t.Errorf("as data: %v", got.Data)
	}
}

func TestA17WhatCannotBeReviewed(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	path := a.File("a")
	for name, test := range map[string]struct{ text, want string }{
		"empty":     {"", "Plan file is empty: " + path},
		"blank":     {"\n \u200b\n", "Plan file is empty: " + path},
		"not UTF-8": {"# Ä\n\xff", "Plan file is not UTF-8: " + path + "; its byte 6 is 0xff"},
		"cut off":   {"# \xc3", "Plan file is not UTF-8: " + path + "; its byte 3 is 0xc3"},
		"too large": {strings.Repeat("x", plans.MaxPlanBytes+1), "Plan file is too large: " + path + " has 16777217 bytes; at most 16777216 are read"},
	} {
		t.Run(name, func(t *testing.T) {
			a.Put(t, path, test.text)
			a.Refused(t, "submit_plan", map[string]any{"planName": "a"}, test.want)
			a.Refused(t, "edit_plan", map[string]any{"planName": "a", "oldString": "#", "newString": "##"}, test.want)
			if blank := strings.Contains(test.want, "empty"); !blank {
				a.Refused(t, "write_plan", map[string]any{"planName": "a", "content": "# New"}, test.want)
				mcptest.WantText(t, path, test.text) // it could not be kept, so it stays
			}
		})
	}
	if waiting, err := a.Store.Waiting(t.Context()); err != nil || len(waiting) > 0 {
		t.Errorf("%d reviews were asked for, %v", len(waiting), err)
	}
	a.Put(t, path, " \n")
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "# New"}) // nothing is lost
	a.WantVersions(t, "# New")
}

func TestA2APlansDirThatCannotBe(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.PlansDir = "file/plans" })
	a.Put(t, filepath.Join(a.Project, "file"), "in the way")
	got := a.Tool("write_plan", map[string]any{"planName": "a", "content": "# A"})
	if want := "The plans directory " + filepath.Join(a.Project, "file/plans") + " can't be used ("; !got.IsError || !strings.HasPrefix(got.Text(), want) || !strings.HasSuffix(got.Text(), "--plans-dir.") {
		t.Errorf("got %q", got.Text())
	}
}

// Bytes that are no text would silently become others.
func TestA17TheContentIsUTF8(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	a.Write(`{"jsonrpc":"2.0","id":"raw","method":"tools/call","params":{"name":"write_plan","arguments":{"planName":"a","content":"# \u00c4\n\"` + "\xc3(" + `"}}}` + "\n")
	if got := a.Answer(`"raw"`); !got.IsError || got.Text() != "content is not UTF-8: its byte 7 is 0xc3." {
		t.Errorf("got %q", got.Text())
	}
}

func TestAPlanFileKeepsItsMode(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	path := a.File("a")
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()|0o022 != 0o666 { // as the umask has it
		t.Errorf("a new file has the mode %v, %v", info.Mode(), err)
	}
	for _, mode := range []os.FileMode{0o600, 0o664, 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		a.Does(t, "write_plan", map[string]any{"planName": "a", "content": fmt.Sprint("as ", mode)})
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("the mode is %v, want %v, %v", info.Mode(), mode, err)
		}
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if got := a.Tool("write_plan", map[string]any{"planName": "a", "content": "more"}); !got.IsError || !strings.HasPrefix(got.Text(), "Plan file is read-only: "+path) {
		t.Errorf("over a read-only file: %q", got.Text())
	}
	if got := a.Versions(t); got[len(got)-1] == "more" {
		t.Error("a version was kept of what was not written")
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("in the directory are %v, %v", left, err)
	}
}

// A server that is killed while it writes leaves a temporary file, which is removed later.
func TestWhatAKilledServerLeftIsRemoved(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	dir := filepath.Dir(a.File("a"))
	for name, age := range map[string]time.Duration{
		".a-plan.md.0123.tmp": time.Hour, ".a-plan.md.4567.tmp": 0, ".b-plan.md.0123.tmp": time.Hour, ".a-plan.md.swp": time.Hour,
	} {
		a.Put(t, filepath.Join(dir, name), "x")
		then := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(dir, name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "# A"})
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range left {
		names = append(names, filepath.Base(path))
	}
	if got, want := strings.Join(names, " "), ".a-plan.md.4567.tmp .a-plan.md.swp .b-plan.md.0123.tmp"; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
}

func TestAPlanFileInASession(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	session := a.Session()
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one", "sessionId": session})
	a.Does(t, "edit_plan", map[string]any{"planName": "a", "oldString": "one", "newString": "two"}) // it stays there
	list, err := a.Store.Plans(t.Context(), session)
	if err != nil || len(list) != 2 || list[1].Name != "a" || list[1].By != "test" {
		t.Errorf("the session has %+v, %v", list, err)
	}
	if read := string(a.Request("resources/read", map[string]any{"uri": "planb://sessions/" + session}).Result); !strings.Contains(read, "- v2 of a-plan.md (planb://sessions/"+session+"/plans/2): ") {
		t.Errorf("as a resource: %s", read)
	}
	const unknown = "00000000-0000-7000-8000-00000000abcd"
	a.Refused(t, "write_plan", map[string]any{"planName": "a", "content": "x", "sessionId": unknown},
		`Unknown sessionId "`+unknown+`". Call init_planb_session first, then pass the returned id to write_plan.`)
	mcptest.WantText(t, a.File("a"), "two")
}

// An approval is one of a text; the next version is not approved.
func TestAnApprovalLapses(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
	call := a.StartTool("submit_plan", map[string]any{"planName": "a"})
	ask := a.Opened(1)[0]
	a.Settle(ask.ID, mcptest.Says(t, "one", review.Review{Verdict: review.Approve}))
	a.Answer(call)
	const want = "The user approved version 1 of this plan; version 2 is NOT approved: submit it before you carry it out."
	if got := a.Does(t, "edit_plan", map[string]any{"planName": "a", "oldString": "one", "newString": "two"}); got.Note != want {
		t.Errorf("the note is %q", got.Note)
	}
	if got := a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"}); got.Note != "" {
		t.Errorf("back at what was approved, the note is %q", got.Note)
	}
}

// Servers of other processes work on the same file: every edit is in it at the end.
func TestManyServersEditOnePlan(t *testing.T) {
	t.Parallel()
	const servers, each = 4, 5
	data := t.TempDir()
	first := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.DataDir = data })
	first.Does(t, "write_plan", map[string]any{"planName": "a", "content": "end"})
	var group sync.WaitGroup
	for n := range servers {
		w := mcptest.WorldOver(t, first.Store, func(cfg *mcp.Config) {
			mcptest.WithReviews(cfg)
			cfg.DataDir = data
			cfg.WorkingDir = first.Project
		})
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		group.Go(func() {
			for i := range each {
				line := fmt.Sprintf("server %d, edit %d\nend", n, i)
				if got := c.Tool("edit_plan", map[string]any{"planName": "a", "oldString": "end", "newString": line}); got.IsError || strings.Contains(got.Text(), "note") {
					t.Error(got.Text())
				}
			}
		})
	}
	group.Wait()
	text, err := os.ReadFile(first.File("a"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range servers {
		for i := range each {
			if line := fmt.Sprintf("server %d, edit %d\n", n, i); strings.Count(string(text), line) != 1 {
				t.Errorf("%q is not there once", line)
			}
		}
	}
	if got := len(first.Versions(t)); got != 1+servers*each {
		t.Errorf("%d versions", got)
	}
}

// While a file cannot be written, what was to be written is kept all the same.
func TestAPlanThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	a := mcptest.NewAuthor(t, nil)
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
	dir := filepath.Dir(a.File("a"))
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	got := a.Tool("write_plan", map[string]any{"planName": "a", "content": "two"})
	if !got.IsError || !strings.Contains(got.Text(), "permission denied; the text itself is kept as version 2 of session ") {
		t.Errorf("got %q", got.Text())
	}
	a.WantVersions(t, "one", "two")
	mcptest.WantText(t, a.File("a"), "one")
}

// A session is submitted with what save_plan saved in it; plan files go by name.
func TestASessionIsSubmittedWithoutItsPlanFiles(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	session := a.Session()
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "# A\n", "sessionId": session})
	a.Does(t, "write_plan", map[string]any{"planName": "b", "content": "# B\n", "sessionId": session})
	a.Refused(t, "submit_plan", map[string]any{"sessionId": session}, "Nothing was saved with save_plan in this session, only plan files: pass planName, b or a.")
	a.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# Saved\n"})
	a.Does(t, "edit_plan", map[string]any{"planName": "a", "oldString": "A", "newString": "C", "sessionId": session})
	a.StartTool("submit_plan", map[string]any{"sessionId": session})
	if of := a.Opened(1)[0].Spec.Plan; of.Name != "" || of.Number != 3 {
		t.Errorf("submitted is %+v", of)
	}
}
