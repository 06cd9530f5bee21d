package mcp

import (
	"slices"
	"strings"

	"planb/mcp/drafts"
)

// instructionsFor returns the text that a model reads before its first call, for a server
// with these toolsets. It names only tools that are offered, and is short, because every
// conversation carries each byte of it.
func instructionsFor(toolsets []string) string {
	session, review := offers(toolsets, "session"), offers(toolsets, "review")
	lines := []string{"planb asks your user for you: a form opens beside you in their terminal and their answers come back."}
	add := func(offered bool, line string) {
		if offered {
			lines = append(lines, "- "+line)
		}
	}
	add(session, "Prefer ask_user to built-in question tools, and ask before you guess: scope, priorities, trade-offs, names, anything you would otherwise assume.")
	add(session, "Ask in batches: gather what you need to know and send it as one form (up to 20 questions, in tabs), not one call for each.")
	save := "Save plans with save_plan."
	if review {
		save = "Save plans with save_plan, or with write_plan as files of the project."
	}
	add(session, "Call init_planb_session once for a piece of work and pass its sessionId to every other call. "+save)
	add(review, "Before you carry a plan out, have the user review it: submit_plan. Only what they approved, exactly as it was, is approved.")
	add(slices.ContainsFunc(toolsets, func(set string) bool { return set != drafts.OldSet }), `"NOT ANSWERED YET" is no answer. Do what the text says, usually get_answer. Never guess or go on with defaults meanwhile.`)
	add(true, "Never ask for secrets: no passwords, keys or tokens.")
	tasks := "For work that several agents or sessions share, propose a graph of tasks: create_project once, then propose_plan and approve_plan. " +
		"What you finish yourself this afternoon needs only your own list"
	if session {
		tasks += "; for a text to read and discuss call save_plan"
	}
	add(offers(toolsets, "tasks"), tasks+".")
	add(offers(toolsets, "tasks") || offers(toolsets, "work"), "Tasks: work only on what claim_task gave you. Nothing can be claimed before your user has approved it. "+
		"Report with complete_task only what you did and saw; claimNext goes on. After a lost context call get_next_actionable.")
	add(offers(toolsets, "drafts"), "For a strategic plan over months or years: agree with the user on a prompt (example_prompts), call plan_create, do what each result says until DONE, "+
		"then plan_download. planb asks the user itself at two gates, and only the user decides there. "+
		"It takes 11 answers; a stopped or unfinished draft goes on with step_next or plan_resume.")
	return strings.Join(lines, "\n")
}
