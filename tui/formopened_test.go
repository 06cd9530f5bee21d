package tui

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/tuitest"
)

func TestAHitInAFormOpensAtItsQuestion(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Boats", "/home/you/harbour")
	spec := questions.Spec{Title: safe.New("How to build it"), Intro: safe.New("About boats")}
	for i := range 40 {
		q := questions.Question{ID: fmt.Sprint("q", i), Kind: questions.Text, Label: safe.New(fmt.Sprintf("The label of number %d", i)), Tab: safe.New(questions.DefaultTab)}
		if i == 33 {
			q.Tab, q.Description = safe.New("Later"), safe.New("What becomes of the rudder")
		}
		spec.Questions = append(spec.Questions, q)
	}
	if _, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec}); err != nil {
		t.Fatal(err)
	}
	for query, question := range map[string]int{"rudder": 33, `"number 20"`: 20, "boats kind:question": 0} {
		r := w.browse(false, 80, 24, themes.None())
		r.keys("f").send(tea.PasteMsg{Content: query})
		r.keys("enter")
		form := r.w.top().(*askScreen).form
		if e := asked(form).state.focused(); question > 0 && (e == nil || e.q.ID != fmt.Sprint("q", question)) {
			t.Errorf("%s opens at %+v", query, e)
		}
		if question > 0 {
			r.shows(fmt.Sprintf("The label of number %d", question))
		}
	}
}

// A comment that was found is where its review opens.
func TestAFoundCommentIsOpenedAtItsLine(t *testing.T) {
	w := newWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
	w.Reviewed(ask, tuitest.ReviewedPlan, review.RequestChanges, tuitest.Comment(t, tuitest.ReviewedPlan, 3, 3, review.Remark, "Whose CSV?"), tuitest.Comment(t, tuitest.ReviewedPlan, 33, 33, review.Remark, "Ada owns the zebra key."))
	r := w.browse(false, 80, 24, themes.None())
	r.keys("f").send(tea.PasteMsg{Content: "zebra"})
	r.keys("enter")
	body := reviewOf(r.w.top().(*askScreen).form)
	if c, ok := body.shown(body.state.Cursor.Comment); !ok || c.From != 33 {
		t.Errorf("the cursor is on line %d:\n%s", body.state.Cursor.Line, r.text())
	}
	r.shows("Ada owns the zebra key.")
}
