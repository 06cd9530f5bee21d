package doctor

import "strings"

// Opener is one way to open a pane for a form.
type Opener struct {
	Name   string
	Reason string // why it can't be used here; empty if it can
	Tested bool   // planb's tests open panes with the program itself
}

// Openers are all ways to open a pane, and the chosen one.
type Openers struct {
	List   []Opener // the preferred one first
	Chosen string   // its name; empty if none can be used
	Why    string   // why it is chosen, or none is
	// Wanted is the opener that the person set; empty if planb chooses.
	Wanted string
	// Off says that ASK_NO_OPEN=1 keeps planb from opening any.
	Off bool

	Tested  bool  // a pane was opened to try it
	TestErr error // why opening it failed
}

// Findings judges the openers, each in a finding of its own.
func (o Openers) Findings() []Finding {
	list := o.chosen()
	var untested []string
	for _, opener := range o.List {
		switch {
		case opener.Reason != "":
			list = append(list, openerFinding(opener.Name, Note, "not here: "+opener.Reason))
		case opener.Name == o.Chosen:
			list = append(list, openerFinding(opener.Name, OK, "chosen"))
		default:
			list = append(list, openerFinding(opener.Name, OK, "could be used"))
		}
		if !opener.Tested {
			untested = append(untested, opener.Name)
		}
	}
	return append(list, notTested(untested)...)
}

// Brief judges the opener that is chosen, or says why none is, and names the others in one
// finding.
func (o Openers) Brief() []Finding {
	list := o.chosen()
	var usable, absent, untested []string
	for _, opener := range o.List {
		switch {
		case opener.Name == o.Chosen && !opener.Tested:
			untested = append(untested, opener.Name)
		case opener.Name == o.Chosen:
		case opener.Reason == "":
			usable = append(usable, opener.Name)
		case opener.Name == "window": // the others are programs
			absent = append(absent, "a new window")
		default:
			absent = append(absent, opener.Name)
		}
	}
	if o.Chosen == "" && o.Wanted == "" && !o.Off && len(absent) == len(o.List) { // others than which?
		return append(list, openerFinding("looked for", Note, strings.Join(absent, ", ")+"; none is here (`planb doctor --all` says why)"))
	}
	var others []string
	if len(usable) > 0 {
		others = append(others, "could be used: "+strings.Join(usable, ", "))
	}
	if len(absent) > 0 {
		others = append(others, "not here: "+strings.Join(absent, ", "))
	}
	if len(others) > 0 {
		list = append(list, openerFinding("others", Note, strings.Join(others, "; ")+" (`planb doctor --all` says why)"))
	}
	return append(list, notTested(untested)...)
}

func openerFinding(name string, state State, detail string) Finding {
	return Finding{Area: AreaOpener, Name: name, State: state, Detail: detail}
}

// notTested returns a finding about the openers that planb's tests never ran; none if the
// tests ran all.
func notTested(names []string) []Finding {
	if len(names) == 0 {
		return nil
	}
	return []Finding{openerFinding("not tested", Note, strings.Join(names, ", ")+": built from the program's documentation, and tested against a stand-in only")}
}

// chosen judges the chosen opener, or that there is none, and the pane that was opened to try
// it.
func (o Openers) chosen() []Finding {
	var list []Finding
	add := func(name string, state State, detail, remedy string) {
		list = append(list, Finding{Area: AreaOpener, Name: name, State: state, Detail: detail, Remedy: remedy})
	}
	switch {
	case o.Off:
		add("forms open in", Warning, "nothing: ASK_NO_OPEN=1 is set, so calls wait until you, or another program, shows the form", "unset ASK_NO_OPEN, or answer forms in  planb tui")
	case o.Chosen != "":
		add("forms open in", OK, o.Chosen+": "+o.Why, "")
	case o.Wanted != "":
		add("forms open in", Problem, "nothing: "+o.Why, "set another opener, or remove the setting and let planb choose; until then planb tui shows forms")
	default:
		add("forms open in", Warning, "nothing: "+o.Why, "start your agent inside tmux, or answer its forms in  planb tui")
	}
	if o.Tested {
		if o.TestErr != nil {
			add("a test pane", Problem, "did not open: "+o.TestErr.Error(), "check whether you can split this window yourself, or set another opener")
		} else {
			add("a test pane", OK, "opened, and closed by itself", "")
		}
	}
	return list
}
