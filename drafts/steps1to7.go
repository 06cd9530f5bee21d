package drafts

import "planb/drafts/shape"

// The steps that find out what is wanted: what the prompt says, which way the
// person goes, what is assumed, and what follows from it in numbers.

func briefStep() Step {
	return Step{
		Number: 1, ID: "brief", Title: "Initial Prompt Vetted, Brief", Name: "Brief",
		Task: `Read the user's prompt and write down what it binds the plan to. The steps until the last do not see the prompt: what you leave out is lost to them.
questions: what the prompt asks the plan to settle, calls undecided or does not know ("we do not know whether …", "a good plan tells us …"), one each; the plan answers every one.
constraints: every must, must-not and measure of success, one each, shortest faithful text with its amounts, quote copied letter by letter. check only where code can decide: max_cost, max_days (a number); banned_word only for a word forbidden as a word ("do not call it a startup"), not for a thing.
days: each date that the user names; is "by" for an end, "from" for a start. givens: people, hours, money at hand, prices, places, what exists.
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
			key(texts("givens", 0, 16, 0, shape.Plain)),
			key(list("questions", 0, 8, 0, id("Q"), key(plain("text")), unread(text("quote", 40)))),
		},
		check: checkBrief,
	}
}

// sketchID is the id of the first answer of the step scenarios.
const sketchID = "scenarios.1"

// sketchStep is the first answer of the step scenarios: the whole plan as one would write it
// from the prompt alone. The steps after it test what it says, and step 22 writes it again.
// Without it the scenarios are chosen before anybody has thought the plan through to its end.
func sketchStep() Step {
	return Step{
		Number: 3, Part: 1, ID: sketchID, Title: "The Plan, First Sketch", Name: "First sketch", Needs: []string{"brief"},
		Task: `Write the plan in one piece, from the prompt alone, as somebody of the trade gives it to this person who pays for it: as if it were all that the user ever gets. The steps after this one test it, calculate it and ask the user; the last one writes it again with what they found.
Think before you write, with a script where you calculate. Walk over the place through a whole year: what do its season, ground, people and law want by themselves, and which knot is gone if something is moved, paused, made smaller, left out or asked earlier? What costs little (saving, repairing, renting, borrowing, asking, another order)? Do those who pay reach the cost in the month in which it is due, does what is scarce (hours, water, fuel, days of a season) suffice, do offices answer in time? What wears people out, what would a neighbour, an inspector or a bookkeeper say? Then decide: one way through, and why not the others.
chapters: 2,500 to 3,500 words in all, in an order that this user wants to read. What exactly is built, bought or done and how, with sizes, technique, quantities, and who does it; the usual week of those who do it; the calendar to the end and a year further; what it costs as its payers see it, who pays, when money is short; each open question of the prompt: your answer, and the rule to switch; how each "must not" is kept in daily life; what the prompt fears or loves, with the most room; what may go wrong, and what is done then; what is done if somebody whose yes is needed says no. text: paragraphs; "- " before an item of a list; "| a | b |" for each row of a table, the head first.
Whole sentences for people who know the place; the user is "you". At most two numbers in a sentence. Say which numbers are guesses.
weak: the statements that carry most and are least certain: sums, days, prices, rules of law, what people will do; and what would show that each is wrong.
Bad: an outline; advice that fits every plan; options without a decision; "to be clarified"; a sum that nobody added up; praise.`,
		Shape: shape.Shape{
			unread(list("chapters", 4, 12, 0, text("title", 10), lined(texts("text", 1, 60, 0, 160)))),
			key(list("weak", 4, 8, 0, key(text("text", 35)), plain("shown_by"))),
		},
		check: func(c *checker) { c.checkTexts(maxPlanWords) },
	}
}

func premiseStep() Step {
	return Step{
		Number: 2, ID: "premise", Title: "Premise Attack", Name: "Premise attack", Needs: []string{"brief"}, Readers: "challengers",
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
		Number: 3, ID: "scenarios", Title: "Strategic Decisions, Scenarios", Name: "Scenarios", Needs: []string{"brief", sketchID}, Readers: "deciders",
		Task: `Find the few decisions on which everything else hangs, and three ways to take them together.
One of the ways is that of the first sketch, put right where it does not hold: test its weak statements first, and calculate on a rough page whether the payers together reach the cost in time and whether what is scarce (hours, water, fuel, days of a season) suffices. The two other ways get out of the same knot differently, as somebody of the trade who disagrees with the sketch would.
What costs little and helps in every case (saving, repairing, renting, borrowing, asking, another order) comes first in all three; name it in logic.
levers: real choices that the prompt leaves open, each with options that exclude each other and name something concrete (a place, a size, an order, a partner). tension: what one gains and loses.
scenarios: one bold, one balanced, one careful. settings gives for each lever the number of its option; they differ in at least half of the levers. logic: why these belong together, what it earns and risks, in numbers. holds_if: what has to be true for it to work, with the number. cost: a range. fit: how well it keeps the goal and the constraints.
doubts: only constraints that it breaks or may break. Recommend one that breaks none; why says what speaks against it, too.
Bad: options that differ in degree ("small, medium, large effort"); a lever that a constraint has decided; three scenarios with the same first year; praise.`,
		Shape: shape.Shape{
			list("levers", 4, 9, 6, id("L"), key(text("name", 6)), plain("tension"), texts("options", 2, 4, 3, 15)),
			key(list("scenarios", 3, 3, 0,
				id("S"), key(text("name", 6)), key(choice("stance", "bold", "balanced", "careful")), key(text("logic", 80)), text("holds_if", 30),
				mapped("settings", "L", whole("option", 1, 4)), text("cost", 20), whole("fit", 0, 10), doubts())),
			key(ref("recommended", "S")),
			key(text("why", 60)),
		},
		check: checkScenarios,
	}
}

func chooseStep() Step {
	return Step{
		Number: 4, ID: "choose", Title: "Chosen Scenario", Name: "Chosen scenario", Author: Person, Needs: []string{"brief", "scenarios"},
		Shape: shape.Shape{
			key(record("scenario",
				optional(ref("id", "S")), key(text("name", 12)), key(text("logic", maxOwnWords)), optional(text("holds_if", 30)), optional(text("cost", 15)),
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
		Number: 5, ID: "assumptions", Title: "Assumptions", Name: "Assumptions", Needs: []string{"brief", sketchID, "choose"},
		Task: `Write the register of what this plan does not know: every number and rule that it needs and nobody told you, those that the first sketch took for granted among them, the heaviest first. Later steps calculate with it.
Think as somebody who has done such work for twenty years: what is bought is not what is used (efficiency, losses, sickness), people pay prices with tax, demand starts slowly, those who said yes are fewer when they sign, builders have holidays.
Cover whether what is there is legally what it is called, and who else must consent; taxes and duties that begin with growth; the amounts behind each question of the brief, demand, prices, units and taxes ("14 cents, net or with 19 % tax?"), what all payers together reach, what the scarce thing yields and what is needed of it, how long offices and suppliers take, permits, the hours of people, the year afterwards.
text: one claim that can be checked, with numbers and units. range: the least and the most that an honest expert would say. basis: prompt, if the prompt says it; precedent, if similar projects show it; estimate, from ordinary experience; guess, if nobody should decide on it before it is tested. if_wrong: what changes, in numbers.
test: how it becomes a number (whose bills, which measurement, whose written answer), who: does it; by: when.
ask: true for what only the user knows or what would change the plan most; at most 5. None contradicts another, an answer of the user or a constraint.
Bad: "The team is motivated"; a repeated constraint; "market research" as a test; an invented study.`,
		Shape: shape.Shape{
			list("assumptions", 8, 18, 14,
				id("A"), text("question", 20), key(text("text", 40)), text("range", 12), key(choice("basis", "prompt", "precedent", "estimate", "guess")), plain("if_wrong"),
				plain("test"), text("who", 5), shape.Field{Name: "by", Kind: shape.When, Sample: "2027-06-18|Y1"}, flag("ask")), // there are no milestones yet
		},
		check: checkAssumptions,
	}
}

func confirmStep() Step {
	return Step{
		Number: 6, ID: "confirm", Title: "Confirmed Assumptions", Name: "Confirmed assumptions", Author: Person, Needs: []string{"assumptions"},
		Shape: shape.Shape{
			key(list("assumptions", 0, 18, 0, ref("id", "A"), key(choice("state", "kept", "changed", "dropped", "unknown")), key(text("text", maxOwnWords)))),
			key(optional(text("wrong", maxOwnWords))),
			unread(text("by", 12)),
		},
	}
}

func factsStep() Step {
	return Step{
		Number: 7, ID: "facts", Title: "Numbers", Name: "Numbers", Needs: []string{"confirm", "choose", "brief", sketchID},
		Task: `Calculate the plan: the one list of numbers from which every later section is made, and the tables that show what follows from them. Take the assumptions as the user left them; one that a person of the trade would not believe gets the better number here, and notes say why. Calculate each unit through: what is bought, lost, used and paid for, and the months after the start, too. Where the prompt can be read in two ways, calculate the one that costs more.
facts: key in snake_case; always duration_months and total_budget (all that is spent until the end, with interest, taxes and wages; budget and sources will add up to it), and where people's hours are limited hours_week (of all together) and hours_week_name of each of them (hours_week_forester). number: for code; units in unit; money in whole units of the currency, never in millions. Every amount in a constraint is a fact of kind user_constraint, or stands in the value or basis of one. formula: wherever a number follows from others: "heat_sold × price ÷ 100"; max(a, b) and min(a, b) for taxes and thresholds; it must give number. Build chains of formulas from the assumptions to the few results that decide (price, money that is missing, what is left of the scarce thing, the year's balance), because code varies them. At most 11,000 bytes of facts.
calculations: the sums that the deciders must see, worked out: what is scarce against what is needed, cases or variants beside each other, what the unit costs, when money runs short. head and rows: cells with " | " between them, the same number in each. result: what it says, in full sentences.
sensitivity: driver: a key; to: another value that may well happen; watch: the key of the result. Code calculates the effect.
Bad: a result that is bent to fit; a number under two keys; false precision; a table without a conclusion.`,
		Shape: shape.Shape{
			key(list("facts", 12, 56, 52,
				key(text("key", 6)), key(text("value", 12)), optional(unread(decimal("number"))), optional(unread(text("unit", 5))),
				optional(text("formula", 24)), key(choice("kind", "user_constraint", "decision", "threshold", "estimate", "guess")), text("basis", 12))),
			list("calculations", 2, 6, 5, key(text("title", 10)), text("head", 24), texts("rows", 2, 9, 8, 45), key(text("result", 60))),
			list("sensitivity", 3, 8, 6, text("driver", 6), decimal("to"), text("watch", 6)),
			optional(text("notes", 60)),
		},
		check: checkFacts,
	}
}
