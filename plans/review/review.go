package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"planb/plans"
	"planb/questions/safe"
)

// Verdict is what a person decides about a plan.
type Verdict string

// The verdicts. A review without one is still being written.
const (
	Approve Verdict = "approve"
	// ApproveWithNotes lets the agent go on. The agent must carry out the comments;
	// each stays open until it has.
	ApproveWithNotes Verdict = "approve-with-notes"
	RequestChanges   Verdict = "request-changes"
	// Reject refuses the whole plan: the agent should think again, not amend it.
	Reject Verdict = "reject"
)

// Matter is what is reviewed.
type Matter string

// The matters.
const (
	OfPlan    Matter = ""
	OfTasks   Matter = "tasks"   // a proposed plan of tasks
	OfChanges Matter = "changes" // what would change in an active plan of tasks
)

// verdicts lists the verdicts, the friendliest first.
func verdicts() []Verdict { return []Verdict{Approve, ApproveWithNotes, RequestChanges, Reject} }

// Approves reports whether the verdict approves the plan, or at least the sections
// that are not withheld. Review.Approved reports whether all of it is approved.
func (v Verdict) Approves() bool { return v == Approve || v == ApproveWithNotes }

// Review is a person's review of one version of a plan.
type Review struct {
	Digest   string    `json:"digest"` // of the version's text; see plans.Digest
	Verdict  Verdict   `json:"verdict,omitempty"`
	Note     safe.Text `json:"note,omitzero"` // on the whole plan
	Comments []Comment `json:"comments,omitempty"`
	// Withheld holds the lines of the headings of the sections that the person does
	// not approve, in ascending order. The verdict then approves all other sections.
	Withheld []int `json:"withheld,omitempty"`
	// Of says what was reviewed, and Without names the tasks that are held back with those
	// sections, by their nodeKeys. Both are set only where tasks are held back.
	Of      Matter   `json:"of,omitempty"`
	Without []string `json:"without,omitempty"`
	// Feedback is what the agent reads, in Markdown; see Complete.
	Feedback safe.Text `json:"feedback,omitzero"`
	// Edited is the digest of the text after the person edited it; empty if the
	// person did not.
	Edited string `json:"edited,omitempty"`
}

// Brief returns a review without comments on lines. Its feedback is the note as it
// was written. Approve with a note becomes ApproveWithNotes, so that the agent
// heeds the note.
func Brief(digest string, verdict Verdict, note safe.Text) Review {
	note = safe.New(strings.TrimSpace(note.Raw()))
	if verdict == Approve && !note.IsZero() {
		verdict = ApproveWithNotes
	}
	return Review{Digest: digest, Verdict: verdict, Note: note, Feedback: note}
}

// Parse reads the JSON of a review. It ignores unknown fields. The error says that
// the JSON is too long or cannot be read.
func Parse(data []byte) (Review, error) {
	var r Review
	if len(data) > MaxJSONBytes {
		return Review{}, fmt.Errorf("the review has %d bytes; it may have at most %d", len(data), MaxJSONBytes)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return Review{}, fmt.Errorf("the review cannot be read: %w", err)
	}
	return r, nil
}

// Approved reports whether the whole plan is approved. A plan with a withheld
// section is not; the feedback names the sections that may be carried out.
func (r Review) Approved() bool { return r.Verdict.Approves() && len(r.Withheld) == 0 }

// ApprovedInPart reports whether the person approved the plan without the withheld
// sections.
func (r Review) ApprovedInPart() bool { return r.Verdict.Approves() && len(r.Withheld) > 0 }

// JSON returns the review in the form that Parse reads.
func (r Review) JSON() ([]byte, error) { return json.Marshal(r) }

// Complete returns the review as the agent gets it: checked against text, with a
// verdict and with Feedback. edited is the text after the person edited it; zero
// if the person did not. The error says what is missing or wrong.
func (r Review) Complete(text, edited safe.Text) (Review, error) {
	if r.Verdict == "" {
		return Review{}, errors.New("there is no verdict yet")
	}
	r.Edited = ""
	if !edited.IsZero() && edited != text {
		r.Edited = plans.Digest(edited)
	}
	if err := r.Check(text); err != nil {
		return Review{}, err
	}
	r.Feedback = safe.New(r.feedback(text, edited))
	return r, nil
}

// Check returns the first mistake in a review of the text, or nil. A missing
// verdict is not a mistake.
func (r Review) Check(text safe.Text) error {
	if digest := plans.Digest(text); r.Digest != digest {
		return fmt.Errorf("it is a review of the version with the digest %.12s, and this one has %.12s", r.Digest, digest)
	}
	if r.Verdict != "" && !slices.Contains(verdicts(), r.Verdict) {
		return fmt.Errorf("the verdict is %q; allowed are %q", string(r.Verdict), verdicts())
	}
	if len(r.Comments) > MaxComments {
		return fmt.Errorf("there are %d comments; at most %d are allowed", len(r.Comments), MaxComments)
	}
	lines := splitLines(text.Raw())
	for i, c := range r.Comments {
		if err := c.check(lines); err != nil {
			return fmt.Errorf("comment %d: %w", i+1, err)
		}
	}
	return r.checkWithheld(text)
}

func (r Review) checkWithheld(text safe.Text) error {
	if len(r.Withheld) > 0 && r.Verdict != "" && !r.Verdict.Approves() {
		return errors.New("sections are withheld from a plan that is not approved")
	}
	headings := map[int]bool{}
	for _, section := range plans.Outline(text) {
		headings[section.Line] = true
	}
	for i, line := range r.Withheld {
		if !headings[line] || i > 0 && line <= r.Withheld[i-1] {
			return fmt.Errorf("line %d is withheld, but it is not a heading or not in ascending order", line)
		}
	}
	return nil
}
