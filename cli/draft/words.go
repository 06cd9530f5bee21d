package draft

import (
	"planb/cli/ink"
	"planb/drafts"
	"planb/questions/safe"
	"planb/store/runs"
	"planb/themes"
	"planb/tui/cells"
)

// signed is how a draft stands: a sign, words and their style, as the screen of drafts has
// them.
type signed struct {
	mark, words string
	style       cells.Style
}

// stateOf says how a draft in a condition stands as a whole.
func stateOf(k ink.Ink, p runs.Summary, c drafts.Condition) signed {
	if p.Err != nil {
		return signed{"✗", "unreadable", k.Danger}
	}
	return signed{c.Mark(), c.Word(), k.Role(themes.RoleOfDraft(c))}
}

// writtenBy names who wrote a step.
func (c Commands) writtenBy(s drafts.Step, by string) string {
	switch {
	case by == "":
		return ""
	case s.Author == drafts.Code:
		return "planb"
	case s.Author == drafts.Person && by == drafts.Nobody:
		return "planb, as proposed"
	}
	return c.nameOf(by)
}

// nameOf is a name as the person reads it: their own is "you".
func (c Commands) nameOf(who string) string {
	if who == c.caller().Name {
		return "you"
	}
	return safe.New(who).Line()
}

// happened says in words what an event did.
func (c Commands) happened(e runs.Event) string {
	step := stepOf(e.Step)
	name := "“" + step.Name + "”"
	who := c.nameOf(e.By)
	why := ""
	if text := safe.New(e.Why); !text.Blank() && e.Why != toldByDefault {
		why = ": " + text.Line()
	}
	switch e.Action {
	case runs.PlanCreated:
		return who + " began the draft"
	case runs.RunBegun:
		return who + " had a program write it"
	case runs.StepAccepted:
		switch {
		case step.Author == drafts.Person && e.By == drafts.Nobody:
			return "planb answered " + name + " as proposed"
		case step.Author == drafts.Person:
			return who + " answered " + name
		}
		return c.writtenBy(step, e.By) + " wrote " + name
	case runs.StepStale:
		return who + " wrote " + name + ", but too late: what it was written from had changed"
	case runs.StepEdited:
		return who + " edited " + name
	case runs.StepRegenerated:
		return who + " wanted " + name + " written again" + why
	case runs.FlagsSet:
		return who + " changed the schedule" + why
	case runs.RunFailed:
		if e.Step != "" {
			return "the writing failed at " + name + why
		}
		return "the writing failed" + why
	case runs.RunStopped:
		return who + " stopped the writing" + why
	case runs.RunResumed:
		return who + " let the writing go on"
	case runs.RunRetried:
		return who + " had the writing begin anew"
	}
	return cells.Join(safe.New(string(e.Action)).Line(), step.Name, who) + why // from a newer planb
}

// stepOf returns the step with that id. A step that this planb does not know has the id as
// its name.
func stepOf(id string) drafts.Step {
	if s, ok := (drafts.Draft{Detail: drafts.Full}).Step(id); ok {
		return s
	}
	return drafts.Step{ID: id, Name: safe.New(id).Line()}
}
