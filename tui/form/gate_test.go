package form

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/marks"
	"planb/tui/tuitest"
)

// pauses holds the pauses that a gate began, and its clock. The test ends them.
type pauses struct {
	waits []time.Duration
	ends  []func(time.Time) tea.Msg
	past  time.Duration
}

func (p *pauses) now() time.Time { return tuitest.Moment.Add(p.past) }

func (p *pauses) tick(wait time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	p.waits, p.ends = append(p.waits, wait), append(p.ends, fn)
	return nil
}

// end lets the last pause pass without a key, and then the rest of gateDoubt.
func (p *pauses) end(r *formRig) {
	ends, pause := p.ends, time.Duration(0)
	if p.ends = nil; len(ends) > 0 {
		pause = p.waits[len(p.waits)-1]
	}
	p.past += pause
	for _, fn := range ends {
		r.send(fn(tuitest.Moment))
	}
	p.past += gateDoubt - pause
}

// unasked is a form that came up by itself.
func unasked(t *testing.T) (*formRig, *pauses) {
	t.Helper()
	in, p := formInputOf(tuitest.Parse(t, tuitest.RichForm)), &pauses{}
	in.Unasked, in.Tick, in.Now = true, p.tick, p.now
	return rig(t, in, 80, 24), p
}

const (
	toAnswer = "↓ to answer"
	notYet   = "Keys count as soon as you press none for"
)

// A person who types while a form comes up changes nothing in it, however long they type.
func TestAFormThatCameUpTakesNothingBeforeItIsEntered(t *testing.T) {
	t.Parallel()
	r, p := unasked(t)
	for _, name := range strings.Fields("h u n t e r 2 enter space esc ctrl+s ctrl+c ctrl+c 1 ? f1 backspace home end alt+d ctrl+g") {
		r.send(tuitest.Key(t, name))
		p.end(r)
	}
	r.send(tea.PasteStartMsg{}).send(tea.PasteMsg{Content: "1\n2\n"}).send(tea.PasteEndMsg{})
	p.end(r)
	if r.where() != "intro" || r.answersNow() != `{}` || r.dialog != nil || r.sheet != nil || len(r.Told) > 0 || r.begun {
		t.Errorf("something was done: %s %s, told %v", r.where(), r.answersNow(), r.Told)
	}
	if !strings.Contains(r.screen(), toAnswer) || strings.Contains(r.screen(), "esc menu") {
		t.Errorf("how to enter is not said, or more:\n%s", r.screen())
	}
}

// The key that enters does nothing else. The keys after it count once there was a moment
// without keys.
func TestAFormIsEntered(t *testing.T) {
	t.Parallel()
	const quiet, doubt = 425 * time.Millisecond, 3 * time.Second // promised; the latter at least
	for name, test := range map[string]struct {
		enter tea.Msg
		takes time.Duration
	}{
		"↓": {tuitest.Key(t, "down"), quiet}, "page down": {tuitest.Key(t, "pgdown"), quiet}, "page up": {tuitest.Key(t, "pgup"), quiet},
		"a click": {tea.MouseClickMsg{X: 5, Y: 8, Button: tea.MouseLeft}, quiet},
		"↑":       {tuitest.Key(t, "up"), doubt}, "←": {tuitest.Key(t, "left"), doubt}, "→": {tuitest.Key(t, "right"), doubt},
		"tab": {tuitest.Key(t, "tab"), doubt}, "shift+tab": {tuitest.Key(t, "shift+tab"), doubt},
	} {
		t.Run(name, func(t *testing.T) {
			r, p := unasked(t)
			r.send(test.enter)
			if r.where() != "intro" || r.begun || !strings.Contains(r.screen(), notYet) || strings.Contains(r.screen(), toAnswer) {
				t.Fatalf("the key that enters did more, or what to do next is not said: %s\n%s", r.where(), r.screen())
			}
			p.end(r)
			if took := p.waits[len(p.waits)-1]; took < test.takes || took > test.takes+time.Second {
				t.Errorf("it takes %v without a key, want %v", took, test.takes)
			}
			if r.keys("right 1"); r.answersNow() != `{"format":"csv"}` || strings.Contains(r.screen(), notYet) {
				t.Errorf("entered, keys do not count: %s\n%s", r.answersNow(), r.screen())
			}
		})
	}
}

// Letters right after the key that enters are meant for something else: they shut the form
// again. A held ↓ does not restart the pause.
func TestABurstThatEntersDoesNothingElse(t *testing.T) {
	t.Parallel()
	r, p := unasked(t)
	r.keys("down enter 1")
	p.end(r)
	if r.keys("1"); r.answersNow() != `{}` || r.where() != "intro" || r.gate.stage != gateShut {
		t.Errorf("a key of the burst acted: %s %s, the gate is at %d", r.where(), r.answersNow(), r.gate.stage)
	}
	if screen := r.screen(); !strings.Contains(screen, toAnswer) {
		t.Errorf("that it has to be entered again is not said:\n%s", screen)
	}
	p.end(r)
	r.keys("down")
	began := len(p.waits)
	if r.keys("down down down"); len(p.waits) != began {
		t.Error("a key that is held down prolongs the pause")
	}
	if p.end(r); r.gate.stage != gateOpen {
		t.Error("the pause did not open it")
	}
}

// ↓ after ↑ is the way back in a history. It enters no sooner than ↑ does, even if letters or
// another form came between them.
func TestTheWayBackInAHistoryEntersNothing(t *testing.T) {
	t.Parallel()
	between := map[string]func(r *formRig){
		"nothing": func(*formRig) {},
		"letters": func(r *formRig) { r.keys("x y") },
		"a dialog": func(r *formRig) {
			ask := r.in.Ask
			ask.Outcome = questions.Outcome{State: questions.Withdrawn}
			r.send(AskChanged{Ask: ask})
		},
		"another form": func(r *formRig) {
			before := r.Form.gate
			r.Form.gate = gate{tick: before.tick, now: before.now}
			r.Form.gate.shut()
			r.Form.gate.follow(before)
		},
	}
	for name, come := range between {
		for _, keys := range []string{"up up down", "up down", "tab down", "down up down", "up pgdown", "up down down"} {
			r, p := unasked(t)
			head, tail, _ := strings.Cut(keys, " ")
			r.keys(head)
			come(r)
			r.keys(tail)
			if took := p.waits[len(p.waits)-1]; took != gateDoubt {
				t.Errorf("%s, then %s: it takes %v without a key", keys, name, took)
			}
			r.keys("enter")
			p.end(r)
			if r.keys("enter esc 1 ctrl+c ctrl+c"); r.gate.stage != gateShut || r.answersNow() != `{}` || len(r.Told) > 0 {
				t.Errorf("%s, then %s: the gate is at %d with %s, told %v", keys, name, r.gate.stage, r.answersNow(), r.Told)
			}
			p.end(r)
			r.keys("down")
			if took := p.waits[len(p.waits)-1]; took != gateQuiet {
				t.Errorf("%s, then %s: after a long pause it takes %v without a key", keys, name, took)
			}
			if p.end(r); r.gate.stage != gateOpen {
				t.Errorf("%s, then %s: it can no longer be entered", keys, name)
			}
		}
	}
}

// ↓ right after letters belongs to them, and so do the keys after it: in a prompt of several
// lines a person goes on in the line below. If the person has not typed for a while, ↓ enters
// at once.
func TestTheKeyThatEntersIsInDoubtBehindTyping(t *testing.T) {
	t.Parallel()
	typing := map[string]func(*formRig){
		"a letter": func(r *formRig) { r.keys("x") }, "a digit": func(r *formRig) { r.keys("1") }, "a space": func(r *formRig) { r.keys("space") },
		"enter": func(r *formRig) { r.keys("enter") }, "backspace": func(r *formRig) { r.keys("backspace") },
		"a paste": func(r *formRig) { r.send(tea.PasteMsg{Content: "so"}) },
	}
	entering := map[string]tea.Msg{
		"↓": tuitest.Key(t, "down"), "page down": tuitest.Key(t, "pgdown"), "page up": tuitest.Key(t, "pgup"),
		"the wheel": tea.MouseWheelMsg{X: 5, Y: 6, Button: tea.MouseWheelDown},
	}
	for typed, types := range typing {
		for entered, enters := range entering {
			r, p := unasked(t)
			types(r)
			p.past += 3 * time.Second
			for range 2 { // and once more, meanwhile
				r.send(enters)
				if took := p.waits[len(p.waits)-1]; took != gateDoubt || !strings.Contains(r.screen(), notYet) {
					t.Errorf("%s behind %s: it takes %v without a key, and says\n%s", entered, typed, took, r.screen())
				}
				p.past += 3 * time.Second
			}
			r.keys("n o w enter")
			p.end(r)
			if r.keys("1"); r.gate.stage != gateShut || r.answersNow() != `{}` || r.dialog != nil || r.begun {
				t.Errorf("%s behind %s: the gate is at %d with %s", entered, typed, r.gate.stage, r.answersNow())
			}
			p.end(r)
			r.send(enters)
			if took := p.waits[len(p.waits)-1]; took != gateQuiet {
				t.Errorf("%s, long behind %s: it takes %v without a key", entered, typed, took)
			}
			if p.end(r); r.gate.stage != gateOpen {
				t.Errorf("%s, long behind %s: it does not enter", entered, typed)
			}
		}
	}
}

// A click enters the form, whatever the person typed before.
func TestAClickEntersBehindTyping(t *testing.T) {
	r, p := unasked(t)
	r.keys("x").send(tea.MouseClickMsg{X: 5, Y: 8, Button: tea.MouseLeft})
	if took := p.waits[len(p.waits)-1]; took != gateQuiet {
		t.Errorf("it takes %v without a key", took)
	}
}

// A person who writes in a form goes on while a dialog comes up: ↓ to the next question and a
// word after it choose nothing in the dialog. This ends when the person sends the form or puts
// it off.
func TestADialogIsNotEnteredByWhatIsBeingWritten(t *testing.T) {
	t.Parallel()
	withdrawn := func(r *formRig) {
		ask := r.in.Ask
		ask.Outcome = questions.Outcome{State: questions.Withdrawn}
		r.send(AskChanged{Ask: ask})
	}
	start := func() (*formRig, *pauses) {
		in, p := formInputOf(tuitest.Parse(t, tuitest.RichForm)), &pauses{}
		in.Tick, in.Now = p.tick, p.now
		return rig(t, in, 80, 24).keys("right down").write("w"), p
	}
	r, p := start()
	withdrawn(r)
	r.keys("down")
	if took := p.waits[len(p.waits)-1]; took != gateDoubt {
		t.Errorf("behind letters it takes %v without a key", took)
	}
	r.keys("l o g")
	p.end(r)
	if _, left := last[LaterRequested](r); left || r.gate.stage != gateShut {
		t.Errorf("it was closed by a word; the gate is at %d", r.gate.stage)
	}
	for name, ends := range map[string]func(*formRig){
		"sent":    func(r *formRig) { r.settle(questions.Outcome{State: questions.Discuss, Message: safe.New("x")}) },
		"put off": func(r *formRig) { r.keys("ctrl+c l") },
	} {
		r, p := start()
		ends(r)
		withdrawn(r)
		r.keys("down")
		if took := p.waits[len(p.waits)-1]; took != gateQuiet {
			t.Errorf("%s: it takes %v without a key", name, took)
		}
	}
}

// If the end of a pause comes late, keys may wait behind it: they must not act.
func TestALatePauseOpensNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		late  time.Duration
		opens bool
	}{"in time": {100 * time.Millisecond, true}, "late": {time.Second, false}} {
		r, p := unasked(t)
		r.keys("up")
		p.past += gateDoubt + test.late
		r.send(p.ends[0](tuitest.Moment))
		if open := r.gate.stage == gateOpen; open != test.opens {
			t.Errorf("%s: the gate is at %d", name, r.gate.stage)
		}
		if test.opens {
			continue
		}
		if r.keys("1"); r.answersNow() != `{}` || r.gate.stage != gateShut {
			t.Errorf("a key that waited entered %s", r.answersNow())
		}
		r.keys("down")
		p.past += p.waits[len(p.waits)-1] + test.late
		r.send(p.ends[len(p.ends)-1](tuitest.Moment))
		p.end(r)
		if r.gate.stage != gateOpen {
			t.Errorf("after a late pause and one in time the gate is at %d", r.gate.stage)
		}
	}
}

// ↑ and Tab are keys of an agent's prompt. If the person types on after them, they were meant
// for the prompt.
func TestHistoryAndCompletionEnterNothing(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"up enter", "up up enter", "f o tab enter", "tab x", "left x", "up ctrl+c", "tab esc"} {
		r, p := unasked(t)
		r.keys(keys)
		p.end(r)
		if r.keys("1"); r.gate.stage != gateShut || r.answersNow() != `{}` {
			t.Errorf("%s: the gate is at %d with %s", keys, r.gate.stage, r.answersNow())
		}
		r.keys("down")
		if p.end(r); r.gate.stage != gateOpen {
			t.Errorf("%s: it can no longer be entered", keys)
		}
	}
}

func TestAFormIsNotEnteredInsideAPaste(t *testing.T) {
	r, p := unasked(t)
	r.keys("down").send(tea.PasteStartMsg{}).send(tea.PasteMsg{Content: "1"})
	if p.end(r); r.answersNow() != `{}` {
		t.Errorf("a paste acted: %s", r.answersNow())
	}
}

// The wheel scrolls at once and enters, like every use of the mouse.
func TestTheWheelScrollsAFormThatIsNotEntered(t *testing.T) {
	in, p := formInputOf(tuitest.Parse(t, tuitest.RichForm)), &pauses{}
	in.Unasked, in.Tick = true, p.tick
	r := rig(t, in, 60, 14)
	r.send(tea.MouseWheelMsg{X: 5, Y: 6, Button: tea.MouseWheelDown})
	if r.q().scroll.intro.top == 0 || r.gate.stage != gateEntered {
		t.Errorf("scrolled by %d, the gate is at %d", r.q().scroll.intro.top, r.gate.stage)
	}
}

// A form that the person opened takes keys at once, and so does one that can only be read.
func TestAFormThatWasAskedForIsOpen(t *testing.T) {
	if r := richRig(t).keys("right 1"); r.answersNow() != `{"format":"csv"}` {
		t.Errorf("the answers are %s", r.answersNow())
	}
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.Unasked, in.ReadOnly = true, true
	if r := rig(t, in, 80, 24); r.gate.stage != gateOpen {
		t.Error("what is only read has to be entered")
	}
}

// A dialog that comes up by itself must be entered, too. A person who writes on chooses nothing
// in it.
func TestADialogThatCameUpTakesNothingBeforeItIsEntered(t *testing.T) {
	t.Parallel()
	for name, come := range map[string]func(r *formRig){
		"withdrawn": func(r *formRig) {
			ask := r.in.Ask
			ask.Outcome = questions.Outcome{State: questions.Withdrawn}
			r.send(AskChanged{Ask: ask})
		},
		"answered elsewhere": func(r *formRig) {
			ask := r.in.Ask
			ask.Outcome = questions.Outcome{State: questions.Answered, By: "you@phone"}
			r.send(AskChanged{Ask: ask})
		},
		"not stored": func(r *formRig) {
			r.settle(questions.Outcome{State: questions.Discuss, Message: safe.New("x")})
			r.send(Settled{AskID: r.in.Ask.ID, Ask: r.in.Ask, Err: errors.New("the disk is full")})
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := richRig(t)
			p := &pauses{}
			r.gate.tick = p.tick
			r.keys("right down").write("w")
			come(r)
			if r.dialog == nil || !strings.Contains(r.screen(), "↓ to choose. No other key works yet.") {
				t.Fatalf("no dialog says how to go on:\n%s", r.screen())
			}
			if strings.Contains(boxed(r.screen()), marks.Focus) {
				t.Errorf("a choice is lit that no key chooses:\n%s", r.screen())
			}
			r.Told = nil
			for _, letter := range "will do, copy that, please 1\n" {
				if r.keys(map[bool]string{true: "enter", false: "x"}[letter == '\n']); letter != '\n' && letter != ' ' {
					r.Write(string(letter))
				}
				p.end(r)
			}
			r.keys("enter esc space ctrl+c ctrl+c")
			p.end(r)
			if r.dialog == nil || len(r.Told) > 0 {
				t.Errorf("typing chose something: told %v", r.Told)
			}
			r.keys("down")
			p.end(r)
			if !strings.Contains(boxed(r.screen()), marks.Focus) {
				t.Errorf("no choice is lit:\n%s", r.screen())
			}
			r.keys("esc")
			if _, left := last[LaterRequested](r); !left && name != "not stored" || name == "not stored" && r.dialog != nil {
				t.Error("entered, it does not close")
			}
		})
	}
}
