package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// Keys are the keys that a person has given to actions. The zero value is the
// keys as they come.
type Keys struct {
	changed map[keyOwner][]string
}

// keyOwner is an action as the settings name it.
type keyOwner struct{ screen, action string }

// keyScreen is a part of the program with keys of its own.
type keyScreen struct {
	name  string
	about string
	keys  keymap
	typed bool // letters are always text there
}

// keyScreens are all of them, with the keys as they come.
func keyScreens() []keyScreen {
	form, review := formKeys(), reviewKeys()
	text := keymap{inText: form.inText}
	form.inText, review.inText = nil, nil
	letters := func(keys []boundKey) keymap { return keymap{outsideText: keys} }
	return []keyScreen{
		{name: keysOfForm, about: "the form", keys: form},
		{name: keysOfReview, about: "the review of a plan", keys: review},
		{name: keysOfText, about: "text being written in either", keys: text},
		{name: keysOfSessions, about: "the list of sessions, and of what waits", keys: letters(sessionsKeys(true))},
		{name: keysOfFilter, about: "that list while its filter is typed", keys: keymap{everywhere: filterKeys()}, typed: true},
		{name: keysOfSearch, about: "finding words", keys: keymap{everywhere: searchKeys()}, typed: true},
		{name: keysOfSession, about: "one session", keys: letters(sessionKeys())},
		{name: keysOfPlan, about: "a plan", keys: letters(planKeys())},
		{name: keysOfDiff, about: "what changed between two versions", keys: letters(diffKeys())},
		{name: keysOfPick, about: "lists to choose from", keys: letters(append(listKeys(), commonKeys()...))},
		{name: keysOfThemes, about: "choosing a theme", keys: letters(themesKeys())},
	}
}

// form are the keys of a form.
func (k Keys) form() keymap { return k.withText(keysOfForm, formKeys()) }

// review are the keys of a review.
func (k Keys) review() keymap { return k.withText(keysOfReview, reviewKeys()) }

func (k Keys) withText(screen string, keys keymap) keymap {
	if len(k.changed) == 0 {
		return keys
	}
	text := k.remap(keysOfText, keymap{inText: keys.inText}).inText
	keys.inText = nil
	keys = k.remap(screen, keys)
	keys.inText = text
	return keys
}

// on are the keys of a screen where nothing, or always, text is written.
func (k Keys) on(screen string, keys []boundKey) []boundKey {
	if len(k.changed) == 0 {
		return keys
	}
	if screen == keysOfSearch || screen == keysOfFilter {
		return k.remap(screen, keymap{everywhere: keys}).everywhere
	}
	return k.remap(screen, keymap{outsideText: keys}).outsideText
}

// remap gives the actions of a screen their keys.
func (k Keys) remap(screen string, keys keymap) keymap {
	for owner, list := range k.changed {
		if owner.screen == screen {
			keys = keys.rebind(owner, list)
		}
	}
	return keys
}

// rebind gives one action other keys, in place of all it has. An action that
// works while a text is written has its characters elsewhere only.
func (k keymap) rebind(owner keyOwner, list []string) keymap {
	if slices.ContainsFunc(k.everywhere, owner.has) {
		row := k.everywhere[slices.IndexFunc(k.everywhere, owner.has)]
		row.group = "" // the help has one line of it
		characters := slices.DeleteFunc(slices.Clone(list), func(key string) bool { return !isCharacter(key) })
		k.everywhere = owner.rebindIn(k.everywhere, slices.DeleteFunc(slices.Clone(list), isCharacter), characters)
		k.outsideText = owner.rebindIn(k.outsideText, characters, nil)
		if i := slices.IndexFunc(k.outsideText, owner.has); i >= 0 {
			k.outsideText[i].group = ""
		} else if len(characters) > 0 {
			k.outsideText = append(slices.Clip(k.outsideText), row.with(characters, nil))
		}
		return k
	}
	k.outsideText = owner.rebindIn(k.outsideText, list, nil)
	k.inText = owner.rebindIn(k.inText, list, nil)
	return k
}

// has reports whether the row is the action's.
func (o keyOwner) has(row boundKey) bool { return actionName(o.screen, row.act) == o.action }

// rebindIn gives the action's rows these keys, which the help names together with
// those it has elsewhere. Of several rows that do the same one stays.
func (o keyOwner) rebindIn(rows []boundKey, list, elsewhere []string) []boundKey {
	done := map[action]bool{}
	var bound []boundKey
	for _, row := range rows {
		switch {
		case !o.has(row):
			bound = append(bound, row)
		case len(list) > 0 && !done[row.act]:
			bound = append(bound, row.with(list, elsewhere))
			done[row.act] = true
		}
	}
	return bound
}

// with is the row with other keys.
func (b boundKey) with(list, elsewhere []string) boundKey {
	does := withoutOthers(b.binding.Help().Desc)
	if others := slices.Concat(list[1:], elsewhere); len(others) > 0 && does != "" {
		for i := range others {
			others[i] = shownKey(others[i])
		}
		does += " (also " + strings.Join(others, ", ") + ")"
	}
	b.binding = key.NewBinding(key.WithKeys(list...), key.WithHelp(shownKey(list[0]), does))
	return b
}

// withoutOthers is what an action does, without the other keys that do it.
func withoutOthers(does string) string {
	does, _, _ = strings.Cut(does, " (also ")
	return does
}
