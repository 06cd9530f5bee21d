package tui

import (
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// boundKey ties keys to what they do. The footer, the help overlay and the
// table in the documentation are all made from these.
type boundKey struct {
	act     action
	binding key.Binding
	group   string // heading in the help; empty keeps the key out of it
}

// keymap is every key of a form.
type keymap struct {
	everywhere  []boundKey
	outsideText []boundKey // where letters are commands
	inText      []boundKey // where letters are text
}

// Groups of the help overlay, in its order.
const (
	groupMove   = "Moving"
	groupAnswer = "Answering"
	groupRead   = "Reading"
	groupForm   = "The form"
)

func helpGroups() []string { return []string{groupMove, groupAnswer, groupRead, groupForm} }

// bind makes a boundKey: keys is a list separated by spaces, label how a
// person reads them.
func bind(act action, group, keys, label, does string) boundKey {
	return boundKey{
		act:     act,
		group:   group,
		binding: key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(label, does)),
	}
}

// formKeys returns the keys of a form. An earlier entry wins over a later one.
func formKeys() keymap {
	return keymap{
		everywhere: []boundKey{
			bind(actUp, groupMove, "up", "↑", "previous option, then the question above"),
			bind(actDown, groupMove, "down", "↓", "next option, then the question below"),
			bind(actLeft, groupMove, "left", "←", "previous tab; in text the caret, on a scale the value"),
			bind(actRight, groupMove, "right", "→", "next tab; in text the caret, on a scale the value"),
			bind(actPrevTab, groupMove, "ctrl+pgup alt+left", "ctrl+pgup", "previous tab, from anywhere (also alt+←)"),
			bind(actNextTab, groupMove, "ctrl+pgdown alt+right", "ctrl+pgdn", "next tab, from anywhere (also alt+→)"),
			bind(actHome, groupMove, "home", "home", "first tab; in text the line's start"),
			bind(actEnd, groupMove, "end", "end", "last tab; in text the line's end"),
			bind(actNext, groupMove, "tab", "tab", "the next question; at a tab's end the next tab's; after the last one Submit"),
			bind(actPrev, groupMove, "shift+tab", "shift+tab", "the same way back, over the tabs"),

			bind(actEnter, groupAnswer, "enter", "enter", "choose, tick or set; once that is done, go on. Press a button. In one line of text go on; in long text, notes and replies a new line"),

			bind(actPageUp, groupRead, "pgup", "pgup", "scroll the illustration or the intro up"),
			bind(actPageDown, groupRead, "pgdown", "pgdn", "scroll it down"),
			bind(actScrollUp, groupRead, "shift+up", "shift+↑", "scroll it up by a line"),
			bind(actScrollDown, groupRead, "shift+down", "shift+↓", "scroll it down by a line"),
			bind(actPanLeft, groupRead, "shift+left", "shift+←", "what is too wide to the left; on the whole screen also ←"),
			bind(actPanRight, groupRead, "shift+right", "shift+→", "what is too wide to the right; on the whole screen also →"),

			bind(actSubmit, groupForm, "ctrl+s", "ctrl+s", "submit; in a note or reply keep or send it"),
			bind(actEditor, groupForm, "ctrl+g", "ctrl+g", "edit the text in $VISUAL or $EDITOR"),
			bind(actEscape, groupForm, "esc", "esc", "close what is open; else the menu"),
			bind(actMenu, groupForm, "ctrl+c", "ctrl+c", "the menu; twice: save for later"),
			bind(actHelp, groupForm, "f1", "f1", "help"),
		},
		outsideText: []boundKey{
			bind(actSpace, groupAnswer, "space", "space", "choose, tick or set; on what is ticked: untick"),
			bind(actDigit, groupAnswer, "1 2 3 4 5 6 7 8 9 0 . -", "1–9", "the option of that number; a single choice goes on if a choice comes next; on a scale the value"),
			bind(actBackspace, groupAnswer, "backspace delete ctrl+h", "backspace", "clear this answer"),
			bind(actDefault, groupAnswer, "d", "d", "take over what the agent proposes"),
			bind(actPrior, groupAnswer, "a", "a", "take over what you answered before; again: as it was (in text ctrl+r)"),
			bind(actNote, groupAnswer, "n", "n", "a note on this question"),
			bind(actNoteAll, groupAnswer, "N", "N", "a note on the whole form"),
			bind(actFilter, groupAnswer, "/", "/", "filter a long list"),
			bind(actAll, groupAnswer, "*", "*", "where several can be chosen: all that are shown, then none"),

			bind(actZoom, groupRead, "z", "z", "the illustration, intro or label on the whole screen"),
			bind(actLarger, groupRead, "<", "<", "a larger panel for the illustration (or drag its border)"),
			bind(actSmaller, groupRead, ">", ">", "a smaller one"),
			// Terminals on a Mac send these two for alt+← and alt+→.
			bind(actPrevTab, "", "alt+b", "alt+b", ""),
			bind(actNextTab, "", "alt+f", "alt+f", ""),
			bind(actPageUp, "", "ctrl+u", "ctrl+u", ""),
			bind(actPageDown, "", "ctrl+d", "ctrl+d", ""),
			// Where nothing can be answered; the footer tells of it there.
			bind(actClose, "", "q", "q or esc", ""),
			bind(actSummary, groupForm, "r", "r", "all your answers and what is open, on one page"),
			bind(actCopy, groupForm, "y", "y", "copy what has the focus"),
			bind(actHelp, groupForm, "?", "?", "help"),
		},
		inText: []boundKey{
			bind(actNewLine, groupAnswer, "ctrl+j alt+enter shift+enter", "ctrl+j", "in text: as enter (also alt+enter, shift+enter)"),
			bind(actPrior, "", "ctrl+r", "ctrl+r", "take over what you answered before"),
			bind(actUndoText, groupAnswer, "ctrl+z ctrl+_", "ctrl+z", "in text: undo, word by word"),
			bind(actRedoText, groupAnswer, "ctrl+y ctrl+shift+z", "ctrl+y", "in text: redo"),
			bind(actBackspace, "", "backspace shift+backspace ctrl+h", "backspace", "the character before the caret away"),
			bind(actDelete, "", "delete ctrl+d", "delete", "the character under the caret away"),
			bind(actWordLeft, groupAnswer, "ctrl+left alt+b", "ctrl+←", "in text: a word to the left (also alt+b)"),
			bind(actWordRight, groupAnswer, "ctrl+right alt+f", "ctrl+→", "in text: a word to the right (also alt+f)"),
			bind(actDeleteWord, groupAnswer, "ctrl+w alt+backspace ctrl+backspace", "ctrl+w", "in text: the word before the caret away"),
			bind(actDeleteNextWord, "", "ctrl+delete", "ctrl+delete", "the word behind the caret away"),
			bind(actTextStart, "", "ctrl+home", "ctrl+home", "the start of the text"),
			bind(actTextEnd, "", "ctrl+end", "ctrl+end", "the end of the text"),
			bind(actDeleteToStart, "", "ctrl+u", "ctrl+u", "the line up to the caret away"),
			bind(actDeleteToEnd, "", "ctrl+k", "ctrl+k", "the line from the caret away"),
			bind(actLineStart, "", "ctrl+a", "ctrl+a", "the start of the line"),
			bind(actLineEnd, "", "ctrl+e", "ctrl+e", "the end of the line"),
		},
	}
}

// read says what a key means: inside text, or outside of it.
func (k keymap) read(msg tea.KeyPressMsg, inText bool) press {
	if found, ok := lookUp(k.everywhere, msg); ok {
		return press{act: found}
	}
	if inText {
		if found, ok := lookUp(k.inText, msg); ok {
			return press{act: found}
		}
		return press{act: actInsert, text: msg.Text}
	}
	if found, ok := lookUp(k.outsideText, msg); ok {
		return press{act: found, text: msg.Text}
	}
	return press{}
}

func lookUp(keys []boundKey, msg tea.KeyPressMsg) (action, bool) {
	for _, k := range keys {
		if key.Matches(msg, k.binding) {
			return k.act, true
		}
	}
	return actNone, false
}

// label is how a person reads the key of an action.
func (k keymap) label(act action) string {
	if label := keyLabel(k.everywhere, act); label != "" {
		return label
	}
	if label := keyLabel(k.outsideText, act); label != "" {
		return label
	}
	return keyLabel(k.inText, act)
}

// tells says what the key of an action does, between other words; nothing if the
// action has none.
func (k keymap) tells(before string, act action, after string) string {
	if label := k.label(act); label != "" {
		return before + label + after
	}
	return ""
}

// afterEscape returns x for Alt+x, unless Alt+x is a key of its own. Terminals
// send Alt+x as Esc and x, so that the two pressed quickly one after the other
// look the same; over SSH, and in tmux with its default escape-time, quickly is
// up to half a second.
func (k keymap) afterEscape(msg tea.KeyPressMsg, inText bool) (tea.KeyPressMsg, bool) {
	if !msg.Mod.Contains(tea.ModAlt) || msg.Text != "" {
		return msg, false
	}
	if act := k.read(msg, inText).act; act != actNone && act != actInsert {
		return msg, false
	}
	msg.Mod &^= tea.ModAlt
	switch {
	case msg.Mod == tea.ModShift && msg.ShiftedCode != 0:
		msg.Text = string(msg.ShiftedCode)
	case msg.Mod == 0 && unicode.IsPrint(msg.Code): // tea's codes of other keys are no characters
		msg.Text = string(msg.Code)
	}
	return msg, true
}

// KeyHelp is one line of the form's table of keys.
type KeyHelp struct {
	Group string // heading
	Key   string // as a person reads it
	Does  string
}

// FormKeys returns the keys of the form as its help shows them, in that order:
// documentation can be held to it.
func FormKeys() []KeyHelp { return keyTable(formKeys(), helpGroups()) }

func keyTable(keys keymap, groups []string) []KeyHelp {
	var table []KeyHelp
	for _, group := range groups {
		for _, k := range keys.all() {
			if k.group == group {
				h := k.binding.Help()
				table = append(table, KeyHelp{group, h.Key, h.Desc})
			}
		}
	}
	return table
}

// all returns every key, for the help.
func (k keymap) all() []boundKey {
	all := append([]boundKey(nil), k.everywhere...)
	return append(append(all, k.outsideText...), k.inText...)
}

// keyLabel is how a person reads the key of an action; empty if it has none.
func keyLabel(keys []boundKey, act action) string {
	for _, bound := range keys {
		if bound.act == act {
			return bound.binding.Help().Key
		}
	}
	return ""
}

// tells says what the key of an action does, between other words; nothing if the
// action has none.
func tells(keys []boundKey, before string, act action, after string) string {
	return keymap{outsideText: keys}.tells(before, act, after)
}
