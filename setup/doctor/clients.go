package doctor

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"planb/setup/clients"
)

// Client is how planb stands in a file of one client.
type Client struct {
	clients.Registration
	// Ours says that the registered command starts this planb; StartErr is why
	// it starts nothing.
	Ours     bool
	StartErr error
	// PlanHook is how planb stands there as the reviewer of the client's own plans;
	// HookErr is why its command starts nothing.
	PlanHook clients.PlanHook
	HookErr  error
}

// Clients judges the registrations. A file of a project that does not speak of
// planb should be left out: only few projects do.
func Clients(list []Client) []Finding {
	var findings []Finding
	known := 0
	for _, c := range list {
		findings = append(findings, c.findings()...)
		if c.Registered {
			known++
		}
	}
	if known == 0 {
		findings = append(findings, Finding{AreaClients, "any", Warning,
			"no client that planb can look into starts planb, so no agent can ask you", "planb setup claude, or another of  planb setup --help"})
	}
	return findings
}

// findings are on the registration, and on the hook if there is one.
func (c Client) findings() []Finding {
	list := c.registrationFindings()
	if c.Place.Project != "" && !c.Registered && c.Err == nil {
		list = nil // it is here for the hook alone
	}
	return append(list, c.hookFindings()...)
}

// minHookSeconds is the least that a person should have for a plan.
const minHookSeconds = 60 * 60

func (c Client) hookFindings() []Finding {
	if !c.PlanHook.Registered {
		return nil
	}
	name, setup := c.Registration.Client.Title+", plans", "planb setup "+c.Registration.Client.Name+" --plan-hook"
	if c.Place.Project != "" {
		name, setup = name+", project", setup+" --project"
	}
	file := c.PlanHook.File
	switch {
	case c.HookErr != nil:
		return []Finding{{AreaClients, name, Problem, fmt.Sprintf("%s has plans reviewed by %s, and there is no such program", file, c.PlanHook.Program), setup}}
	case c.PlanHook.Seconds < minHookSeconds:
		return []Finding{{AreaClients, name, Warning, fmt.Sprintf("%s gives a review up after %s", file, hookTime(c.PlanHook.Seconds)),
			"set the hook's timeout to days, in seconds: 345600"}}
	}
	return []Finding{{AreaClients, name, OK, fmt.Sprintf("reviewed in planb (%s), for %s", file, hookTime(c.PlanHook.Seconds)), ""}}
}

func hookTime(seconds float64) string {
	if seconds == 0 {
		return "the client's default of some minutes"
	}
	return duration(time.Duration(seconds * float64(time.Second)))
}

func (c Client) registrationFindings() []Finding {
	name, setup := c.Registration.Client.Title, "planb setup "+c.Registration.Client.Name
	if c.Place.Project != "" {
		name, setup = name+", project", setup+" --project"
	}
	found := func(state State, detail, remedy string) Finding {
		return Finding{AreaClients, name, state, detail, remedy}
	}
	switch {
	case c.Err != nil:
		return []Finding{found(Problem, c.Err.Error(), "mend the file by hand; planb does not touch what it can't read")}
	case !c.Registered:
		return []Finding{found(Note, "does not know planb ("+c.File+")", "")}
	case c.Disabled:
		return []Finding{found(Note, "knows planb, but it is switched off there ("+c.File+")", "")}
	}
	var list []Finding
	switch {
	case errors.Is(c.StartErr, clients.ErrNotFound):
		list = append(list, found(Problem, fmt.Sprintf("%s starts %s, and there is no such program", c.File, c.Command), setup))
	case c.StartErr != nil:
		list = append(list, found(Problem, fmt.Sprintf("%s starts %s: %v", c.File, c.Command, c.StartErr), setup))
	case !c.Ours:
		list = append(list, found(Warning, fmt.Sprintf("%s starts another planb than this one: %s", c.File, c.Command), setup))
	}
	if !c.WaitFits() {
		list = append(list, found(Warning, "gives a call up after "+duration(c.Limit)+", before planb returns it ("+waits(c.Wait)+")", setup))
	}
	if len(c.Missing) > 0 {
		list = append(list, found(Warning, "does not pass on "+strings.Join(c.Missing, ", ")+", so planb has to find out where it runs by other signs", setup))
	}
	switch c.Permission {
	case clients.Asked:
		list = append(list, found(Warning, "asks you before each call of planb, and so before each form", setup))
	case clients.Forbidden:
		list = append(list, found(Warning, "has a rule that keeps planb's tools from being called", "look for mcp__planb among the rules that deny or ask"))
	}
	if len(list) == 0 {
		list = append(list, found(OK, fmt.Sprintf("%s; a call may take %s, %s", c.File, duration(c.Limit), waits(c.Wait)), ""))
	}
	return list
}

func waits(wait time.Duration) string {
	if wait == 0 {
		return "and planb knows how long by the client's name"
	}
	return "and planb waits " + duration(wait)
}

// duration is one for a person: 23h59m30s, 10m, 50s.
func duration(d time.Duration) string {
	text := d.Round(time.Second).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
