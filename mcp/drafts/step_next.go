package drafts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/drafts"
	"planb/mcp/tool"
	"planb/plans/tasks"
	"planb/questions"
	"planb/setup/known"
	"planb/store"
	"planb/store/runs"
)

// nextTool is step_next. The text of the step that it gives is made in planb/drafts (frame.go).
func (s *toolset) nextTool() tool.Tool {
	return tool.Tool{Name: "step_next", Title: "The next step of a draft", Description: nextDescription, Schema: nextSchema, Serve: s.next}
}

const nextDescription = "The next step of the draft, with all you need to write it; do exactly what it says. " +
	"It also waits for the user where they decide. A sub-agent passes the id of its step."

const nextSchema = `{"type":"object","required":["plan_id"],"properties":{` +
	`"plan_id":{"type":"string"},` +
	`"step":{"type":"string"},` +
	`"page":{"type":"integer","minimum":1},` +
	`"wait_seconds":{"type":"number","minimum":0}}}`

// maxWait bounds wait_seconds; no client lets a call wait longer.
const maxWait = 24 * 60 * 60

// ask is one call for a step.
type ask struct {
	step string // by its id; empty: any that is ready
	page int
	wait time.Duration
	// before is what the call has to say first, such as ACCEPTED.
	before string
	aside  int // bytes of the result that are not the step's
	// told is the ask at a gate whose outcome the call tells.
	told  store.Ask
	wrong bool // the call was an error: its result is cut sooner
}

// carries are the asks whose outcome the agent has with the result.
func (a ask) carries() []string {
	if a.told.ID == "" {
		return nil
	}
	return []string{a.told.ID}
}

// outcome says what became of a call of step_next or step_submit.
type outcome string

// The outcomes.
const (
	givenStep     outcome = "step"        // the result holds a step to write
	acceptedAlone outcome = "accepted"    // the answer needs no correction, and its writer wants no next step
	doneBefore    outcome = "done_before" // somebody has written the step that the call named
	waitsForUser  outcome = "waiting"     // a form waits for the user
	discussed     outcome = "discuss"     // the user wants to talk before they decide
	allBusy       outcome = "busy"        // others write all that is ready
	byProgram     outcome = "worker"      // a program writes the draft, not an agent
	runStopped    outcome = "stopped"
	runFailed     outcome = "failed"
	runDone       outcome = "done"
)

// stepData is what a tool of steps says, as data.
type stepData struct {
	Plan    string   `json:"plan_id"`
	Outcome outcome  `json:"outcome"`
	Step    string   `json:"step,omitempty"`
	Lease   string   `json:"lease,omitempty"`
	Ready   []string `json:"ready,omitempty"`
	Ask     string   `json:"askId,omitempty"`
	Done    int      `json:"steps_completed"`
	Of      int      `json:"steps_total"`
	// Accepted is the step that was accepted, if the call submitted one.
	Accepted string    `json:"accepted,omitempty"`
	SHA256   string    `json:"sha256,omitempty"`
	Code     runs.Code `json:"code,omitempty"`
	tool.Facts
}

// next serves step_next.
func (s *toolset) next(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("step_next", raw)
	id := args.Text("plan_id", "task_id", "id")
	a := ask{step: args.Text("step")}
	page, _ := args.Number("page", 1000)
	seconds, _ := args.Number("wait_seconds", maxWait)
	a.page, a.wait = int(page), time.Duration(seconds*float64(time.Second))
	if problems := args.Finish(); problems != "" {
		return invalid(problems, true)
	}
	w, failure := s.plan(ctx, c, id, true, true)
	if failure != nil {
		return failure
	}
	defer s.hears(ctx, c, w)
	return s.give(ctx, c, w, a)
}

// give is the result that gives a step of the plan, or says why there is none.
func (s *toolset) give(ctx context.Context, c *tool.Caller, w runs.Whole, a ask) *tool.Result {
	started := time.Now()
	for {
		var err error
		session := w.Session
		if w, err = s.Store.Drafts().Advance(ctx, w); err != nil {
			return refused(session, err, true)
		}
		if w.State == runs.Stopped && a.told.ID == "" {
			if a.told, err = s.declined(ctx, c, w); err != nil {
				return tool.NotStored(w.Session, "The forms of the draft could not be read", err)
			}
		}
		if ended := s.ended(w, a); ended != nil {
			return ended
		}
		if a.step != "" {
			return s.giveNamed(ctx, c, w, a)
		}
		open, err := s.openGates(ctx, w)
		if err != nil {
			return tool.NotStored(w.Session, "The forms of the draft could not be read", err)
		}
		step, gate, anew := s.choose(ctx, c, w)
		if anew && s.movedOn(ctx, w) { // it was written while it was claimed
			s.leases.release(w.ID, step.ID)
			if w, err = s.Store.Drafts().Plan(ctx, w.ID); err != nil {
				return refused("", err, true)
			}
			continue
		}
		if step != nil {
			if gate != nil && open[gate.ID].ID == "" {
				a.before = tool.Join(a.before, s.ask(ctx, c, w, *gate))
			}
			return s.frame(ctx, c, w, a, *step)
		}
		var answer *tool.Result
		if gate != nil {
			answer = s.waitAt(ctx, c, w, &a, *gate)
		} else if left := s.limit(c, a.wait) - time.Since(started); a.wait <= 0 || left <= 0 || !s.waitForChange(ctx, c, w, left) {
			answer = s.giveBusy(ctx, w, a)
		}
		if answer != nil {
			return answer
		}
		before := w
		if w, err = s.Store.Drafts().Plan(ctx, w.ID); err != nil {
			return refused(before.Session, err, true)
		}
		if gate != nil && w.Cursor == before.Cursor { // the form ended, and decided nothing
			return s.tell(w, a, waitsForUser, undecided(a.told)+fmt.Sprintf(" Call step_next {\"plan_id\":%q}, which asks the user again.", w.ID))
		}
	}
}

// ended returns the result for a plan that no agent can go on with: its run has ended,
// or a worker writes it. It is nil for any other plan.
func (s *toolset) ended(w runs.Whole, a ask) *tool.Result {
	switch {
	case w.State == runs.Completed:
		return s.tell(w, a, runDone, w.Draft.Done())
	case w.State == runs.Stopped:
		answer := s.tell(w, a, runStopped, w.Draft.Stopped(w.Stop.By, w.Stop.At.Local().Format("15:04"), strings.TrimSuffix(w.Stop.Why, ".")))
		answer.Data.(*stepData).Code = runs.RunNotActive
		return answer
	case w.State == runs.Failed:
		answer := s.tell(w, a, runFailed, w.Draft.Failed(w.Error.Step, strings.TrimSuffix(w.Error.Message, ".")))
		answer.Data.(*stepData).Code = runs.RunNotActive
		return answer
	case w.Mode == runs.ByWorker:
		return s.tell(w, a, byProgram, w.Draft.WrittenByWorker())
	}
	return nil
}

// tell is a result in words.
func (s *toolset) tell(w runs.Whole, a ask, outcome outcome, text string) *tool.Result {
	if a.before != "" {
		text = a.before + "\n" + text
	}
	return &tool.Result{Items: []string{text}, Session: w.Session, Ask: a.told, Carries: a.carries(), IsError: a.wrong, Data: &stepData{Plan: w.ID, Outcome: outcome, Done: w.Done, Of: w.Of}}
}

// movedOn reports whether somebody wrote the plan since it was read.
func (s *toolset) movedOn(ctx context.Context, w runs.Whole) bool {
	now, err := s.Store.Drafts().Plan(ctx, w.ID)
	return err == nil && now.Cursor != w.Cursor
}

// choose claims the first ready step that nobody else writes; anew says that it was not
// claimed before. gate is the step that the user has to decide, if there is one.
func (s *toolset) choose(ctx context.Context, c *tool.Caller, w runs.Whole) (step, gate *drafts.Step, anew bool) {
	var free []drafts.Step
	for _, step := range w.Draft.ReadySteps() {
		switch {
		case step.Author == drafts.Person && gate == nil:
			gate = &step
		case step.Author == drafts.Model && !s.leases.ofSubAgent(w.ID, step.ID):
			free = append(free, step)
		}
	}
	for _, step := range free {
		if other, anew := s.leases.claim(ctx, w, step.ID, c.Who, false); other == "" {
			return &step, gate, anew
		}
	}
	return nil, gate, false
}

// ask asks the user, and does not wait for them. It returns what the agent must tell
// them, if no screen shows the form.
func (s *toolset) ask(ctx context.Context, c *tool.Caller, w runs.Whole, step drafts.Step) string {
	wanted, err := asked(w, step)
	if err != nil {
		s.Log.Error("a gate has no form", "plan", w.ID, "step", step.ID, "error", err)
		return ""
	}
	opened, hidden := s.Room.Show(ctx, c, wanted)
	if !hidden || opened.ID == "" {
		return ""
	}
	return fmt.Sprintf("A form waits for the user. Tell them exactly: run  planb tui ask %s  in a terminal to answer. Meanwhile:", store.ShortID(opened.ID))
}

// waitAt waits for the user at a gate. It returns nil once they have decided, and notes
// what is to be said first.
func (s *toolset) waitAt(ctx context.Context, c *tool.Caller, w runs.Whole, a *ask, step drafts.Step) *tool.Result {
	wanted, err := asked(w, step)
	if err != nil {
		return failed(w.Session, internalError, tool.OneLine(err.Error()), true)
	}
	answer := s.Room.Ask(ctx, c, wanted)
	learns(c, answer.Ask)
	state := answer.Ask.Outcome.State
	if errors.Is(answer.Cause, runs.ErrDecided) {
		return nil // another process was quicker
	}
	switch {
	case answer.IsError || answer.Wants != nil:
		return answer
	case state == questions.Answered || state == questions.Declined || state == questions.Withdrawn:
		a.told = answer.Ask
		if state == questions.Answered {
			a.before = strings.TrimSpace(a.before + "\nThe user answered " + tool.Quoted(wanted.Spec.Title) + ".")
		}
		return nil
	}
	told := strings.NewReplacer(fmt.Sprintf("get_answer {\"askId\":%q}", answer.Ask.ID), fmt.Sprintf("step_next {\"plan_id\":%q}", w.ID))
	answer.Reword(told)
	if state == questions.Discuss {
		return s.before(answer, *a, w, discussed)
	}
	if len(answer.Items) > 0 {
		answer.Items[0] = "WAITING FOR THE USER. " + answer.Items[0]
	}
	return s.before(answer, *a, w, waitsForUser)
}

// before puts the words of a.before in front of the result, and gives the result the
// data of a step.
func (s *toolset) before(answer *tool.Result, a ask, w runs.Whole, outcome outcome) *tool.Result {
	if a.before != "" {
		if words := answer.Telling; words != nil {
			tells := words.Words
			words.Words = func(c *tool.Cutter) []string { return append([]string{a.before}, tells(c)...) }
		} else {
			answer.Items = append([]string{a.before}, answer.Items...)
		}
	}
	answer.Data = &stepData{Plan: w.ID, Outcome: outcome, Ask: answer.Ask.ID, Done: w.Done, Of: w.Of}
	return answer
}

// limit is how long the call may wait.
func (s *toolset) limit(c *tool.Caller, wish time.Duration) time.Duration {
	most := s.Limit
	if most <= 0 {
		most = known.BySelfName(c.Agent.Client(c.Context()).Name.Raw()).CallTime(c.WantsProgress())
	}
	if most <= 0 || wish < most {
		return wish
	}
	return most
}

// giveBusy says that nothing is ready.
func (s *toolset) giveBusy(ctx context.Context, w runs.Whole, a ask) *tool.Result {
	writing := s.busy(ctx, w.ID)
	if len(writing) == 0 {
		writing = []string{"every ready step is being written"}
	}
	return s.tell(w, a, allBusy, w.Draft.Busy(writing))
}

// giveNamed gives the step that a call names.
func (s *toolset) giveNamed(ctx context.Context, c *tool.Caller, w runs.Whole, a ask) *tool.Result {
	step, known := w.Draft.Step(a.step)
	if !known {
		return failed(w.Session, stepNotFound, w.Draft.NoSuchStep(a.step), true)
	}
	standing := w.Draft.Standings()[step.ID]
	r := w.Draft.Records[step.ID]
	switch {
	case standing.Done():
		return s.tell(w, a, doneBefore, drafts.AlreadyDone(step.ID, r.By, since(r.At))+s.readyText(w))
	case step.Author != drafts.Model && standing == drafts.Ready:
		open, err := s.openGates(ctx, w)
		if err != nil {
			return tool.NotStored(w.Session, "The forms of the draft could not be read", err)
		}
		if open[step.ID].ID == "" {
			a.before = tool.Join(a.before, s.ask(ctx, c, w, step))
		}
		fallthrough
	case standing != drafts.Ready:
		answer := failed(w.Session, stepNotReady, w.Draft.NotReady(step, s.ready(w)), true)
		if a.before != "" {
			answer.Items[0] = a.before + "\n" + answer.Items[0]
		}
		return answer
	}
	if other, _ := s.leases.claim(ctx, w, step.ID, c.Who, a.page <= 1); other != "" {
		return s.tell(w, a, allBusy, w.Draft.Busy([]string{other}))
	}
	return s.frame(ctx, c, w, a, step)
}

func since(at string) string {
	then, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return "some time"
	}
	return tasks.Lasted(time.Since(then))
}

// ready are the ids of the steps that a model can write now and that no agent of this
// server writes.
func (s *toolset) ready(w runs.Whole) (ids []string) {
	for _, step := range w.Draft.ReadySteps() {
		if step.Author == drafts.Model && !s.leases.has(w.ID, step.ID) {
			ids = append(ids, step.ID)
		}
	}
	return ids
}

// readyText names the steps that are ready.
func (s *toolset) readyText(w runs.Whole) string {
	ids := s.ready(w)
	if len(ids) == 0 {
		return fmt.Sprintf(` Call step_next {"plan_id":%q}.`, w.ID)
	}
	return " Ready: " + strings.Join(ids, ", ") + "."
}

// frame is the text of a step, within what the client passes on.
func (s *toolset) frame(ctx context.Context, c *tool.Caller, w runs.Whole, a ask, step drafts.Step) *tool.Result {
	also := slices.DeleteFunc(s.ready(w), func(id string) bool { return id == step.ID })
	most := known.BySelfName(c.Agent.Client(ctx).Name.Raw()).ResultLimit(a.wrong)
	wanted := drafts.Ask{Step: step.ID, Lease: leaseName(w, step), Also: also, Page: a.page, Limit: min(most, drafts.WideFrameLimit)}
	var text string
	for {
		var err error
		if text, err = w.Draft.Frame(wanted); err != nil {
			return failed(w.Session, internalError, tool.OneLine(err.Error()), true)
		}
		// The limit of a frame counts characters, that of a client may count bytes.
		over := a.aside + tool.Size(a.before, text) + 1 - most
		if over <= 0 || wanted.Limit <= drafts.FrameLimit/2 {
			break
		}
		wanted.Limit -= max(over/2, 100)
	}
	answer := s.tell(w, a, givenStep, text)
	data := answer.Data.(*stepData)
	data.Step, data.Lease, data.Ready = step.ID, wanted.Lease, also
	s.leases.tell(w.ID, step.ID, wanted.Lease)
	return answer
}
