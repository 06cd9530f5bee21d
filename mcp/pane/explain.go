package pane

import (
	"fmt"
	"strings"
)

// Choice is what Detect decides, with its reasons, for a person who wonders.
type Choice struct {
	Known  []Known // every opener there is, the preferred one first
	Wanted string  // the user's choice; empty if they left it to planb
	// Chosen is nil where nothing can be opened.
	Chosen Opener
	Why    string // it is chosen, or nothing is
}

// Known is one opener as it stands in an environment.
type Known struct {
	Name   string
	Reason string // why it cannot be used; empty if it can
	Tried  bool   // planb's tests open panes with the program itself
}

// Explain tells how Detect decides, and fails where Detect does.
func Explain(env Env, wanted string) (Choice, error) {
	opener, err := Detect(env, wanted)
	if err != nil {
		return Choice{}, err
	}
	choice := Choice{Chosen: opener}
	if wanted = strings.ToLower(strings.TrimSpace(wanted)); wanted != "auto" {
		choice.Wanted = wanted
	}
	seen := ""
	for _, r := range openers() {
		found, reason := r.open(env)
		if found == nil && env(r.seen) == "" {
			reason = r.seen + " is not set"
		}
		choice.Known = append(choice.Known, Known{r.name, reason, r.tried})
		if r.name == opener.Name() {
			seen = r.seen
		}
	}
	switch none, nothing := opener.(None); {
	case nothing:
		choice.Chosen, choice.Why = nil, none.Reason
	case choice.Wanted != "":
		choice.Why = "you have set it"
	default:
		choice.Why = fmt.Sprintf("%s is set, and it is the first of those that can be used", seen)
	}
	return choice, nil
}
