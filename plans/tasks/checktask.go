package tasks

import (
	"fmt"
	"slices"
	"strconv"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// checkTexts reports texts that the readers of this package would refuse or tidy. A
// plan may reach a store without having passed the readers.
func (p Plan) checkTexts(problems *lenient.Problems) {
	checkTitle(problems, "title", p.Title)
	checkDescription(problems, "description", p.Description)
	for i, t := range p.Tasks {
		if !t.Dropped {
			var own lenient.Problems
			if t.check(&own); len(own) > 0 {
				problems.AddUnder(fmt.Sprintf("tasks[%d]", i), own)
			}
		}
	}
}

// check adds the problems of one task, with their places within the task.
func (t Task) check(problems *lenient.Problems) {
	if !validKey(t.Key) {
		problems.Add("nodeKey", lenient.Quote(t.Key), keyRule(), `"api"`)
	}
	checkTitle(problems, "title", t.Title)
	checkDescription(problems, "description", t.Description)
	checkBytes(problems, "done", t.Done, MaxNoteBytes)
	var execution, verification lenient.Problems
	t.Execution.check(&execution)
	problems.AddUnder("executionContract", execution)
	t.Verification.check(&verification)
	problems.AddUnder("verificationContract", verification)
	if t.Priority < 0 || t.Priority > MaxPriority {
		problems.Add("priority", strconv.Itoa(t.Priority), priorityRule(), strconv.Itoa(DefaultPriority))
	}
	if t.Minutes < 1 || t.Minutes > MaxMinutes {
		problems.Add("estimateMinutes", strconv.Itoa(t.Minutes), minutesRule(), strconv.Itoa(DefaultMinutes))
	}
}

func priorityRule() string {
	return fmt.Sprintf("a whole number from 0 (most urgent) to %d", MaxPriority)
}

func minutesRule() string { return fmt.Sprintf("a whole number of minutes from 1 to %d", MaxMinutes) }

func checkTitle(problems *lenient.Problems, at string, title safe.Text) {
	if title.Blank() || oneLine(title) != title {
		problems.Add(at, lenient.Quote(title.Raw()), "one line of text", "")
	}
	checkBytes(problems, at, title, MaxTitleBytes)
}

func checkDescription(problems *lenient.Problems, at string, text safe.Text) {
	checkBytes(problems, at, text, MaxDescriptionBytes)
	if tidyDescription(text.Raw()) != text {
		problems.Add(at, "a text with blank lines around it, or with a code block that is left open", "neither", "")
	}
}

// checkBytes reports a text that is too long.
func checkBytes(problems *lenient.Problems, at string, text safe.Text, most int) {
	if size := len(text.Raw()); size > most {
		problems.Add(at, fmt.Sprintf("a text of %d bytes", size), fmt.Sprintf("at most %d bytes", most), "")
	}
}

func checkList(problems *lenient.Problems, at string, list []safe.Text) {
	if len(list) > MaxListItems {
		problems.Add(at, fmt.Sprintf("a list of %d", len(list)), fmt.Sprintf("a list of at most %d texts", MaxListItems), "")
	}
	for i, text := range list {
		if len(text.Raw()) > MaxItemBytes {
			checkBytes(problems, fmt.Sprintf("%s[%d]", at, i), text, MaxItemBytes)
		}
	}
}

func (e Execution) check(problems *lenient.Problems) {
	if e.Kind != Unblocked && e.Kind != Human {
		problems.Add("kind", lenient.Quote(string(e.Kind)), executionKinds, `"human"`)
	}
	checkList(problems, "files", e.Files)
	checkList(problems, "inputs", e.Inputs)
	checkList(problems, "constraints", e.Constraints)
	checkBytes(problems, "output", e.Output, MaxItemBytes)
}

func (v Verification) check(problems *lenient.Problems) {
	if !slices.Contains([]VerificationKind{None, Evidence, Command, Manual}, v.Kind) {
		problems.Add("kind", lenient.Quote(string(v.Kind)), verificationKinds, `"evidence"`)
	}
	checkList(problems, "criteria", v.Criteria)
	checkList(problems, "commands", v.Commands)
	v.checkKind(problems, "")
}

const (
	executionKinds    = `"unblocked" or "human"`
	verificationKinds = `"none", "evidence", "command" or "manual"`
)

// checkKind reports a contract that asks for too little or too much for its kind.
func (v Verification) checkKind(problems *lenient.Problems, at string) {
	needs := func(field string, list []safe.Text) {
		if len(list) < 1 || len(list) > MaxListItems {
			problems.Add(lenient.Join(at, field), strconv.Itoa(len(list)), fmt.Sprintf("1 to %d for kind %s", MaxListItems, v.Kind), "")
		}
	}
	switch {
	case v.Kind == Evidence:
		needs("criteria", v.Criteria)
	case v.Kind == Command:
		needs("commands", v.Commands)
	}
	if v.Kind != Evidence && len(v.Criteria) > MaxListItems {
		needs("criteria", v.Criteria)
	}
	if v.Kind == None && len(v.Criteria) > 0 {
		problems.Add(lenient.Join(at, "criteria"), strconv.Itoa(len(v.Criteria)), "none for kind none; use kind evidence", "")
	}
	if v.Kind != Command && len(v.Commands) > 0 {
		problems.Add(lenient.Join(at, "commands"), strconv.Itoa(len(v.Commands)), "none for kind "+string(v.Kind)+"; use kind command", "")
	}
}
