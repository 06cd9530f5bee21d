package form

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/tui/form/rendering"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// galleryForm is a form whose tabs have illustrated questions with the given numbers of
// options. One question among them is plain, and some options have no illustration.
func galleryForm(tabs, options int) string {
	var list []string
	for tab := range tabs {
		for q := range 2 {
			var all []string
			for o := range options {
				option := fmt.Sprintf(`{"value":"v%d"`, o)
				if o%4 != 2 {
					option += fmt.Sprintf(`,"markdown":"### Tab %d, question %d\n\nIllustration %d.\n\n`+"```go\\nfunc f%d() {}\\n```"+`"`, tab, q, o, o)
				}
				all = append(all, option+"}")
			}
			list = append(list, fmt.Sprintf(`{"id":"q%d%d","kind":"%s","tab":"T%d","label":"Question %d","options":[%s]}`,
				tab, q, []string{"single", "multi"}[q], tab, q, strings.Join(all, ",")))
		}
		list = append(list, fmt.Sprintf(`{"id":"t%d","kind":"text","tab":"T%d","label":"In words","required":true}`, tab, tab))
	}
	return `{"title":"Gallery","intro":"Look at them.","questions":[` + strings.Join(list, ",") + `]}`
}

// lateRig is a form whose renderings end when the test says so.
type lateRig struct {
	*formRig
	late     []tea.Msg
	begun    int // renderings of illustrations
	finished map[rendering.Key]int
}

func late(t testing.TB, raw string, width, height int) *lateRig {
	r := &lateRig{formRig: rig(t, formInputOf(tuitest.Parse(t, raw)), width, height), finished: map[rendering.Key]int{}}
	return r
}

// press presses a key and ends no rendering.
func (r *lateRig) press(name string) { r.hold(r.Form.Update(tuitest.Key(r.t, name))) }

func (r *lateRig) hold(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if _, ok := rendering.Brings(msg); ok {
		r.begun++
		r.late = append(r.late, msg)
		return
	}
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			r.hold(c)
		}
	case EntryChanged, nil:
	default:
		r.Told = append(r.Told, msg)
	}
}

// catchUp ends every rendering, and those that they start.
func (r *lateRig) catchUp() {
	for len(r.late) > 0 {
		msg := r.late[0]
		r.late = r.late[1:]
		piece, _ := rendering.Brings(msg)
		r.finished[piece]++
		r.hold(r.Form.Update(msg))
	}
}

// TestPanelNeverWaitsForOneKey holds that after any key that moves the focus its
// illustration is there at once, and that no illustration is rendered twice.
func TestPanelNeverWaitsForOneKey(t *testing.T) {
	t.Parallel()
	keys := strings.Fields("up down up down tab shift+tab left right home end 1 2 3 4 5 6 7 8 9 enter space backspace n pgdown alt+right alt+left")
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			r := late(t, galleryForm(3, 7), size[0], size[1])
			r.hold(r.Form.Update(screen.Relaid{}))
			r.catchUp()
			if r.press("right"); len(r.q().docs.Missing()) > 0 {
				t.Fatalf("from the introduction the panel is waited for:\n%s", r.screen())
			}
			r.catchUp()
			walk := rand.New(rand.NewPCG(7, 11))
			for range 300 {
				name := keys[walk.IntN(len(keys))]
				r.press(name)
				if missed := r.q().docs.Missing(); len(missed) > 0 {
					t.Fatalf("after %s, at %s, the panel waits for %+v\n%s", name, r.where(), missed[0], r.screen())
				}
				r.catchUp()
			}
			if len(r.finished) < 20 {
				t.Errorf("the walk saw %d illustrations only", len(r.finished))
			}
			for key, n := range r.finished {
				if n > 1 {
					t.Errorf("%+v was rendered %d times", key, n)
				}
			}
		})
	}
}

// TestZoomNeverWaitsForOneKey holds the same for the zoom.
func TestZoomNeverWaitsForOneKey(t *testing.T) {
	r := late(t, galleryForm(1, 9), 120, 40)
	r.press("right")
	r.catchUp()
	for _, name := range strings.Fields("z tab tab shift+tab tab tab tab tab tab tab shift+tab esc down z esc tab z tab") {
		r.press(name)
		if missed := r.q().docs.Missing(); len(missed) > 0 {
			t.Fatalf("after %s %+v is waited for\n%s", name, missed[0], r.screen())
		}
		r.catchUp()
	}
}

// TestBurstOfKeysRendersTheLast holds that keys which come faster than illustrations are
// rendered do not fill the queue with those that the person has passed.
func TestBurstOfKeysRendersTheLast(t *testing.T) {
	r := late(t, galleryForm(1, 60), 120, 40)
	r.press("right")
	for range 40 {
		r.press("down")
	}
	if r.begun > rendering.MaxUnderway+1 {
		t.Errorf("%d renderings were begun", r.begun)
	}
	if !strings.Contains(r.screen(), "│ …") {
		t.Errorf("nothing says that an illustration is to come:\n%s", r.screen())
	}
	for n := 0; strings.Contains(r.screen(), "│ …"); n++ {
		if len(r.late) == 0 || n > rendering.MaxUnderway+1 {
			t.Fatalf("after %d renderings the panel still waits:\n%s", n, r.screen())
		}
		msg := r.late[0]
		r.late = r.late[1:]
		r.hold(r.Form.Update(msg))
	}
	if want := "Illustration 40."; !strings.Contains(r.screen(), want) {
		t.Errorf("%s is not in view:\n%s", want, r.screen())
	}
}

// TestAheadIsBounded holds that a form with many illustrations renders only those near the
// cursor, however far the person goes.
func TestAheadIsBounded(t *testing.T) {
	t.Parallel()
	r := late(t, galleryForm(1, 200), 120, 40)
	r.press("right")
	r.catchUp()
	if n := len(r.finished); n > rendering.MaxAhead {
		t.Errorf("%d illustrations were rendered for the first look", n)
	}
	before := len(r.finished)
	r.press("down")
	r.catchUp()
	if n := len(r.finished) - before; n > rendering.MaxAhead {
		t.Errorf("%d illustrations were rendered for the next look", n)
	}
}

// BenchmarkPanelSteps steps through 20 illustrated options. It measures how long a key waits
// for its frame, and the whole cost of a key with its renderings.
func BenchmarkPanelSteps(b *testing.B) {
	const options = 20
	raw := galleryForm(1, options)
	run := func(name string, waits func(b *testing.B, r *lateRig, cmd tea.Cmd)) {
		b.Run(name, func(b *testing.B) {
			steps, rendered := 0, 0
			for b.Loop() {
				b.StopTimer()
				r := late(b, raw, 120, 40)
				r.press("right")
				r.catchUp()
				down := tuitest.Key(b, "down")
				b.StartTimer()
				for range options - 1 {
					cmd := r.Form.Update(down)
					r.View()
					waits(b, r, cmd)
					steps++
				}
				rendered += r.begun
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(steps), "µs/key")
			b.ReportMetric(float64(rendered)/float64(b.N), "renderings")
		})
	}
	catchUp := func(_ *testing.B, r *lateRig, cmd tea.Cmd) {
		r.hold(cmd)
		r.catchUp()
	}
	run("key to frame", func(b *testing.B, r *lateRig, cmd tea.Cmd) {
		b.StopTimer()
		catchUp(b, r, cmd)
		b.StartTimer()
	})
	run("with renderings", catchUp)
}
