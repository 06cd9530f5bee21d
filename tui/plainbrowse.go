package tui

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
	"planb/tui/wording"
)

// plainBrowser is the companion, or the past sessions, in plain lines.
type plainBrowser struct {
	Options
	*plainTalk
	browser browser
	waiting []waitingAsk // as they were read out, with their numbers
	filter  string       // of what waits

	sessionList sessionsState
	listed      []store.Session // as they were read out, with their numbers
	undos       []undo

	prompted map[string]bool // the places whose prompts were said in full
}

// plainPage is how many things of a long list are read out at a time.
const plainPage = 10

func newPlainBrowser(ctx context.Context, o Options, b browser) *plainBrowser {
	return &plainBrowser{Options: o, plainTalk: newPlainTalk(ctx, o.Terminal), browser: b, prompted: map[string]bool{}}
}

// prompt asks for a word at a place: the first time by what can be typed, then by the
// place's name alone, as it is heard again and again.
func (p *plainBrowser) prompt(place, want string) (string, error) {
	if p.prompted[place] {
		want = place + ":"
	}
	p.prompted[place] = true
	typed, err := p.ask(want)
	return bareWord(typed), err
}

// plainGoing is what a word does while looking around, with what is typed behind it.
type plainGoing func(rest string) error

// goAround asks for words until one of them, or the person, ends it. What is a number
// alone opens what has it.
func (p *plainBrowser) goAround(place, want string, open func(n int) error, words plainWords[plainGoing]) error {
	for {
		typed, err := p.prompt(place, want)
		if err != nil {
			return err
		}
		if err := p.goTo(typed, open, words); err != nil {
			return err
		}
	}
}

func (p *plainBrowser) goTo(typed string, open func(n int) error, words plainWords[plainGoing]) error {
	if n, err := strconv.Atoi(typed); err == nil {
		return open(n)
	}
	if do, rest, ok := words.find(typed); ok {
		return do(rest)
	}
	return p.say("There is no such word here. Type help for what you can type.")
}

// leaving are the words that end a conversation, or the one within it.
func leaving(does string) plainWord[plainGoing] {
	return plainWord[plainGoing]{name: "leave", short: "q", also: "later", does: does, do: func(string) error { return errLater }}
}

// helping is the word that tells of the others; numbers says what they do.
func (p *plainBrowser) helping(numbers string, words *plainWords[plainGoing]) plainWord[plainGoing] {
	return plainWord[plainGoing]{name: "help", short: "?", does: "says this", do: func(string) error {
		return p.say("%s", strings.Join(append([]string{numbers}, words.help("")...), "\n"))
	}}
}

// unlessLeft takes the end of a conversation for what it is.
func unlessLeft(err error) error {
	if errors.Is(err, errLeft) || errors.Is(err, errLater) {
		return nil
	}
	return err
}

// unlessLater goes on after the person has left a conversation within another.
func unlessLater(err error) error {
	if errors.Is(err, errLater) {
		return nil
	}
	return err
}

// done says that something was done, or why it could not be.
func (p *plainBrowser) done(err error, words string) error {
	if err != nil {
		words = "That could not be done: " + wording.Sentence(err)
	}
	return p.say("%s", words)
}

// formRead is an ask as it stands, in words.
func (p *plainBrowser) formRead(id string) error {
	ask, err := p.Store.Ask(p.ctx, id)
	if err != nil {
		return p.done(err, "")
	}
	return p.say("\n%s", plainBlock(wording.AskText(ask, p.browser.now().Location())))
}

// openAsk has an ask answered, where that can be done, else reads it out.
func (p *plainBrowser) openAsk(ask store.Ask) error {
	if !p.browser.answers || !ask.Open() || ask.Outcome.State == questions.Withdrawn {
		return p.formRead(ask.ID)
	}
	return p.answer(ask.ID)
}

// commas puts the parts that are not empty into one line that is read out.
func commas(parts ...string) string { return cells.JoinBy(", ", parts...) }

// spoken is a line that is made to be looked at, with commas between its parts.
func spoken(line string) string { return strings.ReplaceAll(line, " · ", ", ") }

// command is how this program is called.
func (p *plainBrowser) command() string {
	return safe.New(cmp.Or(p.Command, "planb")).Line()
}
