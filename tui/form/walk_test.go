package form

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planb/questions"
	"planb/tui/form/field"
	"planb/tui/tuitest"
)

func heavyRig(t *testing.T) *formRig {
	t.Helper()
	return rig(t, formInputOf(specFile(t, "../../testdata/specs/heavy.json")), 80, 24)
}

func specFile(t *testing.T, path string) questions.Spec {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return tuitest.Parse(t, string(raw))
}

// asked is the kind of the question with the focus; empty elsewhere.
func (r *formRig) asked() questions.Kind {
	if e := r.q().state.focused(); e != nil {
		return e.q.Kind
	}
	return ""
}

// sends presses keys until the form is sent, and returns the answers. On the way the form
// shows once which questions are open.
func (r *formRig) sends(keys string) string {
	r.t.Helper()
	for range 2 {
		r.keys(keys)
		if msg, ok := last[SettleRequested](r); ok {
			return string(r.q().state.spec.AnswersJSON(msg.Outcome.Reply))
		}
	}
	r.t.Fatalf("%s does not send the form:\n%s", keys, r.screen())
	return ""
}

// TestFormWalkedByTab holds that Tab alone leads over every question, once and in
// order, to Submit and never to Back, that Shift+Tab leads back the same way, and
// that neither answers anything.
func TestFormWalkedByTab(t *testing.T) {
	t.Parallel()
	r := heavyRig(t)
	var order []string
	for _, q := range r.q().state.spec.Questions {
		order = append(order, q.ID)
	}
	walk := func(key string) (seen []string) {
		for range 3 * len(order) {
			r.keys(key)
			if e := r.q().state.focused(); e != nil {
				seen = append(seen, e.q.ID)
			} else if r.q().state.zone == inFooter || r.q().state.current() == nil {
				return seen
			}
		}
		return seen
	}
	if seen := walk("tab"); !slices.Equal(seen, order) || r.where() != "Submit" {
		t.Errorf("tab leads to %s over\n%v\nwant\n%v", r.where(), seen, order)
	}
	slices.Reverse(order)
	if seen := walk("shift+tab"); !slices.Equal(seen, order) {
		t.Errorf("shift+tab leads over\n%v\nwant\n%v", seen, order)
	}
	walk("tab")
	if r.keys("enter"); r.answersNow() != `{}` || r.where() != "strategy/shadow" {
		t.Errorf("only walked over, the form has the answers %s, and Submit leads to %s", r.answersNow(), r.where())
	}
	if _, sent := last[SettleRequested](r); sent {
		t.Error("a form that was only walked over is sent")
	}
}

// TestFormAnsweredWalkingByTab answers with Space, digits and letters, and goes on with Tab
// alone.
func TestFormAnsweredWalkingByTab(t *testing.T) {
	t.Parallel()
	r := heavyRig(t).keys("tab")
	for r.q().state.zone == inBody {
		switch r.asked() {
		case questions.Text, questions.LongText:
			r.write("as agreed")
		default:
			r.keys("space")
		}
		r.keys("tab")
	}
	const want = `{"strategy":"shadow","promises":["no-lost-order"],"slower_checkout":0.2,"overlooked":"as agreed",` +
		`"pace":"lag","io_share":0.2,"first_tables":["refunds"],"api_type":"number","dashboard":"as agreed",` +
		`"window":"sun-04","lock_timeout":2,"abort":["errors"],"undo":"rename","status_page":"as agreed",` +
		`"agree":["Storage on call"],"rehearsals":2,"verdict":"go","missing":"as agreed"}`
	if got := r.sends("enter"); got != want {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
}

// TestFormWalkedByEnter goes through the form by Enter alone, and by Tab out of long texts. It
// holds that Enter chooses, ticks or sets what is under the cursor, once, and nothing else.
func TestFormWalkedByEnter(t *testing.T) {
	t.Parallel()
	r := heavyRig(t)
	for range 3 * len(r.q().state.spec.Questions) {
		if r.where() == "Submit" {
			break
		}
		if r.asked() == questions.LongText {
			r.keys("tab")
		} else {
			r.keys("enter")
		}
	}
	const want = `{"strategy":"shadow","promises":["no-lost-order"],"slower_checkout":0.2,` +
		`"pace":"lag","io_share":0.2,"first_tables":["refunds"],"api_type":"number",` +
		`"window":"sun-04","lock_timeout":2,"abort":["errors"],"undo":"rename",` +
		`"agree":["Storage on call"],"rehearsals":2,"verdict":"go"}`
	if got := r.sends("enter"); got != want {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
}

// TestFormQuickDigits types 1 2 3 4 5 in one go in each question of every example. Only that
// question and the questions of one digit right after it may change.
func TestFormQuickDigits(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/specs/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		spec := specFile(t, file)
		for _, tab := range spec.Tabs() {
			for at, i := range tab.Questions {
				may := []string{spec.Questions[i].ID}
				for _, next := range tab.Questions[at+1:] {
					asked, then := spec.Questions[i], spec.Questions[next]
					if !(choice(asked.Kind) || field.HasRadios(asked)) || !choice(then.Kind) && !(field.HasRadios(asked) && field.HasRadios(then)) {
						break
					}
					may = append(may, spec.Questions[next].ID)
				}
				r := rig(t, formInputOf(spec), 80, 24)
				r.q().state.focusQuestion(i, field.Straight)
				r.keys("1 2 3 4 5")
				for id := range maps.Keys(r.Entry().Fields) {
					if !slices.Contains(may, id) {
						t.Errorf("%s: 1 2 3 4 5 typed in %s changed %s, and may change %v alone", filepath.Base(file), may[0], id, may)
					}
				}
			}
		}
	}
}

func choice(kind questions.Kind) bool { return kind == questions.Single || kind == questions.Multi }

// TestFormCorrectedByDigits holds in which questions a second digit corrects the first.
func TestFormCorrectedByDigits(t *testing.T) {
	t.Parallel()
	for next, want := range map[string]string{
		`"kind":"text"`:                                       `{"q":"b"}`,
		`"kind":"longtext"`:                                   `{"q":"b"}`,
		`"kind":"scale","min":1,"max":5`:                      `{"q":"b"}`,
		`"kind":"single","options":["c","d"]`:                 `{"q":"a","next":"d"}`,
		`"kind":"multi","options":["c","d"]`:                  `{"q":"a","next":["d"]}`,
		`"kind":"single","tab":"another","options":["c","d"]`: `{"q":"b"}`,
	} {
		spec := tuitest.Parse(t, fmt.Sprintf(`{"title":"t","questions":[{"id":"q","kind":"single","label":"l","options":["a","b"]},{"id":"next","label":"m",%s}]}`, next))
		if got := rig(t, formInputOf(spec), 80, 24).keys("1 2").answersNow(); got != want {
			t.Errorf("1 2 before a question of %s: %s, want %s", strings.ReplaceAll(next, `"`, ""), got, want)
		}
	}
}
