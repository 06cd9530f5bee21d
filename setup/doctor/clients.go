package doctor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/setup/clients"
)

// Client is planb's registration in one file of a client.
type Client struct {
	clients.Registration
	// Ours says that the registered command starts this planb. StartErr says
	// why it starts nothing.
	Ours     bool
	StartErr error
	// PlanHook is planb's registration as the reviewer of the client's own
	// plans. HookOurs says that its command starts this planb. HookErr says why it
	// starts nothing.
	PlanHook clients.PlanHook
	HookOurs bool
	HookErr  error
}

// Clients judges the registrations. The caller leaves out project files without
// planb: few projects have it.
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
		findings = append(findings, Finding{AreaClients, "agents", Warning,
			"no agent is connected to planb yet, so none can ask you", "`planb setup claude`, or codex, opencode, gemini and others"})
	}
	return findings
}

// ClientsInBrief judges the registrations, and names the clients that are not connected
// in one finding.
func ClientsInBrief(list []Client) []Finding {
	var names []string
	shown := slices.DeleteFunc(slices.Clone(list), func(c Client) bool {
		absent := c.absent()
		if absent {
			names = append(names, c.Registration.Client.Title)
		}
		return absent
	})
	if len(names) < 2 {
		return Clients(list)
	}
	folded := Finding{AreaClients, "not connected", Note, strings.Join(names, ", ") + " (`planb doctor --all` names their files)", ""}
	return append(Clients(shown), folded)
}

// absent reports whether the client's own file has nothing of planb.
func (c Client) absent() bool {
	return c.Place.Project == "" && c.Err == nil && !c.Registered && !c.PlanHook.Registered
}

// findings judges the registration, and the hook if there is one.
func (c Client) findings() []Finding {
	list := c.registrationFindings()
	if c.Place.Project != "" && !c.Registered && c.Err == nil {
		list = nil // the file is listed only for its hook
	}
	return append(list, c.hookFindings()...)
}

// minHookSeconds is the least time a person should have for a plan.
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
		return []Finding{{AreaClients, name, Problem, fmt.Sprintf("%s sends plans to %s for review, but there is no such program", file, c.PlanHook.Program), setup}}
	case !c.HookOurs:
		return []Finding{{AreaClients, name, Warning, fmt.Sprintf("%s sends plans to another planb than this one: %s", file, c.PlanHook.Program), setup}}
	case c.PlanHook.Seconds < minHookSeconds:
		return []Finding{{AreaClients, name, Warning, fmt.Sprintf("%s ends a review after %s", file, hookTime(c.PlanHook.Seconds)),
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
		return []Finding{found(Problem, c.Err.Error(), "correct the file by hand; planb does not change a file that it can't read")}
	case !c.Registered:
		return []Finding{found(Note, "not connected ("+c.File+")", "")}
	case c.Disabled:
		return []Finding{found(Note, "has an entry for planb, but it is switched off ("+c.File+")", "")}
	case c.Elsewhere:
		return []Finding{found(Problem, "has the address of a server in its entry for planb, so that it does not start planb ("+c.File+")", setup)}
	}
	var list []Finding
	switch {
	case errors.Is(c.StartErr, clients.ErrNotFound):
		list = append(list, found(Problem, fmt.Sprintf("%s starts %s, but there is no such program", c.File, c.Command), setup))
	case c.StartErr != nil:
		list = append(list, found(Problem, fmt.Sprintf("%s starts %s: %v", c.File, c.Command, c.StartErr), setup))
	case !c.Ours:
		list = append(list, found(Warning, fmt.Sprintf("%s starts another planb than this one: %s", c.File, c.Command), setup))
	}
	if !c.WaitFits() {
		list = append(list, found(Warning, "ends a call after "+duration(c.Limit)+", before planb returns it ("+c.waits()+")", setup))
	}
	if len(c.Missing) > 0 {
		list = append(list, found(Warning, "does not pass on "+strings.Join(c.Missing, ", ")+", so planb must find out in other ways where it runs", setup))
	}
	switch c.Permission {
	case clients.Asked:
		list = append(list, found(Warning, "asks you before each call of planb, and so before each form", setup))
	case clients.Forbidden:
		list = append(list, found(Warning, "has a rule that forbids calling planb's tools", "look for mcp__planb among the rules that deny or ask"))
	}
	if len(list) == 0 {
		list = append(list, found(OK, fmt.Sprintf("%s; a call may take %s, %s", c.File, duration(c.Limit), c.waits()), ""))
	}
	return list
}

// waits says how long planb lets a call run.
func (c Client) waits() string {
	switch client := c.Registration.Client; {
	case c.Wait > 0:
		return "and planb waits " + duration(c.Wait)
	case c.WaitFits() && (client.ByName || client.Progress):
		return "and planb knows that limit by the client's name"
	default:
		return "and planb goes by the client's default of " + duration(client.DefaultLimit)
	}
}

// duration formats a duration for a person: 23h59m30s, 10m, 50s.
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
