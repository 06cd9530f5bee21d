package lines

import (
	"slices"
	"strconv"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/wording"
)

// formWord is what a command of a form does with the text typed behind it. It returns
// an outcome if the form ends with it.
type formWord func(f *form, rest string) (*questions.Outcome, error)

// formWords are the commands of a form.
func formWords() wordList[formWord] {
	return wordList[formWord]{
		{name: "back", does: "goes to the question before", do: (*form).goBack},
		{name: "go", takes: "and a number", does: "goes to that question", do: (*form).goTo},
		{name: "answers", does: "reads out all your answers, where you can send them", do: (*form).goToOverview},
		{name: "open", does: "goes to the next question that is open", do: (*form).goToOpen},
		{name: "again", does: "says the question again", do: func(f *form, _ string) (*questions.Outcome, error) { return nil, f.repeat() }},
		{name: "intro", does: "reads out the introduction again", do: (*form).introAgain},
		{name: "show", takes: "and an option's number", does: "prints its illustration", do: (*form).show},
		{name: "find", takes: "and words", does: "reads out the options that have them", do: (*form).find},
		{name: "clear", does: "takes your answer back", do: (*form).clear},
		{name: "undo", does: "undoes what you answered or noted last", do: (*form).undo},
		{name: "note", does: "writes a note on this question", do: (*form).note},
		{name: "whole", does: "writes a note on the whole form", do: (*form).noteOnWhole},
		{name: "proposed", does: "takes over what the agent proposes", do: (*form).takeProposed},
		{name: "before", does: "takes over what you answered before, where that is said", do: (*form).takeBefore},
		{name: "edit", does: "writes the answer, or any other text, in your $VISUAL or $EDITOR", do: (*form).edit},
		{name: "send", does: "sends your answers", do: (*form).send},
		{name: "reply", does: "replies without finishing: a message, with the answers so far", do: (*form).discuss},
		{name: "later", also: "leave", does: "leaves; everything is kept", do: func(*form, string) (*questions.Outcome, error) { return nil, errLater }},
		{name: "decline", does: "tells the agent that you do not want to answer", do: (*form).decline},
		{name: "help", short: "?", does: "says this", do: (*form).help},
	}
}

// command returns the command that a line holds. Any other line is an answer. So is
// a line that begins with two slashes.
func command(line string) (does formWord, rest string, ok bool) {
	if word, slash := strings.CutPrefix(line, "/"); slash {
		return formWords().find(word)
	}
	return nil, "", false
}

func (f *form) help(string) (*questions.Outcome, error) {
	lines := append([]string{"What you can type beside answers:"}, formWords().help("/")...)
	return nil, f.say("%s", strings.Join(append(lines,
		"Any other line is an answer. One that begins with two slashes is an answer that begins with one.",
		"In notes and messages a line that ends with a backslash goes on in the next one, and /edit opens your editor."), "\n"))
}

// current returns the question that is being asked; false when all are read out.
func (f *form) current() (questions.Question, bool) {
	if f.at >= len(f.spec.Questions) {
		return questions.Question{}, false
	}
	return f.spec.Questions[f.at], true
}

// asked returns the question that current returns. If there is none, it tells the person
// to choose one.
func (f *form) asked() (q questions.Question, ok bool, err error) {
	if q, ok = f.current(); !ok {
		err = f.say("That belongs to a question: type the number of one first.")
	}
	return q, ok, err
}

func (f *form) repeat() error {
	q, ok := f.current()
	if !ok {
		return f.say("%s", strings.Join(f.overviewLines(), "\n"))
	}
	return f.say("%s", strings.Join(f.questionLines(q), "\n"))
}

func (f *form) goBack(string) (*questions.Outcome, error) {
	if f.at == 0 {
		return nil, f.say("This is the first question.")
	}
	f.at, f.back = f.at-1, false
	return nil, nil
}

func (f *form) goTo(number string) (*questions.Outcome, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(f.spec.Questions) {
		return nil, f.say("Type /go and a number from 1 to %d.", len(f.spec.Questions))
	}
	if n-1 == f.at {
		return nil, f.repeat()
	}
	f.at, f.back = n-1, f.at == len(f.spec.Questions)
	return nil, nil
}

func (f *form) goToOverview(string) (*questions.Outcome, error) {
	if f.at == len(f.spec.Questions) {
		return nil, f.repeat()
	}
	f.at, f.back = len(f.spec.Questions), false
	return nil, nil
}

func (f *form) clear(string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	if !ok {
		return nil, err
	}
	f.remember(q.ID)
	f.fill.Fields[q.ID] = questions.Field{Note: f.fill.Fields[q.ID].Note}
	return nil, f.kept("Your answer is taken back; /undo brings it back.")
}

// kept saves what changed and says what was done.
func (f *form) kept(done string) error {
	if err := f.keep(); err != nil {
		return err
	}
	return f.say("%s", done)
}

func (f *form) note(words string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	if !ok {
		return nil, err
	}
	part := f.fill.Fields[q.ID]
	words, err = f.textUnless(words, "Your note; Enter alone takes it away:", part.Note, safe.New("Your note on: "+q.Label.Raw()))
	if err != nil {
		return nil, err
	}
	part.Note = safe.New(words)
	if wrong, err := f.put(q, part); err != nil {
		return nil, err
	} else if wrong != "" {
		return nil, f.say("%s", wrong)
	}
	return nil, f.say("%s", noted(words))
}

// noted says what became of a note.
func noted(words string) string {
	if words == "" {
		return "No note."
	}
	return "Noted."
}

func (f *form) noteOnWhole(words string) (*questions.Outcome, error) {
	words, err := f.textUnless(words, "Your note on the whole form; Enter alone takes it away:", f.fill.Note, f.spec.Title)
	if err != nil {
		return nil, err
	}
	f.remember("")
	f.fill.Note = safe.New(words)
	return nil, f.kept(noted(words))
}

func (f *form) introAgain(string) (*questions.Outcome, error) {
	if f.spec.Intro.IsZero() {
		return nil, f.say("This form has no introduction.")
	}
	return nil, f.say("%s", strings.Join(f.introLines(), "\n"))
}

// goToOpen goes to the next question without an answer. After the last one it begins
// again at the first.
func (f *form) goToOpen(string) (*questions.Outcome, error) {
	open := f.spec.Unanswered(f.reply())
	if len(open) == 0 {
		return nil, f.say("Every question has an answer.")
	}
	next := f.place(open[0])
	for _, id := range open {
		if at := f.place(id); at > f.at {
			next = at
			break
		}
	}
	if next == f.at {
		return nil, f.say("This is the only open question.")
	}
	f.at, f.back = next, f.at == len(f.spec.Questions)
	return nil, nil
}

// find reads out the options that have some words, with the numbers that choose them.
func (f *form) find(words string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	switch {
	case !ok:
		return nil, err
	case len(q.Options) == 0:
		return nil, f.say("This question has no options.")
	case words == "":
		return nil, f.say("Type /find and words of an option.")
	}
	var found []string
	for i, line := range optionLines(q)[:len(q.Options)] {
		if hasWords(q.Options[i].Shown().Line()+" "+q.Options[i].Description.Line(), words) {
			found = append(found, line)
		}
	}
	if len(found) == 0 {
		return nil, f.say("No option has these words.")
	}
	return nil, f.say("%s", strings.Join(found, "\n"))
}

// hasWords reports whether a text has all words, in any case and order.
func hasWords(text, words string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(word string) bool { return !strings.Contains(text, word) })
}

func (f *form) show(number string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	if !ok {
		return nil, err
	}
	if len(illustrated(q)) == 0 {
		return nil, f.say("There is no illustration here.")
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(q.Options) {
		return nil, f.say("Type /show and the number of an option, from 1 to %d.", len(q.Options))
	}
	if q.Options[n-1].Markdown.IsZero() {
		return nil, f.say("Option %d has no illustration.", n)
	}
	return nil, f.say("%s:\n%s", q.Options[n-1].Shown().Line(), block(q.Options[n-1].Markdown))
}

func (f *form) takeProposed(string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	switch {
	case !ok:
		return nil, err
	case q.Default == nil:
		return nil, f.say("The agent proposes nothing here.")
	}
	part := f.spec.EntryFrom(questions.Reply{Answers: map[string]questions.Value{q.ID: *q.Default}}).Fields[q.ID]
	part.Note = f.fill.Fields[q.ID].Note
	return f.taken(q, part)
}

// taken makes a field the answer, reads it out and goes on.
func (f *form) taken(q questions.Question, part questions.Field) (*questions.Outcome, error) {
	if wrong, err := f.put(q, part); err != nil {
		return nil, err
	} else if wrong != "" {
		return nil, f.say("%s", wrong)
	}
	if err := f.say("Your answer: %s.", valueLine(q, f.reply().Answers[q.ID])); err != nil {
		return nil, err
	}
	f.goOn()
	return nil, nil
}

func (f *form) takeBefore(string) (*questions.Outcome, error) {
	if f.input.EarlierForm == nil {
		return f.takeEarlier()
	}
	earlier := f.spec.EntryFrom(f.input.EarlierForm.Outcome.Reply)
	f.remember("")
	open := f.spec.Unanswered(f.reply())
	for _, id := range open {
		part, ok := earlier.Fields[id]
		if !ok {
			continue
		}
		if note := f.fill.Fields[id].Note; !note.Blank() {
			part.Note = note // what was written now stays
		}
		f.fill.Fields[id] = part
	}
	taken := len(open) - len(f.spec.Unanswered(f.reply())) // a note may come along where no answer does
	if err := f.kept(wording.Count(taken, "earlier answer") + " taken over."); err != nil {
		return nil, err
	}
	return f.goToOverview("")
}

// takeEarlier answers the question as it was answered before.
func (f *form) takeEarlier() (*questions.Outcome, error) {
	q, ok, err := f.asked()
	if !ok {
		return nil, err
	}
	was, known := f.earlier()[q.ID]
	value, _ := q.Refit(was.Question, was.Answer)
	switch {
	case !known:
		return nil, f.say("This question was not answered before.")
	case value.IsZero():
		return nil, f.say("The question has changed since: that answer no longer fits.")
	}
	part := f.spec.EntryFrom(questions.Reply{Answers: map[string]questions.Value{q.ID: value}}).Fields[q.ID]
	if part.Note = f.fill.Fields[q.ID].Note; part.Note.Blank() {
		part.Note = was.Note
	}
	return f.taken(q, part)
}

// edit has the text of a question written in the person's editor.
func (f *form) edit(string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	switch {
	case !ok:
		return nil, err
	case q.Kind != questions.Text && q.Kind != questions.LongText:
		return nil, f.say("This question takes no text as its answer.")
	}
	text, ok, err := f.editText(f.fill.Fields[q.ID].Text, q.Label, q.Description)
	if !ok {
		return nil, err
	}
	return f.taken(q, questions.Field{Text: safe.New(text), Note: f.fill.Fields[q.ID].Note})
}

// send ends the form. If a required question is open, it goes there instead. Before it
// sends a form with other open questions, it reads out all answers once.
func (f *form) send(string) (*questions.Outcome, error) {
	reply := f.reply()
	missing := f.spec.Missing(reply)
	if len(missing) > 0 {
		was := f.at
		f.at, f.back = f.place(missing[0]), true
		if err := f.say("%s %d required.", wording.AnswersMissing, len(missing)); err != nil || f.at != was {
			return nil, err
		}
		return nil, f.repeat()
	}
	if len(f.spec.Unanswered(reply)) > 0 && f.at < len(f.spec.Questions) {
		return f.goToOverview("")
	}
	return &questions.Outcome{State: questions.Answered, Reply: reply}, nil
}

// place returns a question's place in the form.
func (f *form) place(id string) int {
	return slices.IndexFunc(f.spec.Questions, func(q questions.Question) bool { return q.ID == id })
}

func (f *form) discuss(words string) (*questions.Outcome, error) {
	message, err := f.textUnless(words, "What the agent should know or clear up first; Enter alone goes back:", f.fill.Message, f.spec.Title)
	if err != nil || message == "" {
		return nil, err
	}
	f.fill.Message = safe.New(message) // kept with the answers where it cannot be sent
	return &questions.Outcome{State: questions.Discuss, Reply: f.reply(), Message: f.fill.Message}, nil
}

func (f *form) decline(words string) (*questions.Outcome, error) {
	reason, err := f.textUnless(words, "Why? Enter alone gives no reason:", f.fill.Message, f.spec.Title)
	if err != nil {
		return nil, err
	}
	says := "The agent is told not to ask this again. "
	if ends := wording.OnDecline(f.input.Ask); ends != "" {
		says += ends + " "
	}
	sure, err := f.sure(says + "Type yes to decline:")
	if err != nil || !sure {
		return nil, err
	}
	if reason != "" {
		f.fill.Message = safe.New(reason)
	}
	return &questions.Outcome{State: questions.Declined, Message: safe.New(reason)}, nil
}
