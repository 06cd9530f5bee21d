package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/questions"
	"planb/store"
	"planb/store/kv/kvtest"
)

// timed runs a test on a clock that jumps to the next thing to happen.
func timed(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// callTool starts a tool with a progress token, or without one if it is nil.
func (c *client) callTool(name string, args any, token any) string {
	c.t.Helper()
	params := map[string]any{"name": name, "arguments": args}
	if token != nil {
		params["_meta"] = map[string]any{"progressToken": token}
	}
	return c.start("tools/call", params)
}

// later waits for a reply on a clock that costs nothing, and returns how long it took.
func (c *client) later(id string) (answer, time.Duration) {
	c.t.Helper()
	start := time.Now()
	got := c.decode(<-c.expect(id))
	return got, time.Since(start).Round(time.Second)
}

func TestACallReturnsBeforeItsClientGivesUp(t *testing.T) {
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
		timed(t, fmt.Sprint(test.client, " ", test.token, " ", test.wait), func(t *testing.T) {
			w := newWorld(t, func(cfg *mcp.Config) { cfg.Wait = test.wait })
			c := connect(t, w.Server)
			c.initialize(test.client)
			call := c.callTool("ask_user", oneQuestion(c.session()), test.token)
			got, took := c.later(call)
			if took != test.want {
				t.Errorf("it took %v, want %v", took, test.want)
			}
			ask := w.opened(1)[0]
			if !got.stillOpen(ask.ID) {
				t.Errorf("got %q, %v", got.text(), got.data)
			}
		})
	}
}

func TestProgressIsReportedOnlyToWhoWantsIt(t *testing.T) {
	timed(t, "with a token", func(t *testing.T) {
		w := newWorld(t, nil)
		c := connect(t, w.Server)
		c.initialize("opencode")
		call := c.callTool("ask_user", oneQuestion(c.session()), json.RawMessage("9007199254740993"))
		ask := w.opened(1)[0]
		time.Sleep(10 * time.Minute)
		w.submit(ask.ID, "harbour")
		if got, _ := c.later(call); got.text() != `{"name":"harbour"}` {
			t.Errorf("got %q", got.text())
		}
		sent := c.notifications("notifications/progress")
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
	timed(t, "without", func(t *testing.T) {
		w := newWorld(t, nil)
		c := connect(t, w.Server)
		c.initialize("codex-mcp-client")
		c.later(c.callTool("ask_user", oneQuestion(c.session()), nil))
		if sent := c.notifications("notifications/progress"); len(sent) > 0 {
			t.Errorf("%d progress notifications", len(sent))
		}
	})
}

func TestAnAgentWhoseUserIsAwayIsToldToStop(t *testing.T) {
	timed(t, "after three waits in vain", func(t *testing.T) {
		w := newWorld(t, nil)
		c := connect(t, w.Server)
		c.initialize("somebody")
		got, _ := c.later(c.callTool("ask_user", oneQuestion(c.session()), nil))
		ask := w.opened(1)[0]
		again := func() answer {
			got, _ := c.later(c.callTool("get_answer", map[string]any{"askId": ask.ID}, nil))
			return got
		}
		for i := range 3 {
			if !got.stillOpen(ask.ID) {
				t.Fatalf("wait %d gave %q", i+1, got.text())
			}
			// A look is no wait, and neither is a short one.
			c.tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0})
			c.later(c.callTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 5}, nil))
			got = again()
		}
		if got.IsError || got.data["away"] != true {
			t.Errorf("after three waits in vain: %q, %v", got.text(), got.data)
		}
		for _, wait := range []int{0, 5} { // however it looks again
			got, _ := c.later(c.callTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": wait}, nil))
			if got.data["away"] != true {
				t.Errorf("waiting %d s says %q", wait, got.text())
			}
		}

		// A key pressed begins the count anew.
		if err := w.store.SaveEntry(t.Context(), ask.ID, entryOf("A")); err != nil {
			t.Fatal(err)
		}
		start, waits := time.Now(), 0
		for got = again(); got.stillOpen(ask.ID); got = again() {
			waits++
		}
		if took := time.Since(start); got.data["away"] != true || waits < 3 || took < 3*time.Minute || took > 5*time.Minute {
			t.Errorf("%v and %d waits after a key: %q", took, waits, got.text())
		}
	})
	timed(t, "but not within three minutes", func(t *testing.T) {
		w := newWorld(t, func(cfg *mcp.Config) { cfg.Wait = 20 * time.Second })
		c := connect(t, w.Server)
		c.initialize("somebody")
		start := time.Now()
		c.later(c.callTool("ask_user", oneQuestion(c.session()), nil))
		ask := w.opened(1)[0]
		for {
			got, _ := c.later(c.callTool("get_answer", map[string]any{"askId": ask.ID}, nil))
			if got.stillOpen(ask.ID) {
				continue
			}
			if took := time.Since(start); got.data["away"] != true || took < 3*time.Minute || took > 3*time.Minute+20*time.Second {
				t.Errorf("after %v: %q", took, got.text())
			}
			break
		}
	})
}

func TestExpiry(t *testing.T) {
	timed(t, "told in time, answered late", func(t *testing.T) {
		w := newWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 90 * time.Minute })
		c := connect(t, w.Server)
		c.initialize("opencode")
		session := c.session()
		got, took := c.later(c.callTool("ask_user", oneQuestion(session), "token"))
		ask := w.opened(1)[0]
		if took != 90*time.Minute || !strings.HasPrefix(got.text(), "No answer was submitted within 1 hour 30 minutes.") ||
			got.IsError || got.data["state"] != "expired" {
			t.Errorf("after %v: %q, %v", took, got.text(), got.data)
		}
		w.submit(ask.ID, "late")
		if got := c.tool("save_plan", map[string]any{"sessionId": session, "plan": "x"}); !strings.Contains(got.text(), `{"name":"late"}`) {
			t.Errorf("the late answer is not announced: %q", got.text())
		}
	})
	timed(t, "over several calls", func(t *testing.T) {
		w := newWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 100 * time.Second })
		c := connect(t, w.Server)
		c.initialize("somebody")
		c.later(c.callTool("ask_user", oneQuestion(c.session()), nil)) // 50 s
		ask := w.opened(1)[0]
		time.Sleep(20 * time.Second)
		got, took := c.later(c.callTool("get_answer", map[string]any{"askId": ask.ID}, nil))
		if took != 30*time.Second || !strings.HasPrefix(got.text(), "No answer was submitted within 1 minute 40 seconds.") {
			t.Errorf("after %v: %q", took, got.text())
		}
		// One that waits on waits for a late answer.
		call := c.callTool("get_answer", map[string]any{"askId": ask.ID}, nil)
		time.Sleep(10 * time.Second)
		w.submit(ask.ID, "late")
		if got, _ := c.later(call); got.text() != `{"name":"late"}` {
			t.Errorf("got %q", got.text())
		}
	})
	timed(t, "again and again, it is time to stop", func(t *testing.T) {
		w := newWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 46 * time.Second })
		c := connect(t, w.Server)
		c.initialize("somebody")
		got, _ := c.later(c.callTool("ask_user", oneQuestion(c.session()), nil))
		ask := w.opened(1)[0]
		for range 3 {
			if got.data["state"] != "expired" || got.data["away"] != nil {
				t.Fatalf("got %q, %v", got.text(), got.data)
			}
			got, _ = c.later(c.callTool("get_answer", nil, nil))
		}
		if got.data["askId"] != ask.ID || got.data["away"] != true {
			t.Errorf("got %q, %v", got.text(), got.data)
		}
	})
	timed(t, "no verdict on a plan", func(t *testing.T) {
		w, c, session := planned(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 1500 * time.Millisecond })
		got, _ := c.later(c.callTool("submit_plan", map[string]any{"sessionId": session}, nil))
		if got.data["askId"] != w.opened(1)[0].ID || got.data["state"] != "expired" {
			t.Errorf("got %q, %v", got.text(), got.data)
		}
	})
	timed(t, "asked again, it is pending again", func(t *testing.T) {
		w := newWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 20 * time.Second })
		c := connect(t, w.Server)
		c.initialize("somebody")
		session := c.session()
		c.later(c.callTool("ask_user", oneQuestion(session), nil))
		call := c.callTool("ask_user", oneQuestion(session), nil)
		time.Sleep(15 * time.Second)
		ask := w.opened(1)[0]
		if ask.Outcome.State != questions.Pending {
			t.Errorf("it is %s", ask.Outcome.State)
		}
		if _, took := c.later(call); took != 5*time.Second {
			t.Errorf("it expired after %v more", took)
		}
	})
}

// An ask that is asked again, here or by another server, has its whole time
// again, and a call that has waited since before does not end it.
func TestAskingAgainGivesEveryWaitTheWholeTime(t *testing.T) {
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
		timed(t, test.name, func(t *testing.T) {
			f := newFaulty()
			f.mute.Store(test.mute)
			first := worldOver(t, f.Store, func(cfg *mcp.Config) { cfg.Store, cfg.AnswerTimeout = f, timeout })
			second := first
			if !test.oneServer {
				second = worldOver(t, f.Store, func(cfg *mcp.Config) { cfg.AnswerTimeout = timeout })
			}
			c, d := connect(t, first.Server), connect(t, second.Server)
			c.initialize("opencode")
			d.initialize("opencode")
			session := c.session()
			early := c.callTool("ask_user", oneQuestion(session), 1)
			id := first.opened(1)[0].ID
			time.Sleep(40 * time.Second)
			start := time.Now()
			late := d.callTool("ask_user", oneQuestion(session), 1)
			time.Sleep(timeout - time.Second)
			if state := first.ask(id).Outcome.State; state != questions.Pending {
				t.Errorf("%v after it was asked again it is %s", time.Since(start), state)
			}
			for _, call := range []struct {
				c    *client
				id   string
				want time.Duration
			}{{d, late, timeout}, {c, early, test.early}} {
				got, _ := call.c.later(call.id)
				if took := time.Since(start).Round(time.Second); took != call.want || got.data["state"] != "expired" {
					t.Errorf("after %v: %q, want it after %v", took, got.text(), call.want)
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
		timed(t, name, func(t *testing.T) {
			var back atomic.Int64
			s := store.New(kvtest.NewMap(), store.Options{
				Now: func() time.Time { return time.Now().Add(-time.Duration(back.Load())) },
			})
			w := worldOver(t, s, func(cfg *mcp.Config) { cfg.AnswerTimeout = time.Hour })
			c := connect(t, w.Server)
			c.initialize("opencode")
			session := c.session()
			first := c.callTool("ask_user", oneQuestion(session), 1)
			w.opened(1)
			time.Sleep(55 * time.Minute)
			c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(first)})
			synctest.Wait()
			back.Store(int64(setBack))
			got, took := c.later(c.callTool("ask_user", oneQuestion(session), 1))
			if took != time.Hour || got.data["state"] != "expired" {
				t.Errorf("%v after it was asked anew: %q", took, got.text())
			}
		})
	}
}

func TestTheAgentCountsAsThereBetweenTwoWaits(t *testing.T) {
	timed(t, "and not for ever", func(t *testing.T) {
		w := newWorld(t, nil)
		c := connect(t, w.Server)
		c.initialize("somebody")
		c.later(c.callTool("ask_user", oneQuestion(c.session()), nil))
		ask := w.opened(1)[0]
		time.Sleep(10 * time.Second)
		if !w.waits(ask.ID) {
			t.Error("ten seconds after the wait the agent counts as gone")
		}
		time.Sleep(20 * time.Second)
		if w.waits(ask.ID) {
			t.Error("half a minute after the wait the agent counts as there")
		}
	})
}

func TestARootsRequestThatNobodyAnswersIsLetGo(t *testing.T) {
	timed(t, "after two seconds", func(t *testing.T) {
		w := newWorld(t, nil)
		c := connect(t, w.Server)
		c.initializeAs(map[string]any{"name": "t", "version": "1"}, map[string]any{"roots": map[string]any{}})
		got, took := c.later(c.callTool("init_planb_session", nil, nil))
		if took != 2*time.Second || got.data["projectPath"] != "/srv/project" {
			t.Errorf("after %v the project is %v", took, got.data["projectPath"])
		}
	})
}
