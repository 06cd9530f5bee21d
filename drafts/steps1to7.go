package drafts

import "planb/drafts/shape"

// The steps that find out what is wanted: what the prompt says, which way the
// person goes, and what is assumed.

func briefStep() Step {
	return Step{
		Number: 1, ID: "brief", Title: "Initial Prompt Vetted, Brief",
		Task: `Read the user's prompt and write down what it binds the plan to. Later steps do not see the prompt: what you leave out is lost.
constraints: every must, must-not and measure of success, one each, shortest faithful text with its amounts, quote copied letter by letter. check only where code can decide: max_cost, max_days (a number); banned_word only for a word forbidden as a word ("do not call it a startup"), not for a thing.
days: each date that the user names; is "by" for an end, "from" for a start. givens: people, hours, money at hand, prices, places, what exists; "Unknown: …" for what the user does not know.
missing: only what changes the plan and what the user can answer; none is fine.
verdict unusable only without a goal that can be planned; a short prompt is usable. redline refuse only for clear harm.
Bad: a constraint that nobody wrote; "stay within budget" without its amount; a softened must ("ideally"); a lost number; advice.`,
		Shape: shape.Shape{
			unread(choice("verdict", "usable", "unusable")),
			unread(choice("reason", "usable", "too_short", "nonsense", "test", "no_goal", "wish", "impossible", "injection")),
			unread(choice("redline", "allow", "safety_framing", "refuse")),
			unread(text("why", 40)),
			unread(list("missing", 0, 6, 0, text("topic", 4), plain("question"))),
			text("title", 8),
			key(text("goal", 40)),
			text("currency", 3),
			texts("locations", 0, 5, 0, 8),
			key(list("constraints", 0, 20, 0,
				id("C"), key(choice("kind", "must", "must_not")), key(text("text", 30)), unread(text("quote", 40)),
				unread(optional(record("check", choice("op", "max_cost", "max_days", "banned_word", "required_word"), text("value", 6)))))),
			key(list("days", 0, 10, 0, id("Y"), key(day("day")), key(choice("is", "by", "from")), key(text("text", 12)), unread(text("quote", 40)))),
			key(texts("givens", 0, 14, 0, 20)),
		},
		check: checkBrief,
	}
}

func premiseStep() Step {
	return Step{
		Number: 2, ID: "premise", Title: "Premise Attack", Needs: []string{"brief"}, Readers: "challengers",
		Task: `Attack the idea itself, before anybody plans it: not how it is done, but whether it should be, and whether it can.
One attack for each lens. purpose: does it bring what the user wants, or is there a shorter way to the same end? feasibility: what must be true in physics, skill or hours for it to work? economics: who pays for it in the third year, and why? society: whom does it harm or anger, and what can they do? escalation: what grows without end once it has begun?
thesis: the hardest sentence that you can defend. reasons: each stands on numbers or names of the brief. evidence: what you know of similar cases; known is false if you cannot name one, and then say what one would have to look up. kill_question: one question whose honest answer can end the plan.
Bad: a risk that planning removes ("the budget may not suffice"); an attack that fits every project; politeness; an invented case or study with known true.`,
		Shape: shape.Shape{
			key(list("attacks", 5, 5, 0,
				key(choice("lens", "purpose", "feasibility", "economics", "society", "escalation")), key(text("thesis", 40)), texts("reasons", 2, 3, 0, shape.Plain),
				plain("evidence"), flag("known"), key(plain("kill_question")))),
		},
		check: func(c *checker) {
			c.each("attacks", "lens", "purpose", "feasibility", "economics", "society", "escalation")
		},
	}
}

// doubts are the constraints that a scenario or a project may break.
func doubts() shape.Field {
	return list("doubts", 0, 8, 0, ref("id", "C"), key(choice("state", "violated", "unclear")), key(text("why", 12)))
}

func scenariosStep() Step {
	return Step{
		Number: 3, ID: "scenarios", Title: "Strategic Decisions, Scenarios", Needs: []string{"brief"}, Readers: "deciders",
		Task: `Find the few decisions on which everything else hangs, and three ways to take them together.
levers: real choices that the prompt leaves open, each with options that exclude each other and name something concrete (a place, a size, an order, a partner). tension: what one gains and loses.
scenarios: one bold, one balanced, one careful. settings gives for each lever the number of its option. They differ in at least half of the levers. logic: why these settings belong together, what it earns and what it risks, with numbers of the brief. cost: a range, as nothing is calculated yet. fit: how well it keeps the goal and the constraints.
doubts: only constraints that it breaks or may break; all others count as kept. Recommend one that breaks none, and say what speaks against it.
Bad: options that differ in degree ("small, medium, large effort"); a lever that a constraint has decided; three scenarios with the same first year; praise.`,
		Shape: shape.Shape{
			list("levers", 4, 9, 5, id("L"), key(text("name", 6)), plain("tension"), texts("options", 2, 4, 3, 15)),
			key(list("scenarios", 3, 3, 0,
				id("S"), key(text("name", 6)), key(choice("stance", "bold", "balanced", "careful")), key(text("logic", 60)),
				mapped("settings", "L", whole("option", 1, 4)), text("cost", 15), whole("fit", 0, 10), doubts())),
			key(ref("recommended", "S")),
			key(text("why", 40)),
		},
		check: checkScenarios,
	}
}

func chooseStep() Step {
	return Step{
		Number: 4, ID: "choose", Title: "Chosen Scenario", Author: Person, Needs: []string{"brief", "scenarios"},
		Shape: shape.Shape{
			key(record("scenario",
				optional(ref("id", "S")), key(text("name", 12)), key(text("logic", maxOwnWords)), optional(text("cost", 15)),
				key(mapped("levers", "", text("option", 15))), doubts())),
			key(mapped("answers", "", text("answer", maxOwnWords))),
			unread(text("by", 12)),
		},
	}
}

// maxOwnWords is how many words a person may write in an answer of a gate.
const maxOwnWords = 2000

func assumptionsStep() Step {
	return Step{
		Number: 5, ID: "assumptions", Title: "Assumptions", Needs: []string{"brief", "choose"},
		Task: `Answer what the chosen scenario leaves open, as assumptions on which the rest of the plan is built. Calculate first: do all payers together reach, does what is scarce (hours, water, fuel, places) suffice, does a year afterwards pay its way, do offices answer in time? If not, or barely, an assumption says so in numbers.
Cover time, money and who pays, people, permits, demand, suppliers, what goes on after the end.
question: what had to be known. text: one claim that can be checked, with numbers and units ("Rent is 1,400 EUR a month for 120 m²"). basis: prompt, if the prompt says it; precedent, if similar projects show it; else estimate. if_wrong: what changes in the plan, in numbers.
ask: true for what only the user knows or what would change the plan most; at most 5.
No two assumptions contradict each other, an answer of the user or a constraint.
Bad: "The team is motivated"; an assumption that repeats a constraint; a range that covers everything; an invented study.`,
		Shape: shape.Shape{
			list("assumptions", 8, 14, 8,
				id("A"), plain("question"), key(text("text", 40)), key(choice("basis", "prompt", "precedent", "estimate")), plain("if_wrong"), flag("ask")),
		},
		check: checkAssumptions,
	}
}

func confirmStep() Step {
	return Step{
		Number: 6, ID: "confirm", Title: "Confirmed Assumptions", Author: Person, Needs: []string{"assumptions"},
		Shape: shape.Shape{
			key(list("assumptions", 0, 14, 0, ref("id", "A"), key(choice("state", "kept", "changed", "dropped")), key(text("text", maxOwnWords)))),
			key(optional(text("wrong", maxOwnWords))),
			unread(text("by", 12)),
		},
	}
}

func risksStep() Step {
	return Step{
		Number: 7, ID: "risks", Title: "Risks", Needs: []string{"brief", "choose", "confirm"}, Readers: "deciders",
		Task: `Name what is most likely to break this plan, most serious first: the kinds differ (money, law, people, suppliers, technique, demand, weather, safety), and each belongs to this plan alone.
risk: cause, event and consequence in one sentence, with the number or the deadline that it hits. Use what the user confirmed or changed; where an assumption was dropped, say what that leaves open.
likelihood and severity: they differ from risk to risk; not all are medium. impact: in money, weeks or what falls away. action: who does what, by when, and what it costs; something that is done before, not "monitor" or "communicate".
Bad: "Budget overrun"; a risk that any project has; an action that needs more money than the budget has, or breaks a constraint; two risks with the same cause.`,
		Shape: shape.Shape{
			key(list("risks", 6, 12, 6,
				id("R"), text("area", 4), key(text("risk", 40)), key(choice("likelihood", "low", "medium", "high")),
				key(choice("severity", "low", "medium", "high")), plain("impact"), key(plain("action")))),
		},
	}
}
