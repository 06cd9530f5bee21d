package review

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
)

// maxQuotedLines limits the quote in a comment. The agent has the whole plan, so it
// needs no more.
const maxQuotedLines = 12

// feedback returns what the agent reads, in Markdown. First come the verdict and
// the note, then the comments under the plan's headings in the order of their
// lines, and last the person's own changes, from text to edited. It is empty if
// the plan is approved without any remark or change.
func (r Review) feedback(text, edited safe.Text) string {
	outline := plans.Outline(text)
	if r.Verdict == Approve && r.Approved() && r.Note.Blank() && len(r.Comments) == 0 && r.Edited == "" {
		return ""
	}
	var out strings.Builder
	if r.ApprovedInPart() && r.Of != OfPlan {
		out.WriteString(r.except() + "\n")
	} else if r.ApprovedInPart() {
		out.WriteString(inPart + r.parts(text, outline) + "\n")
	} else {
		out.WriteString(r.title())
	}
	paragraph := func(text string) { out.WriteString("\n" + strings.TrimSpace(text) + "\n") }
	if r.Edited != "" {
		paragraph(toldEdited)
	}
	if !r.Note.Blank() {
		paragraph(closed(r.Note.Raw()))
	}
	if r.Note.Blank() && len(r.Comments) == 0 && r.Edited == "" && !r.Verdict.Approves() {
		paragraph(toldNothing)
	}
	under := -2
	for _, c := range r.inOrder() {
		if at := sectionAt(outline, c.From); at != under {
			if under = at; at >= 0 {
				paragraph("## " + strings.TrimSpace(outline[at].Title.Raw()))
			} else if len(outline) > 0 {
				paragraph("## Before the first heading")
			}
		}
		c.write(&out, true)
	}
	if r.Edited != "" {
		patch := diff.Between(text.Raw(), edited.Raw()).Unified("plan.md", "plan.md", 2)
		fence := fenceFor(patch)
		paragraph("## What the user changed\n\n" + fence + "diff\n" + strings.TrimSuffix(patch, "\n") + "\n" + fence)
	}
	return out.String()
}

// Sentences for an agent only. A person reads others; see Words.ForPerson.
const (
	toldEdited   = "The user has edited the plan. What they wrote is the plan now: read it again before you go on. The comments name lines of the plan as you submitted it."
	toldNothing  = "Plan needs changes, but no inline comments were provided."
	toldQuestion = "question, answer it before you change this"
	toldReplace  = "replace this"
	toldDelete   = "delete this"
)

// inPart begins the feedback on a plan that is approved in part.
const inPart = "Approved in part: "

// exceptFor begins the feedback on a plan of tasks that is approved without some of them.
const exceptFor = "Approved, except"

// except names the tasks that are held back, and says what becomes of them.
func (r Review) except() string {
	keys := strings.Join(r.Without, ", ") + "."
	if r.Of == OfChanges {
		return exceptFor + ": " + keys + " What was approved of them before stays as it was; what was not stays locked."
	}
	return exceptFor + " (locked): " + keys
}

// parts names the sections that the agent may carry out and those it may not. It
// does not repeat the sections inside a section that it has named.
func (r Review) parts(text safe.Text, outline []plans.Section) string {
	var approved, withheld []string
	lines := slices.Collect(strings.Lines(text.Raw()))
	outside := false // there is text that belongs to no named section
	named := 1       // the first line behind the last named section
	for _, section := range outline {
		if section.Line < named {
			continue
		}
		outside = outside || hasText(lines[named-1:section.Line-1])
		name := fmt.Sprintf("\"%s\" (line %d)", strings.TrimSpace(section.Title.Raw()), section.Line)
		switch {
		case slices.Contains(r.Withheld, section.Line):
			withheld = append(withheld, name)
		case slices.ContainsFunc(r.Withheld, func(line int) bool { return section.Line < line && line < section.End }):
			named = section.Line + 1
			continue // the sections inside it differ
		default:
			approved = append(approved, name)
		}
		named = section.End
	}
	may := "only the text outside these sections may be carried out, exactly as it is"
	switch {
	case len(approved) > 0 && outside:
		may = "sections " + strings.Join(approved, ", ") + ", and the text outside the sections named here, may be carried out exactly as they are"
	case len(approved) > 0:
		may = "sections " + strings.Join(approved, ", ") + " may be carried out exactly as they are"
	}
	return may + "; not: " + strings.Join(withheld, ", ") + "."
}

// hasText reports whether one of the lines has more than white space, and than the lines of - or =
// that a heading may have below.
func hasText(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return strings.Trim(line, " \t\r\n-=") != "" })
}

// title returns the first line of the feedback on a plan that is not approved in
// part.
func (r Review) title() string { return "# Plan review: " + r.heading() + "\n" }

func (r Review) heading() string {
	switch {
	case r.ApprovedInPart() && r.Of != OfPlan && len(r.Without) == 1:
		return "approved without 1 task"
	case r.ApprovedInPart() && r.Of != OfPlan:
		return fmt.Sprintf("approved without %d tasks", len(r.Without))
	case r.ApprovedInPart():
		return "approved in part"
	case r.Verdict == Approve:
		return "approved"
	case r.Verdict == ApproveWithNotes:
		return "approved with notes"
	case r.Verdict == Reject:
		return "rejected"
	}
	return "changes requested"
}

func (r Review) inOrder() []Comment {
	return slices.SortedStableFunc(slices.Values(r.Comments), func(a, b Comment) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return a.To - b.To
	})
}

// sectionAt returns the index of the innermost section around a line; -1 if the
// line stands before the first heading.
func sectionAt(outline []plans.Section, line int) int {
	return sort.Search(len(outline), func(i int) bool { return outline[i].Line > line }) - 1
}

// Place names the comment's lines: "Line 3", "Lines 3–5".
func (c Comment) Place() string {
	if c.From == c.To {
		return fmt.Sprintf("Line %d", c.From)
	}
	return fmt.Sprintf("Lines %d–%d", c.From, c.To)
}

// write writes the comment. An agent needs its id, to say later that the comment is
// carried out.
func (c Comment) write(out *strings.Builder, withID bool) {
	heading := c.heading()
	if withID {
		heading += c.idMark()
	}
	fmt.Fprintf(out, "\n### %s: %s\n\n", c.Place(), heading)
	lines := strings.Split(c.Quote.Raw(), "\n")
	for i, line := range lines {
		if i == maxQuotedLines {
			fmt.Fprintf(out, "> … and %d more\n", len(lines)-i)
			break
		}
		out.WriteString(strings.TrimRight("> "+line, " \r") + "\n")
	}
	if c.Kind == Suggestion {
		fence := fenceFor(c.Instead.Raw())
		fmt.Fprintf(out, "\nInstead:\n\n%s\n%s\n%s\n", fence, strings.TrimSuffix(c.Instead.Raw(), "\n"), fence)
	}
	if !c.Text.Blank() {
		out.WriteString("\n" + closed(strings.TrimSpace(c.Text.Raw())) + "\n")
	}
}

// idMark returns the comment's id as feedback shows it.
func (c Comment) idMark() string { return fmt.Sprintf(" (id %s)", c.ID) }

// Plain returns the feedback without the comments' ids. It is for readers that
// cannot report comments as carried out.
func (r Review) Plain() safe.Text {
	feedback := r.Feedback.Raw()
	for _, c := range r.Comments {
		feedback = strings.ReplaceAll(feedback, c.idMark()+"\n", "\n")
	}
	return safe.New(feedback)
}

func (c Comment) heading() string {
	said := map[Kind]string{
		Remark: "comment", Suggestion: toldReplace, Deletion: toldDelete, Question: toldQuestion,
	}[c.Kind]
	if c.Earlier != "" {
		said += " (said before, and still open)"
	}
	return said
}

// closed returns text with the end of a code block or HTML comment that it leaves
// open. An open one would swallow everything below the text.
func closed(text string) string {
	if fence := plans.OpenFence(text); fence != "" {
		return text + "\n" + fence
	}
	if strings.LastIndex(text, "<!--") > strings.LastIndex(text, "-->") {
		return text + "\n-->"
	}
	return text
}

// fenceFor returns a fence that is longer than any in the text, so that the text
// cannot close it.
func fenceFor(text string) string {
	longest := 0
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		longest = max(longest, len(line)-len(strings.TrimLeft(line, "`")))
	}
	return strings.Repeat("`", max(3, longest+1))
}
