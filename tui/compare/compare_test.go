package compare

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// Two versions of a plan with every kind of change: words in long lines, in a table and in
// code, an item that went and one that came, a section that moved, and long unchanged parts.
const (
	planGoals = "## Goals\n\n- Events of one customer arrive in order.\n- No event is lost when a worker dies.\n- A slow receiver never delays another customer.\n"
	planStore = "\n## Storage\n\nEvents live in one table, partitioned by day. The index on customer and number is the only one.\n\n" +
		"- A partition is dropped after thirty days.\n- The payload is what the producer gave us.\n- Nothing else is stored.\n"
	planOrder = "\n## Order\n\nA queue has one worker at a time:\n\n1. It takes the lock of the queue.\n2. It sends what is due.\n3. It notes what came back.\n4. It gives the lock back.\n\n" +
		"A worker that dies loses its lock after a minute.\n\nNobody else may touch the queue until then, so that no event overtakes another.\n"

	planOlder = "# Delivery\n\nWe keep **one** queue per customer and deliver events in order. A delivery that fails is tried again until a day has passed.\n\n" +
		planGoals + planStore + planOrder +
		"\n## Retries\n\n| try | wait | who is told |\n|---|---:|---|\n| 1 | 1 s | nobody |\n| 2 | 5 s | nobody |\n\n" +
		"```go\nfunc (q *Queue) Next(ctx context.Context) (Event, error) {\n\treturn q.store.Pop(ctx, q.customer, time.Now())\n}\n```\n\n" +
		"## Rollout\n\n1. Behind a flag, for our own account.\n2. For ten customers who asked for it.\n3. For everybody, over a week.\n"
	planNewer = "# Delivery\n\nWe keep **one** queue per customer and deliver events in order. A delivery that fails is tried again until **three days** have passed; then the customer is told.\n\n" +
		planGoals + "- The customer can send again what was not delivered.\n" + planOrder +
		"\n## Retries\n\n| try | wait | who is told |\n|---|---:|---|\n| 1 | 1 s | nobody |\n| 2 | 10 s | nobody |\n| 3 | 10 min | the customer and us |\n\n" +
		"```go\nfunc (q *Queue) Next(ctx context.Context) (Event, error) {\n\treturn q.store.Pop(ctx, q.customer, time.Now().Add(-q.delay))\n}\n```\n" + planStore +
		"\n## Rollout\n\n1. Behind a flag, for our own account.\n2. For everybody, over a week.\n"
)

// show shows what changed between two versions of a plan.
func show(w *tuitest.World, session store.Session, older, newer, width, height int, theme themes.Theme) *tuitest.Rig {
	w.T.Helper()
	return tuitest.Open(w.T, New(Deps{Store: w.Store, Now: w.Clock, Cited: cited}, session, older, newer), width, height, theme)
}

// cited says what the question keep was answered.
func cited(context.Context, string, map[int]safe.Text) markdown.Cited {
	return markdown.NewCited(map[string]string{"keep": "answer: 30 days"})
}

// TestCompareScreens compares the screens with their golden files; TestRetroScreens says
// how to accept a change.
func TestCompareScreens(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Revised(planOlder, planNewer, planNewer)
	for _, view := range []struct{ name, keys string }{
		{"source", ""},
		{"sourceend", "n n n n n n"},
		{"unfolded", "enter down down"},
		{"read", "m"},
		{"readend", "n n n n n m"},
		{"versions", "c"},
		{"diffhelp", "?"},
	} {
		for _, look := range tuitest.Looks([][2]int{{40, 20}, {80, 30}, {160, 36}}) {
			t.Run(fmt.Sprintf("%s-%d-%s", view.name, look.Width, look.Theme.Name), func(t *testing.T) {
				r := show(w, session, 1, 2, look.Width, look.Height, look.Theme)
				r.T = t
				r.Keys(view.keys)
				golden.RequireEqual(t, r.Content())
			})
		}
	}
}

func TestNextAndPreviousChange(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised(planOlder, planNewer)
	for _, width := range []int{60, 160} {
		r := show(w, session, 1, 2, width, 16, themes.None())
		r.Shows("change 1 of ", "until a day has")
		n := r.Top().(*Screen).view.changes
		for i := 2; i <= len(n); i++ {
			r.Keys("n")
			r.Shows(fmt.Sprintf("change %d of %d", i, len(n)), "▌")
		}
		r.Shows("2. For everybody, over a week.")
		r.Keys("n").Shows("This is the last change.", fmt.Sprintf("change %d of", len(n)))
		for range n {
			r.Keys("p")
		}
		r.Shows("This is the first change.", "change 1 of ")
		r.Keys("end").Shows(fmt.Sprintf("change %d of", len(n)))
		r.Keys("home").Shows("change 1 of")
	}
}

func TestWhatIsFoldedIsOpened(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised(planOlder, planNewer)
	r := show(w, session, 1, 2, 80, 60, themes.None())
	r.Shows("⋯ 12 lines unchanged · Retries")
	r.Hides("It takes the lock")
	folds := strings.Count(r.Text(), "⋯")
	r.Keys("enter")
	for strings.Contains(r.Text(), "⋯") {
		r.Keys("enter")
		if folds--; folds < 0 {
			t.Fatal("folds that were opened do not stay open")
		}
	}
	r.Shows("It takes the lock")
	r.Keys("enter").Shows("Nothing is folded here.")
	r.Keys("u u").Hides("It takes the lock")
	r.Keys("u").Shows("It takes the lock", "A partition is dropped")
	r.Keys("u")
	for y, line := range strings.Split(r.Text(), "\n") {
		if strings.Contains(line, "unchanged · Retries") {
			r.Send(tea.MouseClickMsg{X: 10, Y: y, Button: tea.MouseLeft})
			break
		}
	}
	r.Shows("It takes the lock")
}

// Enter opens the fold at the marked change or below it, and one above it only without another.
func TestEnterOpensTheFoldAtTheMarkedChange(t *testing.T) {
	w := tuitest.NewWorld(t)
	r := show(w, w.Revised(planOlder, planNewer), 1, 2, 80, 60, themes.None())
	for _, keys := range []string{"end", "m end"} {
		r.Keys(keys+" p").Shows("▌⇅ “Storage” moved here", "⋯ 8 lines, moved unchanged · enter opens")
		r.Keys("enter").Shows("A partition is dropped", "⋯ 12 lines unchanged · Retries")
		for range strings.Count(r.Text(), "⋯") {
			r.Shows("enter opens")
			r.Keys("enter")
		}
		r.Hides("⋯")
	}
}

// The rule below says which lines are in view, until all are.
func TestTheRuleSaysWhichLinesAreInView(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised(planOlder, planNewer)
	r := show(w, session, 1, 2, 80, 20, themes.None())
	r.Shows("─ lines 1–16 of ")
	r.Keys("end p p p p p p p").Shows("This is the first change.")
	r.Hides("─ lines")
	show(w, session, 1, 2, 80, 90, themes.None()).Hides("─ lines")
}

func TestTheFooterOffersToFoldWhatIsUnfolded(t *testing.T) {
	w := tuitest.NewWorld(t)
	r := show(w, w.Revised(planOlder, planNewer), 1, 2, 160, 60, themes.None())
	for _, keys := range []string{"u", "m u"} {
		r.Keys(keys).Shows("u fold")
		r.Hides("unfold")
	}
}

func TestMovedSectionsSayWhereTheyWent(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised(planOlder, planNewer)
	for _, width := range []int{80, 160} {
		r := show(w, session, 1, 2, width, 70, themes.None())
		r.Shows("⇅ “Storage” moved down, to line ", "⇅ “Storage” moved here from above, line 11", "8 lines, moved unchanged", "1 moved")
		r.Hides("partition is dropped")
		back := show(w, session, 2, 1, width, 70, themes.None())
		back.Shows("“Storage” moved up, to line 11", "“Storage” moved here from below")
	}
}

// A section at the end of a text has no empty line below it. That is no change in the
// section: no line counts as gone, and both folds hide the same lines.
func TestASectionThatMovedToTheEndIsFolded(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised("# A\n"+planStore+planOrder, "# A\n"+planOrder+planStore)
	r := show(w, session, 1, 2, 80, 30, themes.None())
	if n := strings.Count(r.Text(), "⋯ 7 lines, moved unchanged"); n != 2 {
		t.Errorf("7 moved lines are counted at %d places, want 2:\n%s", n, r.Text())
	}
	r.Shows("+1 −0 · 1 moved")
	r.Hides("partition")
	r.Keys("m").Shows("⋯ 7 lines, moved unchanged")
	r.Hides("partition")
}

func TestAnotherVersionIsChosen(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised("# A\n\none\n", "# A\n\ntwo\n", "# A\n\nthree\n", "# A\n\nfour\n")
	r := show(w, session, 2, 3, 80, 20, themes.None())
	r.Shows("v2 → v3", "− two", "+ three")
	r.Keys("c").Shows("Compare v3 with", "v4", "▌ v2", "v1")
	r.Keys("down enter").Shows("v1 → v3", "− one", "+ three")
	r.Keys("c home enter").Shows("v3 → v4", "− three", "+ four")
	r.Keys("c esc").Shows("v3 → v4")
}

// The rendered diff keeps lists and tables, whatever changed inside them.
func TestChangesAreShownAsThePlanIsRead(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised(planOlder, planNewer)
	r := show(w, session, 1, 2, 80, 70, themes.None())
	r.Keys("m").Shows(
		"  We keep one queue", "~ fails is tried again until [−a day has−]{+three days have+} passed",
		"+ • The customer can send again what was not delivered.",
		"⇅ “Storage” moved down, after “Retries”", "⇅ “Storage” moved here from above, where it stood after “Goals”",
		"⋯ 8 lines, moved unchanged", "⋯ 12 lines unchanged", "enter opens",
		"− 2   │    5 s │ nobody", "+ 2   │   10 s │ nobody", "+ 3   │ 10 min │",
		"−       return q.store.Pop(ctx", "+       return q.store.Pop(ctx",
		"− 2. For ten customers", "  2. For everybody, over a week.", "change 1 of")
	r.Hides("**", "|", "It takes the lock")
	for strings.Contains(r.Text(), "enter opens") {
		r.Keys("enter")
	}
	r.Shows("It takes the lock")
	r.Keys("u u").Hides("It takes the lock")
	n := len(r.Top().(*Screen).asRead.changes)
	for i := 2; i <= n; i++ {
		r.Keys("n").Shows(fmt.Sprintf("change %d of %d", i, n))
	}
	r.Keys("n").Shows("This is the last change.")
	r.Keys("m").Shows("− 2. For ten customers who asked for it.", "change 7 of 7")
	r.Send(tea.WindowSizeMsg{Width: 130, Height: 60}).Keys("m").Shows("~ until [−a day has−]{+three days have+} passed{+; then the customer is told+}.")
}

// What a citation shows is no change where the citation is the same.
func TestCitationsShowTheAnswer(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised("# A\n\nWe keep them [q:keep] at home.\n", "# A\n\nWe keep them [q:keep] in a cave.\n\nAnd park them [q:keep].\n")
	r := show(w, session, 1, 2, 80, 20, themes.None())
	r.Shows("− We keep them [q:keep] at home.")
	r.Keys("m").Shows("~ We keep them (answer: 30 days) [−at home−]{+in a cave+}.", "+ And park them (answer: 30 days).")
}

// A link leads where the plan says, also if that part of the plan is in a section that moved.
func TestLinksThatASectionThatMovedDefines(t *testing.T) {
	w := tuitest.NewWorld(t)
	moved := planStore + "\n[notes]: https://example.org/n\n"
	session := w.Revised("# A\n\nUse [the notes][notes] once.\n"+moved+planOrder, "# A\n\nUse [the notes][notes] twice.\n"+planOrder+moved)
	r := show(w, session, 1, 2, 80, 60, themes.None())
	r.Shows("“Storage” moved down")
	r.Keys("m").Shows("~ Use the notes (https://example.org/n) [−once−]{+twice+}")
}

// Where a fold ends inside a section, it names the section.
func TestAFoldNamesItsSection(t *testing.T) {
	w := tuitest.NewWorld(t)
	items := "- item" + strings.Repeat("\n- item", 20)
	steps := "\n\n## Way\n\n" + items + "\n\n## Steps\n\n" + items + "\n"
	session := w.Revised("# A\n\none"+steps, "# A\n\ntwo"+steps+"- last\n")
	r := show(w, session, 1, 2, 80, 30, themes.None())
	r.Shows("unchanged · Steps")
	r.Keys("m").Shows("unchanged · Steps", "+ • last")
}

// What the person has unfolded stays so in another theme.
func TestAThemeFoldsNothing(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	r := show(w, w.Revised(planOlder, planNewer), 1, 2, 80, 70, themes.Default(true))
	for _, keys := range []string{"enter enter", "t", "m enter enter", "t"} {
		r.Keys(keys).Shows("It takes the lock")
	}
}

// The rendered diff stays visible, and at its place, while it is rendered anew.
func TestChangesStayWhileTheyAreLaidOutAnew(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Revised(planOlder, planNewer)
	r := show(w, session, 1, 2, 80, 24, themes.Default(true))
	r.Keys("m n n n")
	r.Shows("change 4 of 7")
	for _, msg := range []tea.Msg{tea.WindowSizeMsg{Width: 60, Height: 18}, screen.SwitchTheme{}, tea.WindowSizeMsg{Width: 100, Height: 30}} {
		_, cmd := r.Update(msg)
		r.Shows("change 4 of 7", "▌")
		r.Run(cmd)
		r.Shows("change 4 of 7", "▌")
	}
}

func TestAnotherVersionIsChosenWhereOneCannotBeRead(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised("# A\n\none\n", "# A\n\ntwo\n")
	r := show(w, session, 9, 2, 80, 20, themes.None())
	r.Shows("! v9 cannot be read")
	r.Keys("n m u enter y p c enter").Shows("v1 → v2", "− one")
}

// While another version is read, nothing is left of the one before: neither what is still being
// rendered of it, nor the keys for its changes.
func TestNothingIsLeftOfAnotherComparison(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised(planOlder, planNewer, planOlder)
	r := show(w, session, 1, 2, 80, 30, themes.None())
	d := r.Top().(*Screen)
	rendering := d.switchView()
	rendering = d.Update(rendering()) // the section that moved
	reading := d.compare(3)
	r.Run(rendering)
	r.Hides("next change", "lines 1–")
	r.Run(reading)
	r.Shows("v2 → v3", "change 1 of ")
	r.Run(d.compare(9))
	r.Shows("! v9 cannot be read")
	r.Hides("next change", "lines 1–")
}

func TestVersionsThatReadTheSameAreSaid(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised("# A\n\n* one\n* two\n", "A\n=\n\n- one\n- two\n")
	r := show(w, session, 1, 2, 80, 20, themes.None())
	r.Shows("− * one", "+ - one")
	r.Keys("m").Shows("Both versions read the same: what changed is only in their Markdown.")
	r.Keys("n p enter u end m").Shows("− * one")
}

// A large plan is rendered part by part, so that its first screen is there at once.
func TestALargePlanIsReadPartByPart(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	var older, newer strings.Builder
	for i := range 200 {
		chapter := fmt.Sprintf("## Chapter %d\n\nSee [the notes][notes]. %s\n\n```\n# no heading\n```\n\n- item\n\n", i, strings.Repeat("Some words about it. ", 60))
		older.WriteString(chapter)
		if i%50 == 7 {
			chapter = strings.Replace(chapter, "about", "against", 1)
		}
		newer.WriteString(chapter)
	}
	defs := "[notes]: https://example.org/notes\n"
	session := w.Revised(older.String()+defs, newer.String()+defs)
	r := show(w, session, 1, 2, 80, 24, themes.None())
	d := r.Top().(*Screen)
	d.reading = true
	msg := d.startReading()().(readRendered)
	if d.Update(readRendered{d, msg.round - 1, msg.unit, msg.doc}); d.asRead.stretches[0].done {
		t.Fatal("what was laid out for another width was taken")
	}
	d.Update(msg)
	r.Shows("Chapter 7", "Some words [−about−]{+against+}", "the notes (https://example.org/notes)")
	if n := len(d.asRead.stretches); n < 10 || d.asRead.complete() {
		t.Fatalf("%d parts, all at once: %v", n, d.asRead.complete())
	}
	r.Run(d.renderRead())
	r.Shows("change 1 of 4")
	r.Keys("n n n").Shows("Chapter 157", "change 4 of 4")
	var all strings.Builder
	for _, unit := range d.asRead.stretches {
		if unit.doc.Notice != "" {
			t.Error(unit.doc.Notice)
		}
		all.WriteString(unit.after.Text.Raw())
	}
	if all.String() != newer.String()+defs {
		t.Error("the parts are not the plan")
	}
}

func TestTheSameTextIsSaid(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised("# A\n", "# A\n")
	r := show(w, session, 1, 2, 80, 20, themes.None())
	r.Shows("The text of v1 and v2 is the same.", "from “Delivery” to", "“Delivery, again”", "+0 −0")
	r.Keys("n p enter y").Shows("There is nothing to copy")
}

// A line of Markdown that consists of rules is drawn as any other, also in the first row.
func TestARuleOfTheMarkdownStays(t *testing.T) {
	w := tuitest.NewWorld(t)
	tail := "────────\n" + strings.Repeat("- x\n", 50)
	r := show(w, w.Revised("one\n"+tail, "two\n"+tail), 1, 2, 50, 20, themes.None())
	r.Keys("u down down").Shows("   ────────\n")
}

// Panning moves wide code alone, and back where a wider window has room for it.
func TestWideCodeIsPanned(t *testing.T) {
	w := tuitest.NewWorld(t)
	code := "\n\n```\n" + strings.Repeat("0123456789", 9) + "\n```\n"
	r := show(w, w.Revised("# A\n\none"+code, "# A\n\ntwo"+code), 1, 2, 80, 20, themes.None())
	r.Keys("m right right right").Shows("− one", "+ two", "‹")
	r.Send(tea.WindowSizeMsg{Width: 120, Height: 20}).Shows("− one", " 0123456789")
	r.Hides("‹")
	r.Send(tea.WindowSizeMsg{Width: 80, Height: 20}).Shows(" 0123456789")
}

// Where a sentence stands in place of the changes, the footer has only keys that do something there.
func TestTheFooterBelowASentence(t *testing.T) {
	w := tuitest.NewWorld(t)
	items := strings.Repeat("* x\n", 20)
	session := w.Revised("# A\n\n* one\n"+items, "A\n=\n\n- one\n"+strings.ReplaceAll(items, "*", "-"))
	same := show(w, w.Revised(items, items), 1, 2, 80, 20, themes.None())
	same.Shows("is the same.", "esc back")
	same.Hides("enter", "unfold", "y copy")
	same.Keys("enter").Shows("Nothing is folded here.")
	read := show(w, session, 1, 2, 80, 20, themes.None()).Keys("m")
	read.Shows("Both versions read the same", "m Markdown", "y copy")
	read.Hides("enter", "unfold")
	unread := show(w, session, 1, 9, 80, 20, themes.None()).Keys("m")
	unread.Shows("! v9 cannot be read", "esc back")
	unread.Hides("Markdown", "unfold", "y copy")
}

func TestAVersionThatCannotBeReadIsSaid(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised("# A\n")
	show(w, session, 1, 2, 80, 20, themes.None()).Shows("! v2 cannot be read")
}

func TestLineEndsAreShownWhereTheyChanged(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Revised("# A\r\none\r\ntwo", "# A\none\r\ntwo\n")
	show(w, session, 1, 2, 80, 20, themes.None()).Shows("− # A (CR LF)", "+ # A (LF)", "− two (no line end)", "+ two (LF)")
}

// Whatever agents write, a diff stays inside the window and is drawn soon.
func TestHostilePlansAreCompared(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	long := strings.Repeat("word ", 2<<20)
	evil := "\x1b]0;owned\a\x1b[2J\u202eevil\u200b\tx\u0301\u0301\r\u009b31m 検索の結果をどの順番で表示するか"
	session := w.Revised(
		"# A\n"+evil+" one "+evil+"\n"+long+"\nend\n"+strings.Repeat("same\n", 100_000),
		"# B\n"+evil+" two "+evil+"\n"+long+"and\nend\n"+strings.Repeat("same\n", 100_001),
	)
	for _, width := range []int{40, 121} { // in one column, and beside each other
		r := show(w, session, 1, 2, width, 24, themes.Default(true))
		for _, keys := range []string{"", "n", "n n", "end", "u", "pgdown", "home u enter", "m", "n n", "end", "home enter", "u"} {
			r.Keys(keys)
			for _, line := range strings.Split(r.Text(), "\n") {
				if cells := ansi.StringWidth(line); cells > width {
					t.Fatalf("%d cells wide at %d: %q", cells, width, line)
				}
			}
			if strings.ContainsAny(r.Text(), "\x1b\a\r\u009b\u202e") {
				t.Fatalf("control characters are drawn: %q", r.Text())
			}
		}
	}
}

// Lines that nearly all fit into a half stand beside each other. Prose that would wrap in the
// halves of a window stands in one column, until the window is wide enough.
func TestProseThatWrapsInAHalfStandsInOneColumn(t *testing.T) {
	w := tuitest.NewWorld(t)
	short := strings.Repeat("- a short item\n", 12)
	prose := "What is said here needs more than the half of a window with 120 columns.\n"
	for _, test := range []struct {
		text  string
		width int
		same  bool
	}{
		{short, 119, false},
		{short, 120, true},
		{short + prose + "\n", 120, true},
		{short + strings.Repeat(prose, 4), 120, false},
		{short + strings.Repeat(prose, 4), 170, true},
	} {
		r := show(w, w.Revised(test.text+"\nold\n", test.text+"\nnew\n"), 1, 2, test.width, 40, themes.None())
		beside := false
		for _, line := range strings.Split(r.Text(), "\n") {
			beside = beside || strings.Contains(line, "− old") && strings.Contains(line, "+ new")
		}
		if beside != test.same {
			t.Errorf("with %d columns beside each other: %t\n%s", test.width, beside, r.Text())
		}
	}
}
