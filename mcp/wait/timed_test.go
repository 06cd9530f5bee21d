package wait_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/store"
	"planb/store/kv/kvtest"
)

func TestACallReturnsBeforeItsClientGivesUp(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		client string
		token  any
		wait   time.Duration // the flag
		want   time.Duration
	}{
		{"somebody", nil, 0, 50 * time.Second},
		{"somebody", 1, 0, 50 * time.Second},
		{"codex-mcp-client", 1, 0, 280 * time.Second},
		{"claude-code", nil, 0, 28 * time.Minute},
		{"claude-code", 1, 7 * time.Second, 7 * time.Second},
	} {
		mcptest.Timed(t, fmt.Sprint(test.client, " ", test.token, " ", test.wait), func(t *testing.T) {
			w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Wait = test.wait })
			c := mcptest.Connect(t, w.Server)
			c.Initialize(test.client)
			call := c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), test.token)
			got, took := c.Later(call)
			if took != test.want {
				t.Errorf("it took %v, want %v", took, test.want)
			}
			ask := w.Opened(1)[0]
			if !got.StillOpen(ask.ID) {
				t.Errorf("got %q, %v", got.Text(), got.Data)
			}
		})
	}
}

func TestProgressIsReportedOnlyToWhoWantsIt(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "with a token", func(t *testing.T) {
		w := mcptest.NewWorld(t, nil)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("opencode")
		call := c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), json.RawMessage("9007199254740993"))
		ask := w.Opened(1)[0]
		time.Sleep(10 * time.Minute)
		w.Submit(ask.ID, "harbour")
		if got, _ := c.Later(call); got.Text() != `{"name":"harbour"}` {
			t.Errorf("got %q", got.Text())
		}
		sent := c.Notifications("notifications/progress")
		if len(sent) < 40 || len(sent) > 60 {
			t.Errorf("%d progress notifications in ten minutes, want one every 10 to 15 s", len(sent))
		}
		last := 0
		for _, m := range sent {
			var params struct {
				ProgressToken json.RawMessage
				Progress      int
				Message       string
			}
			if err := json.Unmarshal(m.Params, &params); err != nil {
				t.Fatal(err)
			}
			if string(params.ProgressToken) != "9007199254740993" || params.Progress <= last || params.Message == "" {
				t.Errorf("progress %s after %d", m.Params, last)
			}
			last = params.Progress
		}
	})
	mcptest.Timed(t, "without", func(t *testing.T) {
		w := mcptest.NewWorld(t, nil)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("codex-mcp-client")
		c.Later(c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), nil))
		if sent := c.Notifications("notifications/progress"); len(sent) > 0 {
			t.Errorf("%d progress notifications", len(sent))
		}
	})
}

func TestAnAgentWhoseUserIsAwayIsToldToStop(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "after three waits in vain", func(t *testing.T) {
		w := mcptest.NewWorld(t, nil)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("somebody")
		got, _ := c.Later(c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), nil))
		ask := w.Opened(1)[0]
		again := func() mcptest.Answer {
			got, _ := c.Later(c.CallTool("get_answer", map[string]any{"askId": ask.ID}, nil))
			return got
		}
		for i := range 3 {
			if !got.StillOpen(ask.ID) {
				t.Fatalf("wait %d gave %q", i+1, got.Text())
			}
			// A look is no wait, and neither is a short one.
			c.Tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0})
			c.Later(c.CallTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 5}, nil))
			got = again()
		}
		if got.IsError || got.Data["away"] != true {
			t.Errorf("after three waits in vain: %q, %v", got.Text(), got.Data)
		}
		for _, wait := range []int{0, 5} { // however it looks again
			got, _ := c.Later(c.CallTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": wait}, nil))
			if got.Data["away"] != true {
				t.Errorf("waiting %d s says %q", wait, got.Text())
			}
		}

		// A key pressed begins the count anew.
		if err := w.Store.SaveEntry(t.Context(), ask.ID, mcptest.EntryOf("A")); err != nil {
			t.Fatal(err)
		}
		start, waits := time.Now(), 0
		for got = again(); got.StillOpen(ask.ID); got = again() {
			waits++
		}
		if took := time.Since(start); got.Data["away"] != true || waits < 3 || took < 3*time.Minute || took > 5*time.Minute {
			t.Errorf("%v and %d waits after a key: %q", took, waits, got.Text())
		}
	})
	mcptest.Timed(t, "but not while they fill another form of its session", func(t *testing.T) {
		w := mcptest.NewWorld(t, nil)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("somebody")
		session := c.Session()
		c.Later(c.CallTool("ask_user", mcptest.OneQuestion(session), nil))
		other := w.Opened(1)[0]
		got, _ := c.Later(c.CallTool("ask_user", mcptest.Titled(session, "Another thing"), nil))
		ask := w.Opened(2)[1]
		again := func() { got, _ = c.Later(c.CallTool("get_answer", map[string]any{"askId": ask.ID}, nil)) }
		for i := range 8 {
			if !got.StillOpen(ask.ID) {
				t.Fatalf("wait %d gave %q", i+1, got.Text())
			}
			if err := w.Store.SaveEntry(t.Context(), other.ID, mcptest.EntryOf(strings.Repeat("A", i+1))); err != nil {
				t.Fatal(err)
			}
			again()
		}
		for start := time.Now(); got.StillOpen(ask.ID) && time.Since(start) < 6*time.Minute; {
			again()
		}
		if got.Data["away"] != true {
			t.Errorf("after they left the other form, too: %q", got.Text())
		}
	})
	mcptest.Timed(t, "but not within three minutes", func(t *testing.T) {
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Wait = 20 * time.Second })
		c := mcptest.Connect(t, w.Server)
		c.Initialize("somebody")
		start := time.Now()
		c.Later(c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), nil))
		ask := w.Opened(1)[0]
		for {
			got, _ := c.Later(c.CallTool("get_answer", map[string]any{"askId": ask.ID}, nil))
			if got.StillOpen(ask.ID) {
				continue
			}
			if took := time.Since(start); got.Data["away"] != true || took < 3*time.Minute || took > 3*time.Minute+20*time.Second {
				t.Errorf("after %v: %q", took, got.Text())
			}
			break
		}
	})
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "told in time, answered late", func(t *testing.T) {
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 90 * time.Minute })
		c := mcptest.Connect(t, w.Server)
		c.Initialize("opencode")
		session := c.Session()
		got, took := c.Later(c.CallTool("ask_user", mcptest.OneQuestion(session), "token"))
		ask := w.Opened(1)[0]
		if took != 90*time.Minute || !strings.HasPrefix(got.Text(), "No answer was submitted within 1 hour 30 minutes.") ||
			got.IsError || got.Data["state"] != "expired" {
			t.Errorf("after %v: %q, %v", took, got.Text(), got.Data)
		}
		w.Submit(ask.ID, "late")
		if got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "x"}); !strings.Contains(got.Text(), `{"name":"late"}`) {
			t.Errorf("the late answer is not announced: %q", got.Text())
		}
	})
	mcptest.Timed(t, "over several calls", func(t *testing.T) {
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 100 * time.Second })
		c := mcptest.Connect(t, w.Server)
		c.Initialize("somebody")
		c.Later(c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), nil)) // 50 s
		ask := w.Opened(1)[0]
		time.Sleep(20 * time.Second)
		got, took := c.Later(c.CallTool("get_answer", map[string]any{"askId": ask.ID}, nil))
		if took != 30*time.Second || !strings.HasPrefix(got.Text(), "No answer was submitted within 1 minute 40 seconds.") {
			t.Errorf("after %v: %q", took, got.Text())
		}
		// One that waits on waits for a late answer.
		call := c.CallTool("get_answer", map[string]any{"askId": ask.ID}, nil)
		time.Sleep(10 * time.Second)
		w.Submit(ask.ID, "late")
		if got, _ := c.Later(call); got.Text() != `{"name":"late"}` {
			t.Errorf("got %q", got.Text())
		}
	})
	mcptest.Timed(t, "again and again, it is time to stop", func(t *testing.T) {
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 46 * time.Second })
		c := mcptest.Connect(t, w.Server)
		c.Initialize("somebody")
		got, _ := c.Later(c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), nil))
		ask := w.Opened(1)[0]
		for range 3 {
			if got.Data["state"] != "expired" || got.Data["away"] != nil {
				t.Fatalf("got %q, %v", got.Text(), got.Data)
			}
			got, _ = c.Later(c.CallTool("get_answer", nil, nil))
		}
		if got.Data["askId"] != ask.ID || got.Data["away"] != true {
			t.Errorf("got %q, %v", got.Text(), got.Data)
		}
	})
	mcptest.Timed(t, "no verdict on a plan", func(t *testing.T) {
		w, c, session := mcptest.Planned(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 1500 * time.Millisecond })
		got, _ := c.Later(c.CallTool("submit_plan", map[string]any{"sessionId": session}, nil))
		if got.Data["askId"] != w.Opened(1)[0].ID || got.Data["state"] != "expired" {
			t.Errorf("got %q, %v", got.Text(), got.Data)
		}
	})
	mcptest.Timed(t, "asked again, it is pending again", func(t *testing.T) {
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 20 * time.Second })
		c := mcptest.Connect(t, w.Server)
		c.Initialize("somebody")
		session := c.Session()
		c.Later(c.CallTool("ask_user", mcptest.OneQuestion(session), nil))
		call := c.CallTool("ask_user", mcptest.OneQuestion(session), nil)
		time.Sleep(15 * time.Second)
		ask := w.Opened(1)[0]
		if ask.Outcome.State != questions.Pending {
			t.Errorf("it is %s", ask.Outcome.State)
		}
		if _, took := c.Later(call); took != 5*time.Second {
			t.Errorf("it expired after %v more", took)
		}
	})
}

// An ask that is asked again, here or by another server, has its whole time
// again, and a call that has waited since before does not end it.
func TestAskingAgainGivesEveryWaitTheWholeTime(t *testing.T) {
	t.Parallel()
	const timeout = 60 * time.Second
	for _, test := range []struct {
		name      string
		mute      bool // the first server hears of no change
		oneServer bool
		early     time.Duration // when the first call ends
	}{
		{name: "by another server", early: timeout},
		// It notices when its own time is over.
		{name: "by another server, unheard", mute: true, early: timeout + 20*time.Second},
		{name: "by the same server", oneServer: true, early: timeout},
		{name: "by the same server, unheard", oneServer: true, mute: true, early: timeout},
	} {
		mcptest.Timed(t, test.name, func(t *testing.T) {
			f := newFaulty()
			f.mute.Store(test.mute)
			first := mcptest.WorldOver(t, f.Store, func(cfg *mcp.Config) { cfg.Store, cfg.AnswerTimeout = f, timeout })
			second := first
			if !test.oneServer {
				second = mcptest.WorldOver(t, f.Store, func(cfg *mcp.Config) { cfg.AnswerTimeout = timeout })
			}
			c, d := mcptest.Connect(t, first.Server), mcptest.Connect(t, second.Server)
			c.Initialize("opencode")
			d.Initialize("opencode")
			session := c.Session()
			early := c.CallTool("ask_user", mcptest.OneQuestion(session), 1)
			id := first.Opened(1)[0].ID
			time.Sleep(40 * time.Second)
			start := time.Now()
			late := d.CallTool("ask_user", mcptest.OneQuestion(session), 1)
			time.Sleep(timeout - time.Second)
			if state := first.Ask(id).Outcome.State; state != questions.Pending {
				t.Errorf("%v after it was asked again it is %s", time.Since(start), state)
			}
			for _, call := range []struct {
				c    *mcptest.Client
				id   string
				want time.Duration
			}{{d, late, timeout}, {c, early, test.early}} {
				got, _ := call.c.Later(call.id)
				if took := time.Since(start).Round(time.Second); took != call.want || got.Data["state"] != "expired" {
					t.Errorf("after %v: %q, want it after %v", took, got.Text(), call.want)
				}
			}
		})
	}
}

// The time of a question that is asked anew runs from then on, also where the
// machine's clock was set back meanwhile and the second asking looks no later.
func TestAskingAgainAfterACancelledCallGivesTheWholeTime(t *testing.T) {
	t.Parallel()
	for name, setBack := range map[string]time.Duration{"as time goes": 0, "the clock set back": 48 * time.Hour} {
		mcptest.Timed(t, name, func(t *testing.T) {
			var back atomic.Int64
			s := store.New(kvtest.NewMap(), store.Options{
				Now: func() time.Time { return time.Now().Add(-time.Duration(back.Load())) },
			})
			w := mcptest.WorldOver(t, s, func(cfg *mcp.Config) { cfg.AnswerTimeout = time.Hour })
			c := mcptest.Connect(t, w.Server)
			c.Initialize("opencode")
			session := c.Session()
			first := c.CallTool("ask_user", mcptest.OneQuestion(session), 1)
			w.Opened(1)
			time.Sleep(55 * time.Minute)
			c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(first)})
			synctest.Wait()
			back.Store(int64(setBack))
			got, took := c.Later(c.CallTool("ask_user", mcptest.OneQuestion(session), 1))
			if took != time.Hour || got.Data["state"] != "expired" {
				t.Errorf("%v after it was asked anew: %q", took, got.Text())
			}
		})
	}
}

func TestTheAgentCountsAsThereBetweenTwoWaits(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "and not for ever", func(t *testing.T) {
		w := mcptest.NewWorld(t, nil)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("somebody")
		c.Later(c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), nil))
		ask := w.Opened(1)[0]
		time.Sleep(10 * time.Second)
		if !w.Waits(ask.ID) {
			t.Error("ten seconds after the wait the agent counts as gone")
		}
		time.Sleep(20 * time.Second)
		if w.Waits(ask.ID) {
			t.Error("half a minute after the wait the agent counts as there")
		}
	})
}

func TestARootsRequestThatNobodyAnswersIsLetGo(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "after two seconds", func(t *testing.T) {
		w := mcptest.NewWorld(t, nil)
		c := mcptest.Connect(t, w.Server)
		c.InitializeAs(map[string]any{"name": "t", "version": "1"}, map[string]any{"roots": map[string]any{}})
		got, took := c.Later(c.CallTool("init_planb_session", nil, nil))
		if took != 2*time.Second || got.Data["projectPath"] != "/srv/project" {
			t.Errorf("after %v the project is %v", took, got.Data["projectPath"])
		}
	})
}
