package keymap

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// Keys are the keys that a person has given to actions. The zero value changes nothing.
type Keys struct {
	changed map[keyOwner][]string
}

// keyOwner is an action as the settings name it.
type keyOwner struct{ screen, action string }

// keyScreen is a part of the program with keys of its own.
type keyScreen struct {
	name  string
	about string
	keys  Map
	typed bool // letters are always text there
}

// keyScreens returns all of them, with planb's own keys.
func keyScreens() []keyScreen {
	form, review := Form(), Review()
	text := Map{InText: form.InText}
	form.InText, review.InText = nil, nil
	letters := func(keys []Binding) Map { return Map{OutsideText: keys} }
	return []keyScreen{
		{name: OfForm, about: "the form", keys: form},
		{name: OfReview, about: "the review of a plan", keys: review},
		{name: OfText, about: "text being written in either", keys: text},
		{name: OfInbox, about: "the inbox: what waits, and all sessions", keys: letters(Inbox(true))},
		{name: OfFilter, about: "the inbox while its filter is typed", keys: Map{Everywhere: Filtering()}, typed: true},
		{name: OfSearch, about: "finding words", keys: Map{Everywhere: Search()}, typed: true},
		{name: OfSession, about: "one session", keys: letters(Session())},
		{name: OfPlan, about: "a plan", keys: letters(Plan())},
		{name: OfDiff, about: "what changed between two versions", keys: letters(Diff())},
		{name: OfPick, about: "lists to choose from", keys: letters(append(List(), Common()...))},
		{name: OfThemes, about: "choosing a theme", keys: letters(ThemeList())},
		{name: OfTasks, about: "tasks: the board, the graph and a task", keys: letters(Tasks())},
		{name: OfDrafts, about: "drafts: the steps, the graph, the schedule and a section", keys: letters(Drafts())},
	}
}

// Form returns the keys of a form.
func (k Keys) Form() Map { return k.withText(OfForm, Form()) }

// Review returns the keys of a review.
func (k Keys) Review() Map { return k.withText(OfReview, Review()) }

func (k Keys) withText(screen string, keys Map) Map {
	if len(k.changed) == 0 {
		return keys
	}
	text := k.remap(OfText, Map{InText: keys.InText}).InText
	keys.InText = nil
	keys = k.remap(screen, keys)
	keys.InText = text
	return keys
}

// On returns the keys of a screen on which a person never writes text, or always.
func (k Keys) On(screen string, keys []Binding) []Binding {
	if len(k.changed) == 0 {
		return keys
	}
	if screen == OfSearch || screen == OfFilter {
		return k.remap(screen, Map{Everywhere: keys}).Everywhere
	}
	return k.remap(screen, Map{OutsideText: keys}).OutsideText
}

// remap gives the actions of a screen their keys.
func (k Keys) remap(screen string, keys Map) Map {
	for owner, list := range k.changed {
		if owner.screen == screen {
			keys = keys.rebind(owner, list)
		}
	}
	return keys
}

// rebind replaces all keys of one action. If the action also works in a text, its keys that
// are characters count outside the text only.
func (k Map) rebind(owner keyOwner, list []string) Map {
	if slices.ContainsFunc(k.Everywhere, owner.has) {
		row := k.Everywhere[slices.IndexFunc(k.Everywhere, owner.has)]
		row.Group = "" // the help has one line of it
		characters := slices.DeleteFunc(slices.Clone(list), func(key string) bool { return !isCharacter(key) })
		k.Everywhere = owner.rebindIn(k.Everywhere, slices.DeleteFunc(slices.Clone(list), isCharacter), characters)
		k.OutsideText = owner.rebindIn(k.OutsideText, characters, nil)
		if i := slices.IndexFunc(k.OutsideText, owner.has); i >= 0 {
			k.OutsideText[i].Group = ""
		} else if len(characters) > 0 {
			k.OutsideText = append(slices.Clip(k.OutsideText), row.with(characters, nil))
		}
		return k
	}
	k.OutsideText = owner.rebindIn(k.OutsideText, list, nil)
	k.InText = owner.rebindIn(k.InText, list, nil)
	return k
}

// has reports whether the row is the action's.
func (o keyOwner) has(row Binding) bool { return actionName(o.screen, row.Act) == o.action }

// rebindIn gives the action's rows these keys. The help names them together with those that
// the action has elsewhere. Of several rows that do the same, one stays.
func (o keyOwner) rebindIn(rows []Binding, list, elsewhere []string) []Binding {
	done := map[Action]bool{}
	var bound []Binding
	for _, row := range rows {
		switch {
		case !o.has(row):
			bound = append(bound, row)
		case len(list) > 0 && !done[row.Act]:
			bound = append(bound, row.with(list, elsewhere))
			done[row.Act] = true
		}
	}
	return bound
}

// with returns the row with other keys.
func (b Binding) with(list, elsewhere []string) Binding {
	does := withoutOthers(b.Key.Help().Desc)
	if others := slices.Concat(list[1:], elsewhere); len(others) > 0 && does != "" {
		for i := range others {
			others[i] = shownKey(others[i])
		}
		also := " (also " + strings.Join(others, ", ") + ")"
		does += also
		if b.few != "" {
			b.few += also
		}
		if b.both != "" {
			b.both += also
		}
	}
	b.Key = key.NewBinding(key.WithKeys(list...), key.WithHelp(shownKey(list[0]), does))
	return b
}

// withoutOthers returns the words of an action without its other keys, "(also k)".
func withoutOthers(does string) string {
	does, _, _ = strings.Cut(does, " (also ")
	return does
}
