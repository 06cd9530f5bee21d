package drafts

import "planb/drafts/shape"

// The steps that criticise the project and break its work down to a schedule.

func expertsStep() Step {
	return Step{
		Number: 14, ID: "experts", Title: "Expert Criticism", Name: "Expert criticism", Needs: []string{"premise", "risks", "project", "swot"},
		Task: `Read the plan as two to four people who have done such a thing and have no reason to be kind.
experts: professions that this plan cannot do without and that see different things (the one who builds, who licenses, who lends, who runs it in the third year); by title, without invented names.
issues: what this plan does wrong or forgets, found by comparing its sections: a number too low for that trade, a step in the wrong order, a rule that nobody named, a duty afterwards. problem names the place in the plan and the number. fix: a change that can be made to the plan now, with its cost or days.
Use the attacks of the premise that the plan has not answered.
go: no_go if a fix is not possible within the constraints; conditions if it is; go only if no issue is left open. conditions: each can be checked on a day, with a number or a paper.
Bad: "consult a lawyer"; praise; an issue that the risks already have with an action; conditions such as "good planning".`,
		Shape: shape.Shape{
			key(list("experts", 2, 4, 0, key(text("title", 5)), key(list("issues", 2, 4, 0, key(text("title", 6)), text("problem", 40), key(text("fix", 30)))))),
			key(choice("go", "go", "conditions", "no_go")),
			key(texts("conditions", 0, 6, 0, shape.Plain)),
		},
		check: func(c *checker) {
			if c.out.Text("go") == "conditions" && len(c.out.Texts("conditions")) == 0 {
				c.add("conditions", "0 items", "at least 1, as go is conditions", "")
			}
		},
	}
}

func documentsStep() Step {
	return Step{
		Number: 15, ID: "documents", Title: "Documents to Create and Find", Name: "Documents", Needs: []string{"project", "governance", "team"},
		Task: `List the papers without which a task cannot begin or a gate cannot open.
create: contracts, applications, drawings, rules, price lists that the team writes. purpose: who does what with it, and which milestone waits for it. owner: the id of a role. steps: how it comes about, in order, the first one doable this month. approver: a body or a party that <inputs> name.
find: papers that exist elsewhere: laws, plans of a building, tariffs, offers, registers. where: the office or the place that has it. why: the number or decision that depends on it. hard: how hard it is to get in time, hard only with a reason in why.
Each permit, each gate and each constraint about law or money has its paper.
Bad: "project plan", "meeting minutes", "risk register": papers about papers; an owner who has no time; a document without a reader; the same paper under two names.`,
		Shape: shape.Shape{
			key(list("create", 3, 8, 0, id("D"), key(text("name", 6)), plain("purpose"), key(ref("owner", "T")), texts("steps", 1, 4, 0, 15), text("approver", 5))),
			key(list("find", 2, 8, 0, id("F"), key(text("name", 6)), plain("why"), text("where", 12), choice("hard", "easy", "medium", "hard"))),
		},
	}
}

func wbsStep() Step {
	return Step{
		Number: 16, ID: "wbs", Title: "Work Breakdown Structure", Name: "Work breakdown", Needs: []string{"project", "risks", "confirm", "choose", "resources", "team", "documents", sketchID},
		Task: `Break the project into work that somebody can begin tomorrow, 25 to 60 tasks if it takes longer than half a year. Code makes the schedule and tells you what is late or too much.
Cover each test of an assumption, each permit, answer and decision, contracts and tenders, orders and deliveries, building, the closing or changing over, acceptance, training, the first year, each action of a risk that takes time, and the closing of accounts.
name begins with a verb. deliverable: what is there when it is done, so that it can be checked. owner: a person or role, not a department; the name that hours_week_name has. hours: of the people whose hours are limited, in all: those of them among the owners divide them equally; code adds them up by month against hours_week, of all and of each. cost: where a budget line is spent.
min, likely, max: days of the calendar. Offices, deliveries and hiring from experience, not from hope; wait is true where only others work.
Phases may overlap: a task begins as soon as what is in after has ended ("1.2", or "1.2+14" for 14 days later) and not_before is reached, in any phase. Without both it begins on the first day. due: a day that must not be missed; each end that the user named is the due of a task. What happens on a fixed day, as a meeting, takes one day and has it as not_before, too. makes: the milestone that the task reaches; each milestone has one task.
Bad: "Project management"; the same days everywhere; max equal to likely, unless it is one day; work before its permit, money or season.`,
		Shape: shape.Shape{
			key(list("phases", 3, 8, 7,
				number("1"), key(text("name", 5)),
				key(list("tasks", 2, 9, 0,
					number("1.1"), key(text("name", 10)), text("deliverable", 15), text("owner", 4), optional(whole("hours", 0, 9999)), optional(whole("cost", 0, 0)),
					whole("min", 1, 3650), key(whole("likely", 1, 3650)), whole("max", 1, 3650),
					shape.Field{Name: "after", Kind: shape.Link, List: true, Max: 8},
					optional(when("not_before")), optional(when("due")), key(optional(ref("makes", "M"))), optional(flag("wait")))))),
		},
		check: checkWBS,
	}
}

func tasksStep() Step {
	return Step{
		Number: 17, ID: "tasks", Title: "Tasks", Name: "Tasks", Needs: []string{"wbs", "team"},
		Task: `Divide each task of the phase into the one to four pieces that one person does without a break in between; a short one stays one piece. Code makes the schedule from them instead of the tasks.
tasks: each task of the phase once, with its id; subtasks: "1.1.1", "1.1.2" … begin with a verb and end in something that is there: sent, signed, measured, mounted.
min, likely, max: days of the calendar. Subtasks without any after follow each other: then their likely days add up to about those of the task. With after they overlap: "1.1.1" for after its end, "1.1.1SS+3" for 3 days after its start; only within one phase.
wait: true where only others work; put the waiting apart from the work, so that somebody can do other things meanwhile. role: the id of the role that does it, nobody two things at once.
Bad: "prepare, do, finish" in every task; the task's name told again; a piece of one hour; waiting hidden in a piece of work; a sum of days that doubles the task.`,
		Shape: shape.Shape{
			key(list("tasks", 1, 9, 0,
				shape.Field{Name: "id", Kind: shape.Ref, Sample: "1.1"},
				key(list("subtasks", 1, 4, 0,
					number("1.1.1"), key(text("name", 10)), whole("min", 1, 3650), key(whole("likely", 1, 3650)), whole("max", 1, 3650),
					optional(ref("role", "T")), shape.Field{Name: "after", Kind: shape.Link, List: true, Max: 3}, optional(flag("wait")))))),
		},
		check: checkTasks,
	}
}

func scheduleStep() Step {
	return Step{
		Number: 18, ID: "schedule", Title: "Gantt", Name: "Schedule", Author: Code, Needs: []string{"wbs", "tasks"},
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
