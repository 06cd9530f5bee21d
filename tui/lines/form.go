package lines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/ask"
	"planb/tui/wording"
)

// input is an ask that is answered line by line.
type input struct {
	ask.Input
	Now     func() time.Time
	Environ []string // of the person's editor
}

// form asks every question once, in order. At the end it reads out all answers, and the
// person can go back to each question from there.
type form struct {
	*talk
	input input
	spec  questions.Spec
	fill  questions.Entry
	save  func(questions.Entry) error
	// at is the place of the question that is being asked; behind the last one all answers
	// are read out. back says that the person went back to the question from there.
	at   int
	back bool
	told bool // the form was introduced

	undone []moment
}

func newForm(t *talk, in input, save func(questions.Entry) error) *form {
	t.edits = true
	f := &form{talk: t, input: in, spec: in.Ask.Spec, fill: in.Entry, save: save}
	f.fill.Fields = map[string]questions.Field{}
	for id, part := range in.Entry.Fields {
		f.fill.Fields[id] = part
	}
	f.at = max(0, slices.IndexFunc(f.spec.Questions, func(q questions.Question) bool { return q.ID == f.fill.Focus }))
	return f
}

func (f *form) entry() questions.Entry {
	d := f.fill.Clone() // what was saved must not change with what is entered next
	if len(d.Fields) == 0 {
		d.Fields = f.input.Entry.Fields // nil or empty, as it was
	}
	return d
}

func (f *form) edited() safe.Text { return safe.Text{} }

func (f *form) reply() questions.Reply { return f.fill.Reply(f.spec) }

// converse asks one question after another, and at the end whether to send.
func (f *form) converse() (questions.Outcome, error) {
	if !f.told {
		f.told = true
		if err := f.introduce(); err != nil {
			return questions.Outcome{}, err
		}
	}
	for {
		var ending *questions.Outcome
		var err error
		if f.at < len(f.spec.Questions) {
			ending, err = f.question(f.spec.Questions[f.at])
		} else {
			ending, err = f.overview()
		}
		if err != nil {
			return questions.Outcome{}, err
		}
		if ending != nil {
			return *ending, nil
		}
	}
}

// introduce says who asks, and how to answer.
func (f *form) introduce() error {
	asks := fmt.Sprintf("%s asks%s: %s", wording.Asker(f.input.Ask, f.input.Session), in(wording.ProjectName(f.input.Session)), f.spec.Title.Line())
	required := 0
	for _, q := range f.spec.Questions {
		if q.Required {
			required++
		}
	}
	needed := "none required"
	if required > 0 {
		needed = fmt.Sprintf("%d required", required)
	}
	lines := []string{asks, wording.Count(len(f.spec.Questions), "question") + ", " + needed + ". Enter alone leaves a question as it is and goes on. Type ? or /help for what else you can type."}
	if !f.input.AgentWaits {
		lines = append(lines, "No agent is waiting right now; your answer will be kept.")
	}
	if f.input.EarlierForm != nil {
		lines = append(lines, "You answered the same questions "+wording.When(f.input.EarlierForm.Outcome.At, f.input.Now())+". Type /before to take those answers over where nothing is answered yet.")
	}
	if done := len(f.spec.Questions) - len(f.spec.Unanswered(f.reply())); done > 0 {
		lines = append(lines, wording.Count(done, "question")+" answered earlier; the answers are kept.")
	}
	if !f.spec.Intro.IsZero() {
		lines = append(append(lines, ""), f.introLines()...)
	}
	return f.say("%s", strings.Join(lines, "\n"))
}

func (f *form) introLines() []string {
	return []string{f.spec.IntroTitle.Line() + ":", block(f.spec.Intro)}
}

// earlier returns what was answered before. It waits for the lookup to end, because a
// printed line cannot be changed afterwards.
func (f *form) earlier() map[string]store.EarlierAnswer {
	if f.input.Recalling == nil {
		return f.input.EarlierAnswers
	}
	select {
	case f.input.EarlierAnswers = <-f.input.Recalling:
		f.input.Recalling = nil
	case <-f.ctx.Done():
	}
	return f.input.EarlierAnswers
}

func in(place string) string {
	if place == "" {
		return ""
	}
	return " in " + place
}

// question asks one question and does what is typed: an answer or a command.
func (f *form) question(q questions.Question) (*questions.Outcome, error) {
	f.fill.Focus = q.ID
	if err := f.say("\n%s", strings.Join(f.questionLines(q), "\n")); err != nil {
		return nil, err
	}
	helped := "" // what the help was asked for by, which may have been meant
	for {
		line, err := f.askExact(want(q))
		if err != nil {
			return nil, err
		}
		typed := strings.TrimSpace(line)
		if asksForHelp(q, typed) && typed != helped {
			helped = typed
			if err := f.helpAt(q, typed); err != nil {
				return nil, err
			}
			continue
		}
		helped = ""
		if does, rest, ok := command(typed); ok {
			at := f.at
			ending, err := does(f, rest)
			if ending != nil || err != nil || f.at != at {
				return ending, err
			}
			continue
		}
		if typed == "" || typed == "." && q.Kind == questions.LongText { // the dot ends what was not begun
			f.goOn()
			return nil, nil
		}
		if strings.HasPrefix(typed, "//") {
			line = strings.Replace(line, "//", "/", 1)
		}
		wrong, err := f.answer(q, line)
		if err != nil {
			return nil, err
		}
		if wrong == "" {
			err = f.confirm(q)
			f.goOn()
			return nil, err
		}
		if err := f.say("%s", wrong); err != nil {
			return nil, err
		}
	}
}

// asksForHelp reports whether a line is a request for help and not the name of an option.
func asksForHelp(q questions.Question, typed string) bool {
	_, named := optionNamed(q, typed)
	return (typed == "?" || strings.EqualFold(typed, "help")) && !named
}

// helpAt gives help. If the question takes a text, the same line typed again is the answer.
func (f *form) helpAt(q questions.Question, typed string) error {
	if _, err := f.help(""); err != nil || q.Kind != questions.Text && q.Kind != questions.LongText {
		return err
	}
	return f.say("If your answer is %s, type it once more.", typed)
}

// questionLines returns a question with all that is needed to answer it.
func (f *form) questionLines(q questions.Question) []string {
	head := fmt.Sprintf("Question %d of %d", f.at+1, len(f.spec.Questions))
	if len(f.spec.Tabs()) > 1 {
		head += ", " + q.Tab.Line()
	}
	if q.Required {
		head += ", required"
	}
	lines := []string{head + ".", block(q.Label)}
	if !q.Description.Blank() {
		lines = append(lines, block(q.Description))
	}
	lines = append(lines, optionLines(q)...)
	if q.Default != nil {
		lines = append(lines, "Proposed: "+valueLine(q, *q.Default)+"; /proposed takes it.")
	}
	if numbers := illustrated(q); len(numbers) > 0 {
		lines = append(lines, fmt.Sprintf("Illustrated: %s; /show %s prints that.", wording.List(numbers), numbers[0]))
	}
	if was, ok := f.earlier()[q.ID]; ok && f.input.EarlierForm == nil {
		lines = append(lines, fmt.Sprintf("Answered before, %s: %s; /before takes it.",
			commas(wording.Ago(was.At, f.input.Now()), wording.SessionTitle(was.Session)), valueLine(was.Question, was.Answer)))
	}
	if v := f.reply().Answers[q.ID]; !v.IsZero() {
		lines = append(lines, "Answered so far: "+valueLine(q, v))
	}
	if note := f.fill.Fields[q.ID].Note; !note.Blank() {
		lines = append(lines, "Your note: "+note.Line())
	}
	return lines
}

// illustrated returns the numbers of the options that have an illustration.
func illustrated(q questions.Question) (numbers []string) {
	for i, o := range q.Options {
		if !o.Markdown.IsZero() {
			numbers = append(numbers, strconv.Itoa(i+1))
		}
	}
	return numbers
}

// goOn goes to the next question, or back to the list of all answers.
func (f *form) goOn() {
	f.at++
	if f.back {
		f.at, f.back = len(f.spec.Questions), false
	}
}

// answer makes a typed line the answer. wrong says why it cannot be one.
func (f *form) answer(q questions.Question, line string) (wrong string, err error) {
	part, wrong, err := f.readAnswer(q, line)
	if err != nil || wrong != "" {
		return wrong, err
	}
	part.Note = f.fill.Fields[q.ID].Note
	return f.put(q, part)
}

// confirm reads out the options that were chosen by their numbers.
func (f *form) confirm(q questions.Question) error {
	if q.Kind != questions.Single && q.Kind != questions.Multi {
		return nil
	}
	if v := f.reply().Answers[q.ID]; !v.IsZero() {
		return f.say("%s.", valueLine(q, v))
	}
	return f.say("None of them.")
}

// put makes a field the answer to a question. wrong says why the field does not fit.
func (f *form) put(q questions.Question, part questions.Field) (wrong string, err error) {
	f.remember(q.ID)
	f.fill.Fields[q.ID] = part
	if err := f.spec.CheckPartial(f.reply()); err != nil {
		f.goBackBy(f.forget())
		return "That can't be an answer: " + safe.New(err.Error()).Block(), nil
	}
	return "", f.keep()
}

// keep saves what was entered so far. After a failure it tells the person, and the form
// goes on: the next answer is saved with everything before it.
func (f *form) keep() error {
	if err := f.save(f.entry()); err != nil {
		return f.say("What you entered could not be saved yet: %s", wording.Sentence(err))
	}
	return nil
}

// overview reads out all answers and asks whether to send them.
func (f *form) overview() (*questions.Outcome, error) {
	if err := f.say("\n%s", strings.Join(f.overviewLines(), "\n")); err != nil {
		return nil, err
	}
	for {
		typed, err := f.ask("Type send, or a question's number to change its answer:")
		if err != nil {
			return nil, err
		}
		if n, err := strconv.Atoi(typed); err == nil && n >= 1 && n <= len(f.spec.Questions) {
			f.at, f.back = n-1, true
			return nil, nil
		}
		does, rest, ok := formWords().find(bareWord(typed))
		if !ok {
			if err := f.say("That is neither a question's number nor a word that planb knows here. Type help for what you can type."); err != nil {
				return nil, err
			}
			continue
		}
		at := f.at
		ending, err := does(f, rest)
		if ending != nil || err != nil || f.at != at {
			return ending, err
		}
	}
}

func (f *form) overviewLines() []string {
	reply := f.reply()
	open := f.spec.Unanswered(reply)
	lines := []string{fmt.Sprintf("Your answers: %d of %d questions.", len(f.spec.Questions)-len(open), len(f.spec.Questions))}
	for i, q := range f.spec.Questions {
		said := "left open"
		switch v := reply.Answers[q.ID]; {
		case !v.IsZero():
			said = strings.ReplaceAll(block(safe.New(wording.Answer(q, v))), "\n", "\n   ")
		case q.Required:
			said = "open, and required"
		}
		lines = append(lines, fmt.Sprintf("%d. %s %s", i+1, asLead(q.Label), said))
		if note := reply.Notes[q.ID]; !note.Blank() {
			lines = append(lines, "   Your note: "+note.Line())
		}
	}
	if !f.fill.Note.Blank() {
		lines = append(lines, "Your note on the whole: "+f.fill.Note.Line())
	}
	return lines
}

// asLead returns a label with a mark at its end, for an answer to follow.
func asLead(label safe.Text) string {
	line := label.Line()
	if strings.HasSuffix(line, "?") || strings.HasSuffix(line, ":") || strings.HasSuffix(line, ".") {
		return line
	}
	return line + ":"
}
