package soak_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store"
)

// asks returns all asks of the session in the store.
func (w *soak) asks(session string) []store.Ask {
	w.t.Helper()
	if w.store == nil {
		return nil // before the first session
	}
	asks, err := w.store.Asks(w.t.Context(), session)
	if err != nil {
		w.t.Fatal(err)
	}
	return asks
}

// one returns an ask with its form.
func (w *soak) one(id string) store.Ask {
	w.t.Helper()
	ask, err := w.store.Ask(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return ask
}

// open returns the session's asks that can be answered, with their forms.
func (w *soak) open(session string) []store.Ask {
	w.t.Helper()
	var open []store.Ask
	for _, ask := range w.asks(session) {
		if ask.Open() {
			open = append(open, w.one(ask.ID))
		}
	}
	return open
}

func (w *soak) openAnywhere() []store.Ask {
	w.t.Helper()
	var all []store.Ask
	for _, session := range w.sessions {
		all = append(all, w.open(session.id)...)
	}
	return all
}

// settleAgain answers what calls under way have asked meanwhile. It returns
// false, because there is more to wait for.
func (w *soak) settleAgain() bool {
	w.t.Helper()
	for _, ask := range w.openAnywhere() {
		w.person(w.newGiven(ask), false)
	}
	w.people.Wait()
	return false
}

// withdrawing reports whether a call that may still withdraw the ask is under
// way.
func (w *soak) withdrawing(ask string) bool {
	for _, call := range w.calls {
		if call.withdraw && call.ask == ask && !call.over() {
			return true
		}
	}
	return false
}

// drain has new servers tell what no agent was told yet. For each session an
// agent of its own does it, or the next agent of the project.
func (w *soak) drain() {
	w.t.Helper()
	w.startServer()
	server := w.servers[0]
	for _, session := range w.sessions {
		for w.undelivered(session.id) > 0 && !w.t.Failed() {
			before := w.undelivered(session.id)
			var call *soakCall
			switch w.random.IntN(3) {
			case 0:
				call = w.openSessionIn(server, session.project)
			case 1:
				call = w.send(server, "get_answer", map[string]any{"sessionId": session.id, "waitSeconds": 0})
			case 2:
				call = w.send(server, "save_plan", map[string]any{"sessionId": session.id, "plan": "# The one before"})
			}
			rig.Until(w.t, "the new server answers", call.over)
			told := call.tells()
			for _, id := range call.names() {
				// As the sentence says: the ask may belong to another session of the project.
				fetched := w.send(server, "get_answer", map[string]any{"askId": id})
				rig.Until(w.t, "the new server answers", fetched.over)
				told = append(told, fetched.tells()...)
			}
			rig.Until(w.t, "the store knows what was told", func() bool {
				for _, one := range told {
					if w.one(one.ask).Delivered.IsZero() {
						return false
					}
				}
				return true
			})
			if after := w.undelivered(session.id); after >= before {
				w.t.Errorf("%v told nothing of %d outcomes that session %s was not told", call, before, session.id)
			}
		}
		// This result has nothing more to tell; judge reports it if it does.
		call := w.send(server, "save_plan", map[string]any{"sessionId": session.id, "plan": "# The last"})
		rig.Until(w.t, "the new server answers", call.over)
	}
	w.end(0, byEOF)
}

func (w *soak) undelivered(session string) int {
	w.t.Helper()
	list, err := w.store.Undelivered(w.t.Context(), session)
	if err != nil {
		w.t.Fatal(err)
	}
	return len(list)
}

// judge checks the store and everything that the servers said against the law:
//
//   - the outcome of which a form was told "settled" is the ask's outcome, unchanged;
//   - an outcome that came second is kept beside it, and no agent is told of it;
//   - every outcome that a person gave was told at least once, word for word, to an
//     agent of its session or to the next agent of its project;
//   - nothing is told as the outcome of another question;
//   - an agent is not told again what it was told, unless it asks for it by its id;
//   - a task has one holder at a time, is done once, and was approved by the person; a report
//     and an addition that was taken is in the store;
//   - no call of a live server fails, but for the refusals of tasks that the contract names.
func (w *soak) judge() {
	kept := map[string]store.Ask{}
	for _, session := range w.sessions {
		for _, ask := range w.asks(session.id) {
			kept[ask.ID] = w.one(ask.ID)
		}
	}
	w.judgeStore(kept)
	w.judgeTasks()
	told := map[string]int{}
	for _, call := range w.calls {
		if call.answered() {
			w.judgeCall(call, kept, told)
		}
	}
	w.count(kept, told)
	for id, ask := range kept {
		switch {
		case ask.Open() || ask.Outcome.State == questions.Withdrawn:
		case ask.Delivered.IsZero():
			w.t.Errorf("ask %s was answered and never counted as told", id)
		case told[id] == 0:
			w.t.Errorf("ask %s is marked as delivered, but no result has its outcome", id)
		}
	}
}

// count logs how often each thing happened in the script.
func (w *soak) count(kept map[string]store.Ask, told map[string]int) {
	states, ends, cancelled, late := map[questions.State]int{}, map[givenEnd]int{}, 0, 0
	for _, ask := range kept {
		states[ask.Outcome.State]++
		late += len(ask.TooLate)
	}
	for _, g := range w.given {
		ends[g.end]++
	}
	for _, call := range w.calls {
		if call.cancelled {
			cancelled++
		}
	}
	again := 0
	for _, n := range told {
		again += n - 1
	}
	w.t.Logf("asks %v, given %v, kept late %d, calls %d, cancelled %d, told %d and %d again",
		states, ends, late, len(w.calls), cancelled, len(told), again)
}

func (w *soak) judgeStore(kept map[string]store.Ask) {
	winners := map[string]bool{}
	for _, g := range w.given {
		ask := kept[g.ask]
		want, won, late := words(ask, g.outcome), false, false
		won = words(ask, ask.Outcome) == want
		for _, other := range ask.TooLate {
			late = late || words(ask, other) == want
		}
		if won {
			winners[g.ask] = true
		}
		switch {
		case g.end == confirmed && !won:
			w.t.Errorf("%s was confirmed, but ask %s has %.300q", g.token, g.ask, words(ask, ask.Outcome))
		case g.end == lost && !late:
			w.t.Errorf("%s came second on ask %s and was not kept", g.token, g.ask)
		case won && late || g.end == lost && won:
			w.t.Errorf("%s is kept twice on ask %s", g.token, g.ask)
		}
	}
	for id, ask := range kept {
		if !ask.Open() && ask.Outcome.State != questions.Withdrawn && !winners[id] {
			w.t.Errorf("ask %s has an outcome that nobody gave: %.300q", id, words(ask, ask.Outcome))
		}
	}
}

var soakToken = regexp.MustCompile(`token-[0-9]+\.`)

func (w *soak) judgeCall(call *soakCall, kept map[string]store.Ask, told map[string]int) {
	if refused := call.response.Result.IsError; call.response.Error != nil || refused && !refusedByContract(call) {
		w.t.Errorf("%v failed: %s %q", call, call.response.Error, call.response.Result.Content)
		return
	}
	allowed := map[string]bool{}
	tellings := call.tells()
	for _, one := range tellings {
		ask := kept[one.ask]
		told[one.ask]++
		if want := words(ask, ask.Outcome); unabridged(one.text, ask.Spec.Questions[0].ID) != want {
			w.t.Errorf("%v told of ask %s\n%.300q\nwant\n%.300q", call, one.ask, one.text, want)
		}
		for _, token := range soakToken.FindAllString(words(ask, ask.Outcome), -1) {
			allowed[token] = true
		}
		w.judgeAddress(call, one, ask)
		if call.told[one.ask] && (call.tool != "get_answer" || call.ask != one.ask) {
			w.t.Errorf("%v told the outcome of ask %s, which an agent had been told before", call, one.ask)
		}
	}
	if data := call.data(); len(data.Earlier) != len(tellings)-mains(tellings) {
		w.t.Errorf("%v announces %d outcomes as data and %d in its text", call, len(data.Earlier), len(tellings)-mains(tellings))
	}
	for _, item := range call.response.Result.Content {
		for _, token := range soakToken.FindAllString(item.Text, -1) {
			if !allowed[token] {
				w.t.Errorf("%v has %s in it, which belongs to none of its asks: %.300q", call, token, item.Text)
			}
		}
	}
}

func mains(tellings []telling) (n int) {
	for _, one := range tellings {
		if one.main {
			n++
		}
	}
	return n
}

// judgeAddress checks that the outcome concerns the agent that was told.
func (w *soak) judgeAddress(call *soakCall, one telling, ask store.Ask) {
	session := call.session
	if session == "" && call.ask != "" {
		session = w.one(call.ask).Session
	}
	switch {
	case one.project != "":
		if call.tool != "init_planb_session" || one.project != ask.Session || w.projectOf(call.session) != w.projectOf(ask.Session) {
			w.t.Errorf("%v told a project's outcome of ask %s", call, ask.ID)
		}
	case ask.Session != session:
		w.t.Errorf("%v told the outcome of ask %s of session %s", call, ask.ID, ask.Session)
	case !one.main:
	case call.ask != "" && call.ask != ask.ID,
		call.tool == "ask_user" && call.question != ask.Spec.Questions[0].ID,
		call.tool != "ask_user" && call.tool != "get_answer":
		w.t.Errorf("%v gave the outcome of ask %s as its own", call, ask.ID)
	}
}

func (w *soak) projectOf(session string) string {
	for _, s := range w.sessions {
		if s.id == session {
			return s.project
		}
	}
	return ""
}

var longAnswer = regexp.MustCompile(`\n\S+ is longer than clients pass on: [0-9,]+ characters\. All of it: (/.+), or get_answer \{.*\}\.`)

// unabridged returns what an agent was told. If the agent got only the
// beginning of an answer and a path, it adds the rest.
func unabridged(text, id string) string {
	match := longAnswer.FindStringSubmatch(text)
	if match == nil {
		return text
	}
	answer, err := os.ReadFile(match[1])
	before, rest, begun := strings.Cut(text, "{"+jsonText(id)+":")
	_, after, ended := strings.Cut(rest, `…"}`)
	if err != nil || !begun || !ended {
		return text
	}
	whole := before + "{" + jsonText(id) + ":" + jsonText(string(answer)) + "}" + after
	return strings.Replace(whole, match[0], "", 1)
}

// words returns what an agent reads of an outcome of the ask's one question.
func words(ask store.Ask, outcome questions.Outcome) string {
	q := ask.Spec.Questions[0]
	answer, notes := "{}", ""
	if value, ok := outcome.Reply.Answers[q.ID]; ok {
		text, _ := value.Text()
		answer = fmt.Sprintf(`{%s:%s}`, jsonText(q.ID), jsonText(text))
	}
	if note := outcome.Reply.Notes[q.ID]; !note.IsZero() {
		notes = "\nNotes from the user:\n- " + q.ID + ": " + note.Raw()
	}
	switch outcome.State {
	case questions.Answered:
		if q.Kind == "single" {
			answer += "\nWritten by the user under \"Other…\": " + q.ID + "."
		}
		return answer + notes
	case questions.Discuss:
		return `NOT FINISHED. The user writes: "` + outcome.Message.Raw() + "\"\nAnswer that first, in the intro of your next form, " +
			"and keep the ids of the questions. Answers so far, which may change: " + answer + notes
	case questions.Declined:
		return `User cancelled. Reason: "` + outcome.Message.Raw() + `". Do not ask this again unless the user brings it up; ` +
			"go on with what does not need it, and name the open point at the end."
	}
	return string(outcome.State)
}

func jsonText(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// diary returns what happened, for a script that failed.
func (w *soak) diary() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.lines, "\n")
}
