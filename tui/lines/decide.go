package lines

import (
	"errors"
	"strings"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/wording"
)

// hold withholds a section from an approval, or takes that back.
func (r *planReview) hold(typed string) error {
	section, ok, err := r.heading(typed, "The number of the heading whose section you hold back, or no longer hold back; Enter alone goes back:")
	if !ok {
		return err
	}
	if _, held, _ := r.state.Hold(section.Line); held {
		return r.keep("Held back: %s is not approved with the rest.", section.Title.Line())
	}
	return r.keep("%s is approved with the rest.", section.Title.Line())
}

// editPlan opens the plan itself in the person's editor.
func (r *planReview) editPlan(string) error {
	now := r.state.Text
	if !r.state.Edited.IsZero() {
		now = r.state.Edited
	}
	text, ok, err := r.fromEditor(now.Raw())
	if !ok {
		return err
	}
	changed, err := r.state.Edit(text)
	switch {
	case err != nil:
		return r.say("%s", wording.EditRefused(err))
	case !changed:
		return r.say("Nothing changed.")
	case r.state.Edited.IsZero():
		return r.keep("The plan is again as it was submitted.")
	}
	return r.keep("Your edit goes with the review; changes reads it out, undo takes it back.")
}

// discuss replies without finishing.
func (r *planReview) discuss(words string) (*questions.Outcome, error) {
	message, err := r.textUnless(words, "What the agent should know or clear up first; Enter alone goes back:", r.input.Entry.Message, r.input.Ask.Spec.Title)
	if err != nil || message == "" {
		return nil, err
	}
	if r.over() {
		r.addNote(message)
		return nil, errEnded
	}
	r.input.Entry.Message = safe.New(message) // kept with the comments where it cannot be sent
	return &questions.Outcome{State: questions.Discuss, Reply: r.entry().Reply(r.input.Ask.Spec), Message: r.input.Entry.Message}, nil
}

// decline asks for a reason, and whether the person means it.
func (r *planReview) decline(words string) (*questions.Outcome, error) {
	reason, err := r.textUnless(words, "Why? Enter alone gives no reason:", r.input.Entry.Message, r.input.Ask.Spec.Title)
	if err != nil {
		return nil, err
	}
	sure, err := r.means("The agent is told that you do not want to review this. Type yes to decline to review:")
	if errors.Is(err, errEnded) {
		r.addNote(reason)
	}
	if err != nil || !sure {
		return nil, err
	}
	if reason != "" {
		r.input.Entry.Message = safe.New(reason)
	}
	return &questions.Outcome{State: questions.Declined, Message: safe.New(reason)}, nil
}

// decide asks what to say with a verdict, and whether the person means it. An approval
// with something said becomes an approval with notes.
func (r *planReview) decide(verdict review.Verdict) (*questions.Outcome, error) {
	if r.over() {
		return nil, errEnded
	}
	if verdict == review.Approve && r.state.Said() {
		verdict = review.ApproveWithNotes
	}
	if verdict != review.Approve {
		note, _, err := r.text("What else do you want to say? Enter alone says nothing:", safe.Text{}, r.input.Ask.Spec.Title)
		if err != nil {
			return nil, err
		}
		r.addNote(note)
	}
	about := r.account()
	question := about.Verdict(verdict) + "."
	if left := about.LeftOut(verdict); left != "" {
		question += " " + left
	}
	if with := about.GoesWith(verdict); with != "" {
		question += " " + with
	}
	sure, err := r.means(question + " Type yes to send it:")
	if err != nil || !sure {
		return nil, errors.Join(err, r.keep("Nothing was sent; what you said is kept."))
	}
	text, err := r.state.Complete(verdict)
	if err != nil {
		return nil, r.say("It cannot be sent: %s.", wording.Sentence(err))
	}
	return &questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(text))},
	}}, nil
}

// means asks whether the person means an outcome. It returns errEnded if the outcome would
// no longer count.
func (r *planReview) means(question string) (bool, error) {
	if r.over() {
		return false, errEnded
	}
	sure, err := r.sure(question)
	if err == nil && r.over() {
		return false, errEnded
	}
	return sure, err
}

// addNote adds a line to what is said of the whole plan.
func (r *planReview) addNote(line string) {
	if line == "" {
		return
	}
	r.state.Remember()
	r.state.SetNote(strings.TrimSpace(r.state.Review.Note.Raw() + "\n" + line))
}
