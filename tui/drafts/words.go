package drafts

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	rules "planb/drafts"
	"planb/questions/safe"
	"planb/store/runs"
	"planb/tui/cells"
	"planb/tui/wording"
)

// hint says in a word or two how a step stands.
func (p *draft) hint(s rules.Step) string { return p.hints(s)[0] }

// hints say that at the right of its row, in ever fewer words.
func (p *draft) hints(s rules.Step) []string {
	r := p.Draft.Records[s.ID]
	switch st := p.state(s); st {
	case rules.StepLater:
		if before := p.unwritten(s); len(before) > 0 {
			return []string{"after " + before[len(before)-1].Name}
		}
		return []string{""}
	case rules.StepInWork:
		w := p.writers[s.ID]
		name := safe.New(w.Name).Line()
		if w.Since.IsZero() {
			return []string{name}
		}
		since := wording.Lasted(p.now.Sub(w.Since))
		return []string{cells.Join(name, since), name, since}
	case rules.StepForYou:
		return []string{"for you"}
	case rules.StepAgain:
		return []string{"again"}
	case rules.StepKept, rules.StepWritten:
		switch by := p.author(s); {
		case r.Edited && s.Author == rules.Model:
			return []string{"edited by " + by, "edited"}
		case s.Author == rules.Person && r.By == rules.Nobody:
			return []string{by, asProposed}
		default:
			return []string{by}
		}
	default:
		return []string{st.Word()}
	}
}

// unwritten returns the steps that a step waits for.
func (p *draft) unwritten(s rules.Step) (list []rules.Step) {
	for _, before := range p.before(s) {
		if !p.standings[before.ID].Done() {
			list = append(list, before)
		}
	}
	return list
}

// why says in a sentence how a step stands, and what it waits for.
func (p *draft) why(s rules.Step) string {
	switch p.state(s) {
	case rules.StepLater:
		if before := p.unwritten(s); len(before) > 0 {
			return "It waits for " + strings.Join(titles(before), cells.Gap) + "."
		}
		return "It waits for steps that will be written again."
	case rules.StepNext:
		switch {
		case s.Author == rules.Person:
			return "It waits for you once the writing goes on."
		case p.State.Ended():
			return "It is next once the writing goes on."
		}
		return "It is next. Nobody writes it at this moment."
	case rules.StepInWork:
		w := p.writers[s.ID]
		if w.Since.IsZero() {
			return safe.New(w.Name).Line() + " writes it now."
		}
		return fmt.Sprintf("%s has been writing it for %s.", safe.New(w.Name).Line(), wording.Lasted(p.now.Sub(w.Since)))
	case rules.StepForYou:
		if p.replied {
			return "You replied, and it is the agent's turn. You can answer the form all the same."
		}
		return "It waits for you: answer its form."
	case rules.StepAgain:
		return "This section will be written again: a section that it uses has changed, or you asked for it."
	case rules.StepFailed:
		return "The run failed here: " + p.reason()
	case rules.StepKept:
		who := p.author(s)
		if who == "you" {
			who = "You"
		}
		return who + " edited it, so it stays. What it was written from has changed since."
	}
	return ""
}

// asks reports whether a step waits for the person, and it is known what it asks.
func (p *draft) asks(s rules.Step) bool {
	_, known := p.forms[s.ID]
	return known
}

func titles(steps []rules.Step) []string {
	list := make([]string, len(steps))
	for i, s := range steps {
		list[i] = s.Name
	}
	return list
}

// happens says what happens to the draft now, or what it waits for.
func (p *draft) happens() string { return p.happenings()[0] }

// happenings say that in ever fewer words.
func (p *draft) happenings() []string {
	switch c := p.condition(); c {
	case rules.DraftForYou:
		names := titles(p.stepsIn(rules.StepForYou))
		return []string{"waits for you: " + strings.Join(names, cells.Gap), "waits for you: " + firstOf(names)}
	case rules.DraftReplied:
		return []string{c.Word() + ": it is the agent's turn", c.Word()}
	case rules.DraftBeingWritten:
		var since, parts []string
		for _, s := range p.stepsIn(rules.StepInWork) {
			w := p.writers[s.ID]
			text := safe.New(w.Name).Line() + " writes " + s.Name
			parts = append(parts, text)
			if !w.Since.IsZero() {
				text += ", " + wording.Lasted(p.now.Sub(w.Since))
			}
			since = append(since, text)
		}
		return []string{strings.Join(since, cells.Gap), strings.Join(parts, cells.Gap), firstOf(since), firstOf(parts)}
	case rules.DraftStalled:
		since := wording.Lasted(p.now.Sub(p.LastProgress))
		return []string{"stalled: nothing was written for " + since, "stalled for " + since}
	case rules.DraftFailed:
		return []string{"failed" + p.failure()}
	case rules.DraftStopped:
		return []string{"stopped " + p.stopWords()}
	case rules.DraftToBeWritten:
		const nobody = "nobody writes now"
		if list := p.stepsIn(rules.StepNext); len(list) > 0 {
			return []string{nobody + cells.Gap + "next: " + list[0].Name, nobody}
		}
		return []string{nobody}
	default:
		return []string{c.Word()}
	}
}

// briefly says what happens to a draft without the step, which the list marks.
func (p *draft) briefly() string {
	switch p.condition() {
	case rules.DraftForYou:
		return "waits for you"
	case rules.DraftBeingWritten:
		var writers []string
		for _, s := range p.stepsIn(rules.StepInWork) {
			writers = append(writers, safe.New(p.writers[s.ID].Name).Line()+" writes")
		}
		return firstOf(writers)
	}
	return p.happenings()[len(p.happenings())-1]
}

// firstOf is the first of some texts, and the number of the others.
func firstOf(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return cells.Join(texts[0], fmt.Sprintf("%d more", len(texts)-1))
}

// failure says behind "failed" at which step, if it is known, and why.
func (p *draft) failure() string {
	if p.Error == nil {
		return " at an unknown step"
	}
	why := ": " + p.reason()
	if at := p.at(p.Error.Step); at >= 0 {
		return " at " + p.steps[at].Name + why
	}
	return why
}

// reason says why the run failed.
func (p *draft) reason() string {
	if at := p.at(p.Error.Step); at >= 0 {
		if why, _ := p.refused(p.steps[at]); why != "" {
			return why
		}
	}
	return safe.New(p.Error.Message).Line()
}

// refused says in a few words that the run failed at a step because a model's last answer was
// refused, and returns what was wrong with that. It returns nothing if the run failed for another
// reason: somebody gave the step up and says why, or a server did not answer.
func (p *draft) refused(s rules.Step) (why string, mistakes []string) {
	if p.state(s) != rules.StepFailed || p.Error.Reason != runs.GenerationError {
		return "", nil
	}
	for _, call := range slices.Backward(p.Attempts) {
		if call.Step != s.ID {
			continue
		}
		if !strings.HasPrefix(p.Error.Message, call.Model+": ") {
			break // the call is older than the failure
		}
		why = safe.New(call.Model).Line() + " gave no accepted answer"
		return why, strings.Split(safe.New(strings.TrimSpace(call.Outcome)).Block(), "\n")
	}
	return "", nil
}

// stopWords say who stopped a run, and why.
func (p *draft) stopWords() string {
	if p.Stop == nil {
		return ""
	}
	text := "by " + p.named(p.Stop.By)
	if why := safe.New(p.Stop.Why); !why.Blank() {
		text += ": " + why.Line()
	}
	return text
}

// detailWords says how much of a plan a draft writes.
func detailWords(d rules.Detail) string {
	switch d {
	case rules.Full:
		return "full detail"
	case rules.Ping:
		return "only a check of the prompt"
	}
	return "brief detail"
}

// numberCell is the number of a step, as wide as the widest; its letter stands behind the others'
// numbers.
func (p *draft) numberCell(s rules.Step) string {
	number := p.numbers[s.ID]
	if number == "" || unicode.IsDigit(rune(number[len(number)-1])) {
		number += " "
	}
	return cells.PadLeft(number, 3)
}

// stepCount says how many steps are written.
func stepCount(done, of int) string { return fmt.Sprintf("%d/%d", done, of) }

// about says of a step that has a text who wrote it, when, and with what.
func (p *draft) about(s rules.Step) string {
	r := p.Draft.Records[s.ID]
	if p.Draft.Output(s.ID) == nil {
		return ""
	}
	by := "by " + p.author(s)
	if r.Edited && s.Author == rules.Model {
		by = "edited by " + p.author(s)
	}
	if s.Author == rules.Code {
		by = "made by planb"
	}
	return cells.Join(by, wording.Ago(p.acceptedAt(s), p.now), safe.New(r.Model).Line())
}

// guidance is what was asked for when the step was to be written again, and by whom; empty for
// nothing.
func (p *draft) guidance(s rules.Step) string {
	r := p.Draft.Records[s.ID]
	text, who := safe.New(r.Guidance), safe.New(r.GuidedBy)
	switch {
	case text.Blank():
		return ""
	case who.Blank():
		return "You asked for: " + text.Line()
	}
	return who.Line() + " asked for: " + text.Line()
}
