package tui

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
)

// receipt says in one line what was settled: what for whom, in which project.
// Waits is whether the agent's call is there to take it; settled is how many
// asks were settled here, this one included.
func receipt(ask store.Ask, session store.Session, waits bool, settled int) string {
	to := agentName(ask.Client)
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
		what = fmt.Sprintf("%s: v%d, %s", review.InWords(said).Verdict, ask.Spec.Plan.Number, way)
	case ask.Outcome.State == questions.Answered:
		what = count(len(ask.Outcome.Reply.Answers), "answer") + " " + way
	case ask.Outcome.State == questions.Discuss:
		what = "Reply " + way
	}
	forms := ""
	if settled > 1 {
		forms = count(settled, "form") + " done"
	}
	return cells.Join(what, projectName(session), forms)
}

// agentName is how a person knows the client, in a sentence.
func agentName(client store.Client) string {
	if name := agentOf(client); name != "" {
		return name
	}
	return "the agent"
}

// agentOf is the client's name, empty if it gave none.
func agentOf(client store.Client) string {
	for _, name := range []safe.Text{client.Title, client.Name} {
		if !name.Blank() {
			return name.Line()
		}
	}
	return ""
}

// projectName is the last part of the project's path; empty if there is none.
func projectName(session store.Session) string {
	if session.Project.Blank() {
		return ""
	}
	return safe.New(filepath.Base(session.Project.Raw())).Line()
}

// wayBack says how to come back to an ask that was left open, in two lines.
// Command is how this program is called.
func wayBack(command string, ask store.Ask) string {
	const titleCells = 40 // so that the command is not broken over two lines
	return fmt.Sprintf("Kept: %s\nTo go on:  %s tui ask %s",
		cells.Cut(ask.Spec.Title.Line(), titleCells), safe.New(command).Line(), store.ShortID(ask.ID))
}

// lostDraft gives a draft that could not be saved to the person, since nobody
// else has it.
func lostDraft(ask store.Ask, draft questions.Draft, err error) []string {
	return append([]string{"What you entered could not be saved: " + safe.New(err.Error()).Line()}, entered("It was: ", ask, draft)...)
}

// overtaken gives a person what they entered into a form that ended elsewhere.
func overtaken(ask store.Ask, draft questions.Draft) string {
	lead := "Not sent: the agent took the question back"
	if person := withdrawnBy(ask.Outcome); ask.Outcome.State == questions.Withdrawn && person != "" {
		lead = "Not sent: " + person + " took the question back"
	}
	if ask.Outcome.State != questions.Withdrawn {
		who := "somebody else"
		if ask.Outcome.By != "" {
			who = safe.New(ask.Outcome.By).Line()
		}
		lead = "Not counted: " + who + " was first"
	}
	return strings.Join(append([]string{lead + "."}, entered("You had entered: ", ask, draft)...), "\n")
}

// entered is all that a draft holds, in lines: what it would answer, and a
// message to the agent that was begun.
func entered(lead string, ask store.Ask, draft questions.Draft) []string {
	var lines []string
	reply := draft.Reply(ask.Spec)
	text, err := json.Marshal(reply)
	if said, ok := reply.Answers[questions.ReviewID].Text(); ok && ask.Spec.Plan != nil {
		words := safe.New(review.InWords(said).Text()).Block()
		lines = append(lines, strings.Split(strings.TrimSpace(lead)+"\n"+words, "\n")...)
	} else if err != nil {
		lines = append(lines, "The answers cannot be printed: "+safe.New(err.Error()).Line())
	} else {
		lines = append(lines, lead+safe.New(string(text)).Line())
	}
	if !draft.Message.Blank() {
		lines = append(lines, "Your message was: "+draft.Message.Line())
	}
	return lines
}

// leftBehind says on the next form what became of one that was left because it
// had ended elsewhere, and of what was entered there.
func leftBehind(ask store.Ask, err error) string {
	const titleCells = 24
	title := cells.Cut(ask.Spec.Title.Line(), titleCells)
	if err != nil {
		return "Not sent, only printed at the end: what you wrote in “" + title + "”. " + safe.New(err.Error()).Line()
	}
	return "Not sent, but kept: what you wrote in “" + title + "”, which ended."
}

// endedElsewhere says in one line what became of a form that was open here,
// and that nobody had touched here.
func endedElsewhere(ask store.Ask, session store.Session) string {
	what := "Taken back by " + agentName(ask.Client)
	if person := withdrawnBy(ask.Outcome); person != "" {
		what = "Taken back by " + person
	}
	if ask.Outcome.State != questions.Withdrawn {
		what = "Done in another pane"
		if ask.Outcome.By != "" {
			what += ", by " + safe.New(ask.Outcome.By).Line()
		}
	}
	const titleCells = 40
	return cells.Join(what, cells.Cut(ask.Spec.Title.Line(), titleCells), projectName(session))
}
