package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
)

// mappedTo are the keys of settings that are all right.
func mappedTo(t *testing.T, settings string) Keys {
	t.Helper()
	keys, problems := NewKeys(settingsOf(settings), didYouMean)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", settings, problems)
	}
	return keys
}

func TestAMappedFormIsUsedByItsKeys(t *testing.T) {
	in := formInputOf(parseForm(t, richForm))
	in.Keys = mappedTo(t, "form.submit=ctrl+x form.help=f1,H form.note=B form.copy= form.up=up,k form.zoom=x text.line-start=alt+a")
	in.Mistakes = []string{"config.toml:3: there is no setting \"them\"; did you mean theme?", "config.toml:4: more"}
	r := rig(t, in, 80, 24)
	if screen := r.screen(); !strings.Contains(screen, "In your settings, beside 1 more (planb config check): config.toml:3") {
		t.Errorf("the form does not tell of the mistakes:\n%s", screen)
	}
	r.keys("right n")
	if strings.Contains(r.screen(), "✎") {
		t.Errorf("n still writes a note:\n%s", r.screen())
	}
	r.keys("B").write("ask ops").keys("alt+a").write("! ").keys("enter")
	if got := r.draft().Fields["format"].Note.Raw(); got != "! ask ops" {
		t.Errorf("the note is %q", got)
	}
	before := r.where()
	if r.keys("k"); r.where() == before {
		t.Errorf("k moves nothing from %s", before)
	}
	if r.keys("ctrl+s"); r.dialog != nil || r.stage != filling || r.status != "" {
		t.Errorf("ctrl+s still submits:\n%s", r.screen())
	}
	if r.keys("ctrl+x"); r.status == "" && r.dialog == nil && r.stage == filling {
		t.Errorf("ctrl+x submits nothing:\n%s", r.screen())
	}
	// In the menu its letters mean its items, whatever they are elsewhere.
	r.keys("esc esc")
	if r.dialog == nil {
		r.keys("esc")
	}
	if r.dialog == nil || !slices.ContainsFunc(r.dialog.items, func(i item) bool { return i.letter == "k" || i.letter == "s" }) {
		t.Fatalf("no menu:\n%s", r.screen())
	}
	if hints := ansi.Strip(r.lastLine(78)); !strings.Contains(hints, "close") {
		t.Errorf("the menu's keys are %q", hints)
	}
}

// Footer and help say the keys that count, and all else as ever.
func TestFooterAndHelpFollowTheKeys(t *testing.T) {
	help := func(keys Keys, width int) (footer string, lines []string) {
		in := formInputOf(parseForm(t, richForm))
		in.Keys = keys
		r := rigIn(t, in, width, 24, themes.None()).keys("right")
		footer = ansi.Strip(r.lastLine(width - 2))
		r.keys("f1")
		r.Resize(width, 120)
		return footer, strings.Split(r.screen(), "\n")
	}
	keys := mappedTo(t, "submit=ctrl+x help=f1,H form.note=B form.copy= form.up=up,k form.previous-tab=alt+p form.toggle=ctrl+space")
	for width, want := range map[int]string{
		40: "question above|ctrl+pgup previous tab, from anywhere|(also alt+←)|space choose, toggle or set|n a note on this question|ctrl+s submit|f1 help|y copy what has the focus|? help → " +
			"question above (also k)|alt+p previous tab, from anywhere|ctrl+space choose, toggle or set|B a note on this question|ctrl+x submit|f1 help (also H)",
		80: "↑ previous option, then the question above|ctrl+pgup previous tab, from anywhere (also alt+←)|space choose, toggle or set|n a note on this question|ctrl+s submit|f1 help|y copy what has the focus|? help → " +
			"↑ previous option, then the question above (also k)|alt+p previous tab, from anywhere|ctrl+space choose, toggle or set|B a note on this question|ctrl+x submit|f1 help (also H)",
	} {
		_, before := help(Keys{}, width)
		footer, after := help(keys, width)
		without := func(lines, others []string) string {
			var list []string
			for _, line := range lines {
				if text := strings.Join(strings.Fields(line), " "); !slices.Contains(others, line) && text != "" {
					list = append(list, text)
				}
			}
			return strings.Join(list, "|")
		}
		if got := without(before, after) + " → " + without(after, before); got != want {
			t.Errorf("%d columns: got\n%s\nwant\n%s\nthe help:\n%s", width, got, want, strings.Join(after, "\n"))
		}
		if width == 80 && (!strings.Contains(footer, "H help") || !strings.Contains(footer, "B note") || strings.Contains(footer, "?")) {
			t.Errorf("the footer is %q", footer)
		}
	}
}

// What is said in passing names the keys that count, too.
func TestHintsOfAReviewFollowItsKeys(t *testing.T) {
	w := newWorld(t)
	in := w.reviewInput(w.reviewAsk(w.session("Nightly export", "/home/you/shop"), "# Plan\n\nOne.\n\nTwo.\n", ""))
	in.Keys = mappedTo(t, "review.mark-deletion=X review.undo=U review.question=Q")
	r := rig(t, in, 80, 24).keys("down X")
	if screen := r.screen(); !strings.Contains(screen, "To be deleted: enter says why, X takes it back.") {
		t.Errorf("marked by X:\n%s", screen)
	}
	r.keys("backspace")
	if screen := r.screen(); !strings.Contains(screen, "U takes it back") {
		t.Errorf("deleted:\n%s", screen)
	}
	if r.keys("q"); r.stage != filling || len(r.told) > 0 && fmt.Sprintf("%T", r.told[len(r.told)-1]) == "tui.laterRequested" {
		t.Error("q, which asks nothing any more, leaves the review")
	}
	if r.keys("Q"); r.review.writes == nil {
		t.Errorf("Q asks no question:\n%s", r.screen())
	}
}

func TestMappedKeysOfALookAround(t *testing.T) {
	w := newWorld(t)
	w.session("Nightly export", "/home/you/shop")
	b := Options{Store: w.store, Now: w.clock, Terminal: Terminal{Keys: mappedTo(t, "sessions.quit=Q sessions.find=F sessions.archive=ctrl+a sessions.delete=")}}.browser(false)
	b.after = nil
	s := newSessionsScreen(b)
	if act := actionOf(s.keys, keyOf(t, "F")); act != actFind {
		t.Errorf("F is %v", act)
	}
	for _, gone := range []string{"f", "q", "D", "a"} {
		if act := actionOf(s.keys, keyOf(t, gone)); act != actNone {
			t.Errorf("%s is still %v", gone, act)
		}
	}
	for _, still := range []string{"ctrl+c", "Q"} {
		if act := actionOf(s.keys, keyOf(t, still)); act != actQuit {
			t.Errorf("%s does not leave", still)
		}
	}
	if text := tells(s.keys, "", actArchive, " archives") + tells(s.keys, "", actDelete, " deletes"); text != "ctrl+a archives" {
		t.Errorf("told %q", text)
	}
}
