package pane

import (
	"context"
	"fmt"
	"strings"
)

// Choice is Detect's decision with its reasons, for planb doctor.
type Choice struct {
	Known  []Known // every opener, in the order of preference
	Wanted string  // the user's choice; empty if planb chooses
	// Chosen is nil if nothing can be opened.
	Chosen Opener
	Why    string // why Chosen is chosen, or nothing is
}

// Known is one opener and whether it can be used.
type Known struct {
	Name   string
	Reason string // why it cannot be used; empty if it can
	Tested bool   // planb's tests open panes with the real program
}

// Explain explains Detect's decision in these surroundings. It fails if Detect
// does. It searches for a tmux if that is necessary.
func (s Surroundings) Explain(ctx context.Context, wanted string) (Choice, error) {
	opener, from, err := s.detect(wanted)
	if err != nil {
		return Choice{}, err
	}
	how := ""
	if s, looks := opener.(*lazyTmux); looks {
		opener, how = s.opener(ctx), s.how
	}
	env := s.Env
	if from.env != nil {
		env = s.inherit(from)
	}
	choice := Choice{Chosen: opener}
	if wanted = strings.ToLower(strings.TrimSpace(wanted)); wanted != "auto" {
		choice.Wanted = wanted
	}
	seen := ""
	for _, r := range openers() {
		found, reason := r.look(env, r.name == choice.Wanted)
		switch {
		case r.name == opener.Name():
			seen, reason = r.shows(env), ""
			if seen == "" {
				seen = r.seen[0]
			}
		case found == nil && r.shows(env) == "":
			reason = notSet(r.seen)
		}
		choice.Known = append(choice.Known, Known{r.name, reason, r.tested})
	}
	switch none, nothing := opener.(None); {
	case nothing && none.nowhere: // Known has the variables
		choice.Chosen, choice.Why = nil, "planb runs in no terminal that it can open a pane in"
	case nothing:
		choice.Chosen, choice.Why = nil, none.Reason
	case choice.Wanted != "":
		choice.Why = "you have set it"
	case how != "":
		choice.Why = how
	case from.env != nil:
		choice.Why = fmt.Sprintf("%s is set in %s, from which planb was started", seen, from)
	default:
		choice.Why = fmt.Sprintf("%s is set, and it is the first of those that can be used", seen)
	}
	return choice, nil
}

func notSet(names []string) string {
	if len(names) == 1 {
		return names[0] + " is not set"
	}
	return "none of " + strings.Join(names, ", ") + " is set"
}
