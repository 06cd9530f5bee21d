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
	first := worldOver(t, openBolt(t, dir), nil)
	c := connect(t, first.Server)
	c.initialize("test")
	session := c.session()
	c.startTool("ask_user", oneQuestion(session))
	look := &world{t: t, store: person}
	ask := look.opened(1)[0]
	if err := c.end(); err != nil {
		t.Fatal(err)
	}

	second := worldOver(t, openBolt(t, dir), nil)
	c = connect(t, second.Server)
	c.initialize("test")
	call := c.startTool("get_answer", map[string]any{"sessionId": session})
	until(t, "the second server waits", func() bool { return look.waits(ask.ID) })
	look.submit(ask.ID, "harbour")
	if got := c.answer(call); got.text() != `{"name":"harbour"}` {
		t.Errorf("got %q", got.text())
	}
	until(t, "the answer counts as delivered", func() bool { return look.delivered(ask.ID) })
}

func TestEveryToolSaysThatTheStoreCannotBeUsed(t *testing.T) {
	const id = "00000000-0000-7000-8000-000000000000"
	for name, test := range map[string]struct {
		spoil func(t *testing.T, dir string)
		want  string // where {dir} is the data directory
	}{
		"a file in place of the data directory": {
			func(t *testing.T, dir string) { blockDir(t, dir) },
			"{dir} is a file, and a store needs a directory; move the file away, or set PLANB_DATA_DIR to another directory.",
		},
		"a file that was cut off": {
			func(t *testing.T, dir string) {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				blockDir(t, filepath.Join(dir, "planb.db"))
			},
			"{dir}/planb.db is empty, and a store never is: something cut it off; ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			test.spoil(t, dir)
			s := store.New(bolt.NewLazy(filepath.Join(dir, "planb.db"), bolt.Options{}), store.Options{DataDir: dir})
			c := connect(t, worldOver(t, s, nil).Server)
			c.initialize("test")
			for tool, args := range map[string]map[string]any{
				"init_planb_session": nil,
				"ask_user":           oneQuestion(id),
				"get_answer":         {"askId": id},
				"save_plan":          {"sessionId": id, "plan": "x"},
			} {
				got := c.tool(tool, args)
				if want := strings.ReplaceAll(test.want, "{dir}", dir); !got.IsError || !strings.Contains(got.text(), want) ||
					!strings.Contains(got.text(), "Only your user may put this right") {
					t.Errorf("%s says %q, want it to contain %q", tool, got.text(), want)
				}
			}
		})
	}
}

func TestTwoClientsAtOnceOnOneFile(t *testing.T) {
	dir := t.TempDir()
	look := &world{t: t, store: openBolt(t, dir)}
	clients := make([]*client, 2)
	calls := make([]string, 2)
	for i := range clients {
		clients[i] = connect(t, worldOver(t, openBolt(t, dir), nil).Server)
		clients[i].initialize("test")
		calls[i] = clients[i].startTool("ask_user", oneQuestion(clients[i].session()))
	}
	for _, ask := range look.opened(2) {
		look.submit(ask.ID, ask.Session)
	}
	for i, c := range clients {
		got := c.answer(calls[i])
		if want := fmt.Sprintf(`{"name":"%s"}`, got.data["sessionId"]); got.text() != want {
			t.Errorf("client %d got %q, want %q", i, got.text(), want)
		}
	}
}

// waiting starts n asks and lets them wait.
func waiting(b *testing.B, w *world, c *client, n int) {
	b.Helper()
	session := c.session()
	for i := range n {
		args := oneQuestion(session)
		args["title"] = fmt.Sprint("Question ", i)
		c.startTool("ask_user", args)
	}
	for _, ask := range w.opened(n) {
		until(b, "the call waits", func() bool { return w.waits(ask.ID) })
	}
}

func BenchmarkInitialize(b *testing.B) {
	dir := b.TempDir()
	s := openBolt(b, dir)
	for b.Loop() {
		c := connect(b, worldOver(b, s, nil).Server)
		c.initialize("test")
		if err := c.end(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkToolsList(b *testing.B) {
	c := connect(b, newWorld(b, nil).Server)
	c.initialize("test")
	for b.Loop() {
		c.request("tools/list", nil)
	}
}

// BenchmarkReplyWhile300Wait is another tool's reply, once through the loop
// alone and once through the store, while 300 calls wait for a person.
func BenchmarkReplyWhile300Wait(b *testing.B) {
	for _, waiters := range []int{0, 300} {
		w := worldOver(b, openBolt(b, b.TempDir()), func(cfg *mcp.Config) { cfg.Wait = time.Hour })
		c := connect(b, w.Server)
		c.initialize("test")
		waiting(b, w, c, waiters)
		session := c.session()
		b.Run(fmt.Sprintf("ping/%d", waiters), func(b *testing.B) {
			for b.Loop() {
				c.request("ping", nil)
			}
		})
		b.Run(fmt.Sprintf("look/%d", waiters), func(b *testing.B) {
			for b.Loop() {
				c.tool("get_answer", map[string]any{"sessionId": session})
			}
		})
		b.Run(fmt.Sprintf("save_plan/%d", waiters), func(b *testing.B) {
			n := 0
			for b.Loop() {
				n++
				c.tool("save_plan", map[string]any{"sessionId": session, "plan": fmt.Sprint("# Plan ", n)})
			}
		})
	}
}

// BenchmarkSubmitToResult is the time from the beginning of a person's submit,
// in another process's store, to the result at the client. One commit of this
// disk is in it; BenchmarkCommit is that alone.
func BenchmarkSubmitToResult(b *testing.B) {
	dir := b.TempDir()
	person := &world{t: b, store: openBolt(b, dir)}
	c := connect(b, worldOver(b, openBolt(b, dir), func(cfg *mcp.Config) { cfg.Wait = time.Hour }).Server)
	c.initialize("test")
	session := c.session()
	for b.Loop() {
		b.StopTimer()
		call := c.startTool("ask_user", oneQuestion(session))
		ask := person.opened(1)[0]
		until(b, "the call waits", func() bool { return person.waits(ask.ID) })
		b.StartTimer()
		person.submit(ask.ID, "harbour")
		c.answer(call)
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
