package mcp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/store"
	"planb/store/bolt"
)

// openBolt is a store in a file, as every process opens it for itself.
func openBolt(t testing.TB, dir string) *store.Store {
	t.Helper()
	engine, err := bolt.Open(context.Background(), filepath.Join(dir, "planb.db"), bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return store.New(engine, store.Options{DataDir: dir})
}

func TestAServerThatEndsLeavesItsAsksToTheNext(t *testing.T) {
	dir := t.TempDir()
	person := openBolt(t, dir)
	first := mcptest.WorldOver(t, openBolt(t, dir), nil)
	c := mcptest.Connect(t, first.Server)
	c.Initialize("test")
	session := c.Session()
	c.StartTool("ask_user", mcptest.OneQuestion(session))
	look := &mcptest.World{T: t, Store: person}
	ask := look.Opened(1)[0]
	if err := c.End(); err != nil {
		t.Fatal(err)
	}

	second := mcptest.WorldOver(t, openBolt(t, dir), nil)
	c = mcptest.Connect(t, second.Server)
	c.Initialize("test")
	call := c.StartTool("get_answer", map[string]any{"sessionId": session})
	mcptest.Until(t, "the second server waits", func() bool { return look.Waits(ask.ID) })
	look.Submit(ask.ID, "harbour")
	if got := c.Answer(call); got.Text() != `{"name":"harbour"}` {
		t.Errorf("got %q", got.Text())
	}
	mcptest.Until(t, "the answer counts as delivered", func() bool { return look.Delivered(ask.ID) })
}

func TestEveryToolSaysThatTheStoreCannotBeUsed(t *testing.T) {
	const id = "00000000-0000-7000-8000-000000000000"
	for name, test := range map[string]struct {
		spoil func(t *testing.T, dir string)
		want  string // where {dir} is the data directory
	}{
		"a file in place of the data directory": {
			func(t *testing.T, dir string) { mcptest.BlockDir(t, dir) },
			"{dir} is a file, and a store needs a directory; move the file away, or set PLANB_DATA_DIR to another directory.",
		},
		"a file that was cut off": {
			func(t *testing.T, dir string) {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				mcptest.BlockDir(t, filepath.Join(dir, "planb.db"))
			},
			"{dir}/planb.db is empty, and a store never is: something cut it off; ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			test.spoil(t, dir)
			s := store.New(bolt.NewLazy(filepath.Join(dir, "planb.db"), bolt.Options{}), store.Options{DataDir: dir})
			c := mcptest.Connect(t, mcptest.WorldOver(t, s, nil).Server)
			c.Initialize("test")
			for tool, args := range map[string]map[string]any{
				"init_planb_session": nil,
				"ask_user":           mcptest.OneQuestion(id),
				"get_answer":         {"askId": id},
				"save_plan":          {"sessionId": id, "plan": "x"},
			} {
				got := c.Tool(tool, args)
				if want := strings.ReplaceAll(test.want, "{dir}", dir); !got.IsError || !strings.Contains(got.Text(), want) ||
					!strings.Contains(got.Text(), "Only your user may put this right") {
					t.Errorf("%s says %q, want it to contain %q", tool, got.Text(), want)
				}
			}
		})
	}
}

func TestTwoClientsAtOnceOnOneFile(t *testing.T) {
	dir := t.TempDir()
	look := &mcptest.World{T: t, Store: openBolt(t, dir)}
	clients := make([]*mcptest.Client, 2)
	calls := make([]string, 2)
	for i := range clients {
		clients[i] = mcptest.Connect(t, mcptest.WorldOver(t, openBolt(t, dir), nil).Server)
		clients[i].Initialize("test")
		calls[i] = clients[i].StartTool("ask_user", mcptest.OneQuestion(clients[i].Session()))
	}
	for _, ask := range look.Opened(2) {
		look.Submit(ask.ID, ask.Session)
	}
	for i, c := range clients {
		got := c.Answer(calls[i])
		if want := fmt.Sprintf(`{"name":"%s"}`, got.Data["sessionId"]); got.Text() != want {
			t.Errorf("client %d got %q, want %q", i, got.Text(), want)
		}
	}
}

// waiting starts n asks, in as many sessions as they need, and lets them wait.
func waiting(b *testing.B, w *mcptest.World, c *mcptest.Client, n int) {
	b.Helper()
	session := ""
	for i := range n {
		if i%store.MaxOpen == 0 {
			session = c.Session()
		}
		c.StartTool("ask_user", mcptest.Titled(session, fmt.Sprint("Question ", i)))
	}
	for _, ask := range w.Opened(n) {
		mcptest.Until(b, "the call waits", func() bool { return w.Waits(ask.ID) })
	}
}

func BenchmarkInitialize(b *testing.B) {
	dir := b.TempDir()
	s := openBolt(b, dir)
	for b.Loop() {
		c := mcptest.Connect(b, mcptest.WorldOver(b, s, nil).Server)
		c.Initialize("test")
		if err := c.End(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkToolsList(b *testing.B) {
	c := mcptest.Connect(b, mcptest.NewWorld(b, nil).Server)
	c.Initialize("test")
	for b.Loop() {
		c.Request("tools/list", nil)
	}
}

// BenchmarkReplyWhile300Wait is another tool's reply, once through the loop
// alone and once through the store, while 300 calls wait for a person.
func BenchmarkReplyWhile300Wait(b *testing.B) {
	for _, waiters := range []int{0, 300} {
		w := mcptest.WorldOver(b, openBolt(b, b.TempDir()), func(cfg *mcp.Config) { cfg.Wait = time.Hour })
		c := mcptest.Connect(b, w.Server)
		c.Initialize("test")
		waiting(b, w, c, waiters)
		session := c.Session()
		b.Run(fmt.Sprintf("ping/%d", waiters), func(b *testing.B) {
			for b.Loop() {
				c.Request("ping", nil)
			}
		})
		b.Run(fmt.Sprintf("look/%d", waiters), func(b *testing.B) {
			for b.Loop() {
				c.Tool("get_answer", map[string]any{"sessionId": session})
			}
		})
		b.Run(fmt.Sprintf("save_plan/%d", waiters), func(b *testing.B) {
			n := 0
			for b.Loop() {
				n++
				c.Tool("save_plan", map[string]any{"sessionId": session, "plan": fmt.Sprint("# Plan ", n)})
			}
		})
	}
}

// BenchmarkSubmitToResult is the time from the beginning of a person's submit,
// in another process's store, to the result at the client. One commit of this
// disk is in it; BenchmarkCommit is that alone.
func BenchmarkSubmitToResult(b *testing.B) {
	dir := b.TempDir()
	person := &mcptest.World{T: b, Store: openBolt(b, dir)}
	c := mcptest.Connect(b, mcptest.WorldOver(b, openBolt(b, dir), func(cfg *mcp.Config) { cfg.Wait = time.Hour }).Server)
	c.Initialize("test")
	session := c.Session()
	for b.Loop() {
		b.StopTimer()
		call := c.StartTool("ask_user", mcptest.OneQuestion(session))
		ask := person.Opened(1)[0]
		mcptest.Until(b, "the call waits", func() bool { return person.Waits(ask.ID) })
		b.StartTimer()
		person.Submit(ask.ID, "harbour")
		c.Answer(call)
	}
}

// BenchmarkCommit is one write of a session's record by the same store.
func BenchmarkCommit(b *testing.B) {
	s := openBolt(b, b.TempDir())
	for b.Loop() {
		if _, err := s.CreateSession(context.Background(), store.Session{}); err != nil {
			b.Fatal(err)
		}
	}
}
