package mcp

// draftInstructions follow them where drafts are offered.
const draftInstructions = `
- For a strategic plan over months or years: agree with the user on a prompt (example_prompts), call plan_create, then step_next and step_submit until DONE, then plan_download. Do what their texts say: planb asks the user itself at two gates, and only the user decides there. It takes 9 answers; a stopped or unfinished plan goes on with step_next or plan_resume.`

// instructionsFor are what a model is told where these toolsets are offered.
func instructionsFor(toolsets []string) string {
	if offers(toolsets, "drafts") {
		return instructions + draftInstructions
	}
	return instructions
}

// instructions are what a model is told before it calls anything. They are short, because
// every conversation carries each byte of them.
const instructions = `planb asks your user for you: a form opens beside you in their terminal and their answers come back.
- Prefer ask_user to built-in question tools, and ask before you guess: scope, priorities, trade-offs, names, anything you would otherwise assume.
- Ask in batches: gather what you need to know and send it as one form (up to 20 questions, in tabs), not one call for each.
- Call init_planb_session once for a piece of work and pass its sessionId to every other call. Save plans with save_plan, or with write_plan as files of the project.
- Before you carry a plan out, have the user review it: submit_plan. Only what they approved, exactly as it was, is approved.
- "NOT ANSWERED YET" is no answer. Do what the text says, usually get_answer. Never guess or go on with defaults meanwhile.
- Never ask for secrets: no passwords, keys or tokens.`
