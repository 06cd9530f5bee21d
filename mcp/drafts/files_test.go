package drafts_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"planb/mcp"
	"planb/mcp/mcptest"
)

// T12, T13, V19, V27; black box 20 and 21.
func TestFilesOfAPlan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := world(t, func(cfg *mcp.Config) { cfg.WorkingDir = dir })
	person(t, w)
	c := connect(t, w, "codex")
	id := written(t, w, c, "risks")
	info := func(artifact string, more ...any) mcptest.Answer {
		t.Helper()
		args := map[string]any{"plan_id": id, "artifact": artifact}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return c.Tool("plan_file_info", args)
	}
	unready := func(reason string) {
		t.Helper()
		for _, artifact := range []string{"report", "report.md"} {
			if got := info(artifact); got.IsError || got.Data["ready"] != false || got.Data["reason"] != reason {
				t.Errorf("%s: %s", artifact, got.Text())
			}
		}
	}
	unready("processing")
	c.Tool("plan_stop", map[string]any{"plan_id": id})
	unready("stopped")
	c.Tool("plan_resume", map[string]any{"plan_id": id})
	c.Tool("step_submit", map[string]any{"plan_id": id, "step": "risks", "give_up": "no"})
	unready("failed")
	c.Tool("plan_resume", map[string]any{"plan_id": id})
	(&model{t: t, c: c, plan: id}).follow("step_next", "")

	for _, artifact := range []string{"report", "report.md", "zip", "plan.txt", "graph.json", "steps/07-facts.json", "steps/07-facts.md", "wbs.csv", "schedule.csv"} {
		got := info(artifact)
		isJSON(t, got)
		if at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(got.Data["generated_at"])); err != nil || at.IsZero() {
			t.Errorf("%s: generated at %v, %v", artifact, got.Data["generated_at"], err)
		}
		saved := c.Tool("plan_download", map[string]any{"plan_id": id, "artifact": artifact})
		isJSON(t, saved)
		path, _ := saved.Data["saved_path"].(string)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%s: %s, %v", artifact, saved.Text(), err)
		}
		sum := sha256.Sum256(data)
		if filepath.Dir(path) != dir || !strings.HasPrefix(filepath.Base(path), id+"-") {
			t.Errorf("saved as %s", path)
		}
		if got.Data["sha256"] != hex.EncodeToString(sum[:]) || got.Data["download_size"] != float64(len(data)) || saved.Data["sha256"] != got.Data["sha256"] {
			t.Errorf("%s: told %v of %d bytes", artifact, got.Data, len(data))
		}
		uri := got.Data["uri"].(string)
		text := c.Request("resources/read", map[string]any{"uri": uri})
		var contents struct {
			Contents []struct {
				Meta struct {
					Size      int       `json:"size"`
					SHA256    string    `json:"sha256"`
					Generated time.Time `json:"generated_at"`
				} `json:"_meta"`
			} `json:"contents"`
		}
		if err := json.Unmarshal(text.Result, &contents); err != nil || text.Error != nil || len(contents.Contents) != 1 {
			t.Fatalf("%s: %+v, %v", uri, text.Error, err)
		}
		if told := contents.Contents[0].Meta; told.Size != len(data) || told.SHA256 != got.Data["sha256"] || told.Generated.Format(time.RFC3339Nano) != got.Data["generated_at"] {
			t.Errorf("%s: read as a resource it says %+v, and plan_file_info %v", artifact, told, got.Data)
		}
	}
	read := info("steps/07-facts.json").Data["sha256"]
	if got := info("facts").Data["sha256"]; got != read {
		t.Errorf("the step facts by its id is %v, and by its path %v", got, read)
	}
	if got := c.Tool("step_edit", map[string]any{"plan_id": id, "step": "facts", "sha256": read, "edits": []any{map[string]any{"oldString": "offer", "newString": "offer"}}}); strings.Contains(got.Text(), "CONFLICT") {
		t.Errorf("the sha256 of the file is not that of the output in it: %s", got.Text())
	}
	again := c.Tool("plan_download", map[string]any{"plan_id": id})
	if path := again.Data["saved_path"].(string); !strings.HasSuffix(path, "-report-1.html") {
		t.Errorf("saved a second time as %s", path)
	}
	for _, artifact := range []string{"../plan.txt", "/etc/passwd", "steps/../plan.txt", "steps%2f07-facts.json", "nothing.txt", "steps/07-facts.json\x00"} {
		wantCode(t, info(artifact), "INVALID_ARTIFACT_URI")
		wantCode(t, c.Tool("plan_download", map[string]any{"plan_id": id, "artifact": artifact}), "INVALID_ARTIFACT_URI")
	}
	whole, at := "", 0.0
	for range 1000 {
		got := info("report.md", "offset", at, "max_bytes", 9000)
		whole += got.Texts()[1]
		next, more := got.Data["next_offset"].(float64)
		if at = next; !more {
			break
		}
	}
	if want, err := os.ReadFile(filepath.Join(dir, id+"-report.md")); err != nil || whole != string(want) {
		t.Errorf("read in parts the report has %d bytes, %v", len(whole), err)
	}
	long := strings.IndexFunc(info("appendix.md", "offset", 0).Texts()[1], func(r rune) bool { return r >= utf8.RuneSelf })
	if got := info("appendix.md", "offset", long, "max_bytes", 1); long < 0 || got.Data["next_offset"].(float64) <= float64(long) {
		t.Errorf("a part that is shorter than the character at %d goes on at %v", long, got.Data["next_offset"])
	}
	wantCode(t, info("report", "offset", 1e8), "INVALID_ARGUMENT")
	if got := info("report", "offset", -1).Text(); !strings.Contains(got, "from 0 to 1000000000;") {
		t.Errorf("an offset below 0: %s", got)
	}
}

// PERMISSION_DENIED, DOWNLOAD_FAILED.
// X10: a file that was not written whole is no download.
func TestWhereAFileIsSaved(t *testing.T) {
	t.Parallel()
	dir, reports, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	w := world(t, func(cfg *mcp.Config) {
		cfg.WorkingDir = dir
		cfg.Env = func(name string) string { return map[string]string{"PLANEXE_PATH": reports}[name] }
	})
	c := connect(t, w, "codex")
	id := create(t, c)
	if err := os.Symlink(elsewhere, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	save := func(to string) mcptest.Answer {
		return c.Tool("plan_download", map[string]any{"plan_id": id, "artifact": "plan.txt", "dir": to})
	}
	for to, want := range map[string]string{"": reports, "new/below": filepath.Join(dir, "new/below"), filepath.Join(reports, "x"): filepath.Join(reports, "x")} {
		if got := save(to); got.IsError || filepath.Dir(got.Data["saved_path"].(string)) != want {
			t.Errorf("%q: %s", to, got.Text())
		}
	}
	for _, to := range []string{elsewhere, "..", "../x", "/", "link", "link/x", "~", "~/x"} {
		wantCode(t, save(to), "PERMISSION_DENIED")
	}
	wantCode(t, save("file"), "DOWNLOAD_FAILED")
	if _, err := os.Lstat(filepath.Join(dir, "~")); err == nil {
		t.Error("a directory was made that is called ~")
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) != 0 {
		t.Errorf("outside there is %v, %v", left, err)
	}
}
