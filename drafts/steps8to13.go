package drafts

import "planb/drafts/shape"

// The steps that fix the numbers and the project, and look at who does it with what.

func factsStep() Step {
	return Step{
		Number: 8, ID: "facts", Title: "Canonical Facts", Needs: []string{"confirm", "choose", "brief", "risks"},
		Task: `Write the one list of numbers from which every later section is made. What is not here, later steps may not calculate with.
key: short snake_case. Always total_budget and duration_months. value: as people read it; number and unit: the same for code. Every amount in a constraint is a fact of kind user_constraint, with its exact number. decision: what the scenario or an answer fixed. threshold: a number at which something is stopped or begun. estimate: everything nobody told you.
formula: wherever a number follows from others, over their keys and numbers: "rent_month × duration_months". It must give number. Take the assumptions as the user left them: changed ones changed, dropped ones not at all.
Include what is scarce and what is needed of it, prices, wages, quantities, targets, the reserve, and what one year brings and costs.
Bad: a number that contradicts another; the same number under two keys; a text without a number that no step needs; false precision.`,
		Shape: shape.Shape{
			key(list("facts", 12, 30, 24,
				key(text("key", 6)), key(text("value", 12)), optional(unread(shape.Field{Name: "number", Kind: shape.Decimal})), optional(unread(text("unit", 3))),
				optional(text("formula", 20)), key(choice("kind", "user_constraint", "decision", "threshold", "estimate")), text("basis", 12))),
			optional(text("notes", 60)),
		},
		check: checkFacts,
	}
}

func projectStep() Step {
	return Step{
		Number: 9, ID: "project", Title: "Project Plan", Needs: []string{"confirm", "facts", "choose", "brief"}, Readers: "sponsors",
		Task: `Turn the decisions into one project that can be checked.
success: what is measured, how, and by when; the goal itself, not only work done. deliverables: things that somebody can look at. milestones: in order of time; gate is true where work stops unless a condition holds. Each end that the user named is the by of a milestone, the hardest first if there are too many.
budget: lines that add up to total_budget exactly; reserve is true for the one that nobody may plan with (usually 5 to 15 %). running: income and costs of one year afterwards, whole amounts; [] if there are none. If they do not carry what must carry itself, do not bend them: write the doubt.
parties: who must agree, pay, deliver or may object. doubts: constraints that this plan breaks or may break, with the number that shows it.
Bad: a line "other" above the reserve; a milestone "project finished" alone; a budget that forgets the setting up, insurance or taxes; amounts that differ from <inputs>.`,
		Shape: shape.Shape{
			key(text("goal", 60)),
			text("why", 60),
			key(list("success", 3, 8, 0, key(plain("text")), text("measure", 15), key(when("by")))),
			key(texts("deliverables", 3, 10, 0, 15)),
			key(list("milestones", 4, 10, 5, id("M"), key(text("name", 8)), key(when("by")), flag("gate"))),
			key(list("budget", 4, 10, 0, key(text("line", 6)), key(amount("amount")), when("by"), optional(flag("reserve")))),
			list("running", 0, 10, 0, text("line", 6), amount("amount"), choice("kind", "income", "cost")),
			list("parties", 2, 8, 0, text("who", 6), text("role", 15)),
			key(texts("permits", 0, 8, 0, 15)),
			key(doubts()),
		},
		check: checkProject,
	}
}

func governanceStep() Step {
	return Step{
		Number: 10, ID: "governance", Title: "Governance", Needs: []string{"risks", "project"}, Readers: "owners",
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
		Number: 11, ID: "resources", Title: "Related Resources, Data Collection", Needs: []string{"confirm", "project"},
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
		Number: 12, ID: "team", Title: "Team", Needs: []string{"project", "resources"},
		Task: `Name the roles that the work needs, and whether somebody is there for each.
Begin with the people of <inputs>, by name or position, and give nobody more hours than they have. Then the roles that must be bought or found. count: heads and hours ("1, 8 h a week"). contract: how they are bound. work: what this role delivers, from the deliverables of the project; each deliverable, permit and gate has a role. needs: the licence, skill or tool without which the role cannot do it, and from which month.
The wages and fees of all roles together fit into the budget's lines and the running costs.
gaps: roles for which nobody is named, with the month in which that hurts and what is done until then.
Bad: "Project manager: coordinates everything"; a role for one hour of work; titles of a large company in a small one; a volunteer in a place that a constraint forbids.`,
		Shape: shape.Shape{
			key(list("roles", 3, 10, 0,
				id("T"), key(text("role", 5)), key(text("count", 4)), choice("contract", "full_time", "part_time", "contractor", "agency", "volunteer"), text("work", 30), plain("needs"))),
			key(texts("gaps", 0, 5, 0, shape.Plain)),
		},
	}
}

func swotStep() Step {
	return Step{
		Number: 13, ID: "swot", Title: "SWOT Analysis", Needs: []string{"confirm", "project", "resources"},
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
