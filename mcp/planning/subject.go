package planning

import (
	"fmt"

	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/mcp/wait/dialog"
	"planb/plainjson"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// These say how a plan under review stands. tellApprovalStands replaces them if the user
// approved the same text before.
const (
	carryOutNone = "Carry out none of it."
	notApproved  = "the plan is NOT approved, carry out none of it."
)

// Review is the subject of a review. It says what an agent is told of the review, which is
// otherwise an ask like any other.
type Review struct{}

// Words implements wait.Subject.
func (Review) Words(ask store.Ask) wait.Words {
	words := wait.Words{
		Wants: "wants a plan reviewed", Form: "review", Tool: "submit_plan",
		Open: fmt.Sprintf("the plan %s is open for review. "+carryOutNone, tool.Quoted(ask.Spec.Title)),
		Expired: fmt.Sprintf("No verdict was given within %s: "+notApproved+" The review stays open, and a late verdict "+
			"comes with your next planb result. Go on only with what does not depend on it; else tell your user in one sentence "+
			"that the review is waiting, and end your turn. To wait once more, call get_answer {\"askId\":%q}.",
			tool.InWords(ask.Timeout), ask.ID),
	}
	if path := ask.Spec.Plan.Path; path != "" {
		words.About = "The plan that was reviewed: " + path
	}
	return words
}

// Outcome implements wait.Subject.
func (Review) Outcome(ask store.Ask, c *tool.Cutter) []string {
	message := c.Text(ask.Outcome.Message).Raw()
	switch {
	case ask.Outcome.State == questions.Answered:
		return reviewText(ask, c)
	case ask.Outcome.State == questions.Discuss:
		return reviewDiscussText(ask, message, c)
	case ask.Outcome.State == questions.Declined:
		return []string{reviewDeclinedText(message)}
	case ask.Outcome.Next != "":
		return []string{reviewReplacedText(ask.Spec.Plan.Number, ask.Outcome.Next)}
	case ask.Outcome.State == questions.Withdrawn:
		return []string{"The review was withdrawn without a verdict: " + notApproved}
	}
	return []string{wait.UnknownOutcome(ask)}
}

// reviewData is a review as data: how it stands, or what the person said.
type reviewData struct {
	wait.Standing
	Message safe.Text          `json:"message,omitzero"`
	Plan    *questions.PlanRef `json:"plan,omitempty"`   // what was to be reviewed
	Review  *review.Review     `json:"review,omitempty"` // what the person said of it
	tool.Facts
}

// Bound implements tool.Data.
func (d *reviewData) Bound() {
	d.Review, d.Message = nil, safe.Text{}
	d.Facts.Bound()
}

// Data implements wait.Subject.
func (Review) Data(ask store.Ask, standing wait.Standing) tool.Data {
	return &reviewData{Standing: standing, Message: ask.Outcome.Message, Plan: ask.Spec.Plan, Review: reviewIn(ask)}
}

const feedbackName = "feedback"

// feedbackPiece is the feedback of a review, which can be fetched by name.
func feedbackPiece(text safe.Text) tool.Piece {
	return tool.Piece{Name: feedbackName, File: feedbackName + ".md", Text: text.Raw()}
}

// Piece implements wait.Subject: it is the feedback.
func (Review) Piece(ask store.Ask, name string) (p tool.Piece, problem string) {
	said, err := reviewed(ask)
	switch {
	case name != feedbackName:
		return tool.Piece{}, wait.NoPiece(name, []string{feedbackName})
	case err != nil || said.Feedback.IsZero():
		return tool.Piece{}, "The user gave no feedback."
	}
	return feedbackPiece(said.Feedback), ""
}

// Dialog implements wait.Subject.
func (Review) Dialog(ask store.Ask) (form dialog.Form, ok bool) { return newReviewDialog(ask), true }

// verdict is the result of submit_plan.
type verdict struct {
	Approved bool      `json:"approved"`
	Feedback safe.Text `json:"feedback,omitzero"`
}

// reviewed reads the review in an ask's outcome.
func reviewed(ask store.Ask) (review.Review, error) {
	text, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
	return review.Parse([]byte(text))
}

// reviewIn returns the review in an ask; nil if the ask is no review of a plan's text, or
// has no verdict.
func reviewIn(ask store.Ask) *review.Review {
	if ask.About() != store.AboutPlan || ask.Outcome.State != questions.Answered {
		return nil
	}
	said, err := reviewed(ask)
	if err != nil {
		return nil
	}
	return &said
}

// reviewText words a review with a verdict: the verdict, and what the agent is to do.
func reviewText(ask store.Ask, c *tool.Cutter) []string {
	said, err := reviewed(ask)
	if err != nil {
		return []string{fmt.Sprintf("The user has reviewed the plan, but this planb cannot read what they said (%s); the plan is NOT approved. Update planb.", tool.OneLine(err.Error()))}
	}
	answer, err := plainjson.Marshal(verdict{said.Approved(), safe.New(c.Piece(feedbackPiece(said.Feedback)))})
	if err != nil {
		return []string{fmt.Sprintf("What the user said of the plan cannot be written (%s); the plan is NOT approved.", tool.OneLine(err.Error()))}
	}
	return []string{string(answer), reviewNext(*ask.Spec.Plan, said)}
}

// reviewNext says what follows from the review.
func reviewNext(plan questions.PlanRef, said review.Review) string {
	which := fmt.Sprintf("version %d of the plan (SHA-256 %.12s…)", plan.Number, said.Digest)
	if said.Edited != "" {
		which = fmt.Sprintf("the plan as the user has edited it (SHA-256 %.12s…)", said.Edited)
	}
	if !said.Approved() {
		return resubmitNext(which, said)
	}
	text := "The user has approved " + which + ", exactly as it is: whatever you change in it is not approved until you submit it again."
	switch {
	case said.Verdict != review.ApproveWithNotes:
	case len(said.Comments) == 0:
		text += " Go on, and do what they say in the feedback."
	default:
		text += " Go on, and do what the notes ask for. A note stays open until the user has seen it done: " +
			"when you have done the notes, submit the plan again, with their ids in done."
	}
	return text
}

// resubmitNext says what follows from a review that does not approve the plan.
func resubmitNext(which string, said review.Review) string {
	const none = "The plan is NOT approved: carry out none of it. "
	if said.Verdict == review.Reject {
		return none + "Do not mend it line by line: think again, ask the user where you must, and submit another plan."
	}
	next := "Change the plan and submit it again, with the ids of the comments you carried out in done."
	if len(said.Comments) == 0 {
		next = "Change the plan and submit it again."
	}
	if said.ApprovedInPart() {
		if len(said.Comments) == 0 && said.Note.Blank() {
			next = "They asked you for no change. What they held back stays undone: ask them about it once the rest is done, and submit the plan again when that is settled."
		}
		return "The plan is NOT approved, only a part of " + which + ": carry out the sections that the feedback allows, exactly as they are, and nothing else. " + next
	}
	return none + next
}

// The words of a review that ended without a verdict.

// reviewDiscussText words a reply without a verdict: the message, and the comments so far.
func reviewDiscussText(ask store.Ask, message string, c *tool.Cutter) []string {
	items := []string{fmt.Sprintf("NOT FINISHED. The user writes: \"%s\"\nAnswer that first. The plan is not approved: "+
		"carry out none of it, and submit it again when that is settled.", message)}
	text, begun := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
	if words := review.InWords(text); begun && !words.Feedback.Blank() {
		items = append(items, "What they have said of the plan so far. It is UNFINISHED and may change: take it as a direction.\n\n"+c.Text(words.Feedback).Raw())
	}
	return items
}

// reviewReplacedText words a review that gave way to the next one of its plan.
func reviewReplacedText(number int, next string) string {
	return fmt.Sprintf("The review of version %d was withdrawn: the plan was submitted again, and the user reviews what was submitted last, with all that they had said. "+
		"Call get_answer {\"askId\":%q}; it waits for the verdict.", number, next)
}

func reviewDeclinedText(reason string) string {
	text := "The user closed the review without a verdict: " + notApproved
	if reason != "" {
		text += " Reason: " + tool.Sentence(reason)
	}
	return text + " Do not submit it again unless the user brings it up."
}
