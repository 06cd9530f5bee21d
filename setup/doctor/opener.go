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

	Tested  bool  // a pane was opened to try it
	TestErr error // why opening it failed
}

// Findings judges the openers.
func (o Openers) Findings() []Finding {
	var list []Finding
	add := func(name string, state State, detail, remedy string) {
		list = append(list, Finding{Area: AreaOpener, Name: name, State: state, Detail: detail, Remedy: remedy})
	}
	switch {
	case o.Chosen != "":
		add("forms open in", OK, o.Chosen+": "+o.Why, "")
	case o.Wanted != "":
		add("forms open in", Problem, "nothing: "+o.Why, "set another opener, or remove the setting and let planb choose; until then planb tui shows forms")
	default:
		add("forms open in", Warning, "nothing: "+o.Why, "start your agent inside tmux, or answer its forms in  planb tui")
	}
	if o.Tested {
		if o.TestErr != nil {
			add("a pane to try", Problem, "did not open: "+o.TestErr.Error(), "check whether you can split this window yourself, or set another opener")
		} else {
			add("a pane to try", OK, "opened, and closed by itself", "")
		}
	}
	var untested []string
	for _, opener := range o.List {
		switch {
		case opener.Reason != "":
			add(opener.Name, Note, "not here: "+opener.Reason, "")
		case opener.Name == o.Chosen:
			add(opener.Name, OK, "chosen", "")
		default:
			add(opener.Name, OK, "could be used", "")
		}
		if !opener.Tested {
			untested = append(untested, opener.Name)
		}
	}
	if len(untested) > 0 {
		add("not tested", Note, strings.Join(untested, ", ")+": built from the program's documentation, and tested against a stand-in only", "")
	}
	return list
}
