package drafts

import "planb/drafts/shape"

// The steps that fix the project and what endangers it, and look at who does it with what.

func projectStep() Step {
	return Step{
		Number: 8, ID: "project", Title: "Project Plan", Name: "Project plan", Needs: []string{"confirm", "facts", "choose", "brief", sketchID}, Readers: "sponsors",
		Task: `Turn the decisions and numbers into one project that can be checked.
success: each measure of the user, with the definition that avoids a quarrel later ("connected = heat flows through the meter"; counted how, by whom). milestones: in order of time, each end that the user named among them. gate: true where work stops unless pass holds (a number, a signature); otherwise: what happens instead, calculated with the same numbers. formula: how the number in pass or otherwise follows from keys of facts ("reserve ÷ rent_month"); a threshold without one is a guess.
budget: every line that the work needs, also permits, insurance, taxes, interest, paid help; adds up to total_budget exactly; rests_on: quantity × price; by: when it is paid, and first, where it is paid every month from then on, as code adds up month by month what is left; reserve: true for the one that nobody may plan with. sources: who pays how much when, with first, too, where it comes in every month; they reach the same sum; what nobody pays is a line with mark missing; a loan that only bridges has back, the day on which it is paid back, and does not count in the sum. running: one year afterwards.
answers: one for each question Q of the brief: the options or cases compared in numbers, the recommendation with its reason, and the rule by which one switches (a value, a day). who decides it, by when. An unknown quantity gets its best value, what it rests on, and the measurement that settles it.
A plan that only just holds does not hold: keep what the first months need. Test demand before anything binds.
doubts: constraints that this plan breaks or may break, with the number. If a year does not carry itself, or an answer of the user breaks what the chosen way holds on (holds_if), say so with the number; do not bend.
Bad: a line "other"; "to be examined" as an answer; amounts that differ from facts.`,
		Shape: shape.Shape{
			key(text("goal", 60)),
			key(list("success", 3, 8, 0, key(text("text", 15)), text("measure", 30), key(when("by")))),
			texts("deliverables", 3, 10, 0, 15),
			key(list("milestones", 4, 10, 9, id("M"), key(text("name", 8)), key(when("by")), flag("gate"), optional(plain("pass")), optional(plain("otherwise")), unread(optional(text("formula", 24))))),
			key(list("budget", 4, 16, 0, key(text("line", 8)), key(amount("amount")), text("rests_on", 20), choice("mark", "given", "quote", "estimate", "guess"), optional(when("first")), when("by"), optional(flag("reserve")))),
			list("sources", 1, 12, 0, text("from", 8), amount("amount"), text("rests_on", 20), choice("mark", "given", "quote", "estimate", "guess", "missing"), optional(when("first")), when("by"), optional(when("back"))),
			list("running", 0, 12, 0, text("line", 8), amount("amount"), choice("kind", "income", "cost"), text("rests_on", 20)),
			list("answers", 0, 8, 0, key(ref("id", "Q")), list("options", 2, 4, 0, text("option", 8), plain("speaks_for"), plain("speaks_against")),
				key(text("recommendation", 70)), key(text("switch_rule", 35)), text("who", 6), key(when("by"))),
			texts("permits", 0, 8, 0, 20),
			list("parties", 2, 8, 0, text("who", 6), text("role", 15)),
			key(doubts()),
		},
		check: checkProject,
	}
}

func risksStep() Step {
	return Step{
		Number: 9, ID: "risks", Title: "Risks", Name: "Risks", Needs: []string{"project", "confirm", "choose", "brief"}, Readers: "deciders",
		Task: `Name what is most likely to break this plan, most serious first: of different kinds (money, law, people, suppliers, technique, demand, weather, safety, the measurement that comes too late), each of this plan alone.
risk: cause, event and consequence in one sentence, with the number or the day that it hits. likelihood and severity differ from risk to risk. impact: in money, days or what falls away. sign: what is seen early, with a number or a day. action: what is done before, and what it costs; who; by: a day that fits the milestones and leaves time for it to help.
rules: what is decided now, while nobody is nervous, for the cases that would otherwise be decided in a hurry: trigger: a day or a value; then: exactly what happens, step by step, and what does not; formula: how the value, which stands in figures in trigger or then, follows from keys of facts; who: declares it. The late answer of an office, a result below the threshold, money that does not come.
Bad: "Budget overrun"; a risk that any project has; "monitor", "communicate"; an action that costs more than the reserve or breaks a constraint; a rule without a number, or whose way out was not calculated; two risks with the same cause.`,
		Shape: shape.Shape{
			key(list("risks", 6, 14, 11,
				id("R"), key(text("risk", 40)), key(choice("likelihood", "low", "medium", "high")), key(choice("severity", "low", "medium", "high")),
				text("impact", 20), text("sign", 20), key(text("action", 35)), text("who", 6), when("by"))),
			key(list("rules", 1, 8, 0, key(plain("trigger")), key(text("then", 60)), unread(optional(text("formula", 24))), text("who", 10))),
		},
		check: func(c *checker) { c.checkThresholds("rules", "trigger", "then") },
	}
}

func governanceStep() Step {
	return Step{
		Number: 10, ID: "governance", Title: "Governance", Name: "Governance", Needs: []string{"risks", "project"}, Readers: "owners",
		Task: `Say who decides what, so that no decision of this project waits for somebody who does not know it.
Size it to the people and hours of <inputs>: three volunteers need one meeting, not a steering committee. Each body is made of people or parties that <inputs> name.
bodies: decides names decisions with their limits ("spends up to 2,000 EUR without the others"). meets: how often, how long. escalation: what stops the work, to whom it goes, and within how many days it is answered. monitoring: a number that shows in time that a risk or a milestone slips; trigger: the value at which somebody acts, and what is done. audits: what is looked at by somebody who did not do it. questions: what the owners have to settle before they begin.
Every gate of the milestones is decided by a body; every high risk is watched by a monitoring line.
Bad: "regular communication"; a body without a decision; a trigger without a number; more meeting hours than people have.`,
		Shape: shape.Shape{
			key(list("bodies", 2, 5, 0, key(text("name", 5)), key(plain("decides")), texts("members", 1, 6, 0, 5), text("meets", 6))),
			list("escalation", 3, 6, 0, text("issue", 8), text("to", 5), plain("how")),
			key(list("monitoring", 3, 6, 0, key(text("what", 8)), text("every", 4), text("owner", 4), key(text("trigger", 15)))),
			texts("audits", 2, 6, 0, shape.Plain),
			texts("questions", 3, 6, 0, shape.Plain),
		},
	}
}

func resourcesStep() Step {
	return Step{
		Number: 11, ID: "resources", Title: "Related Resources, Data Collection", Name: "Resources and data", Needs: []string{"confirm", "project"},
		Task: `Say where this plan can learn from others, and which of its estimates can be replaced by data, soonest and cheapest.
precedents: projects of the same kind, size and country if possible. known is true only if you are sure that it exists under that name; else describe the kind of project and where one asks for it, with known false. lesson: what went wrong or right there, and what this plan does because of it.
data: each item replaces an estimate of facts or tests an assumption: name which. source: an office, register, maker or measurement that exists, and how one gets it (a call, an offer, a meter, a visit). check: the value at which the plan changes.
Begin with the estimate that changes most if it is wrong.
Bad: "market research"; "the internet"; a famous project with nothing in common; data that nobody needs for a decision; an invented name with known true.`,
		Shape: shape.Shape{
			list("precedents", 2, 5, 0, text("name", 8), text("lesson", 30), flag("known")),
			key(list("data", 3, 8, 0, key(text("item", 8)), plain("why"), text("source", 12), key(plain("check")))),
		},
	}
}

func teamStep() Step {
	return Step{
		Number: 12, ID: "team", Title: "Team", Name: "Team", Needs: []string{"project", "resources"},
		Task: `Name the roles that the work needs, and whether somebody is there for each.
Begin with the people of <inputs>, by name or position, and give nobody more hours than they have. Then the roles that must be bought or found. count: heads and hours ("1, 8 h a week"). contract: how they are bound. work: what this role delivers, from the deliverables of the project; each deliverable, permit and gate has a role. needs: the licence, skill or tool without which the role cannot do it, and from which month.
The wages and fees of all roles together fit into the budget's lines and the running costs.
gaps: roles for which nobody is named, with the month in which that hurts and what is done until then.
Bad: "Project manager: coordinates everything"; a role for one hour of work; titles of a large company in a small one; a volunteer in a place that a constraint forbids.`,
		Shape: shape.Shape{
			key(list("roles", 3, 10, 0,
				id("T"), key(text("role", 5)), key(text("count", 8)), choice("contract", "full_time", "part_time", "contractor", "agency", "volunteer"), text("work", 30), plain("needs"))),
			key(texts("gaps", 0, 5, 0, shape.Plain)),
		},
	}
}

func swotStep() Step {
	return Step{
		Number: 13, ID: "swot", Title: "SWOT Analysis", Name: "Strengths and weaknesses", Needs: []string{"confirm", "project", "resources"},
		Task: `Weigh what speaks for this project and against it, and what follows from that.
strengths and weaknesses are of the people, money, place and plan as they are today; opportunities and threats come from outside and may happen or not. Each names the number, person or place of <inputs> that makes it true, and stands in one list only.
weaknesses: also those that the user does not like to hear: a missing skill, a reserve that is spent once, a plan that hangs on one person.
actions: each joins two entries: a strength that takes an opportunity, or what removes a weakness before a threat meets it. do begins with a verb; by is before the milestone that it protects; no action costs money that the budget has not.
Bad: "motivated team"; "growing market" without a number; the same thing as strength and opportunity; a risk copied word by word; an action "monitor the market".`,
		Shape: shape.Shape{
			key(texts("strengths", 2, 5, 0, shape.Plain)),
			key(texts("weaknesses", 2, 5, 0, shape.Plain)),
			texts("opportunities", 2, 5, 0, shape.Plain),
			texts("threats", 2, 5, 0, shape.Plain),
			key(list("actions", 3, 6, 0, key(plain("do")), text("who", 5), key(when("by")))),
		},
	}
}
