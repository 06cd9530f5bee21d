package drafts_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/drafts/draftstest"
	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/store/runs"
)

// prompt is that of the workshop.
func prompt(t *testing.T) string { return string(draftstest.File(t, "prompt.txt")) }

// plans is how many plans the store has.
func plans(t *testing.T, w *mcptest.World) int {
	t.Helper()
	list, err := w.Store.Drafts().List(t.Context(), nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// Section 9, 6: where no time is set, each request begins another draft.
func TestEqualRequestsWithoutATime(t *testing.T) {
	t.Parallel()
	w := world(t, func(cfg *mcp.Config) { cfg.DraftDedup = 0 })
	c := connect(t, w, "codex")
	first := c.Tool("plan_create", map[string]any{"prompt": prompt(t)})
	if again := c.Tool("plan_create", map[string]any{"prompt": prompt(t)}); again.Data["plan_id"] == first.Data["plan_id"] || again.Data["deduplicated"] != nil || plans(t, w) != 2 {
		t.Errorf("again: %s", again.Text())
	}
}

// Black box 2: isJSON fails unless the first text of a result is its data.
func isJSON(t *testing.T, a mcptest.Answer) {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal([]byte(a.Texts()[0]), &got); err != nil {
		t.Fatalf("%s is no JSON: %v", a.Texts()[0], err)
	}
	if fmt.Sprint(got) != fmt.Sprint(a.Data) {
		t.Errorf("the text says %v, the data %v", got, a.Data)
	}
}

// wantCode fails unless a result is an error with the code.
func wantCode(t *testing.T, a mcptest.Answer, code string) {
	t.Helper()
	if !a.IsError || a.Data["code"] != code {
		t.Errorf("got %s (error %v), want %s", a.Text(), a.IsError, code)
	}
}

// written writes a plan until a step is asked for; to its end if the step is empty.
func written(t *testing.T, w *mcptest.World, c *mcptest.Client, until string) string {
	t.Helper()
	id := create(t, c)
	stop := ""
	if until != "" {
		stop = fmt.Sprintf(" %s · ", until)
	}
	m := &model{t: t, c: c, plan: id}
	m.follow("step_next", stop)
	return id
}

// V11, X1, T15; black box 4 to 7.
// X6: what is wrong is refused, and nothing is stored.
func TestPlanCreate(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	a := c.Tool("plan_create", map[string]any{"prompt": prompt(t)})
	isJSON(t, a)
	id := a.Data["plan_id"].(string)
	if !regexp.MustCompile(`^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("the id is %q", id)
	}
	if at, err := time.Parse(time.RFC3339Nano, a.Data["created_at"].(string)); err != nil || at.Location() != time.UTC {
		t.Errorf("created at %v, %v", a.Data["created_at"], err)
	}
	if want := regexp.MustCompile(`^Plan ` + id + `: you write it in 11 answers \(full: 25 to 32\); planb and the user do the other steps\. Here is the first step\. Do what each result says until one says DONE\.\nSTEP 1/12 brief · `); !want.MatchString(a.Texts()[1]) {
		t.Errorf("told was %q", a.Texts()[1])
	}
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			again := connect(t, w, "codex").Tool("plan_create", map[string]any{"prompt": prompt(t)})
			if again.Data["plan_id"] != id || again.Data["deduplicated"] != true {
				t.Errorf("again: %s", again.Text())
			}
		})
	}
	wait.Wait()
	if n := plans(t, w); n != 1 {
		t.Errorf("%d plans", n)
	}
	list, _, err := w.Store.Sessions(t.Context(), "", 100)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	const title = "Draft: I want to open a repair workshop for household appliances and bicycles i…"
	if got := list[0].Title.Raw(); got != title {
		t.Errorf("the session is called %q, want %q", got, title)
	}
	mine := map[string]any{"prompt": prompt(t), "client_request_id": "mine", "detail": "full"}
	first, second := c.Tool("plan_create", mine).Data["plan_id"], c.Tool("plan_create", mine).Data["plan_id"]
	if first == nil || first == id || second != first {
		t.Errorf("with a request id of its own: %v, then %v", first, second)
	}
	for _, row := range []struct {
		args map[string]any
		code string
		told string
	}{
		{map[string]any{"prompt": "Another prompt that is long enough.", "client_request_id": "mine"}, "CONFLICT", "mine"},
		{map[string]any{}, "INVALID_ARGUMENT", "prompt is missing"},
		{map[string]any{"prompt": "Too short."}, "INVALID_ARGUMENT", "got 10 characters; allowed: 20 and more"},
		{map[string]any{"prompt": strings.Repeat("long ", 4000)}, "INVALID_ARGUMENT", "allowed: at most 16,384"},
		{map[string]any{"prompt": prompt(t), "start_date": "next week"}, "INVALID_ARGUMENT", `start_date: got "next week"`},
		{map[string]any{"prompt": prompt(t), "start_date": "1066-01-01"}, "INVALID_ARGUMENT", `start_date: got "1066-01-01"; allowed: a day from 1900 to 2999, `},
		{map[string]any{"prompt": prompt(t), "detail": "huge"}, "INVALID_ARGUMENT", `detail: got "huge"`},
		{map[string]any{"prompt": prompt(t), "model_profile": "cheap"}, "INVALID_ARGUMENT", "model_profile: got cheap"},
		{map[string]any{"prompt": prompt(t), "model_profile": "baseline"}, "MODEL_PROFILES_UNAVAILABLE", "leave model_profile out"},
		{map[string]any{"prompt": prompt(t), "target": "paint_plan"}, "INVALID_TARGET", "build_plan"},
		{map[string]any{"prompt": prompt(t), "colour": "red"}, "INVALID_ARGUMENT", "colour"},
	} {
		got := c.Tool("plan_create", row.args)
		wantCode(t, got, row.code)
		isJSON(t, got)
		if !strings.Contains(got.Text(), strings.ReplaceAll(row.told, `"`, `\"`)) {
			t.Errorf("%s lacks %q", got.Text(), row.told)
		}
	}
	if n := plans(t, w); n != 2 {
		t.Errorf("after bad requests there are %d plans", n)
	}
}

// A prompt of which nobody sees anything is none, however long it is.
func TestABlankPromptBeginsNothing(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	const told = "what is to be planned, in 300 to 800 words."
	for blank, want := range map[string]string{
		"":                           `"prompt is missing: ` + told + `"`,
		strings.Repeat(" \n", 30):    `"prompt is missing: ` + told + `"`,
		strings.Repeat("\u200b", 30): `"prompt: got a blank text; allowed: ` + told + `"`,
	} {
		if got := c.Tool("plan_create", map[string]any{"prompt": blank}); !got.IsError || !strings.Contains(got.Text(), want) {
			t.Errorf("%q: got %.300s, want %s", blank, got.Text(), want)
		}
	}
	if n := plans(t, w); n != 0 {
		t.Errorf("%d drafts are begun", n)
	}
}

// A key that a client of other planners sends is taken without a word, and asked of nobody.
func TestAKeyIsAskedOfNobody(t *testing.T) {
	t.Parallel()
	c := connect(t, world(t, nil), "codex")
	if got := c.Tool("plan_create", map[string]any{"prompt": prompt(t), "user_api_key": "sk-1"}); got.IsError || strings.Contains(got.Text(), "sk-1") {
		t.Errorf("with a key: %.300s", got.Text())
	}
	if got := c.Tool("plan_create", map[string]any{"prompt": prompt(t), "colour": "red"}); !got.IsError || strings.Contains(got.Text(), "user_api_key") {
		t.Errorf("with an unknown argument: %.300s", got.Text())
	}
}

// T14; black box 3 and 8.
// V18: each code in its place.
func TestUnknownPlansAndTools(t *testing.T) {
	t.Parallel()
	c := connect(t, world(t, nil), "codex")
	for _, id := range []string{"019a0000-0000-7000-8000-000000000000", "mine", "../x"} {
		for _, tool := range []string{"plan_status", "plan_stop", "plan_resume", "plan_retry", "plan_file_info", "plan_download", "plan_logs", "step_next"} {
			wantCode(t, c.Tool(tool, map[string]any{"plan_id": id}), "PLAN_NOT_FOUND")
		}
		wantCode(t, c.Tool("step_submit", map[string]any{"plan_id": id, "step": "brief", "output": "{}"}), "PLAN_NOT_FOUND")
		wantCode(t, c.Tool("step_edit", map[string]any{"plan_id": id, "step": "brief", "sha256": "x", "regenerate": true}), "PLAN_NOT_FOUND")
	}
	wantCode(t, c.Tool("plan_status", nil), "PLAN_NOT_FOUND")
	if r := c.Request("tools/call", map[string]any{"name": "plan_paint"}); r.Error == nil || !strings.Contains(r.Error.Message, "plan_create") {
		t.Errorf("an unknown tool: %+v", r.Error)
	}
}

// V13, T7, T9, X5; black box 9 to 14.
func TestPlanStatus(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	person(t, w)
	c := connect(t, w, "codex")
	id := create(t, c)
	status := func() map[string]any {
		a := c.Tool("plan_status", map[string]any{"plan_id": id})
		isJSON(t, a)
		return a.Data
	}
	first := status()
	timing := first["timing"].(map[string]any)
	if first["state"] != "processing" || first["progress_percentage"] != 0.0 || timing["last_progress_at"] != nil || timing["started_at"] != nil {
		t.Errorf("at first: %v", first)
	}
	m := &model{t: t, c: c, plan: id}
	text, last := m.call("step_next", map[string]any{"plan_id": id}), 0.0
	for !strings.Contains(text, "DONE: ") {
		step := stepLine.FindStringSubmatch(text)
		text = m.call("step_submit", map[string]any{"plan_id": id, "step": step[1], "lease": step[2], "output": string(draftstest.File(t, step[1]+".json"))})
		now := status()
		if p := now["progress_percentage"].(float64); p < last || p == last && step[1] != "scenarios.1" && step[1] != "summary" { // the first of two answers
			t.Errorf("after %s the progress is %v, before %v", step[1], p, last)
		} else {
			last = p
		}
		if _, failed := now["error"]; failed {
			t.Errorf("no error, and told: %v", now["error"])
		}
		if now["state"] == "processing" && now["current_step"].(map[string]any)["label"] == "" {
			t.Errorf("no label: %v", now["current_step"])
		}
		files := now["files"].([]any)
		if len(files) > 10 || now["files_count"].(float64) < float64(len(files)) {
			t.Errorf("%d files of %v", len(files), now["files_count"])
		}
		if !slices.IsSortedFunc(files, func(a, b any) int { return cmp.Compare(updated(t, b), updated(t, a)) }) {
			t.Errorf("the newest files are not first: %v", files)
		}
		for _, file := range files {
			path := file.(map[string]any)["path"]
			if info := c.Tool("plan_file_info", map[string]any{"plan_id": id, "artifact": path}); info.Data["ready"] == false {
				t.Errorf("after %s %s is listed, and there is none: %s", step[1], path, info.Text())
			}
		}
	}
	done := status()
	if done["state"] != "completed" || done["progress_percentage"] != 100.0 || done["steps_completed"] != 12.0 {
		t.Errorf("at last: %v", done)
	}
	if !strings.Contains(fmt.Sprint(done["files"]), "report.html") {
		t.Errorf("the report is not listed: %v", done["files"])
	}
	if latest := c.Tool("plan_status", nil).Data["plan_id"]; latest != id {
		t.Errorf("the latest is %v", latest)
	}
}

// updated is when a listed file was made, in nanoseconds.
func updated(t *testing.T, listed any) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(listed.(map[string]any)["updated_at"]))
	if err != nil {
		t.Error(err)
	}
	return at.UnixNano()
}

// T8, T10, T11, V23; black box 12, 13, 15 to 17, 19.
// X3: failed and stopped plans are retried and resumed, and no others.
func TestPlansStopFailResumeAndRetry(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	person(t, w)
	c := connect(t, w, "codex")
	id := written(t, w, c, "risks")
	call := func(tool string, more map[string]any) mcptest.Answer {
		t.Helper()
		args := map[string]any{"plan_id": id}
		for name, value := range more {
			args[name] = value
		}
		return c.Tool(tool, args)
	}
	wantCode(t, call("plan_resume", nil), "PLAN_NOT_RESUMABLE")
	wantCode(t, call("plan_retry", nil), "PLAN_NOT_FAILED")
	stop := call("plan_stop", map[string]any{"reason": "lunch"})
	isJSON(t, stop)
	if stop.Data["state"] != "stopped" || stop.Data["stop_requested"] != true || call("plan_stop", nil).Data["stop_requested"] != false {
		t.Errorf("plan_stop: %s", stop.Text())
	}
	if text := call("step_next", nil).Text(); !regexp.MustCompile(`^STOPPED by codex at \d\d:\d\d: lunch\. Do no more\. If the user wants to go on: plan_resume \{"plan_id":"` + id + `"\}\.$`).MatchString(text) {
		t.Errorf("step_next of a stopped plan: %s", text)
	}
	brief := func() string {
		return call("plan_file_info", map[string]any{"artifact": "steps/01-brief.json"}).Data["sha256"].(string)
	}
	before := brief()
	for n := 1.0; n <= 2; n++ {
		got := call("plan_resume", nil)
		isJSON(t, got)
		if got.Data["resume_count"] != n || brief() != before {
			t.Errorf("resumed: %s", got.Text())
		}
		call("plan_stop", nil)
	}
	call("plan_resume", nil)
	gaveUp := call("step_submit", map[string]any{"step": "risks", "give_up": "there are none"})
	if want := `FAILED at risks: there are none. Do no more. If the user wants to go on: plan_resume {"plan_id":"` + id + `"}.`; gaveUp.Text() != want {
		t.Errorf("gave up: %s", gaveUp.Text())
	}
	status := call("plan_status", nil)
	failure := status.Data["error"].(map[string]any)
	for name, want := range map[string]any{"failure_reason": "generation_error", "failed_step": "risks", "message": "there are none", "recoverable": true} {
		if failure[name] != want {
			t.Errorf("%s is %v", name, failure[name])
		}
	}
	if zip := call("plan_download", map[string]any{"artifact": "zip"}); zip.IsError || zip.Data["saved_path"] == nil {
		t.Errorf("the zip of a failed plan: %s", zip.Text())
	}
	retried := call("plan_retry", nil)
	isJSON(t, retried)
	if retried.Data["plan_id"] != id || retried.Data["state"] != "pending" || retried.Data["retried_at"] == nil {
		t.Errorf("plan_retry: %s", retried.Text())
	}
	if now := call("plan_status", nil).Data; now["progress_percentage"] != 0.0 || now["timing"].(map[string]any)["last_progress_at"] != nil {
		t.Errorf("after a retry: %v", now)
	}
	m := &model{t: t, c: c, plan: id}
	m.follow("step_next", "")
	wantCode(t, call("plan_resume", nil), "PLAN_NOT_RESUMABLE")
	wantCode(t, call("plan_retry", nil), "PLAN_NOT_FAILED")
	events := call("plan_logs", map[string]any{"max_lines": 5})
	isJSON(t, events)
	if list := events.Data["events"].([]any); len(list) != 5 || list[4].(map[string]any)["state"] != "completed" {
		t.Errorf("plan_logs: %s", events.Text())
	}
	from := call("plan_logs", map[string]any{"since_cursor": 0, "max_lines": 2})
	if list := from.Data["events"].([]any); list[0].(map[string]any)["type"] != "plan_created" || from.Data["next_cursor"] != 2.0 {
		t.Errorf("plan_logs from the beginning: %s", from.Text())
	}
}

// V28, X7; black box 22.
func TestPlanList(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	if a := c.Tool("plan_list", nil); len(a.Data["plans"].([]any)) != 0 || !strings.Contains(a.Data["message"].(string), "plan_create") {
		t.Errorf("an empty list: %s", a.Text())
	}
	var ids []string
	for n := range 12 {
		a := c.Tool("plan_create", map[string]any{"prompt": fmt.Sprintf("%d: %s", n, prompt(t))})
		ids = append(ids, a.Data["plan_id"].(string))
	}
	for _, row := range []struct{ limit, want int }{{0, 1}, {3, 3}, {10, 10}, {1000, 12}} {
		a := c.Tool("plan_list", map[string]any{"limit": row.limit})
		isJSON(t, a)
		list := a.Data["plans"].([]any)
		if len(list) != row.want {
			t.Errorf("limit %d: %d plans", row.limit, len(list))
		}
		for i, entry := range list {
			p := entry.(map[string]any)
			if p["plan_id"] != ids[len(ids)-1-i] || len([]rune(p["prompt_excerpt"].(string))) > 100 {
				t.Errorf("plan %d is %v", i, p)
			}
		}
	}
	if list := c.Tool("plan_list", nil).Data["plans"].([]any); len(list) != 10 {
		t.Errorf("by default %d plans", len(list))
	}
}

// What the list advises is for drafts that stand as those of the list.
func TestPlanListGoesOnAsTheDraftsStand(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	message := func() string { return fmt.Sprint(c.Tool("plan_list", nil).Data["message"]) }
	id := c.Tool("plan_create", map[string]any{"prompt": prompt(t)}).Data["plan_id"]
	if got := message(); !strings.Contains(got, "step_next") || strings.Contains(got, "plan_resume") {
		t.Errorf("of a draft that is written: %s", got)
	}
	c.Tool("plan_stop", map[string]any{"plan_id": id})
	if got := message(); strings.Contains(got, "step_next") || !strings.Contains(got, "goes on with plan_resume, if the user wants that") {
		t.Errorf("of a stopped draft: %s", got)
	}
	c.Tool("plan_create", map[string]any{"prompt": "Another one. " + prompt(t)})
	if got := message(); !strings.Contains(got, "step_next") || !strings.Contains(got, "plan_resume") {
		t.Errorf("of both: %s", got)
	}
}

// Files of a draft of which nothing is written yet are as old as the draft.
func TestFilesOfADraftWithoutOutputs(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	created := c.Tool("plan_create", map[string]any{"prompt": prompt(t)})
	id, list := created.Data["plan_id"], c.Tool("plan_list", nil).Data["plans"].([]any)
	made, err := time.Parse(time.RFC3339, fmt.Sprint(list[0].(map[string]any)["created_at"]))
	if err != nil {
		t.Fatal(err)
	}
	want := made.UTC().Truncate(time.Second).Format(time.RFC3339)
	// Its first step is given to the agent.
	if one, other := list[0].(map[string]any)["state"], c.Tool("plan_status", map[string]any{"plan_id": id}).Data["state"]; one != "processing" || other != one {
		t.Errorf("listed it is %v, and looked at %v", one, other)
	}
	files := c.Tool("plan_status", map[string]any{"plan_id": id}).Data["files"].([]any)
	if len(files) == 0 {
		t.Error("no files are listed")
	}
	for _, f := range files {
		if at := f.(map[string]any)["updated_at"]; at != want {
			t.Errorf("%v is of %v, want %s", f.(map[string]any)["path"], at, want)
		}
	}
	if got := c.Tool("plan_file_info", map[string]any{"plan_id": id, "artifact": "plan.txt"}); got.Data["generated_at"] != want {
		t.Errorf("plan.txt was generated at %v, want %s", got.Data["generated_at"], want)
	}
}

// T3 to T5, X11; black box 23.
func TestExamples(t *testing.T) {
	t.Parallel()
	c := connect(t, world(t, nil), "codex")
	a := c.Tool("example_prompts", nil)
	isJSON(t, a)
	list := a.Data["samples"].([]any)
	if len(list) != 5 {
		t.Fatalf("%d samples", len(list))
	}
	for _, entry := range list {
		s := entry.(map[string]any)
		whole := c.Tool("example_prompts", map[string]any{"id": s["id"]})
		text := whole.Data["samples"].([]any)[0].(map[string]any)["prompt"].(string)
		if n := len(strings.Fields(text)); n < 300 || n > 800 || strings.HasSuffix(text, "…") {
			t.Errorf("%v has %d words", s["id"], n)
		}
	}
	wantCode(t, c.Tool("example_prompts", map[string]any{"id": "none"}), "INVALID_ARGUMENT")
	plans := c.Tool("example_plans", nil)
	isJSON(t, plans)
	example := plans.Data["plans"].([]any)[0].(map[string]any)
	for _, uri := range []any{example["report_url"], example["zip_url"]} {
		if r := c.Request("resources/read", map[string]any{"uri": uri}); r.Error != nil {
			t.Errorf("%v: %+v", uri, r.Error)
		}
	}
	wantCode(t, c.Tool("model_profiles", nil), "MODEL_PROFILES_UNAVAILABLE")
}

// T3: the example is read as any other plan, and no tool changes it.
func TestTheExampleIsOnlyRead(t *testing.T) {
	t.Parallel()
	c := connect(t, world(t, nil), "codex")
	if got := c.Tool("plan_status", map[string]any{"plan_id": "example"}); got.Data["state"] != "completed" || got.Data["progress_percentage"] != float64(100) {
		t.Errorf("it stands at %s", got.Text())
	}
	got := c.Tool("plan_file_info", map[string]any{"plan_id": "example", "artifact": "report.md", "offset": 0})
	if texts := got.Texts(); got.IsError || !strings.Contains(texts[len(texts)-1], "## Summary") {
		t.Errorf("its report is %.300s", got.Text())
	}
	if text := c.Tool("step_next", map[string]any{"plan_id": "example"}).Text(); !strings.HasPrefix(text, "DONE") {
		t.Errorf("step_next: %s", text)
	}
	sha := c.Tool("plan_file_info", map[string]any{"plan_id": "example", "artifact": "risks"}).Data["sha256"]
	for tool, args := range map[string]map[string]any{
		"step_edit":   {"step": "risks", "sha256": sha, "regenerate": true},
		"plan_resume": {"detail": "full"}, "plan_retry": {}, "plan_stop": {},
	} {
		args["plan_id"] = "example"
		if got := c.Tool(tool, args); !strings.Contains(got.Text(), "only to be read") {
			t.Errorf("%s: %s", tool, got.Text())
		}
	}
	if list := c.Tool("plan_list", nil).Data["plans"].([]any); len(list) != 0 {
		t.Errorf("it is listed among the user's plans: %v", list)
	}
}

// Who edits the last step that is written goes on with the next one.
func TestAnEditOnWhichNothingRests(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	id := written(t, w, c, "scenarios")
	c.Tool("step_submit", map[string]any{"plan_id": id, "step": "scenarios", "output": string(draftstest.File(t, "scenarios.json")), "next": false})
	scenarios := c.Tool("plan_file_info", map[string]any{"plan_id": id, "artifact": "scenarios"}).Data["sha256"]
	got := strings.Join(c.Tool("step_edit", map[string]any{"plan_id": id, "step": "scenarios", "sha256": scenarios, "edits": []any{map[string]any{"oldString": "about 44,000", "newString": "about 45,000"}}}).Texts(), "\n")
	if want := `Nothing else has to be written again. Call step_next {"plan_id":"` + id + `"}.`; !strings.Contains(got, want) {
		t.Errorf("told is %s, want %s", got, want)
	}
}

// V3, V4: a section is read, edited and written again.
func TestStepEdit(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	person(t, w)
	c := connect(t, w, "codex")
	id := written(t, w, c, "")
	sha := func(path string) string {
		return c.Tool("plan_file_info", map[string]any{"plan_id": id, "artifact": path}).Data["sha256"].(string)
	}
	read := func() runs.Whole {
		got, err := w.Store.Drafts().Plan(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	edit := func(step, sha string, more map[string]any) mcptest.Answer {
		more["plan_id"], more["step"], more["sha256"] = id, step, sha
		return c.Tool("step_edit", more)
	}
	risks := read().Draft.Records["risks"]
	old := read().Draft.Output("risks").Records("risks")[0].Text("action")
	wantConflict := func(sha, want string) {
		t.Helper()
		got := edit("risks", sha, map[string]any{"regenerate": true})
		if wantCode(t, got, "CONFLICT"); !strings.HasPrefix(fmt.Sprint(got.Data["message"]), want) {
			t.Errorf("got %v, want %s", got.Data["message"], want)
		}
	}
	wantConflict(strings.Repeat("0", 64), "The step risks has another sha256 than the one you gave: the step was changed since you read it, or you gave a wrong one. Its sha256 is "+risks.SHA256)
	wantCode(t, edit("risks", risks.SHA256, map[string]any{}), "INVALID_ARGUMENT")
	wantCode(t, edit("risks", risks.SHA256, map[string]any{"edits": []any{map[string]any{"oldString": "nowhere to be found", "newString": "x"}}}), "INVALID_ARGUMENT")
	many := make([]any, 101)
	for i := range many {
		many[i] = map[string]any{"oldString": old, "newString": old}
	}
	wantCode(t, edit("risks", risks.SHA256, map[string]any{"edits": many}), "INVALID_ARGUMENT")
	wantCode(t, edit("risks", risks.SHA256, map[string]any{"edits": []any{map[string]any{"oldString": old, "newString": strings.Repeat("x ", 40_000)}}}), "INVALID_ARGUMENT")
	for _, way := range []map[string]any{{"edits": many[:1]}, {"output": read().Draft.Output("risks")}} {
		way["guidance"] = "Name who acts."
		if got := edit("risks", risks.SHA256, way); !strings.Contains(got.Text(), "guidance: got one beside edits or output; allowed: only with regenerate") {
			t.Errorf("guidance beside %v: %s", way, got.Text())
		}
	}
	wantCode(t, edit("risks", risks.SHA256, map[string]any{"output": map[string]any{"risks": []any{}}}), "STEP_INVALID")
	wantCode(t, edit("rusks", risks.SHA256, map[string]any{"regenerate": true}), "STEP_NOT_FOUND")
	wantCode(t, edit("schedule", read().Draft.Records["schedule"].SHA256, map[string]any{"regenerate": true}), "PERMISSION_DENIED")
	for _, gate := range []string{"choose", "confirm"} {
		got := edit(gate, read().Draft.Records[gate].SHA256, map[string]any{"regenerate": true})
		wantCode(t, got, "PERMISSION_DENIED")
		if got.Data["message"] != "Only the user decides this." {
			t.Errorf("told: %v", got.Data["message"])
		}
	}
	before := sha("steps/09-risks.json")
	got := edit("risks", risks.SHA256, map[string]any{"edits": []any{map[string]any{"oldString": old, "newString": "Ask the landlord first, in writing."}}})
	isJSON(t, got)
	if got.IsError || fmt.Sprint(got.Data["dirty"]) == "[]" || sha("steps/09-risks.json") == before {
		t.Fatalf("step_edit: %s", got.Text())
	}
	if now := read(); now.State != runs.Pending || !now.Draft.Records["risks"].Edited || now.Draft.Records["risks"].By != "codex" {
		t.Errorf("the plan is %+v", now.Summary)
	}
	wantConflict(risks.SHA256, "The step risks was changed since you read it. Its sha256 is ")
	got = edit("risks", got.Data["sha256"].(string), map[string]any{"regenerate": true, "guidance": "Name who acts."})
	if got.IsError {
		t.Fatalf("step_edit: %s", got.Text())
	}
	text := c.Tool("step_next", map[string]any{"plan_id": id}).Text()
	if !strings.Contains(text, "STEP 8/12 risks") || !strings.Contains(text, "Name who acts.") {
		t.Errorf("the step is given as %.300s", text)
	}
	(&model{t: t, c: c, plan: id}).follow(text, "")
	if done := read(); done.State != runs.Completed || done.Number != 2 {
		t.Errorf("written again: %+v", done.Summary)
	}
	anna := runs.Caller{Name: "anna@home", Person: true}
	edited := read().Draft
	output := edited.Output("risks")
	output.Records("risks")[0]["action"] = "Ask Anna first."
	now, _, err := w.Store.Drafts().Edit(t.Context(), anna, runs.Edit{Plan: id, Step: "risks", SHA256: edited.Records["risks"].SHA256, Output: output})
	if err != nil {
		t.Fatal(err)
	}
	risks = now.Draft.Records["risks"]
	for _, way := range []map[string]any{
		{"edits": []any{map[string]any{"oldString": "Ask Anna first.", "newString": "Ask nobody."}}}, {"output": edited.Output("risks")}, {"regenerate": true},
	} {
		got := edit("risks", risks.SHA256, way)
		wantCode(t, got, "PERMISSION_DENIED")
		if want := "The user edited the step risks, and no agent writes over that. Tell them what you would change. " +
			"In  planb tui drafts " + id + "  they edit Risks with the key e, or have it written again with g."; got.Data["message"] != want {
			t.Errorf("told: %v", got.Data["message"])
		}
	}
	if now := read().Draft.Records["risks"]; now.SHA256 != risks.SHA256 || !now.Edited || now.By != "anna@home" {
		t.Errorf("the person's edit is gone: %+v", now)
	}
	if _, _, err := w.Store.Drafts().Regenerate(t.Context(), anna, id, "risks", risks.SHA256, ""); err != nil {
		t.Fatal(err)
	}
	if got := edit("risks", risks.SHA256, map[string]any{"regenerate": true, "guidance": "Shorter."}); got.IsError {
		t.Errorf("once the person had it written again: %s", got.Text())
	}
}

// V8: no agent changes a draft that the person put into their archive. What the person does
// takes it out.
func TestADraftInTheArchive(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	id := written(t, w, c, "scenarios")
	draft := func() runs.Whole {
		got, err := w.Store.Drafts().Plan(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	brief := draft().Draft.Records["brief"].SHA256
	if c.Tool("plan_stop", map[string]any{"plan_id": id}).IsError {
		t.Fatal("it was not stopped")
	}
	if _, err := w.Store.Archive(t.Context(), draft().Session, true); err != nil {
		t.Fatal(err)
	}
	before := draft()
	for tool, args := range map[string]map[string]any{
		"step_edit": {"step": "brief", "sha256": brief, "regenerate": true}, "plan_resume": {}, "plan_retry": {},
	} {
		args["plan_id"] = id
		a := c.Tool(tool, args)
		if wantCode(t, a, "RUNNING_READONLY"); !strings.Contains(a.Text(), "into their archive") {
			t.Errorf("%s: %s", tool, a.Text())
		}
	}
	if now := draft(); now.Cursor != before.Cursor {
		t.Errorf("an event was added: %+v", now.Summary)
	}
	anna := runs.Caller{Name: "anna@home", Person: true}
	if _, _, err := w.Store.Drafts().Resume(t.Context(), anna, id, runs.Resumption{}); err != nil {
		t.Fatal(err)
	}
	if session, err := w.Store.Session(t.Context(), before.Session); err != nil || session.InArchive() {
		t.Errorf("the person goes on in the session, and it is in the archive, %v", err)
	}
	if a := c.Tool("step_edit", map[string]any{"plan_id": id, "step": "brief", "sha256": brief, "regenerate": true}); a.IsError {
		t.Errorf("afterwards: %s", a.Text())
	}
}

// A client passes on every step whole, whatever it takes.
func TestEveryStepFitsEveryClient(t *testing.T) {
	t.Parallel()
	for client, most := range map[string]int{"codex": 9_500, "claude-code": 48_000, "opencode": 48_000, "somebody": 9_500} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			w := world(t, nil)
			person(t, w)
			c := connect(t, w, client)
			m := &model{t: t, c: c, plan: create(t, c)}
			m.follow("step_next", "")
			for _, text := range m.seen {
				raw, err := json.Marshal(text)
				if err != nil || len(raw) > most || bytes.Contains(raw, []byte("characters in all")) {
					t.Errorf("%d bytes of JSON, %v: %.80s", len(raw), err, text)
				}
			}
		})
	}
}

// Section 2: only the user changes the verdict on a prompt. Nothing that is refused is offered.
func TestAPromptThatCannotBePlanned(t *testing.T) {
	t.Parallel()
	w := world(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"session", "drafts"} })
	c := connect(t, w, "codex")
	id := create(t, c)
	var brief map[string]any
	if err := json.Unmarshal(draftstest.File(t, "brief.json"), &brief); err != nil {
		t.Fatal(err)
	}
	brief["verdict"], brief["reason"], brief["why"] = "unusable", "no_goal", "It names no goal."
	submitted := c.Tool("step_submit", map[string]any{"plan_id": id, "step": "brief", "output": brief})
	plan := map[string]any{"plan_id": id}
	for about, text := range map[string]string{
		"step_submit": submitted.Text(), "step_next": c.Tool("step_next", plan).Text(), "plan_status": c.Tool("plan_status", plan).Text(),
		"plan_resume": c.Tool("plan_resume", plan).Text(), "plan_retry": c.Tool("plan_retry", plan).Text(),
		"another session": connect(t, w, "claude-code").Tool("init_planb_session", map[string]any{}).Text(),
	} {
		for _, want := range []string{"no goal: It names no goal", "Only the user changes that verdict", "the key e on Brief in  planb tui drafts " + id, "call plan_create"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q: %s", about, want, text)
			}
		}
		for _, never := range []string{"plan_resume", "plan_retry", "goal..", "goal.)"} {
			if strings.Contains(text, never) {
				t.Errorf("%s says %q: %s", about, never, text)
			}
		}
	}
	wantCode(t, c.Tool("plan_resume", plan), "PLAN_NOT_RESUMABLE")
	wantCode(t, c.Tool("plan_retry", plan), "PLAN_NOT_RESUMABLE")
}

// The next session, client or day goes on where this one stopped.
func TestAnUnfinishedDraftIsNamedToTheNextSession(t *testing.T) {
	t.Parallel()
	w := world(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"session", "drafts"} })
	c := connect(t, w, "codex")
	id := create(t, c)
	other := connect(t, w, "claude-code")
	text := other.Tool("init_planb_session", map[string]any{}).Text()
	if !strings.Contains(text, `step_next {"plan_id":"`+id+`"}`) {
		t.Errorf("told was %s", text)
	}
	c.Tool("plan_stop", map[string]any{"plan_id": id, "reason": "enough for today"})
	text = other.Tool("init_planb_session", map[string]any{}).Text()
	if !strings.Contains(text, `stopped by codex (enough for today)`) || !strings.Contains(text, `plan_resume {"plan_id":"`+id+`"}`) {
		t.Errorf("told was %s", text)
	}
}

// What a connection does not see it does not write.
// V27: its resources are seen in its project alone.
func TestAPlanOfAnotherProject(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	id := create(t, c)
	elsewhere := mcptest.WorldOver(t, w.Store, func(cfg *mcp.Config) { cfg.Toolsets, cfg.WorkingDir = []string{"drafts"}, t.TempDir() })
	other := connect(t, elsewhere, "codex")
	got := other.Tool("plan_status", map[string]any{"plan_id": id})
	if want := "It is of another project: you can read it, and only an agent of that project goes on with it. " +
		`Of each file in files, plan_file_info {"plan_id":"` + id + `","artifact":"<path>","offset":0} gives the text.`; got.IsError || got.Texts()[1] != want {
		t.Errorf("reading by its id: %q", got.Texts())
	}
	for _, tool := range []string{"step_next", "plan_stop", "plan_resume", "plan_retry"} {
		wantCode(t, other.Tool(tool, map[string]any{"plan_id": id}), "PERMISSION_DENIED")
	}
	if list := other.Tool("plan_list", nil).Data["plans"].([]any); len(list) != 0 {
		t.Errorf("listed elsewhere: %v", list)
	}
	for _, uri := range []string{"planb://drafts/" + id, "planb://drafts/" + id + "/graph.json", "planb://drafts/" + id + "/files/plan.txt"} {
		if r := c.Request("resources/read", map[string]any{"uri": uri}); r.Error != nil {
			t.Errorf("%s: %+v", uri, r.Error)
		}
		if r := other.Request("resources/read", map[string]any{"uri": uri}); r.Error == nil {
			t.Errorf("%s is read elsewhere", uri)
		}
	}
}

// A gate that is declined stops the plan, and the same form can be asked again.
func TestADeclinedGate(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	m := &model{t: t, c: c, plan: create(t, c)}
	m.follow("step_next", " scenarios · ")
	decline := func(call string) mcptest.Answer {
		asks := w.Opened(1)
		w.Settle(asks[0].ID, questions.Outcome{State: questions.Declined})
		return c.Answer(call)
	}
	step := stepLine.FindStringSubmatch(m.seen[len(m.seen)-1])
	got := decline(c.StartTool("step_submit", map[string]any{"plan_id": m.plan, "step": step[1], "lease": step[2], "output": string(draftstest.File(t, "scenarios.json"))}))
	if !strings.HasPrefix(got.Text(), "ACCEPTED scenarios (2 of 12), sha256 ") || !strings.Contains(got.Text(), "\nSTOPPED by you@example at ") {
		t.Errorf("told was %s", got.Text())
	}
	c.Tool("plan_resume", map[string]any{"plan_id": m.plan})
	if got := decline(c.StartTool("step_next", map[string]any{"plan_id": m.plan})); !strings.HasPrefix(got.Text(), "STOPPED by you@example at ") {
		t.Errorf("declined again: %s", got.Text())
	}
}

// A list that is longer than the client passes on has its newest drafts, and says how many more
// there are.
func TestALongPlanList(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	for n := range 50 {
		c.Tool("plan_create", map[string]any{"prompt": fmt.Sprintf("%d: %s", n, prompt(t))})
	}
	a := c.Tool("plan_list", map[string]any{"limit": 50})
	isJSON(t, a)
	list := a.Data["plans"].([]any)
	if want := fmt.Sprintf("Not listed here, because the list would be too long: %d.", 50-len(list)); len(list) < 20 || len(list) > 40 || !strings.Contains(a.Data["message"].(string), want) {
		t.Errorf("%d drafts are listed, and told is %v", len(list), a.Data["message"])
	}
	if excerpt := list[0].(map[string]any)["prompt_excerpt"].(string); !strings.HasPrefix(excerpt, "49: ") {
		t.Errorf("the first is %s", excerpt)
	}
}
