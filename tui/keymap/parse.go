package keymap

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// keyReach says which terminals send a key.
type keyReach uint8

const (
	reachAll keyReach = iota
	reachFew          // only those that speak the Kitty keyboard protocol
)

// parseKey reads a key as a person writes it ("Ctrl+S", "S", "page down") and returns it in
// the form in which keys are matched.
func parseKey(text string, suggest Suggester) (key string, reach keyReach, err error) {
	if text == " " {
		return "space", reachAll, nil
	}
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) == 1 {
		char, _ := utf8.DecodeRuneInString(text)
		if !unicode.IsOneOf([]*unicode.RangeTable{unicode.L, unicode.N, unicode.P, unicode.S}, char) {
			return "", 0, fmt.Errorf("%q is no key", text)
		}
		return text, reachAll, nil
	}
	parts := strings.Split(strings.ToLower(text), "+")
	base := parts[len(parts)-1]
	parts = parts[:len(parts)-1]
	if base == "" && len(parts) > 0 && parts[len(parts)-1] == "" {
		base, parts = "+", parts[:len(parts)-1] // "ctrl++"
	}
	var mods modifiers
	for _, part := range parts {
		if err := mods.add(strings.TrimSpace(part)); err != nil {
			return "", 0, err
		}
	}
	base = keyAlias(strings.TrimSpace(base))
	char, size := utf8.DecodeRuneInString(base)
	switch {
	case slices.Contains(namedKeys(), base):
		return mods.of(base), mods.reachOfNamed(base), mods.sentAs(base)
	case base == "" || size != len(base):
		return "", 0, fmt.Errorf("%q is no key%s", text, suggest(base, namedKeys()))
	}
	if mods == (modifiers{shift: true}) && unicode.IsLetter(char) {
		return strings.ToUpper(base), reachAll, nil
	}
	return mods.of(base), mods.reachOfCharacter(char), mods.sentAs(base)
}

// modifiers are the keys that a person holds down with another key.
type modifiers struct{ ctrl, alt, shift bool }

func (m *modifiers) add(name string) error {
	switch name {
	case "ctrl", "control", "c", "strg":
		m.ctrl = true
	case "alt", "option", "opt":
		m.alt = true
	case "shift":
		m.shift = true
	case "super", "cmd", "command", "win", "meta", "hyper":
		return fmt.Errorf("terminals keep %s for themselves; use ctrl or alt", name)
	default:
		return fmt.Errorf("%q is no key to hold down; there are ctrl, alt and shift", name)
	}
	return nil
}

// of returns the key with the modifiers, in the form in which keys are matched.
func (m modifiers) of(base string) string {
	var key strings.Builder
	for _, mod := range []struct {
		on   bool
		name string
	}{{m.ctrl, "ctrl+"}, {m.alt, "alt+"}, {m.shift, "shift+"}} {
		if mod.on {
			key.WriteString(mod.name)
		}
	}
	return key.String() + base
}

// sentAs returns the error for a key that terminals send as another one.
func (m modifiers) sentAs(base string) error {
	if !m.ctrl {
		return nil
	}
	if same, ok := map[string]string{"i": "tab", "m": "enter", "[": "esc", "h": "backspace", "?": "backspace", "@": "ctrl+space"}[base]; ok {
		return fmt.Errorf("terminals send %s as %s", m.of(base), same)
	}
	return nil
}

func (m modifiers) reachOfNamed(base string) keyReach {
	few := false
	switch base {
	case "enter", "backspace":
		few = m.ctrl || m.shift
	case "space":
		few = m.shift || m.ctrl && m.alt
	case "tab":
		few = m.ctrl || m.alt
	case "esc":
		few = m != modifiers{}
	}
	if few {
		return reachFew
	}
	return reachAll
}

// reachOfCharacter says which terminals send a character with modifiers. With Ctrl they send
// one of ASCII's 32 control codes.
func (m modifiers) reachOfCharacter(char rune) keyReach {
	inASCII := char >= 'a' && char <= 'z' || strings.ContainsRune(`\]^_`, char)
	if m.shift || m.ctrl && !inASCII {
		return reachFew
	}
	return reachAll
}

// isCharacter reports whether the key writes a character into a text.
func isCharacter(key string) bool {
	return key == "space" || utf8.RuneCountInString(key) == 1
}

// namedKeys are the keys that have a name.
func namedKeys() []string {
	return []string{
		"enter", "tab", "backspace", "esc", "space", "up", "down", "left", "right", "insert", "delete",
		"pgup", "pgdown", "home", "end", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
	}
}

// keyAlias returns the name by which keys are matched, for another name that people write.
func keyAlias(name string) string {
	switch name {
	case "return", "↵":
		return "enter"
	case "escape":
		return "esc"
	case "pageup", "page up", "page-up":
		return "pgup"
	case "pagedown", "page down", "page-down", "pgdn":
		return "pgdown"
	case "del":
		return "delete"
	case "ins":
		return "insert"
	case "bs":
		return "backspace"
	case "↑":
		return "up"
	case "↓":
		return "down"
	case "←":
		return "left"
	case "→":
		return "right"
	case "plus":
		return "+"
	}
	return name
}

// shownKey returns a key as a person reads it.
func shownKey(key string) string {
	at := strings.LastIndex(key, "+") + 1
	if at == len(key) {
		return key // the key + itself
	}
	switch base := key[at:]; base {
	case "up":
		return key[:at] + "↑"
	case "down":
		return key[:at] + "↓"
	case "left":
		return key[:at] + "←"
	case "right":
		return key[:at] + "→"
	case "pgdown":
		return key[:at] + "pgdn"
	}
	return key
}
