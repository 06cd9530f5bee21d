package drafts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// Draft is a plan in the making: the prompt, and what was accepted so far.
type Draft struct {
	ID      string
	Prompt  string
	Start   schedule.Date // Month 0
	Detail  Detail
	Flags   schedule.Flags
	Records map[string]Record // by the id of the step
}

// Record is an accepted output with all that is known of its making.
type Record struct {
	Output   shape.Object
	SHA256   string // of the output's JSON
	Inputs   string // Draft.Inputs when it was accepted
	By       string // the agent or the person
	Model    string // as the agent named it
	At       string // time of acceptance, RFC 3339
	Edited   bool   // a person changed it; no run replaces it
	Guidance string // what the person asked for when it was written again
}

// Output returns the output of a step; nil if there is none.
func (d Draft) Output(step string) shape.Object { return d.Records[step].Output }

// With returns the draft with another output of one step. The records of the draft
// itself stay as they are.
func (d Draft) With(step string, o shape.Object) Draft {
	records := maps.Clone(d.Records)
	r := records[step]
	r.Output = o
	records[step] = r
	d.Records = records
	return d
}

// Step returns a step of the draft's detail.
func (d Draft) Step(id string) (Step, bool) { return find(Steps(d.Detail), id) }

// Sum returns the SHA-256 of a text in lower-case hexadecimal.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// date returns the day that a When means: "Month 3", a day of the brief, or the
// day of a milestone.
func (d Draft) date(when string) (schedule.Date, bool) {
	const most = 12 // milestones that name a milestone
	for range most {
		if month, ok := strings.CutPrefix(when, "Month "); ok {
			n, err := strconv.Atoi(month)
			return d.Start.AddMonths(n), err == nil
		}
		if named, ok := byID(d.Output("brief").Records("days"), when); ok {
			date, err := schedule.ParseDate(named.Text("day"))
			return date, err == nil
		}
		milestone, ok := byID(d.Output("project").Records("milestones"), when)
		if !ok {
			return schedule.Date{}, false
		}
		when = milestone.Text("by")
	}
	return schedule.Date{}, false
}

func byID(records []shape.Object, id string) (shape.Object, bool) {
	for _, r := range records {
		if r.Text("id") == id {
			return r, true
		}
	}
	return nil, false
}

// WriteOut adds to a text the days that its relative times and ids mean: "Month 3
// (2027-04-30)", "Y3 (2028-03-31, the funding ends)".
func (d Draft) WriteOut(text string) string { return d.Writer()(text) }

// Writer returns WriteOut for many texts.
func (d Draft) Writer() func(text string) string {
	relative := relativeTime()
	return func(text string) string {
		return relative.ReplaceAllStringFunc(text, func(found string) string { return d.writtenOut(found, text) })
	}
}

// writtenOut returns a time or an id that was found in a text, with its day.
func (d Draft) writtenOut(found, text string) string {
	named, isDay := byID(d.Output("brief").Records("days"), found)
	milestone, isMilestone := byID(d.Output("project").Records("milestones"), found)
	date, ok := d.date(found)
	switch {
	case !ok:
		return found
	case isDay:
		return fmt.Sprintf("%s (%s, %s)", found, date, named.Text("text"))
	case isMilestone && text == found: // within a text M8 may be a screw
		return fmt.Sprintf("%s (%s, %s)", found, date, milestone.Text("name"))
	case isMilestone:
		return found
	}
	return fmt.Sprintf("%s (%s)", found, date)
}

// Markdown returns the section of a step as a person reads it; empty if the step
// has no output.
func (d Draft) Markdown(step string) string {
	s, ok := d.Step(step)
	o := d.Output(step)
	if !ok || o == nil {
		return ""
	}
	text := s.Shape.Markdown(o, d.Writer())
	if income, cost, ok := d.Balance(); ok && step == "project" {
		text += fmt.Sprintf("\n**Running, added up:** income %s − costs %s = %s a year\n",
			shape.FormatNumber(income), shape.FormatNumber(cost), shape.FormatNumber(income-cost))
	}
	return text
}
