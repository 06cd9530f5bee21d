package keymap

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Setting is a line of a person's settings that gives an action its keys.
type Setting struct {
	Screen string   // a screen of KeyActions; empty for all that have the action
	Action string   // as KeyActions names it
	Keys   []string // as a person writes them; none takes the action's keys away
}

// Problem is a setting that does not count, or does not count on every screen it names.
type Problem struct {
	Setting int    // its index
	Reason  string // what it says, and what it may say instead
}

// Suggester returns the end of a sentence about an unknown name: "; did you mean submit?",
// or another way to go on.
type Suggester func(name string, known []string) string

// New reads a person's settings. If a setting is wrong, its action keeps its own keys. If two
// actions of a screen would have the same key, all actions of that screen keep their own
// keys. All other settings count.
func New(settings []Setting, suggest Suggester) (Keys, []Problem) {
	if len(settings) == 0 {
		return Keys{}, nil
	}
	r := settingReader{suggest: suggest, screens: keyScreens(), wanted: map[keyOwner]wantedKeys{}}
	for _, general := range []bool{true, false} { // what is about one screen counts more
		for i, setting := range settings {
			if (setting.Screen == "") == general {
				r.read(i, setting)
			}
		}
	}
	r.refuseClashes()
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Setting - b.Setting })
	return r.keys(), r.problems
}

// wantedKeys are the keys that a setting gives to an action.
type wantedKeys struct {
	setting int
	keys    []string
}

// settingReader reads settings, one after another.
type settingReader struct {
	suggest  Suggester
	screens  []keyScreen
	wanted   map[keyOwner]wantedKeys
	problems []Problem
}

func (r *settingReader) problem(setting int, format string, args ...any) {
	problem := Problem{setting, fmt.Sprintf(format, args...)}
	if !slices.Contains(r.problems, problem) {
		r.problems = append(r.problems, problem)
	}
}

// read reads one setting, for each screen that it names.
func (r *settingReader) read(i int, setting Setting) {
	keys, ok := r.parse(i, setting.Keys)
	if !ok {
		return
	}
	found := false
	for _, screen := range r.screens {
		if setting.Screen != "" && setting.Screen != screen.name {
			continue
		}
		row, ok := screen.row(setting.Action)
		if !ok {
			continue
		}
		found = true
		list := keys
		if setting.Screen == "" && len(keys) > 0 {
			list = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return screen.unfit(key) != "" })
			if len(list) == 0 {
				continue // what it says for other screens can't be said here
			}
		}
		if reason := screen.refuses(row, list, setting.Screen == ""); reason != "" {
			r.problem(i, "%s", reason)
			continue
		}
		if kept := keptKey(row.Act); kept != "" && !slices.Contains(list, kept) {
			list = append(slices.Clone(list), kept)
		}
		r.wanted[keyOwner{screen.name, setting.Action}] = wantedKeys{i, list}
	}
	if !found {
		r.problem(i, "%s", r.unknown(setting))
	}
}

// parse reads a setting's keys. It returns false if one of them is no key, or if most
// terminals send none of them.
func (r *settingReader) parse(i int, texts []string) (keys []string, ok bool) {
	reached := len(texts) == 0
	for _, text := range texts {
		key, reach, err := parseKey(text, r.suggest)
		if err != nil {
			r.problem(i, "%v", err)
			return nil, false
		}
		reached = reached || reach == reachAll
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if !reached {
		r.problem(i, "only few terminals send %s; name another key beside it", shownKey(keys[0]))
	}
	return keys, reached
}

// row returns the first row of an action.
func (s keyScreen) row(name string) (Binding, bool) {
	owner := keyOwner{s.name, name}
	rows := s.keys.All()
	if i := slices.IndexFunc(rows, owner.has); i >= 0 {
		return rows[i], true
	}
	return Binding{}, false
}

// refuses returns the reason why the action cannot have the keys; empty if it can. named adds
// the screen to the reason, for a setting of several screens.
func (s keyScreen) refuses(row Binding, keys []string, named bool) string {
	for _, key := range keys {
		if reason := s.unfit(key); reason != "" {
			return reason
		}
	}
	everywhere := slices.ContainsFunc(s.keys.Everywhere, func(other Binding) bool { return other.Act == row.Act })
	if everywhere && len(keys) > 0 && !slices.ContainsFunc(keys, func(key string) bool { return !isCharacter(key) }) {
		on := ""
		if named {
			on = " in keys." + s.name
		}
		return fmt.Sprintf("%s is text while you write%s; name a key beside it that is no character", keys[0], on)
	}
	return ""
}

// unfit returns the reason why no action of the screen can have the key; empty if one can.
func (s keyScreen) unfit(key string) string {
	switch {
	case (s.name == OfText || s.typed) && isCharacter(key):
		return key + " is text there; take a key that is no character"
	case s.keys.Everywhere == nil && s.keys.OutsideText != nil && strings.HasPrefix(key, "alt+"):
		return key + " arrives there as esc and then the other key; take a key without alt"
	}
	return ""
}

// unknown returns the words for a screen or an action that does not exist, with the name that
// the person probably meant.
func (r *settingReader) unknown(setting Setting) string {
	var screens, actions []string
	for _, screen := range r.screens {
		screens = append(screens, screen.name)
		if setting.Screen == "" || setting.Screen == screen.name {
			for _, action := range screen.actions() {
				if !slices.Contains(actions, action) {
					actions = append(actions, action)
				}
			}
		}
	}
	if setting.Screen != "" && !slices.Contains(screens, setting.Screen) {
		return fmt.Sprintf("there are no keys of %q%s", setting.Screen, r.suggest(setting.Screen, screens))
	}
	where := ""
	if setting.Screen != "" {
		where = " in keys." + setting.Screen
	}
	return fmt.Sprintf("there is no action %q%s%s", setting.Action, where, r.suggest(setting.Action, actions))
}

// actions returns the names of the screen's actions, in the order of its keys.
func (s keyScreen) actions() []string {
	var names []string
	for _, row := range s.keys.All() {
		if name := actionName(s.name, row.Act); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// refuseClashes finds each key that two actions want. Their screens then keep their own keys,
// because the settings do not say which of the two was meant. Those keys may clash with a
// setting for texts, which several screens have, so refuseClashes looks again.
func (r *settingReader) refuseClashes() {
	for clashes := r.clashes(); len(clashes) > 0; clashes = r.clashes() {
		for _, c := range clashes {
			r.problem(max(r.settingOf(c.one), r.settingOf(c.other)), "%s", c.words())
		}
		for _, c := range clashes {
			maps.DeleteFunc(r.wanted, func(owner keyOwner, _ wantedKeys) bool {
				return owner.screen == c.one.screen || owner.screen == c.other.screen
			})
		}
	}
}

// settingOf returns the index of the setting that gives an action its keys; -1 if none
// does.
func (r *settingReader) settingOf(owner keyOwner) int {
	if wanted, ok := r.wanted[owner]; ok {
		return wanted.setting
	}
	return -1
}

func (r *settingReader) keys() Keys {
	k := Keys{changed: map[keyOwner][]string{}}
	for owner, wanted := range r.wanted {
		k.changed[owner] = wanted.keys
	}
	return k
}

// keyClash is a key that two actions want where both count.
type keyClash struct {
	key        string
	one, other keyOwner
}

// words returns the sentence that names the key and both actions.
func (c keyClash) words() string {
	if c.one.action == "" || c.other.action == "" {
		return fmt.Sprintf("%s has a fixed meaning in keys.%s; take another key", shownKey(c.key), c.one.screen)
	}
	return fmt.Sprintf("%s is the key of both %s.%s and %s.%s; give one of them another key",
		shownKey(c.key), c.one.screen, c.one.action, c.other.screen, c.other.action)
}

// clashes returns the keys that two actions have where both count, at least one of them by a
// setting.
func (r *settingReader) clashes() []keyClash {
	keys := r.keys()
	var found []keyClash
	for _, context := range keys.contexts(r.screens) {
		holder := map[string]keyOwner{}
		for _, row := range context {
			for _, key := range row.Key.Keys() {
				first, taken := holder[key]
				if !taken {
					holder[key] = row.keyOwner
					continue
				}
				_, changed := r.wanted[first]
				_, changedToo := r.wanted[row.keyOwner]
				if first != row.keyOwner && (changed || changedToo) && row.Act != Close {
					found = append(found, keyClash{key, first, row.keyOwner})
				}
			}
		}
	}
	return found
}

// ownedRow is a row and the action that owns it.
type ownedRow struct {
	keyOwner
	Binding
}

// contexts returns the rows that count at the same time.
func (k Keys) contexts(screens []keyScreen) [][]ownedRow {
	text := owned(OfText, k.withText(OfText, Form()).InText)
	var list [][]ownedRow
	for _, screen := range screens {
		keys := k.remap(screen.name, screen.keys)
		everywhere := owned(screen.name, keys.Everywhere)
		list = append(list, slices.Concat(everywhere, owned(screen.name, keys.OutsideText)))
		if screen.name == OfForm || screen.name == OfReview {
			list = append(list, slices.Concat(everywhere, text))
		}
	}
	return list
}

func owned(screen string, rows []Binding) []ownedRow {
	list := make([]ownedRow, len(rows))
	for i, row := range rows {
		list[i] = ownedRow{keyOwner{screen, actionName(screen, row.Act)}, row}
	}
	return list
}
