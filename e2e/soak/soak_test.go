package soak_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/e2e/rig"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/tasks"
)

// For a developer who wants more scripts than every run has, or one script
// again.
const (
	soakScriptsEnv = "PLANB_SOAK_SCRIPTS" // how many
	soakSeedEnv    = "PLANB_SOAK_SEED"    // of the first script; each following script has the next seed
)

// TestSoak tests planb's first promise, that nothing given is lost. Agents ask,
// cancel and withdraw, servers are killed and people answer, all at once and in
// random order. See law_test.go for what must hold after each script.
func TestSoak(t *testing.T) {
	t.Parallel()
	scripts, first := soakNumber(t, soakScriptsEnv, 0), soakNumber(t, soakSeedEnv, uint64(time.Now().UnixNano()%1e9))
	if scripts == 0 {
		t.Skipf("runs only when asked:  %s=8 go test ./e2e/soak", soakScriptsEnv)
	}
	for seed := first; seed < first+scripts; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			w := newSoak(t, seed)
			defer func() {
				if t.Failed() {
					t.Logf("again with %s=1 %s=%d go test -run TestSoak .\n%s", soakScriptsEnv, soakSeedEnv, seed, w.diary())
				}
			}()
			w.play()
			w.finish()
			w.judge()
		})
	}
}

func soakNumber(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		t.Fatalf("%s is %q, a number is expected", name, value)
	}
	return n
}

// soak is one script and the world it plays in. Only the script's own goroutine
// draws random numbers, so a seed gives much the same steps again. Which steps
// coincide depends on the machine, and some steps depend on that.
type soak struct {
	t        *testing.T
	random   *rand.Rand
	data     string
	projects string   // the projects' directories are in it
	env      []string // of every server
	store    *store.Store
	sessions []soakSession
	servers  []*soakServer // the live ones
	calls    []*soakCall
	people   sync.WaitGroup
	tokens   int
	plan     string // of tasks, which the agents work off
	tasks    *tasks.Store
	owner    tasks.Caller // the person whose tasks they are
	approve  func() error // approves what waits of the plan
	approved int          // how many tasks of the plan the person has approved

	mu    sync.Mutex
	given []*given
	lines []string // what happened
}

type soakSession struct{ id, project string }

func newSoak(t *testing.T, seed uint64) *soak {
	w := &soak{t: t, random: rand.New(rand.NewPCG(seed, 0)), data: t.TempDir(), projects: t.TempDir(), env: []string{"ASK_NO_OPEN=1"}}
	if w.chance(4) {
		w.env = append(w.env, "ASK_ANSWER_TIMEOUT_MS=150")
	}
	w.startServer()
	for range 1 + w.random.IntN(3) {
		w.openSession(w.servers[0])
	}
	w.store = rig.OpenStore(t, w.data)
	w.approveTasks()
	return w
}

// chance is true once in n times.
func (w *soak) chance(n int) bool { return w.random.IntN(n) == 0 }

func (w *soak) note(format string, values ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, time.Now().Format("05.000 ")+fmt.Sprintf(format, values...))
}

// play performs the steps of the script.
func (w *soak) play() {
	steps := []struct {
		weight int
		take   func()
	}{
		{6, w.ask}, {4, func() { w.lookForAnswer() }}, {2, func() { w.savePlan() }}, {2, w.cancelSome}, {3, w.callAndCancel},
		{2, w.endSome}, {3, w.callAndEnd}, {2, w.startAnother}, {1, w.initAgain}, {4, func() { w.claimTask() }}, {4, w.completeTask},
		{6, w.workOnTasks},
		{6, w.answer}, {2, w.answerWhileServersDie}, {2, w.answerTwice}, {2, w.answerAndWithdraw}, {1, w.answerLate}, {2, w.answerAndGoOn},
		{2, w.answerAndDie}, {2, w.answerWhileAsleep}, {1, w.everythingDies}, {1, w.lookAfter},
	}
	total := 0
	for _, step := range steps {
		total += step.weight
	}
	realForms := 0
	if w.chance(6) {
		realForms = 1
	}
	for range 14 + w.random.IntN(12) {
		n := w.random.IntN(total)
		for _, step := range steps {
			if n -= step.weight; n < 0 {
				step.take()
				break
			}
		}
		if realForms > 0 && w.chance(4) && w.answerInTerminal() {
			realForms--
		}
		w.pause(12)
		if w.t.Failed() {
			return
		}
	}
}

func (w *soak) anySession() soakSession { return w.sessions[w.random.IntN(len(w.sessions))] }

// anyServer returns a live server. At least one lives at all times.
func (w *soak) anyServer() *soakServer { return w.servers[w.random.IntN(len(w.servers))] }

// ask asks one of the few forms of a session, so that the same form is asked
// again often.
func (w *soak) ask() {
	call := w.send(w.anyServer(), "ask_user", w.form())
	if w.chance(3) {
		return
	}
	rig.Until(w.t, "the ask is kept", func() bool {
		return call.over() || len(w.open(call.session)) > 0
	})
}

// call sends one of several calls.
func (w *soak) call() *soakCall {
	switch w.random.IntN(5) {
	case 0:
		return w.send(w.anyServer(), "ask_user", w.form())
	case 1:
		return w.savePlan()
	case 2:
		return w.claimTask()
	}
	return w.lookForAnswer()
}

// callAndCancel has the cancellation arrive right after the call, or while the
// server works on it.
func (w *soak) callAndCancel() {
	call := w.call()
	w.pause(4 * w.random.IntN(2))
	w.cancel(call)
}

// callAndEnd ends a server while it works on a call.
func (w *soak) callAndEnd() {
	server := w.call().server
	w.pause(6)
	w.end(slices.Index(w.servers, server), w.anyEnd())
	if len(w.servers) == 0 {
		w.startServer()
	}
}

// pause lets up to that many milliseconds pass. It waits for nothing: the
// moment of the next step is part of the script.
func (w *soak) pause(most int) {
	time.Sleep(time.Duration(w.random.IntN(1000*most+1)) * time.Microsecond)
}

func (w *soak) form() map[string]any {
	session := w.random.IntN(len(w.sessions))
	kind := []string{"text", "longtext", "single"}[w.random.IntN(3)]
	id := fmt.Sprintf("%s-%d", kind, session)
	question := map[string]any{"id": id, "kind": kind, "label": "What of " + id + "?"}
	if kind == "single" {
		question["options"] = []string{"one", "two"}
	}
	return map[string]any{"sessionId": w.sessions[session].id, "title": "Form " + id, "questions": []any{question}}
}

func (w *soak) lookForAnswer() *soakCall {
	arguments := map[string]any{"sessionId": w.anySession().id}
	if asks := w.asks(w.anySession().id); len(asks) > 0 && w.chance(2) {
		ask := asks[w.random.IntN(len(asks))]
		arguments = map[string]any{"sessionId": ask.Session, "askId": ask.ID}
	}
	if wait := w.random.IntN(4); wait < 2 {
		arguments["waitSeconds"] = wait
	} else if wait == 2 {
		arguments["waitSeconds"] = 0.05
	}
	return w.send(w.anyServer(), "get_answer", arguments)
}

func (w *soak) savePlan() *soakCall {
	return w.send(w.anyServer(), "save_plan", map[string]any{
		"sessionId": w.anySession().id, "plan": fmt.Sprintf("# Plan %d", w.random.IntN(5)),
	})
}

func (w *soak) initAgain() {
	if len(w.sessions) < 5 {
		w.openSession(w.anyServer())
	}
}

func (w *soak) cancelSome() {
	for _, call := range w.calls {
		if !call.over() && !call.cancelled && w.chance(2) {
			w.cancel(call)
		}
	}
}

func (w *soak) startAnother() {
	if len(w.servers) < 3 {
		w.startServer()
	}
}

// endSome ends a server, mostly by force.
func (w *soak) endSome() {
	w.end(w.random.IntN(len(w.servers)), w.anyEnd())
	if len(w.servers) == 0 {
		w.startServer()
	}
}

func (w *soak) anyEnd() ending {
	return []ending{byForce, byForce, bySignal, byEOF}[w.random.IntN(4)]
}

// someOpen returns an ask that a person could answer now. If there is none, it
// asks one.
func (w *soak) someOpen() (store.Ask, bool) {
	for try := 0; try < 2; try++ {
		var all []store.Ask
		for _, session := range w.sessions {
			all = append(all, w.open(session.id)...)
		}
		if len(all) > 0 {
			return all[w.random.IntN(len(all))], true
		}
		w.ask()
	}
	return store.Ask{}, false
}

// newGiven is what a person is about to say on that ask, mostly an answer.
func (w *soak) newGiven(ask store.Ask) *given {
	w.tokens++
	token := fmt.Sprintf("token-%d.", w.tokens)
	text := token + " <é> \"&\""
	id := ask.Spec.Questions[0].ID
	if ask.Spec.Questions[0].Kind == "longtext" && w.chance(4) {
		text += "\n" + strings.Repeat("x", 90_000) // more than a pipe holds
	}
	outcome := questions.Outcome{State: questions.Answered}
	reply := questions.Reply{Answers: map[string]questions.Value{id: questions.TextValue(text)}}
	switch w.random.IntN(8) {
	case 0:
		outcome.State, outcome.Message = questions.Discuss, safe.New(token+" Why?")
	case 1:
		outcome.State, outcome.Message = questions.Declined, safe.New(token+" No.")
		reply = questions.Reply{}
	case 2:
		reply.Notes = map[string]safe.Text{id: safe.New("so " + token)}
	}
	outcome.Reply = reply
	g := &given{ask: ask.ID, token: token, outcome: outcome}
	w.mu.Lock()
	w.given = append(w.given, g)
	w.mu.Unlock()
	return g
}

func (w *soak) answer() {
	ask, ok := w.someOpen()
	if !ok {
		return
	}
	w.person(w.newGiven(ask), w.chance(5))
	if w.chance(2) {
		w.people.Wait()
	}
}

func (w *soak) answerTwice() {
	if ask, ok := w.someOpen(); ok {
		w.person(w.newGiven(ask), w.chance(3))
		w.person(w.newGiven(ask), false)
	}
}

func (w *soak) answerAndWithdraw() {
	ask, ok := w.someOpen()
	if !ok {
		return
	}
	w.person(w.newGiven(ask), false)
	w.pause(6 * w.random.IntN(2))
	w.send(w.anyServer(), "get_answer", map[string]any{"sessionId": ask.Session, "askId": ask.ID, "withdraw": true})
}

func (w *soak) answerWhileServersDie() {
	ask, ok := w.someOpen()
	if !ok {
		return
	}
	w.person(w.newGiven(ask), false)
	w.pause(15)
	for i := len(w.servers) - 1; i >= 0; i-- {
		if w.chance(2) {
			w.end(i, w.anyEnd())
		}
	}
	if len(w.servers) == 0 {
		w.startServer()
	}
}

// answerLate answers an ask that has its outcome already.
func (w *soak) answerLate() {
	for _, ask := range w.asks(w.anySession().id) {
		if !ask.Open() {
			w.person(w.newGiven(w.one(ask.ID)), false)
			return
		}
	}
}

// answerAndGoOn has an agent call again in the very moment it gets its answer.
// The answer must not come again.
func (w *soak) answerAndGoOn() {
	call := w.send(w.anyServer(), "ask_user", w.form())
	w.people.Wait()
	rig.Until(w.t, "the ask is kept", func() bool {
		for _, ask := range w.open(call.session) {
			if ask.Spec.Questions[0].ID == call.question {
				w.person(w.newGiven(ask), false)
				return true
			}
		}
		return call.over()
	})
	select {
	case <-call.done:
	case <-call.server.ended:
	case <-time.After(rig.Patience):
		w.t.Fatalf("%v is never answered", call)
	}
	w.sendKnowing(call.server.told(), call.server, "save_plan", map[string]any{"sessionId": call.session, "plan": "# And now"})
}

// answerAndDie kills the process of a form while it writes.
func (w *soak) answerAndDie() {
	if ask, ok := w.someOpen(); ok {
		w.dyingPerson(w.newGiven(ask), time.Duration(w.random.IntN(9000))*time.Microsecond)
	}
}

// answerWhileAsleep suspends a server while an answer is given. The server
// sleeps less long than others wait for the store, because it may hold the
// store's lock.
func (w *soak) answerWhileAsleep() {
	ask, ok := w.someOpen()
	if !ok {
		return
	}
	server := w.anyServer()
	w.note("%s falls asleep", server.name)
	w.signal(server.cmd.Process, rig.Suspend)
	w.person(w.newGiven(ask), w.chance(3))
	w.pause(30)
	w.note("%s wakes up", server.name)
	w.signal(server.cmd.Process, rig.Resume)
}

func (w *soak) signal(process *os.Process, signal os.Signal) {
	w.t.Helper()
	if err := process.Signal(signal); err != nil {
		w.t.Errorf("process %d did not accept %v: %v", process.Pid, signal, err)
	}
}

// everythingDies kills everything that runs, a form among it, and starts again.
func (w *soak) everythingDies() {
	if ask, ok := w.someOpen(); ok {
		w.dyingPerson(w.newGiven(ask), time.Duration(w.random.IntN(3000))*time.Microsecond)
	}
	for len(w.servers) > 0 {
		w.end(0, byForce)
	}
	w.startServer()
}

// lookAfter runs the commands that maintain the store, beside everything else.
func (w *soak) lookAfter() {
	w.tokens++
	for _, args := range [][]string{
		{"backup", filepath.Join(w.data, fmt.Sprintf("copy-%d.db", w.tokens))},
		{"prune", "--older-than", "1h", "--yes"},
		{"doctor", "--compact"},
	} {
		if w.chance(2) {
			continue
		}
		cmd := exec.Command(rig.Planb(w.t), args...)
		cmd.Env = []string{"HOME=" + w.data, "PLANB_DATA_DIR=" + w.data}
		w.note("planb %v runs", args)
		w.people.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				w.t.Errorf("planb %v: %v\n%s", args, err, out)
			}
		})
	}
}

// answerInTerminal answers an ask with the real form. It returns false if there
// is no ask that it can answer.
func (w *soak) answerInTerminal() bool {
	w.people.Wait()
	for _, session := range w.sessions {
		for _, ask := range w.open(session.id) {
			if ask.Spec.Questions[0].Kind == "text" && !w.withdrawing(ask.ID) {
				w.terminal(ask, w.chance(2), w.chance(3))
				return true
			}
		}
	}
	return false
}

// finish ends the script: all calls that wait must return, or all servers end
// as they are. Then new servers tell what nobody was told.
func (w *soak) finish() {
	w.people.Wait()
	if w.chance(2) {
		for _, session := range w.sessions {
			for _, ask := range w.open(session.id) {
				w.person(w.newGiven(ask), false)
			}
		}
		w.people.Wait()
		rig.Until(w.t, "every call is answered once no question is open", func() bool {
			for _, call := range w.calls {
				if !call.over() && !call.cancelled {
					return len(w.openAnywhere()) > 0 && w.settleAgain()
				}
			}
			return true
		})
	}
	for len(w.servers) > 0 {
		w.end(0, w.anyEnd())
	}
	w.drain()
}
