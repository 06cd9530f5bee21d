package tui

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"planb/questions"
	"planb/store"
)

// companion reads out what waits and has it answered, until the person leaves.
func (p *plainBrowser) companion() error {
	if err := p.readWaiting(); err != nil {
		return err
	}
	if err := p.sayWaiting(); err != nil {
		return err
	}
	for {
		watching, stop := context.WithCancel(p.ctx)
		p.news = p.arrivals(watching)
		typed, err := p.ask("A number answers, sessions tells of all, help of the rest:")
		stop()
		if err == nil {
			err = p.companionDoes(strings.ToLower(typed))
		}
		if err != nil {
			return unlessLeft(err)
		}
	}
}

func (p *plainBrowser) companionDoes(typed string) error {
	word, rest, _ := strings.Cut(typed, " ")
	n, err := strconv.Atoi(word)
	switch {
	case err == nil:
		return p.withWaiting(n, p.answer)
	case word == "sessions":
		if err := unlessLater(p.sessions()); err != nil {
			return err
		}
		return p.sayWaiting()
	case word == "withdraw" || word == "snooze" || word == "wake":
		n, _ := strconv.Atoi(rest)
		return p.withWaiting(n, map[string]func(waitingAsk) error{"withdraw": p.withdraw, "snooze": p.snooze, "wake": p.wake}[word])
	case word == "leave" || word == "q":
		return errLater
	case word == "" || word == "again":
		if err := p.readWaiting(); err != nil {
			return err
		}
		return p.sayWaiting()
	}
	return p.say("A number answers what waits under it; withdraw, snooze or wake and a number takes it back, lets it rest for an hour, or ends that;\n" +
		"again reads out what waits; sessions goes to past ones; leave ends this.")
}

// arrivals tells of what comes in while the person is asked something.
func (p *plainBrowser) arrivals(ctx context.Context) <-chan func() error {
	news := make(chan func() error)
	known := map[string]bool{}
	for _, w := range p.waiting {
		known[w.ask.ID] = true
	}
	go func() {
		tick := time.NewTicker(glancePause)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			asks, err := p.Store.Waiting(ctx)
			if err != nil {
				continue // whoever asks for the list is told
			}
			for _, ask := range asks {
				if known[ask.ID] {
					continue
				}
				known[ask.ID] = true
				select {
				case news <- func() error { return p.arrived(ask) }:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return news
}

func (p *plainBrowser) arrived(ask store.Ask) error {
	ring := ""
	if p.Rings.Bell {
		ring = bel
	}
	listed := p.waiting
	if err := p.readWaiting(); err != nil {
		return err
	}
	now := p.waiting
	p.waiting = listed // whose numbers stay: one of them may be being typed
	for _, w := range now {
		if w.ask.ID == ask.ID {
			p.waiting = append(p.waiting, w)
			return p.say("%s\nNew: %d. %s", ring, len(p.waiting), p.waitingLine(w))
		}
	}
	return nil // settled already
}

func (p *plainBrowser) readWaiting() (err error) {
	ctx, cancel := context.WithTimeout(p.ctx, ioPatience)
	defer cancel()
	p.waiting, err = p.browser.readWaiting(ctx, nil, p.listed)
	return err
}

func (p *plainBrowser) sayWaiting() error {
	if len(p.waiting) == 0 {
		return p.say("\nNothing waits for you.")
	}
	lines := []string{"", "Waiting for you: " + strconv.Itoa(len(p.waiting)) + "."}
	for i, w := range p.waiting {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, p.waitingLine(w)))
	}
	return p.say("%s", strings.Join(lines, "\n"))
}

func (p *plainBrowser) waitingLine(w waitingAsk) string {
	if w.ask.Err != nil {
		return "A form that cannot be read: " + sentence(w.ask.Err)
	}
	now := p.browser.now()
	who := commas(agentOf(w.ask.Client), projectName(w.session), ago(w.ask.Created, now))
	return commas(w.ask.Spec.Title.Line(), who, commas(w.state(now)...))
}

func (p *plainBrowser) withWaiting(n int, do func(waitingAsk) error) error {
	if n < 1 || n > len(p.waiting) {
		return p.say("Nothing waits under that number.")
	}
	w := p.waiting[n-1]
	if w.ask.Err != nil {
		return p.say("%s", sentence(w.ask.Err))
	}
	if err := do(w); err != nil {
		return err
	}
	if err := p.readWaiting(); err != nil {
		return err
	}
	return p.sayWaiting()
}

// answer has a form answered in the same conversation.
func (p *plainBrowser) answer(w waitingAsk) error {
	o := AskOptions{Store: p.Store, Terminal: p.Terminal, ID: w.ask.ID, By: p.By, Now: p.browser.now, Command: p.Command}
	_, err := newPlainHost(o, p.plainTalk).run(p.ctx)
	return err
}

func (p *plainBrowser) withdraw(w waitingAsk) error {
	sure, err := p.ask("The agent is told that " + quotedTitle(w.ask) + " was withdrawn; this cannot be undone. Type yes:")
	if err != nil || sure != "yes" && sure != "y" {
		return err
	}
	_, err = p.Store.Settle(p.ctx, w.ask.ID, questions.Outcome{State: questions.Withdrawn, By: p.By, At: p.browser.now()})
	return p.done(err, "Withdrawn.")
}

func (p *plainBrowser) snooze(w waitingAsk) error {
	until := p.browser.now().Add(snoozeHour)
	return p.done(p.Store.Snooze(p.ctx, w.ask.ID, until), "It rests for an hour.")
}

func (p *plainBrowser) wake(w waitingAsk) error {
	return p.done(p.Store.Snooze(p.ctx, w.ask.ID, time.Time{}), "It rests no more.")
}

// done says that something was done, or why it could not be.
func (p *plainBrowser) done(err error, words string) error {
	if err != nil {
		words = "That could not be done: " + sentence(err)
	}
	return p.say("%s", words)
}
