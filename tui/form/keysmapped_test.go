package form

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/keymap"
	"planb/tui/prompt"
	"planb/tui/tuitest"
)

func TestAMappedFormIsUsedByItsKeys(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.Keys = tuitest.Mapped(t, "form.submit=ctrl+x form.help=f1,H form.note=B form.copy= form.up=up,k form.zoom=x text.line-start=alt+a")
	in.Mistakes = []string{"config.toml:3: there is no setting \"them\"; did you mean theme?", "config.toml:4: more"}
	r := rig(t, in, 80, 24)
	if screen := r.screen(); !strings.Contains(screen, "In your settings, beside 1 more (planb config check): config.toml:3") {
		t.Errorf("the form does not tell of the mistakes:\n%s", screen)
	}
	r.keys("right n")
	if strings.Contains(r.screen(), "✎") {
		t.Errorf("n still writes a note:\n%s", r.screen())
	}
	r.keys("B").write("ask ops").keys("alt+a").write("! ").keys("ctrl+x")
	if got := r.Entry().Fields["format"].Note.Raw(); got != "! ask ops" {
		t.Errorf("the note is %q", got)
	}
	before := r.where()
	if r.keys("k"); r.where() == before {
		t.Errorf("k moves nothing from %s", before)
	}
	if r.keys("ctrl+s"); r.dialog != nil || r.stage != Filling || r.status.text != "" {
		t.Errorf("ctrl+s still submits:\n%s", r.screen())
	}
	if r.keys("ctrl+x"); r.status.text == "" && r.dialog == nil && r.stage == Filling {
		t.Errorf("ctrl+x submits nothing:\n%s", r.screen())
	}
	// In the menu its letters mean its items, whatever they are elsewhere.
	r.keys("esc esc")
	if r.dialog == nil {
		r.keys("esc")
	}
	if r.dialog == nil || !slices.ContainsFunc(r.dialog.Items, func(i prompt.Item) bool { return i.Letter == "k" || i.Letter == "s" }) {
		t.Fatalf("no menu:\n%s", r.screen())
	}
	if hints := ansi.Strip(r.lastLine(78)); !strings.Contains(hints, "close") {
		t.Errorf("the menu's keys are %q", hints)
	}
}

// The notice about mistakes in the settings goes on in the next row. If there is none, or
// little width, it names the command that shows them.
func TestMistakesInSettingsFitTheScreen(t *testing.T) {
	const mistake = `config.toml:2: there is no setting "openers-of-panes"; did you mean opener?`
	for size, want := range map[[2]int]string{
		{40, 16}: "Wrong settings: planb config check", {40, 30}: "Wrong settings: planb config check",
		{80, 15}: "Wrong settings: planb config check",
		{80, 24}: mistake, {120, 40}: mistake,
	} {
		for _, more := range [][]string{nil, {"config.toml:3: more"}} {
			in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
			in.Mistakes = append([]string{mistake}, more...)
			r := rig(t, in, size[0], size[1])
			text := strings.Join(strings.Fields(strings.ReplaceAll(r.screen(), "◆", "")), " ")
			if !strings.Contains(text, want) || !strings.Contains(r.screen(), "Menu") {
				t.Errorf("%v, %d more: not told %q:\n%s", size, len(more), want, r.screen())
			}
		}
	}
}

// In the menu and in its texts mapped keys do the same as outside, and the footer names them.
func TestMappedKeysInDialogs(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.Keys = tuitest.Mapped(t, "form.back=ctrl+q form.menu=ctrl+o form.down=alt+j form.choose=ctrl+t form.submit=ctrl+x text.delete-word=ctrl+e text.line-end=")
	r := rig(t, in, 80, 24)
	r.keys("ctrl+o")
	hints := ansi.Strip(r.lastLine(78))
	for _, want := range []string{"ctrl+t choose", "↑ alt+j move", "ctrl+q close"} {
		if !strings.Contains(hints, want) {
			t.Errorf("the menu's keys are %q, without %q", hints, want)
		}
	}
	r.keys("alt+j alt+j alt+j ctrl+t") // Reply without finishing
	r.write("Just so").keys("ctrl+e").write("wait").keys("ctrl+q")
	if r.dialog != nil || r.letters.message.Raw() != "Just wait" {
		t.Errorf("after ctrl+q the message is %q:\n%s", r.letters.message.Raw(), r.screen())
	}
	if screen := r.screen(); !strings.Contains(screen, "(ctrl+q m goes on with it): Just wait") {
		t.Errorf("how to go on with the message is not told:\n%s", screen)
	}
	r.keys("ctrl+q m ctrl+x") // sends it
	if sent, ok := last[SettleRequested](r); !ok || sent.Outcome.Message.Raw() != "Just wait" {
		t.Errorf("not sent:\n%s", r.screen())
	}
}

// Footer and help name the mapped keys, and all others as before.
func TestFooterAndHelpFollowTheKeys(t *testing.T) {
	help := func(keys keymap.Keys, width int) (footer string, lines []string) {
		in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
		in.Keys = keys
		r := rigIn(t, in, width, 24, themes.None()).keys("right")
		footer = ansi.Strip(r.lastLine(width - 2))
		r.keys("f1")
		r.Resize(width, 120)
		for line := range strings.Lines(r.screen()) { // the columns move with the longest key
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
		return footer, lines
	}
	keys := tuitest.Mapped(t, "submit=ctrl+x help=f1,H form.note=B form.copy= form.up=up,k form.previous-tab=alt+p form.toggle=ctrl+space")
	for width, want := range map[int]string{
		40: "ctrl+pgup/pgdn tab, from anywhere|space choose, tick, untick|n N note here, or on the|ctrl+s submit|f1 ? help|y copy what has the|focus → " +
			"(also k)|alt+p ctrl+pgdn tab, from anywhere|ctrl+space choose, tick, untick|B N note here, or on the|ctrl+x submit|f1 help (also H)",
		70: "↑ ↓ option, then question|ctrl+pgup/pgdn tab, from anywhere|space choose, tick, untick|n N note here, or on the form|ctrl+s submit|f1 ? help|y copy what has the focus → " +
			"↑ ↓ option, then question (also k)|alt+p ctrl+pgdn tab, from anywhere|ctrl+space choose, tick, untick|B N note here, or on the form|ctrl+x submit|f1 help (also H)",
	} {
		_, before := help(keymap.Keys{}, width)
		footer, after := help(keys, width)
		without := func(lines, others []string) string {
			var list []string
			for _, line := range lines {
				if line != "" && !slices.Contains(others, line) {
					list = append(list, line)
				}
			}
			return strings.Join(list, "|")
		}
		if got := without(before, after) + " → " + without(after, before); got != want {
			t.Errorf("%d columns: got\n%s\nwant\n%s\nthe help:\n%s", width, got, want, strings.Join(after, "\n"))
		}
		if width == 70 && (!strings.Contains(footer, "H help") || !strings.Contains(footer, "B note") || strings.Contains(footer, "?")) {
			t.Errorf("the footer is %q", footer)
		}
	}
}
