package review

import (
	"strings"

	"planb/questions/safe"
)

// Words are a review as a person reads it. They come from whoever wrote the
// review: who shows them cleans them.
type Words struct {
	// Verdict is "Approved", "Approved with notes", "Approved in part", "Changes
	// requested" or "Rejected"; or why the review has none of these.
	Verdict string
	// Feedback is in Markdown what was said beside it; zero if nothing was.
	Feedback safe.Text
}

// InWords puts a review's JSON into words. One that cannot be read is said to be
// so: its JSON is for nobody to read.
func InWords(json string) Words {
	r, err := Parse([]byte(json))
	if err != nil {
		return Words{Verdict: "A review that cannot be read"}
	}
	w := Words{Verdict: "No verdict", Feedback: safe.New(r.said())}
	switch r.Verdict {
	case "":
	case Approve, ApproveWithNotes, RequestChanges, Reject:
		w.Verdict = capitalised(r.heading())
	default:
		w.Verdict = "A verdict that this planb does not know"
	}
	return w
}

// Text is all of it as one text, the verdict first.
func (w Words) Text() string {
	if w.Feedback.IsZero() {
		return w.Verdict
	}
	return w.Verdict + "\n\n" + w.Feedback.Raw()
}

// capitalised expects a text that begins with an ASCII letter.
func capitalised(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// said is the feedback without the words that name the verdict, and without the
// comments' ids. A review that was never completed has no feedback: what was said is
// then its note and its comments.
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
	return strings.Trim(feedback, "\n")
}
