package plans_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
)

// A person reviews a file line by line, and later versions of it come meanwhile from other
// terminals. They approve the last one: each of the commands ends as approved, and prints what
// was said of that version.
func TestAReviewLineByLineEndsWithTheVerdictOnTheLastVersion(t *testing.T) {
	t.Parallel()
	tm := rig.StartTmux(t, 160, 50)
	for _, last := range []int{2, 3} {
		data, dir := t.TempDir(), t.TempDir()
		file := filepath.Join(dir, "f.md")
		var panes []string
		for version := 1; version <= last; version++ {
			rig.WriteFile(t, file, fmt.Sprintf("# Harbour\n\nDig %d basins.\n", version))
			panes = append(panes, tm.NewWindow("-e", "PLANB_DATA_DIR="+data, "-e", "LC_ALL=C.UTF-8", "-e", "ACCESSIBLE=1", "--",
				"sh", "-c", `"$0" review "$1" > "$2"; echo $? > "$2.code"`, rig.Planb(t), file, filepath.Join(dir, fmt.Sprint(version))))
			tm.Shows(panes[version-1], fmt.Sprintf("Dig %d basins.", version), "What do you say of the plan?")
		}
		for _, step := range []struct{ see, text string }{
			{"The plan was submitted again: that comes up", "approve"},
			{"Nothing was sent: the plan was submitted again.", "answer"},
			{fmt.Sprintf("v%d replaces v1", last), "whole Enough basins."},
			{"Noted.", "approve"},
			{"What else do you want to say?", ""},
			{"Type yes to send it:", "yes"},
		} {
			tm.Shows(panes[0], step.see)
			tm.Text(panes[0], step.text)
			tm.Keys(panes[0], "Enter")
		}
		tm.Gone(panes[0])
		for i, pane := range panes {
			if 0 < i && i < last-1 {
				tm.Shows(pane, "The plan was submitted again: that comes up when you have answered this.")
				tm.Keys(pane, "Enter")
			} else if i > 0 { // what the person types here must not reach the shell
				tm.Shows(pane, "Press Enter to go on:")
				tm.Keys(pane, "Enter")
			}
			tm.Gone(pane)
			to := filepath.Join(dir, fmt.Sprint(i+1))
			if code := strings.TrimSpace(rig.ReadFile(t, to+".code")); code != "0" {
				t.Errorf("%d versions: the review begun with v%d ended with %s", last, i+1, code)
			}
			if out, want := rig.ReadFile(t, to), `{"approved":true,"feedback":"# Plan review: approved with notes\n\nEnough basins.\n"}`+"\n"; out != want {
				t.Errorf("%d versions: the review begun with v%d printed %swant %s", last, i+1, out, want)
			}
		}
		st := rig.OpenStore(t, data)
		sessions, _, err := st.Sessions(t.Context(), "", 2)
		if err != nil || len(sessions) != 1 {
			t.Fatalf("there are %d sessions, %v", len(sessions), err)
		}
		asks, err := st.Asks(t.Context(), sessions[0].ID)
		if err != nil || len(asks) != last {
			t.Fatalf("there are %d reviews, %v", len(asks), err)
		}
		for i, ask := range asks {
			want := questions.Withdrawn
			if i == last-1 {
				want = questions.Answered
			}
			if ask.Outcome.State != want || ask.Spec.Plan.Number != i+1 || ask.Delivered.IsZero() != (want == questions.Withdrawn) {
				t.Errorf("%d versions: the review of v%d is %s, delivered %s", last, ask.Spec.Plan.Number, ask.Outcome.State, ask.Delivered)
			}
		}
	}
}
