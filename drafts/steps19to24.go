package drafts

import (
	"strings"

	"planb/drafts/shape"
)

// The steps that tell the plan to others and look at it again.

func pitchStep() Step {
	return Step{
		Number: 19, ID: "pitch", Title: "Pitch, Questions & Answers", Name: "Pitch and questions", Needs: []string{"project", "experts", "schedule"}, Readers: "sponsors",
		Task: `Write what the user can say to the person whose yes they need most, and the answers to what that person asks then.
Who that is follows from <inputs>: the landlord, the council, the bank, the members. audience: who, and what they stand to lose.
hook: one sentence that this person has not heard before, with a number of the plan. what: what is done, by when, for how much, told to somebody who knows nothing of it. benefits: for the audience, not for the user. ask: one thing to sign, pay or allow, with its amount and its last day. risks: the worst ones in plain words, with what is done about them; who hides them loses the room.
qa: the questions that one would rather not get: about money when it fails, the weakest number, the user's skill, what comes after. a: answers first, in the first four words, then gives the reason; "we do not know yet, we know it in Month 3" is an answer.
Bad: "unique", "innovative", "win-win"; a question nobody asks; a number that is not in <inputs>.`,
		Shape: shape.Shape{
			key(text("hook", 30)), key(text("what", 60)), plain("audience"), texts("benefits", 2, 5, 0, shape.Plain), key(text("ask", 30)), texts("risks", 1, 3, 0, shape.Plain),
			list("qa", 4, 8, 0, plain("q"), text("a", 60)),
		},
	}
}

func reviewStep() Step {
	return Step{
		Number: 20, ID: "review", Title: "Review Plan", Name: "Plan review",
		Needs:   []string{"project", "governance", "resources", "team", "swot", "experts", "documents", "wbs", "tasks", "schedule", "pitch"},
		Readers: "deciders",
		Task: `Read all sections beside each other and find what is missing or does not fit, most serious first.
Look for: a deliverable, permit or condition of an expert that no task makes; a task whose role has no hours or no name; a milestone with little slack before a gate; a cost that no budget line has; a document that comes later than the task that needs it; an assumption that nobody tests before money is spent on it; a number that differs between two sections; what the user wanted and nothing measures.
text: names both places ("2.3 builds the ramp in Month 4, the permit comes in Month 5"). impact: in money, days or what falls away. do: the change to make, in which section, by whom.
topic: showstopper only for what stops the plan as it stands.
Bad: a finding that names one place only; a risk told again; advice that fits every plan ("improve communication"); a finding that <inputs> already answer.`,
		Shape: shape.Shape{
			key(list("findings", 6, 12, 0,
				key(choice("topic", "issue", "consequence", "action", "showstopper", "assumption", "kpi", "data", "party", "budget", "role", "timeline", "finance")),
				key(text("text", 50)), plain("impact"), key(text("do", 30)))),
		},
	}
}

func premortemStep() Step {
	return Step{
		Number: 21, ID: "premortem", Title: "Premortem", Name: "Premortem", Needs: []string{"risks", "project", "confirm", "schedule", "review"}, Readers: "challengers",
		Task: `It is a year after the planned end, and the plan is regarded as a mistake. Say what it bet on, and how it failed.
bets: the beliefs that carry the whole plan and may be false. test_now: a test for this or next week that costs little and can come out badly: whom to ask, what to measure. falsifier: the result at which the bet counts as lost, with a number.
failures: different stories, each from one bet (cause), at least one process, one technical, one market. title: what people say of it afterwards, as a sentence ("We had a grant in July"). story: what happened, month by month, in this project, with its people, amounts and days; start from little slack or a thin reserve if <inputs> show one; also what was only forgotten: a definition, a tax, the words people quarrel about, the one who burns out. sign: seen early, with a number. now: the change in this plan that prevents it, or the task that already does. stop_rule: the value or day at which to stop spending.
Short and sharp. Bad: a risk told again without a chain of events; "lack of communication"; a sign that shows only when it is over; a stop rule without a number or a day.`,
		Shape: shape.Shape{
			key(list("bets", 3, 6, 4, id("B"), key(plain("text")), text("test_now", 30), key(plain("falsifier")))),
			key(list("failures", 3, 8, 7,
				key(text("title", 12)), choice("kind", "process", "technical", "market"), ref("cause", "B"), text("story", 60), text("sign", 20), text("now", 30), key(plain("stop_rule")))),
		},
		check: checkPremortem,
	}
}

// maxPlanWords limits the words of all chapters together, with the tables that their writer
// makes, because people do not read a longer plan.
const maxPlanWords = 3_600

// maxPlanTables is how many tables made by code the plan shows at most: with more of them a
// reader meets the same number in several places. The task asks for one less.
const maxPlanTables = 5

func summaryStep() Step {
	return Step{
		Number: summaryNumber, ID: "summary", Title: "The Plan, Decisions, Executive Summary", Name: "Plan and summary",
		Needs: []string{"choose", "confirm", "project", "risks", "wbs", "schedule", "review", "premortem", sketchID}, Readers: "deciders",
		Task: `Write the plan that the user reads: your first sketch, written again with all that was found since. Unless you wrote the steps in this conversation, fetch the other pages first; the prompt is among them.
Keep of the sketch what makes it a plan for these people: its order, its simple and cheap ways, the manual of the work with sizes and quantities, the usual week, what the prompt fears or loves, which gets the most room. Put right in it what the other steps know better: each number, day, limit, rule and name; what the user chose and answered; gates, decisions, what may go wrong. What they found broken falls out, without a word about it. Where the sketch is simpler, cheaper or nearer to life than a step, and still holds, it wins: then repair the step. Before you send, go through the prompt sentence by sentence: each wish, fear, limit and question has its place, once.
Write whole sentences for people who know the place; the user is "you". Say each thing once. Before anybody has said yes little money is at risk; what is done after a no is a smaller plan with its cost. At most two numbers in a sentence: more belong into a table. A total has its parts beside it: the costs of a year by kind, where those who pay come from, the hours of the fullest year. A limit has its reason, where somebody acts on it.
focus: what is done, for whom, by when, for how much; that it holds, or what is missing, and the worst that was found.
chapters: 3,000 to 3,500 words in all: what is done and how; what it costs as its payers see it (with tax, beside today's price), who pays, when money is short; each open question: your answer, and the rule to switch; the calendar to the end; how each "must not" is kept; what may go wrong, and what is decided for it now; what is a guess, and when it is known. text: paragraphs; "- " before an item of a list; "| a | b |" for each row of a table, the head first: where people compare, never to repeat a text. tables: of those below, budget and two more at most.
decisions: what only the readers can decide. if_no: what follows, in plain words. next: the first ten days.
Numbers stand in <inputs>; what is guessed is rounded; code checks it. new: those that the plan needs and <inputs> lack. No ids.
repairs: what in the parts contradicts the plan. excerpt: words of that step, letter by letter, that occur once, or a place: a day of risks or assumptions ("risks[2].by"), an amount or a day of the money of project ("sources[0].by"); replacement: what stands there instead.
Bad: the parts one after another, or any word about them ("the task list", "the way you chose"); riddles; "it holds, but barely"; praise.`,
		Shape: shape.Shape{
			key(text("focus", 90)),
			list("decisions", 2, 5, 0, text("question", 25), text("who", 8), when("by"), text("recommendation", 35), text("if_no", 25)),
			list("next", 3, 8, 0, plain("do"), text("who", 6), when("by")),
			unread(list("chapters", 4, 10, 0, text("title", 10), lined(texts("text", 1, 60, 0, 160)),
				shape.Field{Name: "tables", Kind: shape.Choice, Choices: planTables(), List: true, Max: 3})),
			unread(list("new", 0, 30, 0, text("what", 12), text("value", 12), plain("rests_on"))),
			unread(list("repairs", 0, 20, 0, text("step", 2), text("excerpt", 40), text("replacement", 40), plain("why"))),
		},
		check: checkSummary,
	}
}

// The step summary has two answers.
const (
	summaryNumber = 22
	rereadID      = "summary.2"
)

// rereadStep is the second answer of the step summary. Its writer reads the plan as the person
// will, and repairs it.
func rereadStep() Step {
	return Step{
		Number: summaryNumber, Part: 2, ID: rereadID, Title: "The Plan, Second Reading", Name: "Second reading",
		Needs: []string{"confirm", "project", "risks", "schedule", "summary"}, Readers: "challengers",
		Task: `Read the plan as the user does, who pays for it and looks for mistakes, and put right what you find. Fetch the other pages, unless you wrote the plan just now.
tested: the sentences on which most hangs: sums, differences, prices, hours a week, capacities, days between two dates, weekdays. Calculate each anew from its parts, with a script where you can. by: the calculation. holds: false if something else comes out; then changes put it right wherever it stands.
Then read on: two places that say different things (a text and the table under it, a finding and a chapter); a date before what it needs; something promised that nobody does or pays; a "must not" that the plan bends; an open question without a rule; what the user fears or loves most, told in two lines; a price that its payer cannot compare with today's; a step of the work, or a simpler way, that a person of the trade would miss; a rule that leaves cases out, or two rules that spend the same money; a sentence that must be read twice, or fits every plan.
changes: excerpt: words of that step's texts, letter by letter, so many that they occur once, or a place: a day of risks, assumptions, decisions or next ("risks[2].by"), an amount or a day of the money of project ("sources[0].by"); replacement: what stands there instead, within the limit of its field. To add something, repeat the sentence before it and go on. new: numbers that you add and <inputs> lack.
Bad: the sums of the tables, which code made; matters of taste; a change of what the user decided; a correction at one place of two.`,
		Shape: shape.Shape{
			unread(list("tested", 8, 20, 0, text("claim", 30), text("by", 40), flag("holds"))),
			list("changes", 0, 40, 0, text("step", 2), text("excerpt", 40), text("replacement", 150), plain("why")),
			unread(list("new", 0, 20, 0, text("what", 12), text("value", 12), plain("rests_on"))),
		},
		check: checkReread,
	}
}

// planTables names the tables that a chapter of the plan can show.
func planTables() []string {
	return []string{
		"budget", "sources", "cash", "year", "gates", "effects",
		"calculation_1", "calculation_2", "calculation_3", "calculation_4", "calculation_5", "calculation_6",
	}
}

func auditStep() Step {
	return Step{
		Number: 23, ID: "audit", Title: "Self Audit, Prompt Adherence", Name: "Self audit",
		Needs: []string{"brief", "confirm", "project", "governance", "resources", "team", "swot", "experts", "documents", "wbs", "tasks", "schedule", "pitch",
			"review", "premortem", "summary", rereadID},
		Readers: "challengers",
		Task: `Audit this plan for somebody who thinks of putting money into it. You did not write it.
items: each topic once. level: how serious the worst thing is that you find: high if the plan must be changed before it begins, low if you looked and found nothing. why: what you compared, with the numbers and the section; a low, too. fix: the change, or "none needed".
physics: laws of nature and amounts. proof: claims without a source. optimism: likely days and incomes beside the worst ones. evidence: estimates that decide. gold_plating: work that no goal needs. upkeep: who pays and does it in the third year. adaptation: what happens when the first milestone fails.
adherence: each constraint C once. score 5: kept, and a task or a number shows it; 3: kept in words only; 1: broken. step: where that shows. why: the place and the number.
Bad: the same level everywhere; "seems reasonable"; praise; a score of 5 for a constraint that the plan itself calls in doubt.`,
		Shape: shape.Shape{
			key(list("items", 20, 20, 0, key(choice("topic", auditTopics()...)), key(choice("level", "low", "medium", "high")), text("why", 35), text("fix", 30))),
			key(list("adherence", 0, 20, 0, ref("id", "C"), key(whole("score", 1, 5)), text("step", 3), key(plain("why")))),
		},
		check: checkAudit,
	}
}

// auditTopics are what an audit looks at, each once.
func auditTopics() []string {
	return strings.Fields(`physics proof buzzwords risks time money budget optimism depth evidence deliverables gold_plating staff law upkeep
		constraints dependencies parties adaptation other`)
}

func lintStep() Step {
	return Step{
		Number: 24, ID: "lint", Title: "Consistency", Name: "Consistency",
		Needs: []string{"choose", "confirm", "risks", "project", "governance", "resources", "team", "swot", "experts", "documents", "wbs", "tasks", "schedule",
			"pitch", "review", "premortem", "summary", rereadID, "audit"},
		Task: `Find what the sections contradict in each other, in the facts, or in what the user chose, confirmed and changed. Fetch the other pages: you need all of them.
Compare in pairs: amounts, counts and units; months, days and their order; who does what; what is chosen and what is still planned of the other ways; what the user dropped and still stands somewhere; what one section calls certain and another one open.
conflicts: none is a good answer. step: the id of the section that is wrong, by the order user, facts, schedule, project, others. excerpt: its words letter by letter, so few that they occur once, so many that they are understood. replacement: the words to put there instead, with numbers of the facts and within the same length. why: the other place, and what it says.
severity: high if a reader would decide otherwise, low for wording.
Bad: matters of taste; a gap (that was the review's work); an excerpt that is not letter by letter; a replacement that changes what the user decided.`,
		Shape: shape.Shape{
			list("conflicts", 0, 12, 0, choice("severity", "high", "medium", "low"), text("step", 2), text("excerpt", 25), text("replacement", 25), text("why", 25)),
		},
		check: checkLint,
	}
}
