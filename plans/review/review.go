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

// The verdicts. A review that has none is still being written.
const (
	Approve Verdict = "approve"
	// ApproveWithNotes lets the agent go on; what the comments say is to be done,
	// and stays open until it is.
	ApproveWithNotes Verdict = "approve-with-notes"
	RequestChanges   Verdict = "request-changes"
	// Reject refuses the whole plan: the agent should not change it, but think again.
	Reject Verdict = "reject"
)

// Verdicts lists them, the friendliest first.
func Verdicts() []Verdict { return []Verdict{Approve, ApproveWithNotes, RequestChanges, Reject} }

// Approves reports whether the verdict approves the plan, or those sections of it
// that are not withheld. Review.Approved says whether the plan is approved.
func (v Verdict) Approves() bool { return v == Approve || v == ApproveWithNotes }

// Limits of a review.
const (
	MaxComments  = 1000
	MaxTextBytes = 64 << 10 // of one comment's text
	MaxJSONBytes = 8 << 20
)

// Review is what a person says of one version of a plan.
type Review struct {
	Digest   string    `json:"digest"` // of the version's text, see plans.Digest
	Verdict  Verdict   `json:"verdict,omitempty"`
	Note     safe.Text `json:"note,omitzero"` // on the whole plan
	Comments []Comment `json:"comments,omitempty"`
	// Withheld are the sections that are not approved, by their headings' lines in
	// ascending order, where the verdict approves the others.
	Withheld []int `json:"withheld,omitempty"`
	// Feedback is what the agent reads of it all, in Markdown; see Complete.
	Feedback safe.Text `json:"feedback,omitzero"`
	// Edited is the digest of the text the person made of the plan themselves;
	// empty if they did not.
	Edited string `json:"edited,omitempty"`
}

// Brief returns a review that says nothing of single lines: the feedback is the
// note as it was written. Where the plan is approved with a note, that is one to
// be heeded.
func Brief(digest string, verdict Verdict, note safe.Text) Review {
	note = safe.New(strings.TrimSpace(note.Raw()))
	if verdict == Approve && !note.IsZero() {
		verdict = ApproveWithNotes
	}
	return Review{Digest: digest, Verdict: verdict, Note: note, Feedback: note}
}

// Parse reads a review's JSON, as MarshalJSON writes it; fields it does not know
// are ignored.
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

// Approved reports whether the plan is approved. A plan of which a section is
// withheld is not: the feedback says which sections may be carried out.
func (r Review) Approved() bool { return r.Verdict.Approves() && len(r.Withheld) == 0 }

// ApprovedInPart reports whether only some sections of the plan are approved.
func (r Review) ApprovedInPart() bool { return r.Verdict.Approves() && len(r.Withheld) > 0 }

// JSON is the review as Parse reads it.
func (r Review) JSON() ([]byte, error) { return json.Marshal(r) }

// Complete returns the review of the text as the agent gets it: checked, with a
// verdict, and with Feedback. Edited is what the person made of the text
// themselves; zero if they did not.
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

// Check says what is wrong with a review of the text, or nil: a verdict may still
// be missing.
func (r Review) Check(text safe.Text) error {
	if digest := plans.Digest(text); r.Digest != digest {
		return fmt.Errorf("it is a review of the version with the digest %.12s, and this one has %.12s", r.Digest, digest)
	}
	if r.Verdict != "" && !slices.Contains(Verdicts(), r.Verdict) {
		return fmt.Errorf("the verdict is %q; allowed are %q", string(r.Verdict), Verdicts())
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
			return fmt.Errorf("line %d is withheld, which is no heading or named twice", line)
		}
	}
	return nil
}
