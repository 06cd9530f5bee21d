package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
)

// plainReview is a review in questions and answers.
type plainReview struct {
	*plainTalk
	input formInput
	state *reviewState
	save  func(questions.Draft) error
	over  func() bool // another review has taken this one's place
}

func newPlainReview(talk *plainTalk, input formInput, save func(questions.Draft) error, over func() bool) *plainReview {
	r := &plainReview{plainTalk: talk, input: input, state: newReviewState(input.Plan.text, false), save: save, over: over}
	if e := input.Plan.earlier; e != nil {
		r.state.takeEarlier(e)
	}
	r.state.load(input.Draft.Fields[questions.ReviewID].Text, input.Plan.begun)
	return r
}

func (r *plainReview) draft() questions.Draft {
	return questions.Draft{Fields: map[string]questions.Field{questions.ReviewID: r.state.save()}}
}

func (r *plainReview) edited() safe.Text { return r.state.edited }

const plainChoices = "a approve, n approve with notes, r request changes, x reject, c comment on lines, s settle an earlier comment, p print the plan with its line numbers, l later, d decline."

// converse shows the plan and asks until there is an outcome.
func (r *plainReview) converse() (questions.Outcome, error) {
	if err := r.introduce(); err != nil {
		return questions.Outcome{}, err
	}
	for {
		choice, err := r.ask("What do you say of it?")
		switch {
		case err != nil:
			return questions.Outcome{}, err
		case r.over():
			return questions.Outcome{}, errEnded
		}
		verdict := review.Verdict("")
		switch strings.ToLower(choice) {
		case "a", "approve":
			if verdict = review.Approve; r.state.said() {
				verdict = review.ApproveWithNotes
			}
		case "n":
			verdict = review.ApproveWithNotes
		case "r":
			verdict = review.RequestChanges
		case "x":
			verdict = review.Reject
		case "c":
			err = r.comment()
		case "s":
			err = r.settleOld()
		case "p":
			err = r.print(true)
		case "l":
			err = errLater
		case "d":
			if outcome, declined, err := r.decline(); declined || err != nil {
				return outcome, err
			}
		default:
			err = r.say("Type one letter: %s", plainChoices)
		}
		if err != nil {
			return questions.Outcome{}, err
		}
		if verdict != "" {
			if outcome, decided, err := r.decide(verdict); decided || err != nil {
				return outcome, err
			}
		}
	}
}

// body is the review as its screen has it, for the words it has in common.
func (r *plainReview) body() *reviewBody {
	return &reviewBody{form: &form{in: r.input}, in: *r.input.Plan, state: r.state}
}

// introduce says what is to be reviewed, and prints it: what changed first, if it
// was reviewed before.
func (r *plainReview) introduce() error {
	body := r.body()
	err := r.say("%s asks for a review of v%d: %s", body.form.who(), r.input.Plan.version, r.input.Ask.Spec.Title.Line())
	for _, n := range body.notices() {
		err = errors.Join(err, r.say("%s", n.text))
	}
	switch e, begun := r.input.Plan.earlier, r.input.Plan.begun; {
	case begun != nil:
		patch := begun.diff.Unified(patchName(begun.number), patchName(r.input.Plan.version), patchContext)
		err = errors.Join(err, r.say("\nWhat changed:\n\n%s", safe.New(patch).Block()))
	case e != nil:
		patch := e.diff.Unified(patchName(e.ask.Spec.Plan.Number), patchName(r.input.Plan.version), patchContext)
		err = errors.Join(err, r.say("\nWhat changed:\n\n%s", safe.New(patch).Block()))
	}
	err = errors.Join(err, r.say("\nThe plan:\n"), r.print(false))
	for _, c := range r.state.review.Comments {
		err = errors.Join(err, r.say("Your comment on %s: %s", strings.ToLower(c.Place()), plainWords(c)))
	}
	return errors.Join(err, r.say("\n%s", plainChoices))
}

// plainWords is a comment in one line.
func plainWords(c review.Comment) string {
	var words []string
	if c.Kind == review.Deletion {
		words = append(words, "delete this")
	}
	if !c.Instead.IsZero() {
		words = append(words, "instead: "+c.Instead.Line())
	}
	if !c.Text.Blank() {
		words = append(words, c.Text.Line())
	}
	return strings.Join(words, "; ")
}

// print prints the plan as it was written.
func (r *plainReview) print(numbered bool) error {
	for i, line := range r.state.lines {
		text := strings.TrimRight(safe.New(line).Block(), "\n")
		if numbered {
			text = fmt.Sprintf("%d: %s", i+1, text)
		}
		if err := r.say("%s", text); err != nil {
			return err
		}
	}
	return nil
}

// comment asks for lines and what to say of them.
func (r *plainReview) comment() error {
	where, err := r.ask("On which line, or lines, as 12 or 3-5?")
	if err != nil {
		return err
	}
	first, last, several := strings.Cut(where, "-")
	if !several {
		last = first
	}
	from, errFrom := strconv.Atoi(strings.TrimSpace(first))
	to, errTo := strconv.Atoi(strings.TrimSpace(last))
	c, err := review.On(r.state.text, from, to)
	switch {
	case errFrom != nil || errTo != nil:
		return r.say("That is no line's number; nothing was said.")
	case err != nil:
		return r.say("%s.", safe.New(err.Error()).Line())
	case r.state.full() || len(c.Quote.Raw()) > mostQuoted:
		return r.say("There is no room for this comment; say it of the whole plan, with your verdict.")
	}
	said, err := r.ask("What do you say of it?")
	if err != nil || said == "" {
		return err
	}
	c.ID, c.Kind, c.Text = newID(), review.Remark, safe.New(said)
	r.state.put(c)
	return r.keep()
}

// settleOld asks which of the earlier comments is settled.
func (r *plainReview) settleOld() error {
	if len(r.state.old) == 0 {
		return r.say("There is no earlier comment.")
	}
	for i, o := range r.state.old {
		fate := "settled"
		if r.state.index(o.ID) >= 0 {
			fate = "goes back"
		}
		if err := r.say("%d: %s; %s, %s", i+1, plainWords(o.Comment), o.fate(r.state.lines), fate); err != nil {
			return err
		}
	}
	which, err := r.ask("Which number is settled, or insisted on if it was?")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(which)
	if err != nil || n < 1 || n > len(r.state.old) {
		return r.say("There is no such number; nothing changed.")
	}
	r.state.settle(r.state.old[n-1].ID)
	return r.keep()
}

// keep saves what was said so far.
func (r *plainReview) keep() error {
	if err := r.save(r.draft()); err != nil {
		return r.say("Noted, but it could not be saved yet: %s", sentence(err))
	}
	return r.say("Noted.")
}

// decline asks for a reason, and whether it is meant.
func (r *plainReview) decline() (o questions.Outcome, declined bool, err error) {
	reason, err := r.ask("Why? Enter alone gives no reason:")
	if err != nil {
		return o, false, err
	}
	sure, err := r.ask("The agent is told that you do not review this plan. Type yes to decline:")
	if err != nil || sure != "yes" && sure != "y" {
		return o, false, err
	}
	return questions.Outcome{State: questions.Declined, Message: safe.New(reason)}, true, nil
}

// decide asks for what goes with a verdict, and whether it is meant.
func (r *plainReview) decide(verdict review.Verdict) (o questions.Outcome, decided bool, err error) {
	if verdict != review.Approve {
		note, err := r.ask("What else do you want to say? Enter alone says nothing.")
		if err != nil {
			return o, false, err
		}
		if note != "" {
			r.state.setNote(strings.TrimSpace(r.state.review.Note.Raw() + "\n" + note))
		}
	}
	question := fmt.Sprintf("%s: v%d.", verdictWord(verdict), r.input.Plan.version)
	if with := r.body().goesWith(verdict); with != "" {
		question += " " + with
	}
	sure, err := r.ask(question + " Type yes to send it.")
	if err != nil || sure != "yes" && sure != "y" {
		return o, false, errors.Join(err, r.keep())
	}
	text, err := r.state.complete(verdict)
	if err != nil {
		return o, false, r.say("It cannot be sent: %s.", safe.New(err.Error()).Line())
	}
	return questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(text))},
	}}, true, nil
}
