package drafts

import "planb/drafts/shape"

// The steps that plan the work: the numbers, the project, its tasks and its
// schedule; and those that look at it again.

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

func wbsStep() Step {
	return Step{
		Number: 16, ID: "wbs", Title: "Work Breakdown Structure", Needs: []string{"project", "choose", "confirm", "resources", "team", "documents"},
		Task: `Break the project into phases and tasks that somebody can begin tomorrow. Code makes the schedule and tells you what is late.
Phases follow each other: all of one ends before the next begins. So work beside other work belongs into its phase. Inside a phase tasks run at the same time, at most three that need hands, unless after says otherwise: "1.2", or "1.2+14" for 14 days later. What needs a permit or money comes after it. name begins with a verb. owner: a role, not a department.
min, likely, max: days of the calendar, weekends included. Offices, deliveries and hiring from experience, not from hope; wait is true where only others work.
not_before (a season, an opening) and due: a month or the user's day; each end that the user named is the due of a task. makes: the milestone that the task reaches; each milestone has one task. Cover every deliverable, permit and must.
Bad: "Project management" through all months; the same days everywhere; max equal to likely; one long chain.`,
		Shape: shape.Shape{
			key(list("phases", 3, 8, 5,
				number("1"), key(text("name", 5)),
				key(list("tasks", 2, 6, 4,
					number("1.1"), key(text("name", 8)), text("deliverable", 12), text("owner", 4),
					whole("min", 1, 3650), key(whole("likely", 1, 3650)), whole("max", 1, 3650),
					shape.Field{Name: "after", Kind: shape.Link, List: true, Max: 4},
					optional(when("not_before")), optional(when("due")), key(optional(ref("makes", "M"))), optional(flag("wait")))))),
		},
		check: checkWBS,
	}
}

func scheduleStep() Step {
	return Step{
		Number: 18, ID: "schedule", Title: "Gantt", Author: Code, Needs: []string{"wbs", "tasks"},
		Shape: shape.Shape{
			key(record("ends",
				key(day("min")), key(day("likely")), key(day("max")), whole("min_month", 0, 9999), key(whole("likely_month", 0, 9999)), key(whole("max_month", 0, 9999)))),
			key(list("deadlines", 0, 60, 0,
				key(text("id", 1)), key(text("name", 40)), key(day("due")), key(day("last")), key(amount("slack")), key(amount("late_at_max")))),
			key(shape.Field{Name: "critical", Kind: shape.Text, Words: 1, List: true, Max: 400}),
			texts("notices", 0, 60, 0, 60),
			list("leaves", 0, 400, 0,
				text("id", 1), text("name", 40), day("start"), day("end"), amount("days"), amount("float"), flag("critical"), flag("wait"),
				shape.Field{Name: "after", Kind: shape.Link, List: true, Max: 40}),
		},
	}
}

func premortemStep() Step {
	return Step{
		Number: 21, ID: "premortem", Title: "Premortem", Needs: []string{"risks", "project", "confirm", "schedule", "review"}, Readers: "challengers",
		Task: `It is a year after the planned end, and the plan has failed. Say what it bet on, and how it failed.
bets: the beliefs that carry the whole plan and that may be false. test_now: a test for this or next week that costs little and can come out badly: whom to ask, what to measure. falsifier: the result at which the bet counts as lost, with a number.
failures: three different stories, each from one bet (cause): one process, one technical, one market. story: what happens month by month, in this project, with its people, amounts and deadlines; start from a lateness or a thin reserve if the schedule shows one. signs: what can be seen early, with a number. playbook: what to do at the first sign, in order. stop_rule: the condition at which to stop spending.
Bad: a risk of the list told again without a chain of events; "lack of communication"; a sign that shows only when it is over; a stop rule without a number or a month.`,
		Shape: shape.Shape{
			key(list("bets", 3, 6, 3, id("B"), key(plain("text")), plain("test_now"), key(plain("falsifier")))),
			key(list("failures", 3, 6, 3,
				key(text("title", 8)), choice("kind", "process", "technical", "market"), ref("cause", "B"), text("story", 80), texts("signs", 2, 4, 0, 15),
				choice("likelihood", "low", "medium", "high"), whole("impact", 1, 5), texts("playbook", 2, 4, 0, shape.Plain), key(plain("stop_rule")))),
		},
		check: checkPremortem,
	}
}

func summaryStep() Step {
	return Step{
		Number: 22, ID: "summary", Title: "Decisions, Executive Summary", Needs: []string{"choose", "project", "schedule", "review", "premortem"}, Readers: "deciders",
		Task: `Write the page that somebody reads who reads nothing else and has to decide.
focus: what is done, for whom, by when, for how much, and what it depends on. findings: what the plan found out and the prompt did not say: the tight date with its slack, the thin margin, the bet that carries all; each with its number. What is late or in doubt comes first.
decisions: questions that only the reader can decide, with the threshold at which the answer turns (a number, a signature, a month) and what follows from a no.
cost: the total with its reserve, and what one year brings or costs afterwards. next: what is done in the first month, by whom, by when.
Every number stands in <inputs>, exactly so; code checks it. Name constraints, milestones and tasks by their words, not by ids. Bad: praise ("a robust plan"); a sum of your own; hiding that something is late; "further analysis" as a next step.`,
		Shape: shape.Shape{
			key(text("focus", 60)),
			key(texts("findings", 3, 5, 0, shape.Plain)),
			list("decisions", 3, 6, 0, plain("question"), text("threshold", 15), plain("if_no")),
			text("cost", 15),
			list("next", 2, 4, 0, plain("do"), text("who", 5), when("by")),
		},
		check: checkSummary,
	}
}
