package prompt

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/themes"
	"planb/tui/keymap"
	"planb/tui/screen"
)

func press(p *Prompt, keys ...tea.Key) (act keymap.Action) {
	for _, k := range keys {
		act = p.Press(tea.KeyPressMsg(k))
	}
	return act
}

// Enter without looking changes nothing: the focus is on the answer that leaves. It is on
// the first one if no answer does harm.
func TestTheFocusOfAPrompt(t *testing.T) {
	enter, left, tab, back := tea.Key{Code: tea.KeyEnter}, tea.Key{Code: tea.KeyLeft}, tea.Key{Code: tea.KeyTab}, tea.Key{Code: tea.KeyTab, Mod: tea.ModShift}
	for _, c := range []struct {
		name string
		keys []tea.Key
		want keymap.Action
	}{
		{"enter", []tea.Key{enter}, keymap.Escape},
		{"left enter", []tea.Key{left, enter}, keymap.SendBack},
		{"tab enter", []tea.Key{tab, enter}, keymap.Yes},
		{"shift+tab, three times around", []tea.Key{back, back, back, enter}, keymap.Escape},
		{"its letter", []tea.Key{{Code: 'y', Text: "y"}}, keymap.Yes},
		{"another letter", []tea.Key{{Code: 'x', Text: "x"}}, keymap.None},
	} {
		if got := press(&Prompt{Keys: keymap.Accepting("it")}, c.keys...); got != c.want {
			t.Errorf("%s gives %v, want %v", c.name, got, c.want)
		}
	}
	if got := press(&Prompt{Keys: keymap.Snoozing(false, "tomorrow"), Harmless: true}, enter); got != keymap.Soon {
		t.Errorf("enter where no answer does harm gives %v", got)
	}
	p := &Prompt{}
	p.Write("Send it back?", "", keymap.Commenting("it"))
	if got := press(p, tea.Key{Code: 'y', Text: "y"}, enter, tea.Key{Code: 'n', Text: "n"}, tab, enter); got != keymap.Submit || p.Written().Raw() != "y\nn" {
		t.Errorf("it is %v with %q", got, p.Written().Raw())
	}
}

// Beside a dialog that is nearly as wide as the screen stand no ends of words; beside a narrower
// one stands what lies behind it.
func TestWhatLiesBesideADialog(t *testing.T) {
	look := (*screen.Look)(nil).With(themes.None().Palette)
	behind := strings.Split(strings.Repeat(strings.Repeat("words ", 20)+"\n", 23), "\n")
	for width, seen := range map[int]bool{80: false, 90: true} {
		d := NewDialog("Asked", Item{Label: "Yes"})
		d.Says = []string{"A sentence."}
		rows := d.Over(Pen{Styles: &look.Styles, Width: width, Height: 24}, behind).Lines
		i := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "A sentence.") })
		if got := strings.Contains(rows[i], "words"); got != seen || !strings.Contains(rows[0], "words") {
			t.Errorf("%d columns: what lies behind is seen: %v, want %v\n%s", width, got, seen, rows[i])
		}
	}
}

// In the smallest window, too, the person sees what they write, both answers and what is wrong.
func TestAPromptInTheSmallestWindow(t *testing.T) {
	look := (*screen.Look)(nil).With(themes.None().Palette)
	page := screen.Page{Look: look, Width: 40, Height: 12}
	for _, keys := range [][]keymap.Binding{keymap.Commenting("it"), keymap.Replying()} {
		p := &Prompt{}
		p.Write("Send it back?", strings.Repeat("The next agent that claims it reads this. ", 4), keys)
		p.Paste("One.")
		drawn := p.Over(page, screen.Frame{}, "Too long.").Content
		for _, want := range []string{"One.", "end it back", "Decide later", "Too long.", "╰──"} {
			if !strings.Contains(drawn, want) {
				t.Errorf("%q is not shown:\n%s", want, drawn)
			}
		}
	}
}

// In a low window a message takes the rows of what follows from the items.
func TestAMessageBelowItems(t *testing.T) {
	look := (*screen.Look)(nil).With(themes.None().Palette)
	d := NewDialog("Asked", Item{Letter: "a", Label: "First"}, Item{Letter: "b", Label: "Second", About: "It goes on.", Apart: true}, Item{Letter: "c", Label: "Third", Apart: true})
	d.Says = []string{"A sentence that takes two rows in this window."}
	for status, about := range map[string]bool{"": true, "It was not saved.": false} {
		rows := d.Over(Pen{Styles: &look.Styles, Width: 40, Height: 12, Status: status}, nil).Lines
		drawn := strings.Join(rows[:len(rows)-1], "\n") // the last row is for the keys
		if !strings.Contains(drawn, status) || !strings.Contains(drawn, "Third") || strings.Contains(drawn, "It goes on.") != about {
			t.Errorf("with the message %q:\n%s", status, drawn)
		}
	}
}

func TestAPromptIsClicked(t *testing.T) {
	look := (*screen.Look)(nil).With(themes.None().Palette)
	page := screen.Page{Look: look, Width: 80, Height: 24}
	p := &Prompt{Question: "Accept it?", Keys: keymap.Accepting("it")}
	for _, fault := range []string{"", "Say what is missing first."} {
		got := keymap.None
		for y, line := range strings.Split(p.Over(page, screen.Frame{}, fault).Content, "\n") {
			if x := strings.Index(line, "Send it back"); x >= 0 {
				got = p.Click(page, tea.Mouse{X: len([]rune(line[:x])), Y: y, Button: tea.MouseLeft}, fault)
			}
		}
		if got != keymap.SendBack {
			t.Errorf("with the fault %q a click on the button gives %v", fault, got)
		}
	}
	if got := p.Click(page, tea.Mouse{X: 1, Y: 1, Button: tea.MouseLeft}, ""); got != keymap.None {
		t.Errorf("a click beside the box gives %v", got)
	}
}

// While no key chooses an item, the letters of the items are dimmed, and their words are not.
func TestLettersOfADialogThatWaits(t *testing.T) {
	look := (*screen.Look)(nil).With(themes.None().Palette)
	st := &look.Styles
	d := NewDialog("Asked", Item{Letter: "y", Label: "Yes"}, Item{Letter: "n", Label: "No"})
	for _, waits := range []bool{true, false} {
		b := d.lay(Pen{Styles: st, Width: 80, Height: 24, Waits: waits}, 40, 20)
		if got := strings.HasSuffix(b.Lines[1], st.Dimmed.Render("n")); got != waits || strings.HasPrefix(b.Lines[1], st.Dimmed.Render("No")) {
			t.Errorf("it waits: %v, and the item is %q", waits, b.Lines[1])
		}
	}
}

// Empty rows part the items of a dialog where what follows from one takes several rows, as long as
// a part of the screen stays in view.
func TestItemsThatTakeSeveralRowsArePartedByEmptyRows(t *testing.T) {
	look := (*screen.Look)(nil).With(themes.None().Palette)
	for first, parted := range map[string]bool{"It goes on.": false, strings.Repeat("It goes on. ", 6): true} {
		about := "It goes on."
		d := NewDialog("Asked", Item{Letter: "a", Label: "First", About: first}, Item{Letter: "b", Label: "Second", About: about}, Item{Letter: "c", Label: "Third", About: about})
		d.Says = []string{"A sentence."}
		rows := d.Over(Pen{Styles: &look.Styles, Width: 80, Height: 21}, nil).Lines
		i := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "Second") })
		if got := !strings.Contains(rows[i-1], "It goes on."); got != parted {
			t.Errorf("an empty row above the second item: %v, want %v\n%s", got, parted, strings.Join(rows, "\n"))
		}
	}
}
