package lines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/ask"
	"planb/tui/drafts"
	"planb/tui/inbox"
	"planb/tui/screen"
	"planb/tui/tasks"
	"planb/tui/wording"
)

// InboxStore is what Inbox needs of the store.
type InboxStore interface {
	ask.Store
	Waiting(ctx context.Context) ([]store.Ask, error)
	Snooze(ctx context.Context, id string, until time.Time) error
}

// InboxOptions says what Inbox lists, and how.
type InboxOptions struct {
	Store    InboxStore
	Tasks    tasks.Deps // plans of tasks; without a Store none are listed
	Drafts   drafts.Deps
	Terminal screen.Terminal
	By       string           // names the person, user@host
	Now      func() time.Time // nil means time.Now
	Command  string           // how this program is called; empty means "planb"
	Bell     bool             // rings when something comes in
}

// inboxList lists what waits for the person, and lets them answer it.
type inboxList struct {
	InboxOptions
	*talk
	waiting  []inbox.Waiting // as they were read out: a number is a place in here plus one
	filter   string          // what the list is narrowed to
	prompted bool            // the prompt was printed in full
}

// Inbox reads out what waits for the person and has it answered, until they leave, ctx
// ends or the input does.
func Inbox(ctx context.Context, o InboxOptions) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Command = cmp.Or(o.Command, "planb")
	return (&inboxList{InboxOptions: o, talk: newTalk(ctx, o.Terminal)}).run()
}

// run reads out what waits and has it answered, until the person leaves.
func (p *inboxList) run() error {
	if err := p.sayWaiting(); err != nil {
		return err
	}
	words := p.words()
	for {
		watching, stop := context.WithCancel(p.ctx)
		p.news = p.arrivals(watching)
		typed, err := p.prompt()
		stop()
		if err == nil {
			err = p.obey(typed, words)
		}
		if err != nil {
			return unlessLeft(err)
		}
	}
}

// prompt asks for a word. Only the first prompt says what can be typed, because a person hears
// every prompt in full.
func (p *inboxList) prompt() (string, error) {
	want := "Inbox:"
	if !p.prompted {
		want = "A number answers, help tells of the rest:"
	}
	p.prompted = true
	typed, err := p.ask(want)
	return bareWord(typed), err
}

// inboxWord is what a word of the inbox does with the text typed behind it.
type inboxWord func(rest string) error

// obey does what was typed. Enter alone reads out again what waits.
func (p *inboxList) obey(typed string, words wordList[inboxWord]) error {
	if typed == "" {
		return p.sayWaiting()
	}
	if n, err := strconv.Atoi(typed); err == nil {
		return p.answerWaiting(n)
	}
	if do, rest, ok := words.find(typed); ok {
		return do(rest)
	}
	return p.say("There is no such word here. Type help for what you can type.")
}

func (p *inboxList) words() wordList[inboxWord] {
	numbered := func(do func(w inbox.Waiting, rest string) error) inboxWord {
		return func(typed string) error {
			number, rest, _ := strings.Cut(typed, " ")
			n, _ := strconv.Atoi(number)
			return p.withWaiting(n, func(w inbox.Waiting) error { return do(w, strings.TrimSpace(rest)) })
		}
	}
	list := wordList[inboxWord]{
		{name: "again", does: "reads out what waits; so does Enter alone", do: func(string) error { return p.sayWaiting() }},
		{name: "about", takes: "and a number", does: "says who asks that, and where and since when", do: numbered(func(w inbox.Waiting, _ string) error { return p.about(w) })},
		{name: "snooze", takes: "and a number", does: "snoozes it; the agent goes on waiting", do: numbered(p.snooze)},
		{name: "wake", takes: "and a number", does: "ends the snooze", do: numbered(func(w inbox.Waiting, _ string) error { return p.wake(w) })},
		{name: "withdraw", takes: "and a number", does: "takes that question back: nobody will answer it", do: numbered(func(w inbox.Waiting, _ string) error { return p.withdraw(w) })},
		{name: "filter", takes: "and words or an id", does: "reads out only what has all of these; filter alone reads out everything again; project: client: before: after: and status: narrow it, too", do: p.filterWaiting},
		{name: "leave", short: "q", also: "later", does: "ends this", do: func(string) error { return errLater }},
	}
	help := func(string) error {
		lines := append([]string{"A number answers what waits under it."}, list.help("")...)
		return p.say("%s", strings.Join(append(lines, wording.Capital(Past(p.Command))+"."), "\n"))
	}
	return append(list, word[inboxWord]{name: "help", short: "?", does: "says this", do: help})
}

// Past names the commands that print past sessions, for a person who has nothing drawn.
// It is a sentence without its capital and its full stop.
func Past(command string) string {
	command = safe.New(cmp.Or(command, "planb")).Line()
	return "past sessions are read with other commands of planb: sessions lists them, show prints one of them, an answer or a plan, " +
		"diff compares versions of a plan, and find searches everything; begin with  " + command + " sessions"
}

// unlessLeft returns nil if the person ended the conversation.
func unlessLeft(err error) error {
	if errors.Is(err, errLeft) || errors.Is(err, errLater) {
		return nil
	}
	return err
}

// done says that something was done, or why it could not be.
func (p *inboxList) done(err error, words string) error {
	if err != nil {
		words = "That could not be done: " + wording.Sentence(err)
	}
	return p.say("%s", words)
}

func (p *inboxList) answerWaiting(n int) error {
	return p.withWaiting(n, func(w inbox.Waiting) error {
		if err := p.answer(w.Ask.ID); err != nil {
			return err
		}
		return p.sayWaiting()
	})
}

// arrivals tells of what comes in while the person is asked something.
func (p *inboxList) arrivals(ctx context.Context) <-chan func() error {
	known := map[string]bool{}
	for _, w := range p.waiting {
		known[w.Ask.ID] = true
	}
	return watchForNews(ctx, func() (news []func() error) {
		asks, err := p.Store.Waiting(ctx)
		if err != nil {
			return nil // sayWaiting reports it
		}
		for _, ask := range asks {
			if !known[ask.ID] {
				known[ask.ID] = true
				news = append(news, func() error { return p.arrived(ask) })
			}
		}
		return news
	})
}

func (p *inboxList) arrived(ask store.Ask) error {
	ring := ""
	if p.Bell {
		ring = screen.BEL
	}
	now, _, err := p.readWaiting()
	if err != nil {
		return err
	}
	for _, w := range now {
		if w.Ask.ID == ask.ID {
			p.waiting = append(p.waiting, w) // at the end: the number of another may be being typed
			return p.say("%s\nNew: %d. %s", ring, len(p.waiting), p.waitingLine(w))
		}
	}
	return nil // settled already, or left out by the filter
}

// readWaiting reads what waits, with what is snoozed last. hidden counts what the filter
// leaves out.
func (p *inboxList) readWaiting() (list []inbox.Waiting, hidden int, err error) {
	ctx, cancel := context.WithTimeout(p.ctx, screen.StorePatience)
	defer cancel()
	now := p.Now()
	all, err := inbox.Read(ctx, p.Store, nil)
	if err != nil {
		return nil, 0, err
	}
	list, _ = inbox.Narrow(all, p.filter, now)
	return list, len(all) - len(list), nil
}

// filterWaiting narrows the list to what has all of some words.
func (p *inboxList) filterWaiting(words string) error {
	if _, problem := inbox.Narrow(nil, words, p.Now()); problem != "" {
		return p.say("%s", problem)
	}
	p.filter = words
	return p.sayWaiting()
}

// sayWaiting reads out what waits now.
func (p *inboxList) sayWaiting() error {
	list, hidden, err := p.readWaiting()
	if err != nil {
		return err
	}
	p.waiting = list
	needs, err := p.readNeeds()
	if err != nil {
		return err
	}
	others := ""
	if hidden > 0 {
		others = fmt.Sprintf(" The filter leaves out %d; filter alone ends it.", hidden)
	}
	if len(p.waiting) == 0 && hidden > 0 {
		return p.say("\nNothing that waits has that.%s", others)
	}
	if len(p.waiting)+len(needs) == 0 {
		return p.say("\nNothing waits for you.")
	}
	if len(p.waiting) == 0 {
		return p.say("\n%s", strings.Join(p.needLines(needs), "\n"))
	}
	lines := []string{"", "Waiting for you: " + strconv.Itoa(len(p.waiting)) + "." + others}
	for i, w := range p.waiting {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, p.waitingLine(w)))
	}
	return p.say("%s", strings.Join(append(lines, p.needLines(needs)...), "\n"))
}

// readNeeds reads the plans of tasks and the drafts that need the person.
func (p *inboxList) readNeeds() ([]inbox.Need, error) {
	ctx, cancel := context.WithTimeout(p.ctx, screen.StorePatience)
	defer cancel()
	return inbox.ReadNeeds(ctx, p.Tasks, p.Drafts, p.waiting)
}

// needLines say which plans of tasks and drafts need the person, and the command that opens each.
func (p *inboxList) needLines(needs []inbox.Need) []string {
	if len(needs) == 0 {
		return nil
	}
	var plans, list []string
	for _, need := range needs {
		line := fmt.Sprintf("%s: %s. Open it with  %s %s", commas(need.Title.Line(), need.Project), spoken(need.Words), safe.New(p.Command).Line(), need.Command)
		if need.Kind == inbox.NeedsDraft {
			list = append(list, line)
			continue
		}
		plans = append(plans, line)
	}
	if len(plans) > 0 {
		plans = append([]string{fmt.Sprintf("Tasks that need you, in %s:", wording.Count(len(plans), "plan"))}, plans...)
	}
	if len(list) > 0 {
		list = append([]string{fmt.Sprintf("Drafts that need you: %d.", len(list))}, list...)
	}
	return append(plans, list...)
}

func (p *inboxList) waitingLine(w inbox.Waiting) string {
	if w.Ask.Err != nil {
		return "A form that cannot be read: " + wording.Sentence(w.Ask.Err)
	}
	now := p.Now()
	who := commas(wording.ClientName(w.Ask.Client), wording.ProjectName(w.Session), wording.Ago(w.Ask.Created, now))
	return commas(w.Ask.Spec.Title.Line(), who, commas(w.State(now)...))
}

// withWaiting does something with what waits under a number.
func (p *inboxList) withWaiting(n int, do func(inbox.Waiting) error) error {
	if n < 1 || n > len(p.waiting) {
		return p.say("Nothing waits under that number.")
	}
	w := p.waiting[n-1]
	if w.Ask.Err != nil {
		return p.say("%s", wording.Sentence(w.Ask.Err))
	}
	return do(w)
}

// answer asks a form in the same conversation.
func (p *inboxList) answer(id string) error {
	return p.talk.answer(AskOptions{Store: p.Store, Terminal: p.Terminal, ID: id, By: p.By, Now: p.Now, Command: p.Command})
}

// about reads out more of what waits than its line in the list has.
func (p *inboxList) about(w inbox.Waiting) error {
	who, where := w.Details(p.Now(), p.By)
	return p.say("%s\n%s\n%s\n%s tui ask %s", w.Ask.Spec.Title.Line(), spoken(who), spoken(where), safe.New(p.Command).Line(), store.ShortID(w.Ask.ID))
}

func (p *inboxList) withdraw(w inbox.Waiting) error {
	sure, err := p.sure("Withdraw " + wording.QuoteTitle(w.Ask) + "? " + w.Withdrawal() + " This cannot be undone. Type yes:")
	if err != nil || !sure {
		return err
	}
	if err := p.done(inbox.Withdraw(p.ctx, p.Store, w.Ask.ID, p.By), "Withdrawn."); err != nil {
		return err
	}
	return p.sayWaiting()
}

// snooze hides a form for the time that was typed, or asks for how long.
func (p *inboxList) snooze(w inbox.Waiting, rest string) (err error) {
	now := p.Now()
	morning := inbox.NextMorning(now)
	if rest == "" {
		rest, err = p.ask(fmt.Sprintf("1 for 10 minutes, 2 for an hour, 3 until %s; Enter alone goes back:", wording.Until(morning, now)))
		if err != nil || rest == "" {
			return err
		}
	}
	until, ok := map[string]time.Time{"1": now.Add(inbox.SnoozeSoon), "2": now.Add(inbox.SnoozeHour), "3": morning}[rest]
	if !ok {
		return p.say("That is neither 1, 2 nor 3; nothing was snoozed.")
	}
	if err := p.done(p.Store.Snooze(p.ctx, w.Ask.ID, until), "Snoozed until "+wording.Until(until, now)+": "+wording.QuoteTitle(w.Ask)); err != nil {
		return err
	}
	return p.sayWaiting()
}

func (p *inboxList) wake(w inbox.Waiting) error {
	if err := p.done(p.Store.Snooze(p.ctx, w.Ask.ID, time.Time{}), "Awake again: "+wording.QuoteTitle(w.Ask)); err != nil {
		return err
	}
	return p.sayWaiting()
}
