package drafts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	rules "planb/drafts"
	"planb/drafts/draftstest"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
	"planb/store/runs"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// Each decision takes a key and an answer, and reaches the store once.
func TestDecisions(t *testing.T) {
	t.Parallel()
	desks := map[string]*desk{"begun": begun(t), "gate": atGate(t), "done": done(t), "failed": brokenOff(t), "rejected": rejected(t)}
	for _, try := range []struct{ desk, keys, want string }{
		{"begun", "x y", "stop"},
		{"begun", "x esc", ""},
		{"begun", "x enter", ""},
		{"begun", "w", ""},
		{"begun", "g", ""}, // it is not written yet
		{"begun", "home g ctrl+s", `write brief again: ""`},
		{"begun", "home g m o r e ctrl+s", `write brief again: "more"`},
		{"begun", "home g m o r e esc", ""},
		{"begun", "home enter g x ctrl+s", `write brief again: "x"`},
		{"begun", "home enter g x alt+b y ctrl+s", `write brief again: "yx"`},
		{"begun", "home g x alt+backspace y ctrl+s", `write brief again: "y"`},
		{"begun", "home enter n n n g", ""}, // the choice is the person's
		{"begun", "home down down down c y", `write choose again: "", ask choose`},
		{"begun", "home down down down c esc", ""},
		{"begun", "home enter n n n c y", `write choose again: "", ask choose`},
		{"begun", "f", ""}, // there is no schedule yet
		{"done", "f right y", "place at most 4 at once, phase by phase"},
		{"done", "f left left left left y", "place at most 1 at once, phase by phase"},
		{"done", "f p t y", "place at most 3 at once, phases overlap, no task waits for another"},
		{"done", "f p p y", ""}, // as it was
		{"done", "f right down esc", ""},
		{"done", "tab tab f right y", "place at most 4 at once, phase by phase"},
		{"done", "enter f right y", "place at most 4 at once, phase by phase"},
		{"begun", "s", "save"},
		{"begun", "o", "report"},
		{"gate", "c", "ask choose"},
		{"gate", "enter", "ask choose"},
		{"gate", "home c", "ask choose"},
		{"gate", "tab c", "ask choose"},
		{"failed", "w y", "resume "},
		{"failed", "w a", "retry"},
		{"failed", "w esc", ""},
		{"failed", "x", ""},
		{"rejected", "w y", ""}, // only an edit of its brief lets it go on
		{"rejected", "w a", ""},
		{"done", "w y", "resume full"},
		{"done", "x", ""},
		{"done", "tab tab w y", "resume full"},
		{"done", "tab tab g", ""},
		{"done", "tab tab o", "report"},
	} {
		d := *desks[try.desk]
		d.said = nil
		r := d.open(120, 40, themes.None())
		r.Keys(try.keys)
		if got := strings.Join(d.said, ", "); got != try.want {
			t.Errorf("%s: %q did %q, want %q\n%s", try.desk, try.keys, got, try.want, r.Text())
		}
	}
}

func TestQuestionsSayWhatFollows(t *testing.T) {
	t.Parallel()
	desks := map[string]*desk{"begun": begun(t), "gate": atGate(t), "waiting": newDesk(t, draftstest.UpTo(t, "facts"), runs.Processing), "done": done(t), "failed": brokenOff(t), "rejected": rejected(t)}
	for _, try := range []struct {
		desk, keys string
		want       []string
	}{
		{"begun", "x", []string{"Stop the writing?", "“Repair workshop in the old bakery” keeps what is", "y stop it", "esc let it write", "the key w has the writing go on."}},
		{"begun", "x y", []string{"Stopped."}},
		{"begun", "w", []string{"It goes on already: Codex writes"}},
		{"waiting", "w", []string{"It goes on, once an agent or planb draft run "}},
		{"gate", "w", []string{"It is not stopped: waits for you: Chosen scenario."}},
		{"begun", "home g", []string{"written again?", "up to 5", "ctrl+s have it written again"}},
		{"begun", "home g ctrl+s", []string{"is written again, and up to 5 sections after it, if it changes."}},
		{"begun", "home down down e", []string{"No editor: set $VISUAL or $EDITOR."}},
		{"begun", "g", []string{"It is not written yet."}},
		{"failed", "w", []string{"It failed at Risks: three answers had mistakes.", "y go on", "a write all anew"}},
		{"rejected", "w", []string{"Its prompt cannot be planned: no goal: It names no goal. The key e on Brief changes that verdict."}},
		{"begun", "f", []string{"There is no schedule yet."}},
		{"done", "tab tab g", []string{"That is for a section. The key tab goes to the steps."}},
		{"done", "tab tab r", []string{"That is for a section."}},
		{"done", "tab tab e", []string{"That is for a section."}},
		{"done", "tab tab i", []string{"That is for a section."}},
		{"done", "f", []string{"How is the schedule to be made?", "← → At once at most 3 of 1 to 20", "p Phases ○ overlap ◉ one after another", "t Tasks ◉ wait for those that they name ○ wait for none", "Ends 2027-02-28, as before", "misses 1 fixed day"}},
		{"done", "f p", []string{"◉ overlap ○ one after another", "Ends 2027-02-28 → 2027-01-19, 40 days sooner"}},
		{"done", "f p y", []string{"The schedule is made anew. To be written again: 1 section."}},
		{"done", "f y", []string{"The schedule stays as it was."}},
		{"done", "w", []string{"Let this brief draft grow into a full one?"}},
		{"done", "x", []string{"Nobody writes it: it is written."}},
		{"done", "s", []string{"Saved as v3 of the plan of its session."}},
		{"done", "c", []string{"No form waits for you."}},
	} {
		for _, width := range []int{80, 120} {
			r := desks[try.desk].open(width, 40, themes.None())
			r.Keys(try.keys)
			flat := strings.Join(strings.Fields(r.Text()), " ")
			for _, text := range try.want {
				if !strings.Contains(flat, text) {
					t.Errorf("at %d columns %s, %q does not say %q:\n%s", width, try.desk, try.keys, text, r.Text())
				}
			}
		}
	}
}

// The prompt is told where a section comes from: in the list its beginning, or all of it if there
// is room, and all of it behind Enter.
func TestThePromptIsToldInFull(t *testing.T) {
	t.Parallel()
	d := begun(t)
	d.drafts[0].Draft.Prompt = "We open a shop. " + strings.Repeat("It repairs bicycles. ", 40) + "\n\nThat is all."
	roomy := d.open(120, 40, themes.None())
	roomy.Keys("home i")
	roomy.Shows("“We open a shop.", "is all.”")
	for _, width := range []int{40, 120} {
		r := d.open(width, 20, themes.None())
		r.Keys("home i")
		r.Shows("“We open a shop.", "…”")
		r.Hides("That is all.")
		r.Keys("down enter end")
		r.Shows("Your prompt", "That is all.")
		r.Keys("esc")
		r.Shows("It is made from")
	}
}

func TestADecisionThatFails(t *testing.T) {
	t.Parallel()
	d := begun(t)
	d.fails = &runs.Error{Code: runs.Conflict, What: "The step brief was changed since you read it.", Advice: "Call plan_status."}
	r := d.open(120, 40, themes.None())
	r.Keys("home g ctrl+s")
	r.Shows("That could not be done: The step brief was changed since you read it.")
	r.Hides("Call plan_status")
}

// What the person wrote for the agent is there again if it could not be kept.
func TestGuidanceThatFailsIsNotLost(t *testing.T) {
	t.Parallel()
	d := begun(t)
	d.fails = &runs.Error{Code: runs.Conflict, What: "The step brief was changed since you read it."}
	r := d.open(120, 40, themes.None())
	r.Keys("home g s h o r t ctrl+s")
	r.Shows("That could not be done: The step brief was changed since you read it.", "› short")
	d.fails = nil
	r.Keys("e r ctrl+s")
	if got := d.said[len(d.said)-1]; !strings.HasSuffix(got, `again: "shorter"`) {
		t.Errorf("sent is %s", got)
	}
}

// A text that came back from the editor as planb ended is kept.
func TestAnEditThatComesBackAtTheEndIsNotLost(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := New(begun(t).deps(), draftID)
	tuitest.Open(t, s, 120, 40, themes.None())
	ready := editorReady{screen: s, step: s.draft.Draft.Steps()[0], head: "# head\n", written: "# head\nbefore\n"}
	ready.left("# head\nbefore\n", nil)
	if parting, err := s.Close(t.Context()); err != nil || len(parting) > 0 {
		t.Errorf("of a text that did not change it says %q, %v", parting, err)
	}
	ready.left("# head\nafter\n", nil)
	parting, err := s.Close(t.Context())
	if err != nil || len(parting) != 2 {
		t.Fatalf("on leaving it says %q, %v", parting, err)
	}
	if got, err := os.ReadFile(parting[1]); err != nil || string(got) != "after\n" {
		t.Errorf("the file has %q, %v", got, err)
	}
}

// An edit comes back as the fields that it is; what cannot be read is kept for the next edit.
func TestEditing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	d := begun(t)
	deps := d.deps()
	deps.Environ = []string{"EDITOR=" + filepath.Join(dir, "editor"), "PATH=" + os.Getenv("PATH")}
	s := New(deps, draftID)
	r := tuitest.Open(t, s, 120, 40, themes.None())
	r.Keys("home")
	step, _ := s.step()
	record := s.draft.Draft.Records[step.ID]
	text := string(step.Shape.YAML(record.Output, caps(rules.Brief)))
	saves := func(text string) { r.Run(s.edited(editorLeft{screen: s, step: step, sha: record.SHA256, text: text})) }
	saves(commented("read me") + text)
	if r.Shows("Nothing was changed."); len(d.said) > 0 {
		t.Fatalf("an edit without a change did %q", d.said)
	}
	saves("title: [")
	if r.Shows("Not changed; your text is kept for the next edit"); len(d.said) > 0 || s.refused[step.ID].text != "title: [" {
		t.Fatalf("an edit that is no YAML did %q; kept %q", d.said, s.refused[step.ID].text)
	}
	title := record.Output.Text("title")
	saves(strings.Replace(text, title, "Another title", 1))
	if got := strings.Join(d.said, ", "); got != "edit brief" || len(s.refused) != 0 {
		t.Errorf("the edit did %q, and %d texts are kept\n%s", got, len(s.refused), r.Text())
	}
	r.Shows("Edited:", "To be written again: 1 section.")
	r.Run(s.edited(editorLeft{screen: s, step: step, sha: record.SHA256, err: errors.New("the editor failed")}))
	r.Shows("planb did not take over your edit: the editor failed.")
}

// What the person wrote and planb did not take over is in the next edit, without the comment
// above it, and in a file once they leave.
func TestAnEditIsNotLost(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := begun(t)
	s := New(d.deps(), draftID)
	r := tuitest.Open(t, s, 120, 40, themes.None())
	r.Keys("home")
	step, _ := s.step()
	record := s.draft.Draft.Records[step.ID]
	head := commented("read me")
	saves := func(text string) {
		r.Run(s.edited(editorLeft{screen: s, step: step, sha: record.SHA256, head: head, text: head + text}))
	}
	saves("title: [")
	if got := s.refused[step.ID].text; got != "title: [" {
		t.Errorf("the next edit begins with %q", got)
	}
	text := strings.Replace(string(step.Shape.YAML(record.Output, caps(rules.Brief))), record.Output.Text("title"), "Another title", 1)
	d.fails = errors.New("the disk is full")
	saves(text)
	r.Shows("Not changed; your text is kept for the next edit: the disk is full")
	if got := s.refused[step.ID].text; got != text {
		t.Errorf("the next edit begins with %q", got)
	}
	parting, err := s.Close(t.Context())
	if err != nil || len(parting) != 2 || !strings.Contains(parting[0], "“Brief”") {
		t.Fatalf("on leaving it says %q, %v", parting, err)
	}
	if got, err := os.ReadFile(parting[1]); err != nil || string(got) != text {
		t.Errorf("the file has %q, %v", got, err)
	}
}

// Of the sections that rest on one, the person reads what becomes of each if that one changes. What
// they edited stays, what they decided is asked again, and what is not written is not promised.
func TestOriginSaysWhatBecomesOfASection(t *testing.T) {
	t.Parallel()
	d := begun(t)
	r := d.drafts[0].Draft.Records["assumptions"]
	r.Edited, r.By = true, "anna@home"
	d.drafts[0].Draft.Records["assumptions"] = r
	rows := func() map[string]string {
		p := tuitest.Must(d.deps().readDraft(t.Context(), draftID, nil))
		said := map[string]string{}
		of := p.steps[p.at("brief")]
		for _, s := range p.after(of) {
			said[s.ID] = p.originWords(s, of)
		}
		return said
	}
	got := rows()
	for id, want := range map[string]string{
		"scenarios": "is written again · now by Codex", "choose": "you decide again · now by you", "assumptions": "stays · edited by you",
		"facts": "being written", "risks": "not written yet",
	} {
		if got[id] != want {
			t.Errorf("of %s it says %q, want %q", id, got[id], want)
		}
	}
	d.drafts[0].NoGates = true
	if got := rows()["choose"]; got != "is written again · now by you" {
		t.Errorf("without gates it says %q of a decision", got)
	}
	d = done(t)
	p := tuitest.Must(d.deps().readDraft(t.Context(), draftID, nil))
	if got := p.originWords(p.steps[p.at(scheduleStep)], p.steps[p.at("wbs")]); got != "is made again · by planb" {
		t.Errorf("of the schedule it says %q", got)
	}
	d.drafts[0].Draft.Target = rules.ValidatePlan
	p = tuitest.Must(d.deps().readDraft(t.Context(), draftID, nil))
	if got := p.originWords(p.steps[p.at(scheduleStep)], p.steps[p.at("wbs")]); got != "stays · by planb" {
		t.Errorf("of a section from another draft it says %q", got)
	}
}

// Beside the steps, in the section and line by line the person reads why the run failed at a step,
// and each mistake of the last answer that the run keeps. A reason that somebody gave is told as it is.
func TestWhyAStepFailed(t *testing.T) {
	t.Parallel()
	mistakes := []string{`risks[1].owner: got "the team"; allowed the name of one person`, "risks[4]: got nothing; allowed 5 to 12 risks"}
	refused := refusedThrice(t)
	givenUp := refusedThrice(t)
	givenUp.drafts[0].Error.Message = "three answers had mistakes"
	for _, height := range []int{24, 40} {
		for _, keys := range []string{"", "enter"} {
			r := refused.open(80, height, themes.None())
			r.Keys(keys)
			r.Shows(append(mistakes, "model-a gave no accepted answer")...)
			if strings.Contains(r.Text(), "no JSON object") {
				t.Errorf("an earlier answer is told:\n%s", r.Text())
			}
			r = givenUp.open(80, height, themes.None())
			r.Keys(keys)
			r.Shows("The run failed here: three answers had mistakes")
			if strings.Contains(r.Text(), mistakes[0]) {
				t.Errorf("the answer of somebody else is told:\n%s", r.Text())
			}
		}
	}
	r := refused.open(120, 40, themes.None())
	r.Shows("✗ failed at Risks: model-a gave no accepted answer")
	flat := strings.Join(strings.Fields(givenUp.open(80, 40, themes.None()).Text()), " ")
	if want := "w lets the run go on. Then your agent writes this step, or you run: planb draft run 00003f9a"; !strings.Contains(flat, want) {
		t.Errorf("it does not say %q:\n%s", want, flat)
	}
	reading := tuitest.Must(refused.deps().Read(t.Context(), draftID))
	step, _ := reading.Find("risks")
	if said := reading.About(step); !slices.Contains(said, mistakes[0]) || !slices.Contains(said, mistakes[1]) {
		t.Errorf("line by line it says %q", said)
	}
}

// What a draft waits for is said in the header, whatever it is.
func TestConditions(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]struct {
		change func(d *desk)
		want   rules.Condition
		words  string
	}{
		"written by an agent": {func(d *desk) { d.writes("Codex", "facts", 3) }, rules.DraftBeingWritten, "Codex writes"},
		"written by a worker": {func(d *desk) { d.drafts[0].Mode = runs.ByWorker }, rules.DraftBeingWritten, "planb writes"},
		"nobody":              {func(*desk) {}, rules.DraftToBeWritten, "nobody writes now"},
		"stalled":             {func(d *desk) { d.drafts[0].LastProgress = tuitest.Moment.Add(-runs.StallTime - time.Minute) }, rules.DraftStalled, "stalled: nothing was written for 11 min"},
		"slow, but written":   {func(d *desk) { d.writes("Codex", "facts", 20).drafts[0].LastProgress = tuitest.Moment.Add(-time.Hour) }, rules.DraftBeingWritten, "20 min"},
		"stopped by you": {func(d *desk) {
			d.drafts[0].State, d.drafts[0].Stop = runs.Stopped, &runs.Stop{By: "anna@home", Why: "later"}
		}, rules.DraftStopped, "stopped by you: later"},
		"failed without a step": {func(d *desk) { d.drafts[0].State, d.drafts[0].Error = runs.Failed, &runs.Failure{Message: "gone"} }, rules.DraftFailed, "failed: gone"},
	} {
		d := newDesk(t, draftstest.UpTo(t, "facts"), runs.Processing)
		try.change(d)
		p := tuitest.Must(d.deps().readDraft(t.Context(), draftID, nil))
		if got := p.condition(); got != try.want || !strings.Contains(p.happens(), try.words) {
			t.Errorf("%s: got %v, %q; want %v, %q", name, got, p.happens(), try.want, try.words)
		}
	}
}

// The drafts that need the person are those that wait for them or are stalled.
func TestNeeds(t *testing.T) {
	t.Parallel()
	needs := tuitest.Must(several(t).deps().Needs(t.Context()))
	var got []string
	for _, n := range needs {
		got = append(got, n.Words)
	}
	if len(needs) != 2 || !needs[0].Gate || needs[1].Gate || !strings.HasPrefix(got[1], "stalled") {
		t.Errorf("got %q", got)
	}
	if !needs[0].SubjectOf(runs.SubjectKind, runs.Gate{Plan: draftID, Step: "choose", Inputs: "0"}.Subject()) || needs[0].SubjectOf("tasks", draftID) {
		t.Error("the form of a draft is not told from others")
	}
}

// The cursor stays on its step when the draft is read anew, and the views share it.
func TestTheCursorStays(t *testing.T) {
	t.Parallel()
	d := begun(t)
	s := New(d.deps(), draftID)
	r := tuitest.Open(t, s, 120, 40, themes.None())
	r.Keys("home down down")
	before, _ := s.step()
	d.writes("Codex", "facts", 9)
	r.Run(s.reads.Read())
	r.Shows("9 min")
	r.Keys("tab")
	if after, _ := s.step(); after.ID != before.ID {
		t.Errorf("the cursor went from %s to %s", before.ID, after.ID)
	}
}

func TestAnUnknownDraft(t *testing.T) {
	t.Parallel()
	d := begun(t)
	r := tuitest.Open(t, New(d.deps(), "0192f0c4-7c1e-7aaa-8bbb-0000000000ff"), 80, 24, themes.None())
	r.Shows("There is no such draft.")
	r.Keys("g x w enter tab i e")
	r.Shows("There is no such draft.")
}

// Nothing that an agent sends is drawn as it is.
func TestHostileDrafts(t *testing.T) {
	t.Parallel()
	for name, text := range safetest.Hostile() {
		d := brokenOff(t)
		w := &d.drafts[0]
		w.Title, w.Dir, w.Error.Message = safe.New(text), "/"+text, text
		d.writers = map[string]runs.Writer{"risks": {Name: text}}
		for id, record := range w.Draft.Records {
			record.By, record.Model, record.Guidance = text, text, text
			w.Draft.Records[id] = record
		}
		deps := d.deps()
		deps.Section = func(rules.Draft, string) string { return text }
		for _, keys := range []string{"", "home", "tab", "home enter", "home i", "home r c x ctrl+s r", "w"} {
			r := tuitest.Open(t, New(deps, draftID), 100, 30, themes.None())
			r.Keys(keys)
			tuitest.OnlySGR(t, name+" after "+keys, r.Content(), 100, 30)
		}
	}
}

// What is read out says what the screens show.
func TestReading(t *testing.T) {
	t.Parallel()
	reading := tuitest.Must(begun(t).deps().Read(context.Background(), draftID))
	if got := reading.Standing(); !strings.Contains(got, " of 12 steps, Codex writes") {
		t.Errorf("it stands: %q", got)
	}
	steps := strings.Join(reading.Steps(), "\n")
	for _, want := range []string{"written, Codex", "being written, Codex, 3 min", "not written yet, after"} {
		if !strings.Contains(steps, want) {
			t.Errorf("the steps do not say %q:\n%s", want, steps)
		}
	}
	if s, ok := reading.Find("1"); !ok || !strings.Contains(strings.Join(reading.About(s), "\n"), "as a model wrote it") {
		t.Errorf("the first section is not read out")
	}
	if lines := tuitest.Must(done(t).deps().Read(t.Context(), draftID)).Schedule(); !strings.Contains(strings.Join(lines, "\n"), "M2 Doors open: due 2027-02-21, its work ends 2027-02-28, 7 days late.") {
		t.Errorf("the schedule is read out as\n%s", strings.Join(lines, "\n"))
	}
}

// Beside the text of a step nothing in its row is cut, whoever wrote it. In the graph the
// lines say what a step waits for.
func TestNoRowOfAStepIsCut(t *testing.T) {
	t.Parallel()
	draft := draftstest.FullUpTo(t, "governance")
	for _, gate := range []string{"choose", "confirm"} {
		record := draft.Records[gate]
		record.By = rules.Nobody
		draft.Records[gate] = record
	}
	d := newDesk(t, draft, runs.Processing).writes("Claude Code", "resources", 125).writes("Codex", "governance", 2)
	for _, width := range []int{100, 120} {
		for _, keys := range []string{"", "tab"} {
			r := d.open(width, 70, themes.None())
			r.Keys(keys)
			for _, step := range draft.Steps() {
				if !strings.Contains(r.Text(), " "+step.Name+"  ") {
					t.Errorf("%q is cut at %d columns:\n%s", step.Name, width, r.Text())
				}
			}
			for row := range strings.Lines(r.Text()) {
				left, _, _ := strings.Cut(row, "│ Gov")
				if list := left[:min(len(left), width*2/3)]; keys == "tab" && (strings.Contains(list, "…") || strings.Contains(list, "after ")) {
					t.Errorf("a row of the graph at %d columns: %s", width, row)
				}
			}
		}
	}
}

// The list opens the form that waits for the person, too. A draft that waits for nobody says so.
func TestTheListAnswers(t *testing.T) {
	t.Parallel()
	d := several(t)
	r := tuitest.Open(t, NewList(d.deps()), 120, 40, themes.None())
	r.Shows("Chosen scenario asks you", "Which way shall the plan go?", "c answer")
	r.Keys("c")
	r.Shows("the form of choose")
	r = tuitest.Open(t, NewList(d.deps()), 120, 40, themes.None())
	r.Keys("down")
	r.Hides("c answer")
	r.Keys("c")
	r.Shows("No form of it waits for you")
}

// The id of the draft under the cursor is in view, however narrow its row is: people type it.
func TestTheListShowsTheID(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 100, 120} {
		tuitest.Open(t, NewList(several(t).deps()), width, 40, themes.None()).Shows(short(draftID))
	}
}

// What happens to a draft loses words, never halves of them.
func TestHappeningsLoseWholeWords(t *testing.T) {
	t.Parallel()
	d := newDesk(t, draftstest.FullUpTo(t, "governance"), runs.Processing).writes("Codex", "governance", 2).writes("Claude Code", "resources", 41)
	for width, want := range map[int]string{
		120: "Codex writes Governance, 2 min · 1 more · shop ", // beside the preview
		99:  "Codex writes Governance, 2 min · Claude Code writes Resources and data, 41 min · shop ",
		80:  "Codex writes Governance · Claude Code writes Resources and data · shop ",
		60:  "Codex writes Governance, 2 min · 1 more · shop ",
		40:  "Codex writes Governance · 1 more ",
	} {
		r := tuitest.Open(t, NewList(d.deps()), width, 24, themes.Default(true))
		if !strings.Contains(r.Text(), want) {
			t.Errorf("%d columns: want %q, got\n%s", width, want, r.Text())
		}
	}
}

// The header and the rule below the list count the same steps, of which one in several answers
// has several rows. The rule does not claim the end where one of these rows is hidden.
func TestBothCountersOfStepsAgree(t *testing.T) {
	t.Parallel()
	full, brief := newDesk(t, draftstest.FullUpTo(t, ""), runs.Completed), done(t)
	for _, try := range []struct {
		desk              *desk
		keys, count, want string
	}{
		{full, "home", "24/24 steps", " 1–8 of 24 "}, {full, "end", "24/24 steps", "–24 of 24"},
		{full, "home tab", "24/24 steps", " of 24 "}, {full, "end tab", "24/24 steps", "–24 of 24"},
		{brief, "home" + strings.Repeat(" down", 11), "12/12 steps", " 4–12a of 12 "}, {brief, "end", "12/12 steps", " 5–12 of 12 "},
		{brief, "home" + strings.Repeat(" down", 9), "12/12 steps", " 2b–10 of 12 "},
	} {
		r := try.desk.open(80, 24, themes.None())
		r.Keys(try.keys)
		r.Shows(try.count, try.want)
	}
}

// Who counts the numbers or the ticks of the steps comes to the number in the header, also where
// a step has several rows.
func TestTheStepsCanBeCounted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		upTo string
		keys string
		done int
	}{{"", "home", 24}, {"", "tab home", 24}, {"governance", "home", 9}, {"scenarios", "home", 2}} {
		d := newDesk(t, draftstest.FullUpTo(t, c.upTo), runs.Processing)
		r := d.open(120, 120, themes.None())
		r.Keys(c.keys)
		r.Shows(fmt.Sprintf("%d/24 steps", c.done), "3a First sketch", "3b Scenarios")
		ticks := 0
		for line := range strings.Lines(r.Text()) {
			ticks += strings.Count(ansi.Cut(line, 0, listCells), "✓")
		}
		if ticks != c.done {
			t.Errorf("%q, %q: %d ticks, want %d in\n%s", c.upTo, c.keys, ticks, c.done, r.Text())
		}
	}
}

// A long title takes the word "steps" before the bar, and no written step takes the bar.
func TestTheBarStaysWhenAllIsWritten(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]*desk{"▱ 5/12": begun(t), "▰ 12/12": done(t)} {
		d.drafts[0].Title = safe.New("Repair workshop for appliances and bicycles in Plagwitz, I")
		r := d.open(80, 24, themes.None())
		r.Shows(want)
		r.Hides("steps")
	}
}

// In the graph a line leads from each step to the one below that is written from it. Where the graph
// would have to scroll for that, a mark right below another one is of a step that is written from it.
func TestStepsOfTheGraphAreSeenToBeChained(t *testing.T) {
	t.Parallel()
	d := newDesk(t, draftstest.FullUpTo(t, ""), runs.Completed)
	p, err := d.deps().readDraft(t.Context(), draftID, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := p.layers()
	for lines, apart := range map[int]bool{100: true, 12: false} {
		var g graph
		g.layOut(p, lines)
		chained := 0
		for i, row := range g.rows[1:] {
			above := g.rows[i]
			if row.Node == 0 || above.Node == 0 || row.Column() != above.Column() {
				continue
			}
			if chained++; apart || !slices.Contains(before[row.Node-1], above.Node) {
				t.Errorf("of %d lines: step %d stands right below %d", lines, row.Node, above.Node)
			}
		}
		if !apart && chained == 0 {
			t.Errorf("of %d lines: no step stands right below the one that it is written from", lines)
		}
		var drawn []int
		for _, row := range g.rows {
			if row.Node != 0 {
				drawn = append(drawn, row.Node)
			}
		}
		if !slices.IsSorted(drawn) {
			t.Errorf("of %d lines: the steps are not in the order of their numbers", lines)
		}
	}
}

// Where the graph scrolls, the step below the cursor is in view.
func TestTheGraphShowsWhatComesNext(t *testing.T) {
	t.Parallel()
	r := newDesk(t, draftstest.FullUpTo(t, "pitch"), runs.Processing).open(80, 24, themes.None())
	r.Keys("home tab" + strings.Repeat(" down", 15))
	r.Shows("14  Expert criticism", "15  Documents")
}

// Below the steps, those without a text leave their lines to the list, all of them as many. What
// such a step is written from is not cut for that. A second click finds the row where it was.
func TestTheListHasTheLinesOfUnwrittenSteps(t *testing.T) {
	t.Parallel()
	d := begun(t)
	s := New(d.deps(), draftID)
	r := tuitest.Open(t, s, 80, 24, themes.None())
	tall := s.split().ListLines()
	for i, step := range s.draft.steps {
		r.Keys("home" + strings.Repeat(" down", i))
		if lines := s.split().ListLines(); (lines == tall) != s.textless(step) {
			t.Errorf("on %s the list has %d lines, and on an unwritten step %d", step.Name, lines, tall)
		}
		if before := s.draft.before(step); s.textless(step) && len(before) > 0 {
			r.Shows("Written from", before[len(before)-1].Name)
		}
	}
	for line := range tall {
		r.Keys("end")
		row, _ := s.steps.RowAt(line)
		click := tea.MouseClickMsg{Y: screen.HeaderLines + s.aboveRows() + line, Button: tea.MouseLeft}
		r.Send(click)
		if again, _ := s.steps.RowAt(line); again != row || s.steps.Cursor != row {
			t.Errorf("a click on line %d put the cursor on row %d, and row %d is there, not %d", line, s.steps.Cursor, again, row)
		}
	}
}

// At 80 columns, too, a missed fixed day is told before the step in work, which the list marks, and
// before the detail.
func TestAMissedDayIsTold(t *testing.T) {
	t.Parallel()
	r := newDesk(t, draftstest.FullUpTo(t, "pitch"), runs.Processing).writes("Codex", "pitch", 1).open(80, 24, themes.None())
	r.Shows("◐ Codex writes · 1 fixed day missed, by 7 days")
}

// What an agent asks for is told as the agent's.
func TestWhoAskedForASectionAgain(t *testing.T) {
	t.Parallel()
	step := rules.Step{ID: "risks"}
	for by, want := range map[string]string{"": "You asked for: Name the winter.", "Codex": "Codex asked for: Name the winter."} {
		var p draft
		p.Draft.Records = map[string]rules.Record{"risks": {Guidance: "Name the winter.", GuidedBy: by}}
		if got := p.guidance(step); got != want {
			t.Errorf("told is %q, want %q", got, want)
		}
	}
}

// A section that an agent edited stays, and is not told as edited by the person.
func TestWhoEditedASection(t *testing.T) {
	t.Parallel()
	step := rules.Step{ID: "risks", Author: rules.Model}
	for by, want := range map[string]string{"you@desk": "You edited it, so it stays. ", "naive": "naive edited it, so it stays. "} {
		p := draft{by: "you@desk", states: map[string]rules.StepState{"risks": rules.StepKept}}
		p.Draft.Records = map[string]rules.Record{"risks": {By: by, Edited: true}}
		if got := p.why(step); !strings.HasPrefix(got, want) {
			t.Errorf("told is %q, want %q", got, want)
		}
	}
	if word := rules.StepKept.Word(); word != "kept as edited" {
		t.Errorf("in a list it is %q", word)
	}
}
