package bolt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// childEnv makes this test binary one of the processes below instead.
const childEnv = "PLANB_BOLT_TEST_CHILD"

func TestMain(m *testing.M) {
	name := os.Getenv(childEnv)
	if name == "" {
		kvtest.RunCases(m, "25")
	}
	args := os.Args[1:]
	var err error
	switch name {
	case "try":
		err = childTry(args[0])
	case "count":
		err = childCount(args[0], args[1])
	case "write":
		err = childWrite(args[0], args[1])
	case "read":
		err = childRead(args[0])
	case "hold":
		err = childHold(args[0])
	case "bench":
		err = childBench(args[0], args[1])
	case "live":
		err = childLive(args[0], args[1], args[2])
	case "lives":
		err = childLives(args[0], args[1])
	case "forgetful":
		err = childForgetful(args[0], args[1], args[2], args[3])
	case "scratch":
		err = childScratch(args[0])
	case "mounted":
		err = childMounted(args[0], args[1:])
	default:
		err = fmt.Errorf("no child process %q", name)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// endsAtOnce makes such a process end as soon as it is done. Under the race detector it
// would wait a second more, to report late races.
const endsAtOnce = "GORACE=atexit_sleep_ms=0"

// child makes a command that runs this test binary as another process.
func child(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), childEnv+"="+name, endsAtOnce)
	return cmd
}

// childTry opens, reads and writes, and prints each outcome on a line.
func childTry(path string) error {
	ctx := context.Background()
	say := func(what string, err error) {
		kind := ""
		if fault, ok := errors.AsType[*kv.Fault](err); ok {
			kind = string(fault.Kind)
		}
		fmt.Printf("%s\t%s\t%v\n", what, kind, err)
	}
	e, err := Open(ctx, path, Options{})
	say("open", err)
	if err != nil {
		return nil
	}
	defer e.Close()
	got, err := e.Get(ctx, savedKey(0))
	if err == nil && string(got[0].Value) != savedValue(0) {
		err = errors.New("the record is lost")
	}
	say("read", err)
	say("write", e.Commit(ctx, kv.Batch{Puts: []kv.Put{{Key: "new", Value: []byte("new")}}}))
	return nil
}

// childCount raises a number by compare-and-set.
func childCount(path, times string) error {
	ctx := context.Background()
	e, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	for range n {
		if err := increment(ctx, e, "n"); err != nil {
			return err
		}
	}
	return nil
}

func increment(ctx context.Context, e kv.Engine, key kv.Key) error {
	for {
		got, err := e.Get(ctx, key)
		if err != nil {
			return err
		}
		n := 0
		if got[0].Exists() {
			if n, err = strconv.Atoi(string(got[0].Value)); err != nil {
				return err
			}
		}
		err = e.Commit(ctx, kv.Batch{
			Checks: []kv.Check{{Key: key, Rev: got[0].Rev}},
			Puts:   []kv.Put{{Key: key, Value: strconv.AppendInt(nil, int64(n+1), 10)}},
		})
		if !errors.Is(err, kv.ErrConflict) {
			return err
		}
	}
}

// childWrite writes record after record, of very different sizes, and prints the
// name of each when it is acknowledged, until it is killed.
func childWrite(path, prefix string) error {
	ctx := context.Background()
	e, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s/%d", prefix, i)
		b := kv.Batch{Puts: []kv.Put{
			{Key: kv.Key(name), Value: writtenValue(name)},
			{Key: kv.Key(prefix + "/last"), Value: writtenValue(name)},
		}}
		if i >= 20 {
			b.Deletes = append(b.Deletes, kv.Key(fmt.Sprintf("%s/%d", prefix, i-20)))
		}
		if err := e.Commit(ctx, b); err != nil {
			return err
		}
		fmt.Println(name)
	}
}

func writtenValue(name string) []byte {
	return []byte(strings.Repeat(name+" ", 1+len(name)*int(name[len(name)-1]-'0')))
}

// childRead reads as fast as it can until it is killed.
func childRead(path string) error {
	e, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	for said := false; ; said = true {
		if _, err := e.Scan(context.Background(), "k/", "", savedRecords); err != nil {
			return err
		}
		if !said {
			fmt.Println("reading")
		}
	}
}

// childHold holds a file's lock until its input ends.
func childHold(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if _, err := lock(f, true, true); err != nil {
		return err
	}
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// hold has another process lock a file, and returns what ends it.
func hold(t testing.TB, path string) (pid int, release func()) {
	t.Helper()
	cmd := child(t, "hold", path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	release = func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	}
	t.Cleanup(release)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if line != "held\n" {
		t.Fatalf("the other process said %q, %v", line, err)
	}
	return cmd.Process.Pid, release
}

// eventually polls until the condition holds.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	end := time.Now().Add(10 * time.Second)
	for !holds() {
		if time.Now().After(end) {
			t.Fatalf("it never came that %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}
