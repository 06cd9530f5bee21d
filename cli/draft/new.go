package draft

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/drafts"
	"planb/drafts/schedule"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
)

// Limits of a prompt: characters at least, characters as JSON at most.
const (
	minPrompt = 20
	maxPrompt = 16 << 10
)

type newFlags struct {
	detail, start string
	noAsk, json   bool
}

func (c Commands) newCommand() *cobra.Command {
	var flags newFlags
	command := &cobra.Command{
		Use:   "new [FILE]",
		Short: "Begin a draft from a file, or from a form",
		Long: "Begin a draft from the prompt in a file (- for stdin), or from a form on this terminal. A good prompt has 300 to 800 words:\n" +
			"what is wanted and where, what exists already, the money, the fixed days, what must not be, and what counts as success.\n\n" +
			"A model writes a brief draft in " + drafts.Brief.Answers() + " answers and a full one in " + drafts.Full.Answers() + ". A brief draft can grow later. With --no-ask\n" +
			"planb does not ask you: it takes the recommended scenario and keeps all assumptions, and the report says so.",
		Example: "  planb draft new\n  planb draft new idea.md --detail full\n  planb draft new idea.md --start 2027-03-01",
		Args:    frame.AtMostOne("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.begin(cmd.Context(), strings.Join(args, ""), flags)
		},
	}
	command.Flags().StringVar(&flags.detail, "detail", "", "how much to write: `SIZE` is brief (the default), full, or ping, which only checks the prompt")
	command.Flags().StringVar(&flags.start, "start", "", "the `DAY` on which the plan begins, as 2027-03-01; today by default")
	command.Flags().BoolVar(&flags.noAsk, "no-ask", false, "ask nobody: take what is recommended")
	command.Flags().BoolVar(&flags.json, "json", false, "print it as JSON")
	frame.CompleteFlag(command, "detail", "brief", "full", "ping")
	return command
}

// request is the draft that the flags ask for.
func (f newFlags) request(today schedule.Date) (r runs.Request, err error) {
	r = runs.Request{Detail: drafts.Brief, Start: today, NoGates: f.noAsk}
	if f.detail != "" {
		r.Detail = drafts.Detail(f.detail)
	}
	known := false
	for _, d := range drafts.Details() {
		known = known || d == r.Detail
	}
	if !known {
		return r, frame.UsageError(fmt.Errorf("--detail is %q; allowed: brief, full, ping", f.detail))
	}
	if f.start != "" {
		if r.Start, err = schedule.ParseDate(f.start); err != nil {
			return r, frame.UsageError(fmt.Errorf("--start: %w", err))
		}
	}
	return r, nil
}

func (c Commands) begin(ctx context.Context, file string, flags newFlags) error {
	return c.WithStore(ctx, func(ctx context.Context, st *store.Store) error {
		r, err := flags.request(st.Drafts().Today())
		if err != nil {
			return err
		}
		if file == "" {
			err = c.askForPrompt(ctx, st, &r, flags)
		} else {
			r.Prompt, err = c.readPrompt(file)
		}
		if err != nil {
			return err
		}
		if r.Session == "" {
			if r.Session, err = c.session(ctx, st, r.Prompt); err != nil {
				return err
			}
		}
		p, _, err := st.Drafts().Create(ctx, c.caller(), r)
		if err != nil {
			return said(err)
		}
		if flags.json {
			return frame.PrintJSON(c.Stdout, shown(p))
		}
		short := store.ShortID(p.ID)
		return c.Tell(fmt.Sprintf("Draft %s is begun. Tell your agent: “Write the planb draft %s with step_next.” Or have your program write it:  planb draft run %s", short, p.ID, short) + "\n")
	})
}

func (c Commands) session(ctx context.Context, st *store.Store, prompt string) (string, error) {
	dir, err := c.ProjectDir()
	if err != nil {
		return "", err
	}
	made, err := st.CreateSession(ctx, store.Session{Title: runs.SessionTitle(prompt), Project: safe.New(dir), Client: ownClient()})
	return made.ID, err
}

func (c Commands) readPrompt(file string) (string, error) {
	raw, err := c.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("the prompt can't be read: %w", err)
	}
	return checked(string(raw), file)
}

// theForm is the source of a prompt that the person wrote into the form.
const theForm = "the form"

// checked refuses a prompt that is too short or too long.
func checked(prompt, source string) (string, error) {
	switch n := utf8.RuneCountInString(strings.TrimSpace(prompt)); {
	case !utf8.ValidString(prompt):
		return "", fmt.Errorf("%s is not UTF-8; save it as UTF-8 and begin again", source)
	case n >= minPrompt && safe.New(prompt).Blank():
		return "", fmt.Errorf("%s says nothing: all of it is white space and invisible characters", source)
	case n < minPrompt && source == theForm:
		return "", fmt.Errorf("you wrote %d characters, too few for a plan: write at least %d, best some hundred words; `planb draft new` offers you what you wrote again", n, minPrompt)
	case n < minPrompt:
		return "", fmt.Errorf("%s has %d characters, but a prompt has at least %d; the best have 300 to 800 words", source, n, minPrompt)
	case drafts.Length(prompt) > maxPrompt:
		return "", fmt.Errorf("%s has %d characters as JSON, but a prompt has at most %d; leave out what decides nothing", source, drafts.Length(prompt), maxPrompt)
	}
	return prompt, nil
}

// The questions of the form. The prompt has only the answered ones, and begins with the goal: a
// draft is named by the beginning of its prompt until its brief is written.
const (
	goalQuestion   = "Goal"
	detailQuestion = "detail"
	detailTab      = "How much"
)

func form(detail drafts.Detail) questions.Spec {
	long := func(id, label, description string, required bool) questions.Question {
		return questions.Question{ID: id, Kind: questions.LongText, Label: safe.New(label), Description: safe.New(description), Required: required, Tab: safe.New("Plan")}
	}
	chosen := questions.TextValue(string(detail))
	return questions.Spec{Title: safe.New("Begin a draft of a plan"), Questions: []questions.Question{
		long(goalQuestion, "What do you want to reach?", "Who you are, what it is to be, why, and what is there already", true),
		long("Place", "Where?", "", false),
		long("Money", "What may it cost, and where does the money come from?", "", false),
		long("Time", "When does it begin, and what must be done by when?", "With dates", false),
		long("What must not be", "What must not be?", "Also words that must not be used", false),
		long("Success", "How will you know that it succeeded?", "In numbers, if you can", false),
		long("Unknown", "What do you not know yet?", "", false),
		{ID: detailQuestion, Kind: questions.Single, Label: safe.New("How much of a plan?"), Tab: safe.New(detailTab), Default: &chosen, Options: []questions.Option{
			{Value: safe.New("brief"), Label: safe.New("Brief"), Description: safe.New(drafts.Brief.Answers() + " answers of a model, some ten minutes; it can grow later")},
			{Value: safe.New("full"), Label: safe.New("Full"), Description: safe.New(drafts.Full.Answers() + " answers: governance, team, documents, tasks in detail, reviews, an audit")},
		}},
	}}
}

// askForPrompt has the person fill in the form, and makes the prompt of it.
func (c Commands) askForPrompt(ctx context.Context, st *store.Store, r *runs.Request, flags newFlags) error {
	if c.Ask == nil {
		return errors.New("no form can be shown here; give a file with the prompt, or - for stdin")
	}
	spec := form(r.Detail)
	ask, err := c.Ask(ctx, st, spec)
	if err != nil {
		return err
	}
	switch {
	case ask.Open():
		return frame.Declined(errors.New("no draft was begun; `planb draft new` goes on with the form, and then begins the draft"))
	case ask.Outcome.State != questions.Answered:
		return frame.Declined(errors.New("no draft was begun"))
	}
	var parts []string
	for _, q := range spec.Questions {
		text, ok := ask.Outcome.Reply.Answers[q.ID].Text()
		if !ok || strings.TrimSpace(text) == "" {
			continue
		}
		switch text = strings.TrimSpace(text); {
		case q.ID == goalQuestion:
			parts = append(parts, text)
		case q.ID != detailQuestion:
			parts = append(parts, q.ID+": "+text)
		case flags.detail == "":
			r.Detail = drafts.Detail(text)
		}
	}
	r.Session = ask.Session
	r.Prompt, err = checked(strings.Join(parts, "\n\n"), theForm)
	return err
}
