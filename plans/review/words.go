package review

import (
	"strings"

	"planb/questions/safe"
)

// Words is a review as a person reads it. It comes from outside: a caller that
// shows it must clean it.
type Words struct {
	// Verdict is "Approved", "Approved with notes", "Approved in part",
	// "Approved without 2 tasks", "Changes requested" or "Rejected"; or the reason why the
	// review has none of these.
	Verdict string
	// Feedback is the rest of the review in Markdown; zero if there is none.
	Feedback safe.Text
	// Remarks is the feedback for a few lines: the note, and each comment.
	Remarks []Point
}

// Point is a line of feedback.
type Point struct {
	Place string // "line 3" or "lines 3–5" of the plan; empty in a remark on all of it
	Quote string // the beginning of what stands there, without most of its marks; it may be empty
	Said  string
}

// InWords puts a review's JSON into words. If the JSON cannot be read, the words
// only say so: people cannot use the JSON itself.
func InWords(json string) Words {
	r, err := Parse([]byte(json))
	if err != nil {
		return Words{Verdict: "A review that cannot be read"}
	}
	w := Words{Verdict: "No verdict", Feedback: safe.New(r.said())}
	w.Remarks = r.remarks(w.Feedback)
	switch r.Verdict {
	case "":
	case Approve, ApproveWithNotes, RequestChanges, Reject:
		w.Verdict = capitalised(r.heading())
	default:
		w.Verdict = "A verdict that this planb does not know"
	}
	return w
}

// Text returns the verdict and the feedback as one text.
func (w Words) Text() string {
	if w.Feedback.IsZero() {
		return w.Verdict
	}
	return w.Verdict + "\n\n" + w.Feedback.Raw()
}

// capitalised returns text with a capital first letter. text must begin with an
// ASCII letter.
func capitalised(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// said returns the feedback without the verdict and without the comments' ids. A
// review that was never completed has no feedback; then said returns its note and
// its comments.
func (r Review) said() string {
	feedback := r.Plain().Raw()
	if r.Feedback.Blank() {
		var out strings.Builder
		out.WriteString(strings.TrimSpace(r.Note.Raw()) + "\n")
		for _, c := range r.inOrder() {
			c.write(&out, false)
		}
		feedback = out.String()
	}
	if rest, headed := strings.CutPrefix(feedback, r.title()); headed {
		feedback = rest
	}
	if rest, partly := strings.CutPrefix(feedback, inPart); partly && r.ApprovedInPart() {
		feedback = capitalised(rest)
	}
	if _, except := strings.CutPrefix(feedback, exceptFor); except && r.ApprovedInPart() {
		feedback = capitalised(strings.TrimPrefix(feedback, "Approved, "))
	}
	return strings.Trim(feedback, "\n")
}

// remarks returns Words.Remarks.
func (r Review) remarks(feedback safe.Text) (remarks []Point) {
	say := func(text string) { remarks = append(remarks, Point{Said: text}) }
	if r.ApprovedInPart() {
		parts, _, _ := strings.Cut(feedback.Raw(), "\n")
		say(parts)
	}
	if r.Edited != "" {
		say(personEdited)
	}
	for line := range strings.Lines(r.Note.Raw()) {
		if line = strings.TrimRight(line, " \r\n"); line != "" {
			say(line)
		}
	}
	for _, c := range r.inOrder() {
		remarks = append(remarks, c.remark())
	}
	if len(remarks) == 0 && !feedback.Blank() {
		say(personNothing)
	}
	return remarks
}

func (c Comment) remark() Point {
	said := string(c.Kind)
	if c.Kind == Deletion {
		said = personDelete
	}
	if c.Kind == Suggestion {
		said += ": “" + spoken(c.Instead.Raw()) + "”"
	}
	if text := oneLine(c.Text.Raw()); text != "" {
		said += ": " + text
	}
	return Point{Place: strings.ToLower(c.Place()), Quote: beginning(spoken(c.Quote.Raw())), Said: said}
}

// Sentences for the person who said them.
const (
	personEdited  = "The plan was edited in this review."
	personNothing = "No comments."
	personDelete  = "to be deleted"
)

// ForPerson returns the words for the person who said them, without the sentences for the
// agent.
func (w Words) ForPerson() Words {
	w.Feedback = safe.New(strings.NewReplacer(
		": "+toldQuestion+"\n", ": question\n",
		": "+toldReplace+"\n", ": suggestion\n",
		": "+toldDelete+"\n", ": "+personDelete+"\n",
		toldEdited+"\n", personEdited+"\n",
		toldNothing, personNothing,
	).Replace(w.Feedback.Raw()))
	return w
}
