package tui

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// receipt says in one line what was settled: what to whom, for which project.
// settled is how many asks were, this one included.
func receipt(ask store.Ask, session store.Session, waits bool, settled int) string {
	to := agentName(ask.Client)
	var what string
	switch n := len(ask.Outcome.Reply.Answers); ask.Outcome.State {
	case questions.Answered:
		what = "Sent without answers to " + to
		if n > 0 {
			what = count(n, "answer") + " sent to " + to
		}
	case questions.Discuss:
		what = "Reply sent to " + to
	default:
		what = "Declined; " + to + " is told"
	}
	if project := projectName(session); project != "" {
		what += " · " + project
	}
	if settled > 1 {
		what += fmt.Sprintf(" · %d forms done", settled)
	}
	if !waits {
		what += " · kept until it asks again"
	}
	return what
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

// wayBack says how to come back to an ask that was left open.
func wayBack(ask store.Ask) string {
	return fmt.Sprintf("Kept as you left it: %s. To go on:  planb tui ask %s", ask.Spec.Title.Line(), store.ShortID(ask.ID))
}

// lostDraft gives a draft that could not be saved to the person, since nobody
// else has it.
func lostDraft(ask store.Ask, draft questions.Draft, err error) []string {
	lines := []string{"What you entered could not be saved: " + safe.New(err.Error()).Line()}
	text, encodeErr := json.Marshal(draft.Reply(ask.Spec))
	if encodeErr != nil {
		return append(lines, "Nor can it be printed: "+safe.New(encodeErr.Error()).Line())
	}
	return append(lines, "It was: "+safe.New(string(text)).Line())
}
