package drafts

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"planb/drafts"
	"planb/mcp/tool"
	"planb/store"
	"planb/store/runs"
)

// statusTool is plan_status.
func (s *toolset) statusTool() tool.Tool {
	return tool.Tool{Name: "plan_status", Title: "How a draft stands", Description: statusDescription, Schema: statusSchema, Hints: tool.Hints{ReadOnly: true, Idempotent: true}, Serve: s.reads(s.status)}
}

const statusDescription = "How a draft stands. Without plan_id: the newest of this project."

const statusSchema = `{"type":"object","properties":{"plan_id":{"type":"string"},"wait_seconds":{"type":"number","minimum":0,"description":"Wait for a change"}}}`

// maxFiles is how many files a status names.
const maxFiles = 10

// status is how a plan stands, as data.
type status struct {
	Plan     string       `json:"plan_id"`
	Session  string       `json:"sessionId"`
	Title    string       `json:"title,omitempty"`
	State    string       `json:"state"`
	Progress float64      `json:"progress_percentage"`
	Timing   timing       `json:"timing"`
	Done     int          `json:"steps_completed"`
	Of       int          `json:"steps_total"`
	Current  *atStep      `json:"current_step"`
	Count    int          `json:"files_count"`
	Files    []listedFile `json:"files"`

	Mode    runs.Mode     `json:"mode"`
	Run     int           `json:"run"`
	Ready   []string      `json:"ready"`
	Dirty   []string      `json:"dirty"`
	Writing []string      `json:"writing"`
	Waiting *waitingFor   `json:"waiting_for,omitempty"`
	Stalled bool          `json:"stalled"`
	Stop    *runs.Stop    `json:"stop,omitempty"`
	Error   *runs.Failure `json:"error,omitempty"` // of a failed plan alone
	tool.Facts
}

type timing struct {
	Started  *time.Time `json:"started_at"`
	Elapsed  float64    `json:"elapsed_sec"`
	Progress *time.Time `json:"last_progress_at"`
}

// atStep is the step that is being written, or the first that can be.
type atStep struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

type listedFile struct {
	Path    string    `json:"path"`
	Updated time.Time `json:"updated_at"`
}

// waitingFor is the form that the user has to answer.
type waitingFor struct {
	Step string `json:"step"`
	Ask  string `json:"askId,omitempty"`
	Tell string `json:"command,omitempty"` // that shows the form
}

// Bound implements tool.Data.
func (d *status) Bound() {
	d.Files = nil
	d.Facts.Bound()
}

// status serves plan_status.
func (s *toolset) status(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("plan_status", raw)
	id := args.Text("plan_id", "task_id", "id")
	seconds, _ := args.Number("wait_seconds", maxWait, "timeout_sec")
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	w, failure := s.plan(ctx, c, id, false, false)
	if failure != nil {
		return failure
	}
	if seconds > 0 && !w.State.Ended() {
		s.waitForChange(ctx, c, w, s.limit(c, time.Duration(seconds*float64(time.Second))))
		if w, failure = s.plan(ctx, c, w.ID, false, false); failure != nil {
			return failure
		}
	}
	data, err := s.stand(ctx, w)
	if err != nil {
		return tool.NotStored(w.Session, "How the draft stands could not be read", err)
	}
	if s.AgentWrites && w.State != runs.Completed {
		switch foreign, failure := c.IsForeign(ctx, w.Session); {
		case failure != nil:
			return failure
		case foreign:
			return said(w.Session, data, elsewhere(w.ID))
		}
	}
	return said(w.Session, data, s.whatNext(w, data))
}

// stand finds out how a plan stands.
func (s *toolset) stand(ctx context.Context, w runs.Whole) (*status, error) {
	data := &status{
		Plan: w.ID, Session: w.Session, Title: w.Title.Raw(), State: string(w.State), Progress: percent(w.Summary), Done: w.Done, Of: w.Of,
		Mode: w.Mode, Run: w.Number, Ready: []string{}, Dirty: append([]string{}, w.Dirty()...), Writing: []string{}, Stop: w.Stop,
	}
	if w.State == runs.Failed {
		data.Error = w.Error
	}
	data.Timing = s.timing(w.Summary)
	writers, err := s.Store.Drafts().Writers(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	data.Writing = append(data.Writing, allWriting(writers)...)
	if w.State == runs.Pending && len(writers) > 0 {
		data.State = string(runs.Processing)
	}
	if w.State.Ended() {
		data.Files, data.Count = newestFiles(w)
		return data, nil
	}
	for _, step := range w.Draft.ReadySteps() {
		if step.Author == drafts.Person {
			data.Waiting = &waitingFor{Step: step.ID}
			continue
		}
		data.Ready = append(data.Ready, step.ID)
		if _, now := writers[step.ID]; data.Current == nil || now {
			data.Current = &atStep{step.ID, step.Title}
		}
	}
	if data.Waiting != nil {
		open, err := s.gates(ctx, w)
		if err != nil {
			return nil, err
		}
		for _, g := range open {
			if g.step == data.Waiting.Step && w.Asks(g.Subject.ID) {
				data.Waiting.Ask, data.Waiting.Tell = g.ID, "planb tui ask "+store.ShortID(g.ID)
			}
		}
	}
	data.Stalled = w.Stalled(time.Now()) && data.Waiting == nil && len(writers) == 0
	data.Files, data.Count = newestFiles(w)
	return data, nil
}

// percent is the progress of a plan.
func percent(p runs.Summary) float64 {
	if p.Of == 0 {
		return 0
	}
	return math.Round(1000*float64(p.Done)/float64(p.Of)) / 10
}

func (s *toolset) timing(p runs.Summary) (t timing) {
	if !p.LastProgress.IsZero() {
		t.Progress = &p.LastProgress
	}
	if p.Started.IsZero() {
		return t
	}
	t.Started = &p.Started
	end := time.Now()
	if p.State.Ended() && !p.Ended.IsZero() {
		end = p.Ended
	}
	t.Elapsed = math.Round(max(end.Sub(p.Started).Seconds(), 0))
	return t
}

// newestFiles are the newest files of a plan, and how many there are.
func newestFiles(w runs.Whole) (list []listedFile, count int) {
	for _, f := range givenOut(w) {
		list = append(list, listedFile{f.Path, f.At})
	}
	slices.SortStableFunc(list, func(a, b listedFile) int { return b.Updated.Compare(a.Updated) })
	return list[:min(len(list), maxFiles)], len(list)
}

// whatNext says what to do with a plan that stands like this.
func (s *toolset) whatNext(w runs.Whole, data *status) string {
	named := func(tool string) string { return fmt.Sprintf(`%s {"plan_id":%q}`, tool, w.ID) }
	call := func(tool string) string { return "Call " + named(tool) }
	switch {
	case !s.AgentWrites:
		return s.nextByOthers(w, data)
	case w.State == runs.Completed:
		return written(w.ID)
	case w.State == runs.Stopped:
		return fmt.Sprintf("Stopped by %s: %s. If the user wants to go on: %s; to begin anew, plan_retry.", w.Stop.By, strings.TrimSuffix(w.Stop.Why, "."), named("plan_resume"))
	case w.State == runs.Failed && w.Draft.Rejected() != "":
		return fmt.Sprintf("Failed: %s. ", w.Draft.Rejected()) + w.Draft.OnRejection()
	case w.State == runs.Failed:
		return fmt.Sprintf("Failed: %s. If the user wants to go on: %s; to begin anew, plan_retry.", strings.TrimSuffix(w.Error.Message, "."), named("plan_resume"))
	case w.Mode == runs.ByWorker:
		return fmt.Sprintf("%s writes this draft, not you. %s.", runs.Worker, s.waitCall(w.ID))
	case len(data.Ready) == 0 && data.Waiting != nil:
		return "It waits for the user at " + data.Waiting.Step + ". " + call("step_next") + ", which waits for them."
	case data.Stalled:
		return "It stands still. " + call("step_next") + " to go on with it."
	}
	return call("step_next") + " to write the next step."
}

// elsewhere says what to do with an unfinished plan of a project that the caller does not see.
func elsewhere(plan string) string {
	return "It is of another project: you can read it, and only an agent of that project goes on with it. " +
		fmt.Sprintf(`Of each file in files, plan_file_info {"plan_id":%q,"artifact":"<path>","offset":0} gives the text.`, plan)
}

// written says what to do with a plan that is written.
func written(plan string) string {
	return fmt.Sprintf(`Written. Call plan_download {"plan_id":%q}, tell the user the path, and that it is a draft.`, plan)
}
