package form

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/tui/screen"
	"planb/tui/tuitest"
)

// TestSplitKeepsBothSidesUsable holds for any share and size that each side has its least size,
// and that a border stays where it was put.
func TestSplitKeepsBothSidesUsable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Split{Beside: rapid.IntRange(0, splitWhole).Draw(t, "beside"), Below: rapid.IntRange(0, splitWhole).Draw(t, "below")}
		width := rapid.IntRange(sideWidth, WideWidth).Draw(t, "width")
		rows := rapid.IntRange(panelLeastBody, 100).Draw(t, "rows")
		if cells := s.beside(width); cells < leastPanel || width-cells < leastQuestions {
			t.Fatalf("%+v leaves %d of %d cells to the panel", s, cells, width)
		}
		if high := s.below(rows); high < panelLeast || rows-high < leastQuestionRows {
			t.Fatalf("%+v leaves %d of %d rows to the panel", s, high, rows)
		}
		for _, p := range []panelPlan{{of: width}, {of: rows, below: true}} {
			for size := p.size(s); ; size++ {
				to := p.with(s, size)
				if p.size(to) != size {
					break // no further
				}
				if again := p.with(to, p.size(to)); again != to || to.Beside > splitWhole || to.Below > splitWhole {
					t.Fatalf("%d of %d is kept as %+v and then as %+v", size, p.of, to, again)
				}
			}
		}
	})
}

// borderOf returns the first column of a panel beside the questions, or the first row of one
// below them.
func borderOf(r *formRig) int {
	r.View()
	if r.q().panel.plan.below {
		return r.q().panel.at.Y
	}
	return r.q().panel.at.X
}

func TestKeysMoveTheBorder(t *testing.T) {
	t.Parallel()
	ten := `{"title":"Where","questions":[{"id":"a","kind":"single","label":"Which?","options":[{"value":"x","markdown":"` + strings.Repeat(`- line\n`, 10) + `"},"y"]}]}`
	for _, c := range []struct {
		name, form    string
		width, height int
		step          int
		least, most   int // where the border can be
	}{
		{"beside", tuitest.RichForm, 120, 40, splitCells, leastQuestions, 120 - leastPanel},
		{"below", ten, 80, 40, splitRows, 0, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rig(t, formInputOf(tuitest.Parse(t, c.form)), c.width, c.height)
			if !r.q().illustratesCurrent() {
				r.keys("right")
			}
			was := borderOf(r)
			if now := borderOf(r.keys("<")); now != was-c.step {
				t.Errorf("< moved the border from %d to %d", was, now)
			}
			if now := borderOf(r.keys("> >")); now != was+c.step {
				t.Errorf("> moved the border from %d to %d", was-c.step, now)
			}
			for key, says := range map[string]string{"<": "The panel cannot be larger.", ">": "The panel cannot be smaller."} {
				for range 60 {
					r.keys(key)
				}
				if !strings.Contains(r.screen(), says) {
					t.Errorf("%s moves the border for ever:\n%s", key, r.screen())
				}
				at, screen := borderOf(r), r.View().Content
				r.keys(key)
				if r.View().Content != screen {
					t.Errorf("at the end, %s still does something", key)
				}
				if at < c.least || at > c.most {
					t.Errorf("%s moved the border to %d", key, at)
				}
				if r.keys("down"); strings.Contains(lastRow(r), key+" ") {
					t.Errorf("%s is still offered: %s", key, lastRow(r))
				}
			}
		})
	}
}

// TestLargerIsLarger holds that each key that moves the border below the questions makes the
// panel larger or smaller by what it says, or says that it cannot be so.
func TestLargerIsLarger(t *testing.T) {
	t.Parallel()
	forms := map[string]string{"costs": costsForm()}
	for _, options := range []int{1, 4} {
		for _, lines := range []int{1, 7, 30} {
			forms[fmt.Sprintf("%d options, %d lines", options, lines)] = `{"title":"Where","questions":[{"id":"a","kind":"single","label":"Which?","options":[{"value":"x","markdown":"` +
				strings.Repeat(`- line\n`, lines) + `"}` + strings.Join([]string{"", `"b"`, `"c"`, `"d"`, `"e"`}[:options+1], ",") + `]}]}`
		}
	}
	for name, form := range forms {
		for _, height := range []int{18, 20, 24, 40} {
			r := rig(t, formInputOf(tuitest.Parse(t, form)), 80, height)
			for _, key := range []string{"<", ">", "<"} {
				for range height {
					r.View()
					was := r.q().panel.plan.rows
					if was == 0 {
						break // no room for a panel
					}
					r.keys(key).View()
					by := r.q().panel.plan.rows - was
					if key == ">" {
						by = -by
					}
					if strings.Contains(r.screen(), "The panel cannot be ") {
						if by != 0 {
							t.Errorf("%s in %d rows: %s says that it does nothing, and changes the panel of %d rows by %d", name, height, key, was, by)
						}
						break
					}
					if by <= 0 {
						t.Errorf("%s in %d rows: %s changes the panel of %d rows by %d:\n%s", name, height, key, was, by, r.screen())
						break
					}
				}
			}
		}
	}
}

// TestSplitFitsAnotherSize holds that the share stays the same when the window changes.
func TestSplitFitsAnotherSize(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right < < <")
	share := float64(120-borderOf(r)) / 120
	r.Resize(160, 40)
	r.send(screen.Relaid{})
	if got := float64(160-borderOf(r)) / 160; got < share-0.01 || got > share+0.01 {
		t.Errorf("of 160 cells the panel has %.2f, it had %.2f", got, share)
	}
	r.Resize(120, 40)
	r.send(screen.Relaid{})
	if got := float64(120-borderOf(r)) / 120; got != share {
		t.Errorf("back in 120 cells the panel has %.2f, it had %.2f", got, share)
	}
}

func TestASettingDividesTheForm(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ width, height, percent, columns, rows int }{
		"beside":                      {width: 120, height: 40, percent: 40, columns: 48},
		"more than the questions can": {width: 120, height: 40, percent: 90, columns: 120 - leastQuestions},
		"less than the panel can":     {width: 120, height: 40, percent: 10, columns: leastPanel},
		"below":                       {width: 80, height: 40, percent: 20, rows: 7},
	} {
		t.Run(name, func(t *testing.T) {
			in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
			in.Panel = c.percent
			r := rig(t, in, c.width, c.height).keys("right")
			at, to := borderOf(r), r.q().panel.to
			if c.columns > 0 && c.width-at != c.columns || c.rows > 0 && to.Y-at != c.rows {
				t.Errorf("the panel is from %+v to %+v, want %d columns, or %d rows", r.q().panel.at, to, c.columns, c.rows)
			}
			if now := borderOf(r.keys("<")); now == at && c.percent < 90 {
				t.Error("< does not move the border")
			}
		})
	}
}

func TestNoPanelNoBorder(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 50, 14).keys("right <")
	if !strings.Contains(r.screen(), "z zooms it") {
		t.Errorf("without room for a panel < did this:\n%s", r.screen())
	}
	r = rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right")
	was := borderOf(r)
	if now := borderOf(r.keys("end < home")); now != was {
		t.Errorf("on a tab without illustrations < moved the border from %d to %d", was, now)
	}
}
