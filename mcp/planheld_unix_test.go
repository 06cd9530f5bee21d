//go:build unix

package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp"
	"planb/mcp/mcptest"
)

func flock(t *testing.T, path string, flags int) *os.File {
	t.Helper()
	file, err := os.Open(path)
	if err == nil {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|flags)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// A process that may read a plans directory can lock it. That delays no planb.
func TestALockOnThePlansDirectoryHoldsNobodyUp(t *testing.T) {
	a := mcptest.NewAuthor(t, nil)
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
	flock(t, filepath.Dir(a.File("a")), syscall.LOCK_NB)
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "two"})
	mcptest.WantText(t, a.File("a"), "two")
}

// The locks are where only the person can take them. While one directory is held,
// a call on it waits and others do not.
func TestOneHeldDirectoryHoldsUpNoOther(t *testing.T) {
	data, beside := t.TempDir(), t.TempDir()
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.DataDir = data })
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
	locks, err := filepath.Glob(filepath.Join(data, "locks", "*"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("the locks are %v, %v", locks, err)
	}
	for path, mode := range map[string]fs.FileMode{filepath.Dir(locks[0]): 0o700, locks[0]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
	}
	held := flock(t, locks[0], syscall.LOCK_NB)
	waiting := a.StartTool("write_plan", map[string]any{"planName": "a", "content": "two"})
	other := mcptest.Connect(t, a.Server)
	other.InitializeAs(map[string]any{"name": "test", "version": "1"}, map[string]any{"roots": map[string]any{}})
	for i := range 20 { // more than are worked on at once
		call := other.StartTool("write_plan", map[string]any{"planName": "b", "content": "there"})
		if i == 0 {
			asked := <-other.Asks
			other.Respond(asked.ID, `{"roots":[{"uri":"file://`+beside+`"}]}`)
		}
		if got := other.Answer(call); got.IsError {
			t.Fatal(got.Text())
		}
	}
	mcptest.WantText(t, filepath.Join(beside, "docs/planb/plans/b-plan.md"), "there")
	select {
	case got := <-a.Expect(waiting):
		t.Fatalf("the lock was not waited for: %s", got.Line)
	default:
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if got := a.Answer(waiting); got.IsError {
		t.Error(got.Text())
	}
	mcptest.WantText(t, a.File("a"), "two")
}

// openDescriptors counts how often this process has the file open.
func openDescriptors(t *testing.T, path string) (n int) {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("only Linux tells what a process has open: ", err)
	}
	for _, fd := range open {
		if target, err := os.Readlink(filepath.Join("/proc/self/fd", fd.Name())); err == nil && target == path {
			n++
		}
	}
	return n
}

// Locks of directories that are no longer used are removed. A lock that is held or waited
// for stays, or the waiting planb makes it anew.
func TestOldLocksOfPlansDirectoriesAreRemoved(t *testing.T) {
	data := t.TempDir()
	shares := func(cfg *mcp.Config) { cfg.DataDir = data }
	a := mcptest.NewAuthor(t, shares)
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
	locks, err := filepath.Glob(filepath.Join(data, "locks", "*"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("the locks are %v, %v", locks, err)
	}
	old := time.Now().Add(-48 * time.Hour)
	names := map[string]string{"own": locks[0], "unused": filepath.Join(data, "locks", "abc"), "held": filepath.Join(data, "locks", "def"), "young": filepath.Join(data, "locks", "123")}
	for name, path := range names {
		if name != "own" {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if name != "young" {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	flock(t, names["held"], syscall.LOCK_NB)
	other := mcptest.NewAuthor(t, shares)
	other.Does(t, "write_plan", map[string]any{"planName": "b", "content": "two"})
	for name, want := range map[string]bool{"own": false, "unused": false, "held": true, "young": true} {
		if _, err := os.Stat(names[name]); (err == nil) != want {
			t.Errorf("the %s lock: %v", name, err)
		}
	}
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "three"})
	mcptest.WantText(t, a.File("a"), "three")
}

// A planb that waits for a lock whose file is removed waits for the next file at its path,
// which another planb may hold.
func TestWhoWaitsForARemovedLockTakesTheNextOne(t *testing.T) {
	data := t.TempDir()
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.DataDir = data })
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "0"})
	locks, err := filepath.Glob(filepath.Join(data, "locks", "*"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("the locks are %v, %v", locks, err)
	}
	held := flock(t, locks[0], syscall.LOCK_NB)
	waiting := a.StartTool("write_plan", map[string]any{"planName": "a", "content": "1"})
	mcptest.Until(t, "the call has opened the lock", func() bool { return openDescriptors(t, locks[0]) > 1 })
	if err := os.Remove(locks[0]); err != nil {
		t.Fatal(err)
	}
	next, err := os.OpenFile(locks[0], os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	next.Close()
	second := flock(t, locks[0], syscall.LOCK_NB)
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	mcptest.Until(t, "the call has opened the new lock", func() bool { return openDescriptors(t, locks[0]) > 1 })
	select {
	case got := <-a.Expect(waiting):
		t.Fatalf("the new lock was not waited for: %s", got.Line)
	default:
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if got := a.Answer(waiting); got.IsError {
		t.Error(got.Text())
	}
	mcptest.WantText(t, a.File("a"), "1")
}

// A FIFO that replaces a plan file between the check and the opening delays no planb.
func TestAPlanFileExchangedForAFIFOHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
	path, next := a.File("a"), filepath.Join(a.Project, "next")
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			err := errors.Join(syscall.Mkfifo(next, 0o644), os.Rename(next, path), os.WriteFile(next, []byte("theirs"), 0o644), os.Rename(next, path))
			if err != nil {
				stopped <- err
				return
			}
		}
	}()
	begun, fifos := time.Now(), 0
	for i := 0; i < 3000 && fifos < 200 && time.Since(begun) < 20*time.Second; i++ {
		got := a.Tool("edit_plan", map[string]any{"planName": "a", "oldString": "none", "newString": "x"})
		if strings.Contains(got.Text(), "a pipe") {
			fifos++
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if fifos == 0 {
		t.Error("no FIFO was met")
	}
}

func TestAPromptFileThatIsAFIFO(t *testing.T) {
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.PromptFile = "plan.md" })
	if err := syscall.Mkfifo(filepath.Join(a.Project, "plan.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := a.Request("prompts/get", map[string]any{"name": "plan", "arguments": map[string]any{"ARGUMENTS": "x"}})
	if !strings.Contains(string(got.Result), "plan.md is not a file") {
		t.Errorf("got %s", got.Line)
	}
}

// A client that does not read its replies keeps no other planb from the plans.
func TestACallThatWaitsForRoomHoldsNoPlanLock(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	var owned atomic.Int32 // each call makes the directory of the locks its own before it waits for a lock
	shares := func(cfg *mcp.Config) {
		cfg.DataDir = data
		cfg.OwnDir = func(dir string) error { owned.Add(1); return os.MkdirAll(dir, 0o700) }
	}
	a := mcptest.NewAuthor(t, shares)
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
	locks, err := filepath.Glob(filepath.Join(data, "locks", "*"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("the locks are %v, %v", locks, err)
	}
	held := flock(t, locks[0], syscall.LOCK_NB)
	var read atomic.Int32
	a.Library().AddResource(sdk.NewResource("test://text", "text"), func(context.Context, sdk.ReadResourceRequest) ([]sdk.ResourceContents, error) {
		read.Add(1)
		return []sdk.ResourceContents{sdk.TextResourceContents{URI: "test://text", Text: strings.Repeat("x", 64<<10)}}, nil
	})
	serverIn, requests := io.Pipe()
	replies, serverOut := io.Pipe()
	go a.Serve(t.Context(), serverIn, serverOut)
	t.Cleanup(func() { requests.Close(); serverOut.Close() })
	send := func(lines ...string) {
		if _, err := io.WriteString(requests, strings.Join(lines, "\n")+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	before := owned.Load()
	send(`{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"write_plan","arguments":{"planName":"b","content":"two"}}}`,
		`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	if _, err := bufio.NewReader(replies).ReadString('\n'); err != nil { // of the ping; nobody reads more
		t.Fatal(err)
	}
	mcptest.Until(t, "the call waits for the lock", func() bool { return owned.Load() > before })
	const atOnce = 16 // requests are worked on; the others wait for room
	var reads []string
	for i := range atOnce + 1 {
		reads = append(reads, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"test://text"}}`, i))
	}
	send(reads...)
	mcptest.Until(t, "there is no more room", func() bool { return read.Load() == atOnce })
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	mcptest.Until(t, "the plan is written", func() bool { _, err := os.Stat(a.File("b")); return err == nil })
	other := mcptest.WorldOver(t, a.Store, func(cfg *mcp.Config) { shares(cfg); mcptest.WithReviews(cfg); cfg.WorkingDir = a.Project })
	c := mcptest.Connect(t, other.Server)
	c.Initialize("test")
	if got := c.Tool("write_plan", map[string]any{"planName": "c", "content": "three"}); got.IsError {
		t.Error(got.Text())
	}
}

// A repository may hold a FIFO where the plans directory would be. No call waits for it.
func TestAFIFOInPlaceOfThePlansDirectoryHoldsNoCallUp(t *testing.T) {
	a := mcptest.NewAuthor(t, nil)
	dir := filepath.Dir(a.File("a"))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(dir, 0o644); err != nil {
		t.Fatal(err)
	}
	for tool, args := range map[string]map[string]any{
		"write_plan":  {"planName": "a", "content": "one"},
		"edit_plan":   {"planName": "a", "oldString": "one", "newString": "two"},
		"submit_plan": {"planName": "a"},
	} {
		if got := a.Tool(tool, args); !got.IsError {
			t.Errorf("%s: %s", tool, got.Text())
		}
	}
}

// A client may name anything as its project. No call waits for the writer of a FIFO.
func TestAFIFOInPlaceOfTheProjectHoldsNoCallUp(t *testing.T) {
	project := filepath.Join(t.TempDir(), "project")
	if err := syscall.Mkfifo(project, 0o644); err != nil {
		t.Fatal(err)
	}
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.WorkingDir = project })
	if got := a.Tool("write_plan", map[string]any{"planName": "a", "content": "one"}); !got.IsError || !strings.Contains(got.Text(), "not a directory") {
		t.Error(got.Text())
	}
}
