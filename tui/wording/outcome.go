package wording

import (
	"encoding/json"
	"fmt"
	"strings"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
)

// AnswersMissing says that a form was not submitted, and why not.
const AnswersMissing = "Not submitted: answers are missing."

// Receipt says in one line what was settled, for which agent, in which project. waits
// says that a call of the agent waits for it; settled counts the asks that were settled
// here, this one included; approved tells what followed if tasks were approved.
func Receipt(ask store.Ask, session store.Session, waits bool, settled int, approved store.ApprovedTasks) string {
	to := Agent(ask.Client)
	way := "kept for " + to + ", which is not waiting"
	if waits {
		way = "sent to " + to
	}
	what := "Declined; " + to + " is told"
	switch {
	case ask.Outcome.State == questions.Declined && !waits:
		what = "Declined; " + way
	case ask.Outcome.State == questions.Answered && ask.Spec.Plan != nil:
		said, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
		verdict := review.InWords(said).Verdict
		what = fmt.Sprintf("%s: v%d, %s", verdict, ask.Spec.Plan.Number, way)
		if approved.Approved > 0 {
			what = cells.Join(strings.TrimPrefix(fmt.Sprintf("%s: %d approved", verdict, approved.Approved), "Approved: "), fmt.Sprintf("%d ready", approved.Ready), way)
		}
	case ask.Outcome.State == questions.Answered:
		what = Count(len(ask.Outcome.Reply.Answers), "answer") + " " + way
	case ask.Outcome.State == questions.Discuss:
		what = "Reply " + way
	}
	forms := ""
	if settled > 1 {
		forms = Count(settled, "form") + " done"
	}
	return cells.Join(what, ProjectName(session), forms)
}

// WayBack says how to come back to an ask that was left open, in two lines.
// Command is how this program is called.
func WayBack(command string, ask store.Ask) string {
	const titleCells = 40 // so that the command is not broken over two lines
	return fmt.Sprintf("Kept: %s\nTo go on:  %s tui ask %s",
		cells.Cut(ask.Spec.Title.Line(), titleCells), safe.New(command).Line(), store.ShortID(ask.ID))
}

// LostEntry gives an entry that could not be saved to the person, since nobody
// else has it.
func LostEntry(ask store.Ask, entry questions.Entry, err error) []string {
	return append([]string{"What you entered could not be saved: " + safe.New(err.Error()).Line()}, Entered("It was: ", ask, entry)...)
}

// Overtaken gives a person what they entered into a form that ended elsewhere.
func Overtaken(ask store.Ask, entry questions.Entry) string {
	lead := "Not sent: the agent took the question back"
	if person := WithdrawnBy(ask.Outcome); ask.Outcome.State == questions.Withdrawn && person != "" {
		lead = "Not sent: " + person + " took the question back"
	}
	if ask.Outdated() {
		lead = "Not sent: planb took the form back, because " + Outdated
	}
	if ask.Outcome.State != questions.Withdrawn {
		who := "somebody else"
		if ask.Outcome.By != "" {
			who = safe.New(ask.Outcome.By).Line()
		}
		lead = "Not counted: " + who + " was first"
	}
	return strings.Join(append([]string{lead + "."}, Entered("You had entered: ", ask, entry)...), "\n")
}

// Entered is all that an entry holds, in lines: what it would answer, and a
// message to the agent that was begun.
func Entered(lead string, ask store.Ask, entry questions.Entry) []string {
	var lines []string
	reply := entry.Reply(ask.Spec)
	text, err := json.Marshal(reply)
	if said, ok := reply.Answers[questions.ReviewID].Text(); ok && ask.Spec.Plan != nil {
		words := safe.New(review.InWords(said).ForPerson().Text()).Block()
		lines = append(lines, strings.Split(strings.TrimSpace(lead)+"\n"+words, "\n")...)
	} else if err != nil {
		lines = append(lines, "The answers cannot be printed: "+safe.New(err.Error()).Line())
	} else {
		lines = append(lines, lead+safe.New(string(text)).Line())
	}
	if !entry.Message.Blank() {
		lines = append(lines, "Your message was: "+entry.Message.Line())
	}
	return lines
}

// LeftBehind tells the person, on the next form, what became of the words they entered
// in a form that ended elsewhere.
func LeftBehind(ask store.Ask, err error) string {
	const titleCells = 24
	title := cells.Cut(ask.Spec.Title.Line(), titleCells)
	if err != nil {
		return "Not sent, only printed at the end: what you wrote in “" + title + "”. " + safe.New(err.Error()).Line()
	}
	return "Not sent, but kept: what you wrote in “" + title + "”, which ended."
}

// EndedElsewhere says in one line what became of a form that was open here,
// and that nobody had touched here.
func EndedElsewhere(ask store.Ask, session store.Session) string {
	what := "Taken back by " + Agent(ask.Client)
	if person := WithdrawnBy(ask.Outcome); person != "" {
		what = "Taken back by " + person
	}
	if ask.Outdated() {
		what = "Taken back by planb"
	}
	if ask.Outcome.State != questions.Withdrawn {
		what = "Done in another pane"
		if ask.Outcome.By != "" {
			what += ", by " + safe.New(ask.Outcome.By).Line()
		}
	}
	const titleCells = 40
	return cells.Join(what, cells.Cut(ask.Spec.Title.Line(), titleCells), ProjectName(session))
}

// OutcomeTitle is the title over a form that has this state already.
func OutcomeTitle(s questions.State) string {
	if s == questions.Withdrawn {
		return "Withdrawn"
	}
	return "Already " + s.Standing(false).Short
}

// TookBack is what a person's withdrawal says; an agent's says nothing.
const TookBack = "Withdrawn by the person who was asked."

// Outdated says why planb took a form of a draft back; see store.Ask.Outdated.
const Outdated = "what it asks about has changed, or the draft was stopped"

// WithdrawnBy says that a person took back a question that they were asked, and who. It
// is empty if the agent took it back.
func WithdrawnBy(o questions.Outcome) string {
	if o.Message.Blank() {
		return ""
	}
	if o.By == "" {
		return "the person who was asked"
	}
	return safe.New(o.By).Line()
}

// Review is the review of an outcome in words; false if that is no review.
func Review(o questions.Outcome) (review.Words, bool) {
	text, ok := o.Reply.Answers[questions.ReviewID].Text()
	if !ok || o.State != questions.Answered {
		return review.Words{}, false
	}
	return review.InWords(text).ForPerson(), true
}

// VerdictOn is what a verdict does with a version, in the title of a dialog.
func VerdictOn(v review.Verdict, version int) string {
	switch v {
	case review.Approve:
		return fmt.Sprintf("Approve v%d", version)
	case review.ApproveWithNotes:
		return fmt.Sprintf("Approve v%d with notes", version)
	case review.RequestChanges:
		return fmt.Sprintf("Request changes to v%d", version)
	}
	return fmt.Sprintf("Reject v%d", version)
}

// Verdict is what a verdict does, on a button.
func Verdict(v review.Verdict) string {
	switch v {
	case review.Approve:
		return "Approve"
	case review.ApproveWithNotes:
		return "Approve with notes"
	case review.RequestChanges:
		return "Request changes"
	}
	return "Reject"
}
