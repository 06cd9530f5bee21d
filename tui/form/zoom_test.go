package form

import (
	"fmt"
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/tui/markdown"
	"planb/tui/marks"
	"planb/tui/tuitest"
)

// longAndWide is an illustration that fits no screen.
func longAndWide(name string) string {
	var lines []string
	for i := range 90 {
		lines = append(lines, fmt.Sprintf("%s line %d %s end %d", name, i, strings.Repeat("-", 150), i))
	}
	return "```text\\n" + strings.Join(lines, "\\n") + "\\n```"
}

// atlasForm asks for one of three and for some of three, all illustrated but one.
func atlasForm() string {
	question := func(id, kind string) string {
		return fmt.Sprintf(`{"id":"%s","kind":"%s","label":"Which %s?","description":"%s","options":[
		 {"value":"a","label":"Alpha","markdown":"%s"},{"value":"b","label":"Beta"},{"value":"c","label":"Gamma","markdown":"%s"},{"value":"d","label":"Delta","markdown":"### Small"}]}`,
			id, kind, id, strings.Repeat("words that describe ", 4), longAndWide("alpha"), longAndWide("gamma"))
	}
	return `{"title":"Atlas","intro":"` + longAndWide("intro") + `","questions":[` + question("one", "single") + "," + question("some", "multi") + `]}`
}

func TestZoomGoesFromOneToTheNext(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, atlasForm())), 80, 24).keys("right z down down pgdown right right")
	top, left := r.sheet.top, r.sheet.pan.Left
	if top == 0 || left != 2*markdown.PanCells || !strings.Contains(r.screen(), "○ Alpha · Which one?") || !strings.Contains(r.screen(), "1 of 3") {
		t.Fatalf("scrolled to %d, panned to %d:\n%s", top, left, r.screen())
	}
	r.keys("tab")
	if r.sheet.top != top || r.sheet.pan.Left != left || !strings.Contains(r.screen(), "Gamma · Which one?") || !strings.Contains(r.screen(), "2 of 3") {
		t.Errorf("the next one is scrolled to %d and panned to %d, the one before to %d and %d:\n%s", r.sheet.top, r.sheet.pan.Left, top, left, r.screen())
	}
	r.keys("tab tab tab")
	if !strings.Contains(r.screen(), "Delta · Which one?") || r.sheet.top != 0 || r.sheet.pan.Left != 0 {
		t.Errorf("at the last:\n%s", r.screen())
	}
	r.keys("shift+tab esc")
	if r.sheet != nil || r.where() != "one/c" {
		t.Errorf("after closing, the cursor is at %s", r.where())
	}
}

func TestZoomChooses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, answers, where string }{
		{"right z tab enter", `{"one":"c"}`, "one/c"},
		{"right z enter", `{"one":"a"}`, "one/a"},
		{"right z space", `{"one":"a"}`, "zoom"},
		{"right z space tab space", `{"one":"c"}`, "zoom"},
		{"right z space enter", `{"one":"a"}`, "one/a"},
		{"right tab z space tab space", `{"some":["a","c"]}`, "zoom"},
		{"right tab z space tab enter", `{"some":["a","c"]}`, "some/c"},
		{"right tab z space enter", `{"some":["a"]}`, "some/a"}, // Enter keeps what was chosen
		{"right tab z space space esc", `{}`, "some/a"},
		{"right z esc", `{}`, "one/a"},
		{"z space enter", `{}`, "intro"},
	} {
		t.Run(c.keys, func(t *testing.T) {
			r := rig(t, formInputOf(tuitest.Parse(t, atlasForm())), 80, 24).keys(c.keys)
			where := "zoom"
			if r.sheet == nil {
				where = r.where()
			}
			if got := r.answersNow(); got != c.answers || where != c.where {
				t.Errorf("answers %s at %s, want %s at %s", got, where, c.answers, c.where)
			}
			if where == "zoom" && !strings.ContainsAny(r.screen(), marks.Chosen+marks.Ticked) {
				t.Errorf("nothing says that it is chosen:\n%s", r.screen())
			}
		})
	}
}

func TestZoomOfWhatIsOnlyReadChoosesNothing(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, atlasForm()))
	in.ReadOnly = true
	r := rig(t, in, 80, 24).keys("right z space")
	if r.sheet == nil || r.sheet.top == 0 || strings.Contains(r.screen(), "choose") {
		t.Errorf("space does not turn the page:\n%s", r.screen())
	}
	if r.keys("enter"); r.sheet != nil || r.answersNow() != "{}" {
		t.Errorf("enter left %s", r.answersNow())
	}
}

// TestZoomPansToBothEnds holds that Home and End go first to an edge, then to the top or the
// bottom, and that each cell of each row comes into view.
func TestZoomPansToBothEnds(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, atlasForm())), 80, 24).keys("right z")
	if !strings.Contains(r.screen(), "›") || strings.Contains(r.screen(), "‹") {
		t.Errorf("at first:\n%s", r.screen())
	}
	r.keys("end")
	if got := r.screen(); r.sheet.top != 0 || !strings.Contains(got, "- end 3 ") || strings.Contains(got, "›") {
		t.Errorf("at the right edge:\n%s", got)
	}
	r.keys("end")
	if got := r.screen(); r.sheet.top != r.sheet.last || !strings.Contains(got, "- end 89") || !strings.Contains(got, "–90 of 90") {
		t.Errorf("at the bottom:\n%s", got)
	}
	if r.keys("home"); r.sheet.pan.Left != 0 || r.sheet.top != r.sheet.last {
		t.Errorf("home went to %d, %d", r.sheet.pan.Left, r.sheet.top)
	}
	if r.keys("home"); r.sheet.top != 0 {
		t.Errorf("home again went to row %d", r.sheet.top)
	}
	seen := r.sheet.pan.Left
	for range 40 {
		if r.keys("right"); r.sheet.pan.Left-seen > r.sheet.pan.Room-2 {
			t.Fatalf("a step from %d to %d leaves cells out", seen, r.sheet.pan.Left)
		}
		seen = r.sheet.pan.Left
	}
	if r.sheet.pan.Left != r.sheet.pan.Last {
		t.Errorf("panned to %d of %d", r.sheet.pan.Left, r.sheet.pan.Last)
	}
}

// TestWhatIsCutSaysSo holds that the screen tells which part of a text it shows if the text is
// longer or wider than its place.
func TestWhatIsCutSaysSo(t *testing.T) {
	t.Parallel()
	many := `{"title":"Many","questions":[{"id":"q","kind":"single","label":"Which?","options":[` + strings.Repeat(`"%",`, 60) + `"last"]}]}`
	for i := range 60 {
		many = strings.Replace(many, `"%"`, fmt.Sprintf(`"option %d"`, i), 1)
	}
	long := `{"title":"Long","questions":[{"id":"q","kind":"text","label":"Which?","description":"` + longAndWide("words") + `"}]}`
	plain := `{"title":"Plain","questions":[{"id":"q","kind":"single","options":["x","y"],"label":"` + strings.Repeat("a long label ", 310) + `"}]}`
	for _, size := range [][2]int{{40, 13}, {40, 20}, {80, 15}, {80, 24}, {120, 24}, {120, 40}} {
		for _, c := range []struct{ name, form, keys, rows, cols string }{
			{"intro", atlasForm(), "", "1–%d of 9", "←→ 1–%d of 17"},
			{"intro panned", atlasForm(), "shift+right", "1–%d of 9", "←→ 9–%d of 17"},
			{"zoomed intro", atlasForm(), "z", "1–%d of 90", "←→ 1–%d of 17"},
			{"zoomed illustration", atlasForm(), "right z", "1–%d of 90", "←→ 1–%d of 17"},
			{"zoomed label", plain, "z", "1–%d of ", ""},
			{"options", many, "", "1–%d of 6", ""},
			{"description", long, "", "–%d of 9", "←→ 1–%d of 17"},
			{"panel", atlasForm(), "right", "1–%d of 90", "←→ 1–%d of 17"},
		} {
			t.Run(fmt.Sprintf("%s at %d×%d", c.name, size[0], size[1]), func(t *testing.T) {
				r := rig(t, formInputOf(tuitest.Parse(t, c.form)), size[0], size[1]).keys(c.keys)
				if c.name == "panel" && r.q().panel.plan.of == 0 {
					t.Skip("no room for a panel")
				}
				if narrow := size[0] == 40 && (size[1] < roomyHeight || c.name == "panel"); narrow && r.sheet == nil && c.cols != "" {
					c.cols = "›" // there is room for one of the two
				}
				for _, want := range []string{c.rows, c.cols} {
					if !saysPart(r.screen(), want) {
						t.Errorf("nothing says %q:\n%s", want, r.screen())
					}
				}
			})
		}
	}
}

// saysPart reports whether the screen has a text with a number for its %d.
func saysPart(screen, want string) bool {
	before, after, numbered := strings.Cut(want, "%d")
	if !numbered {
		return strings.Contains(screen, want)
	}
	for rest := screen; ; {
		_, behind, found := strings.Cut(rest, before)
		if !found {
			return false
		}
		if strings.HasPrefix(strings.TrimLeft(behind, "0123456789"), after) {
			return true
		}
		rest = behind
	}
}

// TestUpShowsALongHeadBeforeItLeaves holds that ↑ scrolls to a long description while the keys
// that scroll belong to the panel.
func TestUpShowsALongHeadBeforeItLeaves(t *testing.T) {
	long := strings.Repeat("many words of it ", 300) + "and its end"
	r := rig(t, formInputOf(tuitest.Parse(t, `{"title":"Long","questions":[
	 {"id":"first","kind":"single","label":"First","options":["x","y"]},
	 {"id":"q","kind":"single","label":"The question","description":"`+long+`","options":[{"value":"a","markdown":"### A"},"b"]}]}`)), 120, 24).keys("tab down")
	if r.where() != "q/b" || r.q().scroll.above == 0 {
		t.Fatalf("at %s:\n%s", r.where(), r.screen())
	}
	r.keys("up")
	steps := 0
	for ; r.q().scroll.above > 0 && steps < 50; steps++ {
		before := r.screen()
		if r.keys("up"); r.where() != "q/a" || r.screen() == before {
			t.Fatalf("after %d steps at %s:\n%s", steps, r.where(), r.screen())
		}
	}
	if steps < 5 {
		t.Errorf("it took %d steps", steps)
	}
	if r.keys("up"); r.where() != "first/note" {
		t.Errorf("from its top, up went to %s", r.where())
	}
	if r.keys("down"); r.where() != "q/a" || !strings.Contains(r.screen(), marks.Focus) {
		t.Errorf("back at %s:\n%s", r.where(), r.screen())
	}
}

// TestZoomUsesTheRoom holds that the zoom puts prose into the middle, in lines that read
// well, and gives a diagram the whole width, so that it keeps its own direction.
func TestZoomUsesTheRoom(t *testing.T) {
	spec := tuitest.Parse(t, tuitest.RichForm)
	var chain []string
	for i := range 10 {
		chain = append(chain, fmt.Sprintf("N%d[Station number %d]", i, i))
	}
	spec.Intro = safe.New(strings.Repeat("words of prose ", 30) + "\n\n```mermaid\nflowchart LR\n" + strings.Join(chain, " --> ") + "\n```\n\nThe end.")
	r := rig(t, formInputOf(spec), 240, 40).keys("z")
	for _, line := range strings.Split(r.screen(), "\n")[2:38] {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "words of") {
			if left := len(line) - len(strings.TrimLeft(line, " ")); left != 70 || len(text) > ReadWidth {
				t.Errorf("prose stands in column %d, with %d letters", left, len(text))
			}
		}
		if strings.Contains(text, "Station number 0") && !strings.Contains(text, "Station number 9") {
			t.Errorf("the diagram is turned:\n%s", r.screen())
		}
	}
	if screen := r.screen(); !strings.Contains(screen, "words of") || !strings.Contains(screen, "Station number 9") || !strings.Contains(screen, "The end.") {
		t.Errorf("something is missing:\n%s", screen)
	}
}
