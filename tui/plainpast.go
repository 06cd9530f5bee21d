package tui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"planb/questions/safe"
	"planb/store"
)

// sessions reads out past sessions, newest first, until the person leaves.
func (p *plainBrowser) sessions() error {
	p.listed, p.next, p.news = nil, "", nil
	if err := p.moreSessions(); err != nil {
		return err
	}
	for {
		typed, err := p.ask("A number opens a session, more tells of older ones, leave ends this:")
		if err != nil {
			return err
		}
		n, numberErr := strconv.Atoi(typed)
		switch {
		case numberErr == nil && n >= 1 && n <= len(p.listed):
			err = unlessLater(p.session(p.listed[n-1]))
		case typed == "more" && p.next != "":
			err = p.moreSessions()
		case typed == "leave" || typed == "q":
			err = errLater
		case typed == "more":
			err = p.say("These are all.")
		default:
			err = p.say("There is no such session.")
		}
		if err != nil {
			return err
		}
	}
}

func (p *plainBrowser) moreSessions() error {
	ctx, cancel := context.WithTimeout(p.ctx, ioPatience)
	defer cancel()
	page, next, err := p.Store.Sessions(ctx, p.next, plainPage)
	if err != nil {
		return err
	}
	p.next = next
	if len(page)+len(p.listed) == 0 {
		return p.say("There are no sessions yet.")
	}
	for _, session := range page {
		p.listed = append(p.listed, session)
		line := commas(sessionTitle(session), agentOf(session.Client), projectName(session), ago(session.Updated, p.browser.now()),
			count(session.Asks, "form"), planCount(session.Plans))
		if session.Err != nil {
			line = sentence(session.Err)
		}
		if err := p.say("%d. %s", len(p.listed), line); err != nil {
			return err
		}
	}
	return nil
}

// session reads out what happened in a session, and offers its plan's versions.
func (p *plainBrowser) session(session store.Session) error {
	lines := []string{"", sessionTitle(session), commas(agentOf(session.Client), projectName(session), session.ID)}
	if !session.Intent.Blank() {
		lines = append(lines, plainBlock(session.Intent))
	}
	asks, err := p.Store.Asks(p.ctx, session.ID)
	if err != nil {
		return err
	}
	zone := p.browser.now().Location()
	for _, ask := range asks {
		if full, err := p.Store.Ask(p.ctx, ask.ID); err == nil {
			lines = append(lines, "", plainBlock(AskText(full, zone)))
		} else {
			lines = append(lines, "", "A form that cannot be read: "+sentence(err))
		}
	}
	versions, err := p.Store.Plans(p.ctx, session.ID)
	if err != nil {
		return err
	}
	for _, plan := range versions {
		lines = append(lines, "", fmt.Sprintf("Plan v%d, %s", plan.Number, commas(plan.Title.Line(), plan.Created.In(zone).Format(textTime))))
	}
	if err := p.say("%s", strings.Join(lines, "\n")); err != nil || len(versions) == 0 {
		return err
	}
	for {
		typed, err := p.ask("v and a number prints that version of the plan, leave goes back:")
		if err != nil {
			return err
		}
		if typed == "leave" || typed == "q" || typed == "" {
			return nil
		}
		number, err := strconv.Atoi(strings.TrimPrefix(typed, "v"))
		if err != nil {
			if err := p.say("That is no version's number."); err != nil {
				return err
			}
			continue
		}
		text, err := p.Store.PlanText(p.ctx, session.ID, number)
		if err != nil {
			text = safe.New(err.Error())
		}
		if err := p.say("%s", plainBlock(text)); err != nil {
			return err
		}
	}
}

// retro reads out past sessions, or what the options name.
func (p *plainBrowser) retro(session store.Session) error {
	var err error
	switch {
	case p.Ask != "":
		var ask store.Ask
		if ask, err = p.Store.Ask(p.ctx, p.Ask); err == nil {
			err = p.say("%s", plainBlock(AskText(ask, p.browser.now().Location())))
		}
	case p.Plan > 0:
		var text safe.Text
		if text, err = p.Store.PlanText(p.ctx, p.Session, p.Plan); err == nil {
			err = p.say("%s", plainBlock(text))
		}
	case p.Session != "":
		err = p.session(session)
	default:
		err = p.sessions()
	}
	return unlessLeft(err)
}
