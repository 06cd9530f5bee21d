package keymap

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Binding ties keys to what they do. The footer, the help and the table in the
// documentation are made from bindings.
type Binding struct {
	Act   Action
	Key   key.Binding
	Group string // heading in the help; empty keeps the key out of it

	few     string // what it does, in the few words of a help page; empty: as Key says
	partner Action // of the binding that shares its row of the help page
	both    string // what the two do
}

// short gives a binding fewer words for the help page than the documentation has.
func (b Binding) short(few string) Binding {
	b.few = few
	return b
}

// With puts a binding and the one behind it, for the partner, into one row of the help page.
func (b Binding) With(partner Action, both string) Binding {
	b.partner, b.both = partner, both
	return b
}

// Map is every key of a form or a review.
type Map struct {
	Everywhere  []Binding
	OutsideText []Binding // where letters are commands
	InText      []Binding // where letters are text
}

// Groups of the help overlay, in its order.
const (
	GroupMove   = "Moving"
	groupAnswer = "Answering"
	groupRead   = "Reading"
	groupForm   = "The form"
	groupText   = "In text"
)

// FormGroups are the headings of a form's help, in its order.
func FormGroups() []string { return []string{GroupMove, groupAnswer, groupRead, groupForm, groupText} }

// bind makes a Binding: keys is a list separated by spaces, label how a
// person reads them.
func bind(act Action, group, keys, label, does string) Binding {
	return Binding{
		Act:   act,
		Group: group,
		Key:   key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(label, does)),
	}
}

// yesOrNo returns the keys that answer a question: what y does, and what happens without it.
// Enter is not among them, because people press it without looking.
func yesOrNo(group, yes, no string) []Binding {
	return []Binding{
		bind(Yes, group, "y", "y", yes),
		bind(Escape, group, "esc n q ctrl+c", "esc", no),
	}
}

// Form returns the keys of a form. An earlier entry wins over a later one.
func Form() Map {
	return Map{
		Everywhere: []Binding{
			bind(Up, GroupMove, "up", "↑", "previous option, then the question above").With(Down, "option, then question"),
			bind(Down, GroupMove, "down", "↓", "next option, then the question below"),
			bind(Left, GroupMove, "left", "←", "previous tab; in text the caret, on a scale the value").With(Right, "tab, or a scale"),
			bind(Right, GroupMove, "right", "→", "next tab; in text the caret, on a scale the value"),
			bind(PrevTab, GroupMove, "ctrl+pgup alt+left", "ctrl+pgup", "previous tab, from anywhere (also alt+←)").With(NextTab, "tab, from anywhere"),
			bind(NextTab, GroupMove, "ctrl+pgdown alt+right", "ctrl+pgdn", "next tab, from anywhere (also alt+→)"),
			bind(Home, GroupMove, "home", "home", "first tab; in text the line's start").With(End, "first tab, last tab"),
			bind(End, GroupMove, "end", "end", "last tab; in text the line's end"),
			bind(Next, GroupMove, "tab", "tab", "the next question; at a tab's end the next tab's; after the last one Submit").With(Prev, "question, across tabs"),
			bind(Prev, GroupMove, "shift+tab", "shift+tab", "the question before, across tabs"),

			bind(Enter, groupAnswer, "enter", "enter", "choose, tick or set; once that is done, go on. Press a button. In one line of text go on; in long text, notes and replies a new line").short("choose, tick; again: go on"),

			bind(PageUp, groupRead, "pgup", "pgup", "scroll the illustration or the intro up").With(PageDown, "scroll"),
			bind(PageDown, groupRead, "pgdown", "pgdn", "scroll it down"),
			bind(ScrollUp, groupRead, "shift+up", "shift+↑", "scroll it up by a line").With(ScrollDown, "scroll by a line"),
			bind(ScrollDown, groupRead, "shift+down", "shift+↓", "scroll it down by a line"),
			bind(PanLeft, groupRead, "shift+left", "shift+←", "scroll to the left what is wider than the screen; in the zoom also ←").With(PanRight, "scroll sideways"),
			bind(PanRight, groupRead, "shift+right", "shift+→", "scroll it to the right; in the zoom also →"),

			bind(Submit, groupForm, "ctrl+s", "ctrl+s", "submit; in a note or reply keep or send it").short("submit\nin a note: keep it"),
			bind(Editor, groupText, "ctrl+g", "ctrl+g", "edit the text in $VISUAL or $EDITOR").short("edit in $EDITOR"),
			bind(Escape, groupForm, "esc", "esc", "close what is open; else the menu").short("close what is open\nfrom the form: the menu"),
			bind(Menu, groupForm, "ctrl+c", "ctrl+c", "the menu; twice: leave, and save for later").short("menu; twice: leave"),
			bind(Help, groupForm, "f1", "f1", "help"),
		},
		OutsideText: []Binding{
			bind(Space, groupAnswer, "space", "space", "choose, tick or set; on what is ticked: untick").short("choose, tick, untick"),
			bind(Digit, groupAnswer, "1 2 3 4 5 6 7 8 9 0 . -", "1–9", "choose or tick the option with that number; a single choice then goes on if a choice comes next. On a scale type the value").short("choose by number"),
			bind(Backspace, groupAnswer, "backspace delete ctrl+h", "backspace", "clear this answer"),
			bind(Default, groupAnswer, "d", "d", "take over what the agent proposes").short("take what is proposed"),
			bind(Prior, groupAnswer, "a", "a", "take over what you answered before; again: as it was (in text ctrl+r)").short("take the earlier answer"),
			bind(Note, groupAnswer, "n", "n", "a note on this question").With(NoteAll, "note here, or on the form"),
			bind(NoteAll, groupAnswer, "N", "N", "a note on the whole form"),
			bind(Filter, groupAnswer, "/", "/", "filter a long list"),
			bind(All, groupAnswer, "*", "*", "tick all options shown; again: untick them (only where you can choose several)").short("all, then none"),

			bind(Zoom, groupRead, "z", "z", "zoom: the illustration, intro or label on the whole screen").short("zoom"),
			bind(Larger, groupRead, "<", "<", "a larger panel for the illustration").With(Smaller, "larger, smaller panel"),
			bind(Smaller, groupRead, ">", ">", "a smaller one"),
			// Terminals on a Mac send these two for alt+← and alt+→.
			bind(PrevTab, "", "alt+b", "alt+b", ""),
			bind(NextTab, "", "alt+f", "alt+f", ""),
			bind(PageUp, "", "ctrl+u", "ctrl+u", ""),
			bind(PageDown, "", "ctrl+d", "ctrl+d", ""),
			// This key counts only where nothing can be answered; the footer names it
			// there.
			bind(Close, "", "q", "q or esc", ""),
			bind(Summary, groupForm, "r", "r", "all your answers and what is open, on one page").short("all answers, one page"),
			bind(Copy, groupForm, "y", "y", "copy what has the focus"),
			bind(Help, groupForm, "?", "?", "help"),
		},
		InText: []Binding{
			bind(NewLine, groupText, "ctrl+j alt+enter shift+enter", "ctrl+j", "like enter (also alt+enter, shift+enter)").short("new line"),
			bind(Prior, "", "ctrl+r", "ctrl+r", "take over what you answered before"),
			bind(UndoText, groupText, "ctrl+z ctrl+_", "ctrl+z", "undo, word by word").With(RedoText, "undo, redo"),
			bind(RedoText, groupText, "ctrl+y ctrl+shift+z", "ctrl+y", "redo"),
			bind(Backspace, "", "backspace shift+backspace ctrl+h", "backspace", "delete the character before the caret"),
			bind(Delete, "", "delete ctrl+d", "delete", "delete the character under the caret"),
			bind(WordLeft, groupText, "ctrl+left alt+b", "ctrl+←", "a word to the left (also alt+b)").With(WordRight, "by words"),
			bind(WordRight, groupText, "ctrl+right alt+f", "ctrl+→", "a word to the right (also alt+f)"),
			bind(DeleteWord, groupText, "ctrl+w alt+backspace ctrl+backspace", "ctrl+w", "delete the word before the caret").short("delete word before"),
			bind(DeleteNextWord, "", "ctrl+delete", "ctrl+delete", "delete the word after the caret"),
			bind(TextStart, "", "ctrl+home", "ctrl+home", "the start of the text"),
			bind(TextEnd, "", "ctrl+end", "ctrl+end", "the end of the text"),
			bind(DeleteToStart, "", "ctrl+u", "ctrl+u", "delete the line up to the caret"),
			bind(DeleteToEnd, "", "ctrl+k", "ctrl+k", "delete the line from the caret on"),
			bind(LineStart, "", "ctrl+a", "ctrl+a", "the start of the line"),
			bind(LineEnd, "", "ctrl+e", "ctrl+e", "the end of the line"),
		},
	}
}

// Read returns the meaning of a key, inside a text or outside.
func (k Map) Read(msg tea.KeyPressMsg, inText bool) Press {
	if found, ok := lookUp(k.Everywhere, msg); ok {
		return Press{Act: found}
	}
	if inText {
		if found, ok := lookUp(k.InText, msg); ok {
			return Press{Act: found}
		}
		return Press{Act: Insert, Text: msg.Text}
	}
	if found, ok := lookUp(k.OutsideText, msg); ok {
		return Press{Act: found, Text: msg.Text}
	}
	return Press{}
}

func lookUp(keys []Binding, msg tea.KeyPressMsg) (Action, bool) {
	for _, k := range keys {
		if key.Matches(msg, k.Key) {
			return k.Act, true
		}
	}
	return None, false
}

// Label returns the first key of an action as a person reads it; empty if there is none.
func (k Map) Label(act Action) string {
	if label := Label(k.Everywhere, act); label != "" {
		return label
	}
	if label := Label(k.OutsideText, act); label != "" {
		return label
	}
	return Label(k.InText, act)
}

// Tells returns the key of an action between two texts; empty if the action has no key.
func (k Map) Tells(before string, act Action, after string) string {
	if label := k.Label(act); label != "" {
		return before + label + after
	}
	return ""
}

// AfterEscape returns x for Alt+x, unless Alt+x is a key of its own. Terminals send Alt+x as
// Esc and x, so Esc followed quickly by x looks the same. Over SSH, and in tmux with its
// default escape-time, "quickly" is up to half a second.
func (k Map) AfterEscape(msg tea.KeyPressMsg, inText bool) (tea.KeyPressMsg, bool) {
	if !msg.Mod.Contains(tea.ModAlt) || msg.Text != "" {
		return msg, false
	}
	if act := k.Read(msg, inText).Act; act != None && act != Insert {
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

// Row is one line of a table of keys.
type Row struct {
	Group string // heading
	Key   string // as a person reads it
	Does  string
}

// Table returns the keys of some groups with their full sentences. docs/keys.md is made from
// such tables.
func Table(keys Map, groups []string) []Row {
	var table []Row
	for _, group := range groups {
		for _, k := range keys.All() {
			if k.Group == group {
				h := k.Key.Help()
				table = append(table, Row{group, h.Key, h.Desc})
			}
		}
	}
	return table
}

// HelpGroup is a heading of a help page with its rows.
type HelpGroup struct {
	Name string
	Rows []Row
}

// HelpPage returns the groups of a help page that have keys: in few words, with two keys in a
// row where they belong together, as ↑ ↓ do.
func HelpPage(keys Map, names []string) []HelpGroup {
	var groups []HelpGroup
	for _, name := range names {
		bound := slices.DeleteFunc(keys.All(), func(b Binding) bool { return b.Group != name })
		if len(bound) > 0 {
			groups = append(groups, HelpGroup{name, helpRows(bound)})
		}
	}
	return groups
}

func helpRows(bound []Binding) []Row {
	rows := make([]Row, 0, len(bound))
	at := map[Action]int{}
	for i := 0; i < len(bound); i++ {
		b, label, does := bound[i], bound[i].Key.Help().Key, cmp.Or(bound[i].few, bound[i].Key.Help().Desc)
		if row, again := at[b.Act]; again {
			rows[row].Key = joinLabels(rows[row].Key, label)
			continue
		}
		at[b.Act] = len(rows)
		if b.both != "" && i+1 < len(bound) && bound[i+1].Act == b.partner {
			i++
			label, does = joinLabels(label, bound[i].Key.Help().Key), b.both
		}
		rows = append(rows, Row{b.Group, label, does})
	}
	return rows
}

// joinLabels names two keys, with the modifier that they share only once: ↑ ↓, shift+↑/↓.
func joinLabels(one, other string) string {
	if at := strings.LastIndex(one, "+"); at > 0 && strings.HasPrefix(other, one[:at+1]) {
		return one + "/" + other[at+1:]
	}
	return one + " " + other
}

// All returns every key.
func (k Map) All() []Binding {
	all := append([]Binding(nil), k.Everywhere...)
	return append(append(all, k.OutsideText...), k.InText...)
}

// Label returns the first key of an action as a person reads it; empty if there is none.
func Label(keys []Binding, act Action) string {
	for _, bound := range keys {
		if bound.Act == act {
			return bound.Key.Help().Key
		}
	}
	return ""
}

// Tells returns the key of an action between two texts; empty if the action has no key.
func Tells(keys []Binding, before string, act Action, after string) string {
	return Map{OutsideText: keys}.Tells(before, act, after)
}
