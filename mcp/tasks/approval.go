package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/mcp/wait/dialog"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/tasks"
)

// notApproved says how what was to be approved stands.
const notApproved = "what they were to approve is NOT approved, carry out none of it"

// Approval is the subject of a review that approves tasks. It says what an agent is told
// of it.
type Approval struct{ Store Store }

// Words implements wait.Subject.
func (Approval) Words(ask store.Ask) wait.Words {
	return wait.Words{
		Wants: "wants tasks approved", Form: "review", Tool: "approve_plan",
		Open: fmt.Sprintf("the tasks of %s are open for your user's approval. Carry out nothing that they have not approved.", tool.Quoted(ask.Spec.Title)),
		Expired: fmt.Sprintf("No verdict was given within %s: %s. The review stays open, and a late verdict comes with your next planb result. "+
			"Go on only with what does not depend on it; else tell your user in one sentence that the review is waiting, and end your turn. "+
			"To wait once more, call get_answer {\"askId\":%q}.", tool.InWords(ask.Timeout), notApproved, ask.ID),
	}
}

// Dialog implements wait.Subject: only planb's own screen approves tasks.
func (Approval) Dialog(store.Ask) (form dialog.Form, ok bool) { return dialog.Form{}, false }

// Outcome implements wait.Subject.
func (a Approval) Outcome(ask store.Ask, c *tool.Cutter) []string {
	message := c.Text(ask.Outcome.Message).Line()
	switch {
	case ask.Outcome.State == questions.Answered:
		return a.verdict(ask, c)
	case ask.Outcome.State == questions.Discuss:
		return discussWords(ask, message, c)
	case ask.Outcome.State == questions.Declined:
		return []string{declinedWords(message)}
	case ask.Outcome.Next != "":
		return []string{fmt.Sprintf("This review gave way to a newer one of the same plan, which has all that the user had said. "+
			"Call get_answer {\"askId\":%q}; it waits for the verdict.", ask.Outcome.Next)}
	case ask.Outcome.State == questions.Withdrawn:
		return []string{"The review was withdrawn without a verdict: " + notApproved + "."}
	}
	return []string{wait.UnknownOutcome(ask)}
}

// approvalData is an approval as data.
type approvalData struct {
	wait.Standing
	Plan    string         `json:"planId"`
	Message safe.Text      `json:"message,omitzero"`
	Review  *review.Review `json:"review,omitempty"` // what the person said of it
	tool.Facts
}

// Bound implements tool.Data.
func (d *approvalData) Bound() {
	d.Review, d.Message = nil, safe.Text{}
	d.Facts.Bound()
}

// Data implements wait.Subject.
func (Approval) Data(ask store.Ask, standing wait.Standing) tool.Data {
	data := &approvalData{Standing: standing, Plan: planOf(ask), Message: ask.Outcome.Message}
	if said, err := reviewed(ask); err == nil && ask.Outcome.State == questions.Answered {
		data.Review = &said
	}
	return data
}

// Piece implements wait.Subject: it is the feedback.
func (Approval) Piece(ask store.Ask, name string) (p tool.Piece, problem string) {
	said, err := reviewed(ask)
	switch {
	case name != feedbackName:
		return tool.Piece{}, wait.NoPiece(name, []string{feedbackName})
	case err != nil || said.Feedback.IsZero():
		return tool.Piece{}, "The user gave no feedback."
	}
	return feedbackPiece(said.Feedback), ""
}

const feedbackName = "feedback"

// feedbackPiece is the feedback, which can be fetched by name.
func feedbackPiece(text safe.Text) tool.Piece {
	return tool.Piece{Name: feedbackName, File: feedbackName + ".md", Text: text.Raw()}
}

// planOf is the id of the plan that a review is about.
func planOf(ask store.Ask) string {
	id, _, _ := strings.Cut(ask.Subject.ID, "/")
	return id
}

// reviewed reads the review in an ask's outcome.
func reviewed(ask store.Ask) (review.Review, error) {
	text, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
	return review.Parse([]byte(text))
}

// refusedPlan is the result of approve_plan where the person did not approve.
type refusedPlan struct {
	ID       string       `json:"planId"`
	Status   rules.Status `json:"status"`
	Approved bool         `json:"approved"`
	Feedback safe.Text    `json:"feedback,omitzero"`
}

// approvedPlan is the result of approve_plan where they did, at least in part.
type approvedPlan struct {
	ID       string       `json:"planId"`
	Status   rules.Status `json:"status"`
	Approved bool         `json:"approved"`
	Readied  int          `json:"tasksReadied"`
	Ready    []string     `json:"readiedTaskIds"`
	Held     []string     `json:"held,omitempty"` // nodeKeys
	Feedback safe.Text    `json:"feedback,omitzero"`
}

// verdict words a review with a verdict.
func (a Approval) verdict(ask store.Ask, c *tool.Cutter) []string {
	said, err := reviewed(ask)
	if err != nil {
		return []string{fmt.Sprintf("The user has reviewed the tasks, but this planb cannot read what they said (%s); %s. Update planb.", tool.OneLine(err.Error()), notApproved)}
	}
	feedback := safe.New(c.Piece(feedbackPiece(said.Feedback)))
	plan, err := a.plan(planOf(ask))
	switch {
	case err != nil && said.Verdict.Approves():
		return []string{fmt.Sprintf("The user has approved the tasks, but the plan cannot be read now (%s). Call get_next_actionable {\"planId\":%q} later.", tool.OneLine(err.Error()), planOf(ask))}
	case err != nil:
		plan.ID, plan.Status = planOf(ask), rules.PlanProposed
		fallthrough
	case !said.Verdict.Approves():
		return []string{tool.JSON(refusedPlan{plan.ID, plan.Status, false, feedback}), refusedWords(plan.Plan, said.Verdict)}
	}
	return approvedWords(plan, said, feedback)
}

// readTime bounds how long the plan is read for the words of its approval.
const readTime = 5 * time.Second

// plan reads the plan as it stands now.
func (a Approval) plan(id string) (tasks.Whole, error) {
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	return a.Store.Tasks().Plan(ctx, tasks.Caller{}, id)
}

func approvedWords(plan tasks.Whole, said review.Review, feedback safe.Text) []string {
	ready, human := rules.Look(plan.Situation(time.Now())).Readied()
	answer := approvedPlan{
		ID: plan.ID, Status: plan.Status, Approved: true, Readied: len(ready), Ready: []string{}, Feedback: feedback,
	}
	for _, n := range ready[:min(len(ready), mostKeys)] {
		answer.Ready = append(answer.Ready, taskID(plan.ID, n))
	}
	for _, n := range plan.Held {
		answer.Held = append(answer.Held, plan.Graph.Key(n))
	}
	var before []string // held back, and not locked: what was approved of them before stays
	for _, key := range said.Without {
		if !slices.Contains(answer.Held, key) {
			before = append(before, key)
		}
	}
	text := "Approved exactly as it is"
	if said.Edited != "" {
		text = "Approved exactly as your user edited it"
	}
	if len(answer.Held) > 0 {
		shown := answer.Held[:min(len(answer.Held), mostKeys)]
		text = "Approved, except (locked): " + strings.Join(shown, ", ")
		if rest := len(answer.Held) - len(shown); rest > 0 {
			text += fmt.Sprintf(" and %d more", rest)
		}
		answer.Held = shown
	}
	if len(before) > 0 && len(answer.Held) > 0 {
		text += "; not changed: " + keyList(before)
	} else if len(before) > 0 {
		text = "Approved, except (not changed): " + keyList(before)
	}
	if agent := plan.Approval.StartedBy(); agent != "" {
		text += ", in a terminal that " + agent + " started"
	}
	hash := plan.Graph.Hash()
	if plan.Approval != nil {
		hash = plan.Approval.Hash
	}
	text += fmt.Sprintf(" (%.12s…). What you change in it is locked until your user approves that. ", hash) + laterWords(plan)
	if said.Verdict == review.ApproveWithNotes {
		text += "Do what they say in the feedback. "
	}
	text += fmt.Sprintf("Go on with claim_task {\"planId\":%q}.", plan.ID)
	var keys []string
	for _, n := range human {
		keys = append(keys, plan.Graph.Key(n))
	}
	if yours := forUser(keys); yours != "" {
		text += " " + yours
	}
	return []string{tool.JSON(answer), text}
}

// laterWords says what was added and changed since the approval, and waits for another one;
// empty if there is nothing.
func laterWords(plan tasks.Whole) string {
	var later []string
	rest := 0
	for i, unlocked := range plan.Graph.Unlocked(plan.Approved, plan.Held) {
		switch n := i + 1; {
		case unlocked || plan.Graph.Dropped(n) || slices.Contains(plan.Held, n):
		case len(later) == fewKeys:
			rest++
		default:
			later = append(later, plan.Graph.Key(n))
		}
	}
	text := strings.Join(later, ", ")
	if rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	switch changed := !plan.Amended.IsZero(); {
	case text == "" && !changed:
		return ""
	case text == "":
		text = "changes that were proposed"
	case changed:
		text += ", and changes that were proposed"
	}
	return "What came later is not in it and still waits for your user: " + text + ". Call approve_plan again to open the review of that. "
}

// taskID is the id of task n of a plan that the store has.
func taskID(plan string, n int) string {
	id, err := rules.TaskID(plan, n)
	if err != nil {
		return plan // the store has checked the number
	}
	return id
}

// refusedWords says what follows from a review that does not approve.
func refusedWords(plan tasks.Plan, verdict review.Verdict) string {
	none, instead := "The plan is NOT approved: carry out none of it. ", "propose another plan"
	if plan.Status != rules.PlanProposed {
		none, instead = "The changes are NOT approved: carry out none of them. The plan goes on as it was approved before. ", "propose other changes"
	}
	if verdict == review.Reject {
		return none + "Do not mend it task by task: think again, ask the user where you must, and " + instead + "."
	}
	return none + fmt.Sprintf("Propose it changed, with propose_plan and \"planId\":%q, then call approve_plan again.", plan.ID)
}

func discussWords(ask store.Ask, message string, c *tool.Cutter) []string {
	items := []string{fmt.Sprintf("NOT FINISHED. The user writes: \"%s\"\nAnswer that first; %s. Call approve_plan {\"planId\":%q} again when that is settled.", message, notApproved, planOf(ask))}
	text, begun := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
	if words := review.InWords(text); begun && !words.Feedback.Blank() {
		items = append(items, "What they have said of the tasks so far. It is UNFINISHED and may change.\n\n"+c.Text(words.Feedback).Raw())
	}
	return items
}

func declinedWords(reason string) string {
	text := "The user closed the review without a verdict: " + notApproved + "."
	if reason != "" {
		text += " Reason: " + tool.Sentence(reason)
	}
	return text + " Do not call approve_plan again unless the user brings it up."
}
