package keymap

import "slices"

// Assignment is an action of a screen, with its keys.
type Assignment struct {
	Screen  string // as the settings name it
	About   string // what the screen is
	Action  string // as the settings name it
	Does    string
	Keys    []string // as the settings have them
	Default []string // those it comes with
}

// Actions returns the actions that a person can give keys to, with their present keys.
func (k Keys) Actions() []Assignment {
	var list []Assignment
	for _, screen := range keyScreens() {
		now := k.remap(screen.name, screen.keys)
		for _, name := range screen.actions() {
			owner := keyOwner{screen.name, name}
			list = append(list, Assignment{
				Screen: screen.name, About: screen.about, Action: name,
				Does: owner.does(screen.keys), Keys: owner.keysIn(now), Default: owner.keysIn(screen.keys),
			})
		}
	}
	return list
}

// does returns the words of the first row that has any.
func (o keyOwner) does(keys Map) string {
	for _, row := range keys.All() {
		if does := row.Key.Help().Desc; o.has(row) && does != "" {
			return withoutOthers(does)
		}
	}
	return ""
}

// keysIn returns all keys of the action.
func (o keyOwner) keysIn(keys Map) []string {
	list := []string{}
	for _, row := range keys.All() {
		for _, key := range row.Key.Keys() {
			if o.has(row) && !slices.Contains(list, key) {
				list = append(list, key)
			}
		}
	}
	return list
}
