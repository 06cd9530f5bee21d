package lines

import (
	"errors"
	"fmt"
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/compare"
	reviewing "planb/tui/review"
	"planb/tui/wording"
)

// planReview is the review of a plan. Whatever the review's screen can do, the person can
// do here with words.
type planReview struct {
	*talk
	input input
	state *review.Entry
	save  func(questions.Entry) error
	over  func() bool // another review has taken this one's place, and gets all that was said
	// numbers are the ids of all comments in the order in which they were read out. So a
	// comment's number never becomes another comment's.
	numbers []string
	reading int  // the line at which reading section by section goes on; 0 at the end
	told    bool // the plan was introduced
}

func newReview(t *talk, in input, save func(questions.Entry) error, over func() bool) *planReview {
	t.edits = true
	r := &planReview{talk: t, input: in, state: review.NewEntry(in.Plan.Text), save: save, over: over, reading: 1}
	r.state.Of = in.Plan.Of
	if e := in.Plan.Earlier; e != nil {
		r.state.Follow(e)
	}
	r.state.Load(in.Entry.Fields[questions.ReviewID].Text, in.Plan.Begun)
	return r
}

func (r *planReview) entry() questions.Entry {
	d := r.input.Entry
	d.Fields = map[string]questions.Field{questions.ReviewID: {Text: r.state.Save()}}
	return d
}

func (r *planReview) edited() safe.Text { return r.state.Edited }

// reviewWord is what a word of a review does with the text typed behind it. It returns an
// outcome if the review ends with it.
type reviewWord func(r *planReview, rest string) (*questions.Outcome, error)

// reviewWords are the words of a review.
func reviewWords() wordList[reviewWord] {
	verdict := func(v review.Verdict) reviewWord {
		return func(r *planReview, _ string) (*questions.Outcome, error) { return r.decide(v) }
	}
	comment := func(kind review.Kind) reviewWord {
		return func(r *planReview, rest string) (*questions.Outcome, error) { return nil, r.comment(kind, rest) }
	}
	does := func(do func(*planReview, string) error) reviewWord {
		return func(r *planReview, rest string) (*questions.Outcome, error) { return nil, do(r, rest) }
	}
	return wordList[reviewWord]{
		{name: "plan", short: "p", takes: "and lines if you want only those, as 12 or 3-5", does: "reads out the plan with the numbers of its lines", do: does((*planReview).read)},
		{name: "sections", does: "lists its headings", do: does((*planReview).sections)},
		{name: "section", takes: "and a heading's number", does: "reads out what is below that heading", do: does((*planReview).section)},
		{name: "next", does: "reads on, up to the next heading", do: does((*planReview).next)},
		{name: "find", takes: "and words", does: "reads out the lines that have them", do: does((*planReview).find)},
		{name: "changes", does: "says what changed since the version you know, and by your own edit", do: does((*planReview).changes)},
		{name: "comment", short: "c", takes: "and lines, and what you say of them", does: "comments on them", do: comment(review.Remark)},
		{name: "suggest", takes: "and lines, and the text to put there", does: "suggests it in their place, and asks why", do: comment(review.Suggestion)},
		{name: "delete", takes: "and lines, and why", does: "marks them for deletion", do: comment(review.Deletion)},
		{name: "question", takes: "and lines, and what you ask", does: "asks about them", do: comment(review.Question)},
		{name: "whole", does: "says something of the whole plan", do: does((*planReview).whole)},
		{name: "comments", does: "reads out all comments, with their numbers", do: does((*planReview).comments)},
		{name: "change", takes: "and a comment's number, and its new text", does: "writes that comment anew", do: does((*planReview).change)},
		{name: "drop", takes: "and a comment's number, or edit", does: "takes that comment back, or your edit of the plan", do: does((*planReview).drop)},
		{name: "settle", short: "s", takes: "and a comment's number", does: "settles a comment of the last review, or has it sent again", do: does((*planReview).settle)},
		{name: "undo", does: "undoes what you said or changed last", do: does((*planReview).undo)},
		{name: "edit", does: "opens the plan in your $VISUAL or $EDITOR; your edit goes with the review", do: does((*planReview).editPlan)},
		{name: "hold", takes: "and a heading's number", does: "holds that section back from an approval, or takes that back", do: does((*planReview).hold)},
		{name: "approve", short: "a", does: "approves the plan; what you said goes along as notes", do: verdict(review.Approve)},
		{name: "notes", short: "n", does: "approves it with notes", do: verdict(review.ApproveWithNotes)},
		{name: "request", short: "r", does: "requests changes", do: verdict(review.RequestChanges)},
		{name: "reject", short: "x", does: "rejects the whole plan", do: verdict(review.Reject)},
		{name: "reply", does: "replies without finishing: a message, with what you said so far", do: (*planReview).discuss},
		{name: "later", short: "l", also: "leave", does: "leaves; everything is kept", do: func(*planReview, string) (*questions.Outcome, error) { return nil, errLater }},
		{name: "decline", short: "d", does: "tells the agent that you do not want to review this", do: (*planReview).decline},
		{name: "help", short: "?", does: "says this", do: does((*planReview).help)},
	}
}

func (r *planReview) help(string) error {
	lines := append([]string{"What you can type:"}, reviewWords().help("")...)
	lines = append(lines,
		"What is said can follow the lines at once: comment 3-5 Too vague.",
		"In all you write, a line that ends with a backslash goes on in the next one, and /edit opens your editor.")
	return r.say("%s", cells.JoinBy("\n", lines...))
}

// converse shows the plan and asks until there is an outcome.
func (r *planReview) converse() (questions.Outcome, error) {
	if !r.told {
		r.told = true
		if err := r.introduce(); err != nil {
			return questions.Outcome{}, err
		}
	}
	for {
		typed, err := r.ask("What do you say of the plan?")
		if err != nil {
			return questions.Outcome{}, err
		}
		outcome, err := r.obey(typed)
		switch {
		case r.over() && (err == nil || errors.Is(err, errLater)):
			return questions.Outcome{}, errEnded
		case err != nil:
			return questions.Outcome{}, err
		case outcome != nil:
			return *outcome, nil
		}
	}
}

// obey does what a line says.
func (r *planReview) obey(typed string) (*questions.Outcome, error) {
	do, rest, ok := reviewWords().find(bareWord(typed))
	if !ok {
		return nil, r.say("%s", reviewHint)
	}
	return do(r, rest)
}

const reviewHint = "Type approve, request, reject, comment, question or another word; help reads out all of them."

// account sums up the review, as its screen does.
func (r *planReview) account() *reviewing.Account {
	return &reviewing.Account{In: *r.input.Plan, State: r.state, When: func(at time.Time) string { return wording.When(at, r.input.Now()) }}
}

// mostLines is how many lines of a plan are read out unasked. A listener cannot follow more.
const mostLines = 100

// introduce says what is to be reviewed. If the person knows an earlier version, it says
// what changed; else it reads out the plan, unless that is long.
func (r *planReview) introduce() error {
	about := r.account()
	err := r.say("%s asks for a review of v%d: %s", wording.Asker(r.input.Ask, r.input.Session), r.input.Plan.Version, r.input.Ask.Spec.Title.Line())
	for _, n := range append(about.Notices(), about.WholeNotice()...) {
		err = errors.Join(err, r.say("%s", spoken(n.Text)))
	}
	changed := false
	for _, which := range about.Changed() {
		if c := about.Compared(which); which == reviewing.ChangesSince && len(c.Diff.Hunks(0)) > 0 {
			changed = true
			err = errors.Join(err, r.say("\n%s", compare.Words(c)))
		}
	}
	if changed || len(r.state.Lines) > mostLines {
		whole := "The whole plan has"
		if r.state.Of == review.OfChanges { // the text has nothing else
			whole = "All changes have"
		}
		err = errors.Join(err, r.say("\n%s %s and %s. plan reads that out, next does heading by heading.",
			whole, wording.Count(len(r.state.Lines), "line"), wording.Count(len(r.state.Outline), "heading")))
	} else {
		err = errors.Join(err, r.say("\nThe plan:\n\n%s\n", block(r.state.Text)))
	}
	if len(r.all()) > 0 {
		err = errors.Join(err, r.comments(""))
	}
	return errors.Join(err, r.say("\n%s", reviewHint))
}

// keep saves what was said so far, and tells the person what was done.
func (r *planReview) keep(format string, args ...any) error {
	done := fmt.Sprintf(format, args...)
	if err := r.save(r.entry()); err != nil {
		return r.say("%s But it could not be saved yet: %s", done, wording.Sentence(err))
	}
	return r.say("%s", done)
}
