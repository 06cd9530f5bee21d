package tui

import (
	"strconv"
	"strings"

	"planb/questions"
	"planb/questions/safe"
)

// plainDoing is what a command of a plain form does with what is typed behind it.
// It returns an outcome if the form ends with it.
type plainDoing func(f *plainForm, rest string) (*questions.Outcome, error)

// plainWord is a command of a plain form.
type plainWord struct {
	name string
	does string // for the help
	run  plainDoing
}

// plainWordList are the commands, in the order of the help.
func plainWordList() []plainWord {
	return []plainWord{
		{"back", "goes to the question before", (*plainForm).goBack},
		{"go", "and a number goes to that question", (*plainForm).goTo},
		{"answers", "reads out all your answers, where you can send them", (*plainForm).goToOverview},
		{"clear", "takes your answer back", (*plainForm).clear},
		{"note", "writes a note on this question", (*plainForm).note},
		{"whole", "writes a note on the whole form", (*plainForm).noteOnWhole},
		{"show", "and an option's number prints its illustration", (*plainForm).show},
		{"proposed", "takes over what the agent proposes", (*plainForm).takeProposed},
		{"before", "takes over what you answered before, where that is said", (*plainForm).takeBefore},
		{"edit", "writes a text in your $VISUAL or $EDITOR", (*plainForm).edit},
		{"send", "sends your answers", (*plainForm).send},
		{"reply", "replies without finishing: a message, with the answers so far", (*plainForm).discuss},
		{"later", "leaves; everything is kept", func(*plainForm, string) (*questions.Outcome, error) { return nil, errLater }},
		{"decline", "tells the agent that you do not want to answer", (*plainForm).decline},
		{"again", "says the question again", func(f *plainForm, _ string) (*questions.Outcome, error) { return nil, f.repeat() }},
		{"help", "says this", (*plainForm).help},
	}
}

// plainCommand is the command that a line holds; any other line is an answer, and
// so is one that begins with two slashes.
func plainCommand(line string) (does plainDoing, rest string, ok bool) {
	word, rest, _ := strings.Cut(line, " ")
	for _, known := range plainWordList() {
		if strings.EqualFold(word, "/"+known.name) {
			return known.run, strings.TrimSpace(rest), true
		}
	}
	return nil, "", false
}

func (f *plainForm) help(string) (*questions.Outcome, error) {
	lines := []string{"A line that begins with a slash and one of these words does something:"}
	for _, word := range plainWordList() {
		lines = append(lines, "/"+word.name+" "+word.does)
	}
	lines = append(lines, "Any other line is an answer. One that begins with two slashes is an answer that begins with one.")
	return nil, f.say("%s", strings.Join(lines, "\n"))
}

// current is the question that is being asked; false when all are read out.
func (f *plainForm) current() (questions.Question, bool) {
	if f.at >= len(f.spec.Questions) {
		return questions.Question{}, false
	}
	return f.spec.Questions[f.at], true
}

// asked is current for what needs a question, and says so where there is none.
func (f *plainForm) asked() (q questions.Question, ok bool, err error) {
	if q, ok = f.current(); !ok {
		err = f.say("That belongs to a question: type the number of one first.")
	}
	return q, ok, err
}

func (f *plainForm) repeat() error {
	q, ok := f.current()
	if !ok {
		return f.say("%s", strings.Join(f.overviewLines(), "\n"))
	}
	return f.say("%s", strings.Join(f.questionLines(q), "\n"))
}

func (f *plainForm) goBack(string) (*questions.Outcome, error) {
	if f.at == 0 {
		return nil, f.say("This is the first question.")
	}
	f.at, f.back = f.at-1, false
	return nil, nil
}

func (f *plainForm) goTo(number string) (*questions.Outcome, error) {
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

func (f *plainForm) goToOverview(string) (*questions.Outcome, error) {
	if f.at == len(f.spec.Questions) {
		return nil, f.repeat()
	}
	f.at, f.back = len(f.spec.Questions), false
	return nil, nil
}

func (f *plainForm) clear(string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	if !ok {
		return nil, err
	}
	f.fill.Fields[q.ID] = questions.Field{Note: f.fill.Fields[q.ID].Note}
	return nil, f.kept("Your answer is taken back.")
}

// kept saves what changed and says that.
func (f *plainForm) kept(done string) error {
	if err := f.keep(); err != nil {
		return err
	}
	return f.say("%s", done)
}

func (f *plainForm) note(words string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	if !ok {
		return nil, err
	}
	if words, err = f.words(words, "Your note; Enter alone takes it away:"); err != nil {
		return nil, err
	}
	part := f.fill.Fields[q.ID]
	part.Note = safe.New(words)
	if wrong, err := f.put(q, part); err != nil {
		return nil, err
	} else if wrong != "" {
		return nil, f.say("%s", wrong)
	}
	return nil, f.say("Noted.")
}

// words are those typed behind a command, else those typed for the question.
func (f *plainForm) words(given, question string) (string, error) {
	if given != "" {
		return given, nil
	}
	return f.ask(question)
}

func (f *plainForm) noteOnWhole(words string) (*questions.Outcome, error) {
	words, err := f.words(words, "Your note on the whole form; Enter alone takes it away:")
	if err != nil {
		return nil, err
	}
	f.fill.Note = safe.New(words)
	return nil, f.kept("Noted.")
}

func (f *plainForm) show(number string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	if !ok {
		return nil, err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(q.Options) {
		return nil, f.say("Type /show and the number of an option, from 1 to %d.", len(q.Options))
	}
	if q.Options[n-1].Markdown.IsZero() {
		return nil, f.say("Option %d has no illustration.", n)
	}
	return nil, f.say("%s:\n%s", q.Options[n-1].Shown().Line(), plainBlock(q.Options[n-1].Markdown))
}

func (f *plainForm) takeProposed(string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	switch {
	case !ok:
		return nil, err
	case q.Default == nil:
		return nil, f.say("The agent proposes nothing here.")
	}
	part := f.spec.DraftFrom(questions.Reply{Answers: map[string]questions.Value{q.ID: *q.Default}}).Fields[q.ID]
	part.Note = f.fill.Fields[q.ID].Note
	return f.taken(q, part)
}

// taken makes a field the answer and goes on.
func (f *plainForm) taken(q questions.Question, part questions.Field) (*questions.Outcome, error) {
	if wrong, err := f.put(q, part); err != nil {
		return nil, err
	} else if wrong != "" {
		return nil, f.say("%s", wrong)
	}
	if err := f.say("Your answer: %s.", plainValue(q, f.reply().Answers[q.ID])); err != nil {
		return nil, err
	}
	f.goOn()
	return nil, nil
}

func (f *plainForm) takeBefore(string) (*questions.Outcome, error) {
	if f.input.Prior == nil {
		return f.takeEarlier()
	}
	earlier := f.spec.DraftFrom(f.input.Prior.Outcome.Reply)
	taken := 0
	for _, id := range f.spec.Unanswered(f.reply()) {
		part, ok := earlier.Fields[id]
		if !ok {
			continue
		}
		if note := f.fill.Fields[id].Note; !note.Blank() {
			part.Note = note // what was written now stays
		}
		f.fill.Fields[id] = part
		taken++
	}
	if err := f.kept(count(taken, "earlier answer") + " taken over."); err != nil {
		return nil, err
	}
	return f.goToOverview("")
}

// takeEarlier answers the question as it was answered before.
func (f *plainForm) takeEarlier() (*questions.Outcome, error) {
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
		return nil, f.say("That answer is none of this question's any more.")
	}
	part := f.spec.DraftFrom(questions.Reply{Answers: map[string]questions.Value{q.ID: value}}).Fields[q.ID]
	if part.Note = f.fill.Fields[q.ID].Note; part.Note.Blank() {
		part.Note = was.Note
	}
	return f.taken(q, part)
}

// edit has the text of a question written in the person's editor.
func (f *plainForm) edit(string) (*questions.Outcome, error) {
	q, ok, err := f.asked()
	switch {
	case !ok:
		return nil, err
	case q.Kind != questions.Text && q.Kind != questions.LongText:
		return nil, f.say("This question is not answered with a text.")
	case editorCommand(f.input.Environ) == "":
		return nil, f.say("There is no editor: set $VISUAL or $EDITOR.")
	}
	text, err := f.inEditor(newEditorFile(f.fill.Fields[q.ID].Text.Raw(), q.Label, q.Description))
	if err != nil {
		return nil, f.say("Nothing is taken over from the editor: %s", sentence(err))
	}
	return f.taken(q, questions.Field{Text: safe.New(text), Note: f.fill.Fields[q.ID].Note})
}

// inEditor gives the terminal to the editor until it ends.
func (f *plainForm) inEditor(file editorFile) (string, error) {
	path, err := writeForEditor(file.content())
	if err != nil {
		return "", err
	}
	process := editorProcess(f.input.Environ, path)
	process.Stdin, process.Stdout, process.Stderr = f.terminal, f.out, f.out
	edited, err := editorLeft(path, file.content(), f.input.Environ, process.Run())
	return file.takeBack(edited), err
}

// send ends the form, unless a required question is open: then it goes there.
func (f *plainForm) send(string) (*questions.Outcome, error) {
	reply := f.reply()
	missing := f.spec.Missing(reply)
	if len(missing) == 0 {
		return &questions.Outcome{State: questions.Answered, Reply: reply}, nil
	}
	was := f.at
	for i, q := range f.spec.Questions {
		if q.ID == missing[0] {
			f.at, f.back = i, true
		}
	}
	if err := f.say("%s still needed.", count(len(missing), "required answer")); err != nil || f.at != was {
		return nil, err
	}
	return nil, f.repeat()
}

func (f *plainForm) discuss(words string) (*questions.Outcome, error) {
	message, err := f.words(words, "What the agent should know or clear up first; Enter alone goes back:")
	if err != nil || message == "" {
		return nil, err
	}
	return &questions.Outcome{State: questions.Discuss, Reply: f.reply(), Message: safe.New(message)}, nil
}

func (f *plainForm) decline(words string) (*questions.Outcome, error) {
	reason, err := f.words(words, "Why? Enter alone gives no reason:")
	if err != nil {
		return nil, err
	}
	sure, err := f.ask("The agent is told not to ask this again. Type yes to decline:")
	if err != nil || sure != "yes" && sure != "y" {
		return nil, err
	}
	return &questions.Outcome{State: questions.Declined, Message: safe.New(reason)}, nil
}
