package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
)

// plain reports whether nothing can, or should, be drawn on the terminal: a plan is
// then reviewed line by line, in questions and answers.
func (t Terminal) plain() bool {
	return variable(t.Environ, "ACCESSIBLE") != "" || variable(t.Environ, "TERM") == "dumb"
}

// plainReview is a review in questions and answers.
type plainReview struct {
	AskOptions
	io    *askIO
	input formInput
	state *reviewState
	lines <-chan string // what the person types; closed at the end of it
	ctx   context.Context
}

// leftError says that the person, or the input, ended without an outcome.
type leftError struct{}

// Error says so.
func (leftError) Error() string { return "left without a verdict" }

// reviewPlainly reviews the plan of an ask without drawing; false if the ask is no
// review.
func reviewPlainly(ctx context.Context, o AskOptions) (result AskResult, reviews bool, err error) {
	ask, err := o.Store.Ask(ctx, o.ID)
	if err != nil || ask.Spec.Plan == nil {
		return AskResult{}, false, err
	}
	r := &plainReview{AskOptions: o, io: newAskIO(o.Store), ctx: ctx}
	result, err = r.run()
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), closePatience)
	defer cancel()
	return result, true, errors.Join(err, r.io.close(after))
}

func (r *plainReview) run() (AskResult, error) {
	opened := r.io.open(r.ctx, r.ID, r.By)
	if opened.err != nil {
		return AskResult{}, opened.err
	}
	r.input = opened.input
	ask := r.input.Ask
	if r.input.ReadOnly {
		return AskResult{Ask: ask}, r.say("%s", AskText(ask, r.now().Location()).Block())
	}
	r.io.markShown(ask)
	if r.input.Plan.problem != "" {
		return AskResult{Ask: ask}, errors.New("this plan cannot be reviewed: " + r.input.Plan.problem)
	}
	r.state = newReviewState(r.input.Plan.text, false)
	if e := r.input.Plan.earlier; e != nil {
		r.state.takeEarlier(e)
	}
	r.input.Now = r.now
	r.state.load(r.input.Draft.Fields[questions.ReviewID].Text)
	r.lines = linesOf(r.ctx, r.Terminal.Input)
	outcome, err := r.converse()
	switch {
	case errors.Is(err, leftError{}):
		return AskResult{Ask: ask}, r.leave()
	case err != nil:
		return AskResult{Ask: ask}, err
	}
	return r.settle(outcome)
}

// linesOf reads lines until the input or ctx ends. A read from a terminal cannot be
// ended: it is left behind.
func linesOf(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, review.MaxTextBytes)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// say prints a line, or several, of what is already clean.
func (r *plainReview) say(format string, args ...any) error {
	_, err := fmt.Fprintf(r.Terminal.Output, format+"\n", args...)
	return err
}

// ask prints a question and returns the line that answers it.
func (r *plainReview) ask(question string) (string, error) {
	if _, err := fmt.Fprint(r.Terminal.Output, question+" "); err != nil {
		return "", err
	}
	select {
	case line, ok := <-r.lines:
		if !ok {
			return "", leftError{}
		}
		return strings.TrimSpace(strings.ToValidUTF8(line, "\uFFFD")), nil
	case <-r.ctx.Done():
		return "", leftError{}
	}
}

const plainChoices = "a approve, n approve with notes, r request changes, x reject, c comment on lines, s settle an earlier comment, p print the plan with its line numbers, l later, d decline."

// converse shows the plan and asks until there is an outcome.
func (r *plainReview) converse() (questions.Outcome, error) {
	if err := r.introduce(); err != nil {
		return questions.Outcome{}, err
	}
	for {
		choice, err := r.ask("What do you say of it?")
		if err != nil {
			return questions.Outcome{}, err
		}
		verdict := review.Verdict("")
		switch choice {
		case "a":
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
			err = leftError{}
		case "d":
			reason, err := r.ask("Why? Enter alone gives no reason.")
			return questions.Outcome{State: questions.Declined, Message: safe.New(reason)}, err
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
		// Its keys are those of the screen.
		err = errors.Join(err, r.say("%s", strings.NewReplacer(", space settles it", "", ", space settles", "", " d shows it.", "").Replace(n.text)))
	}
	if e := r.input.Plan.earlier; e != nil {
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
	draft := questions.Draft{Fields: map[string]questions.Field{questions.ReviewID: r.state.save()}}
	if _, err := r.io.save(r.ctx, r.input.Ask.ID, draft); err != nil {
		return err
	}
	return r.say("Noted.")
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

// settle writes the outcome.
func (r *plainReview) settle(o questions.Outcome) (AskResult, error) {
	o.By, o.At = r.By, r.now()
	edited := safe.Text{}
	if o.State == questions.Answered {
		edited = r.state.edited
	}
	done := r.io.settle(r.input.Ask, o, edited)().(settleDone)
	if done.err != nil {
		return AskResult{Ask: r.input.Ask}, done.err
	}
	done.ask.Spec = r.input.Ask.Spec
	line := receipt(done.ask, r.input.Session, r.input.AgentWaits, 1)
	var err error
	if !r.Quiet {
		err = r.say("%s", line)
	}
	if r.Leave != nil {
		err = errors.Join(err, r.Leave(r.ctx, line))
	}
	return AskResult{Ask: done.ask, Settled: 1}, err
}

// leave says how to come back; what was said is in the draft.
func (r *plainReview) leave() error {
	command := r.Command
	if command == "" {
		command = "planb"
	}
	return r.say("\n%s", wayBack(command, r.input.Ask))
}

func (r *plainReview) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}
