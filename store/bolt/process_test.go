package bolt

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/store/kv"
)

// TestProcessesCount has processes raise one number by compare-and-set; they
// also race to make the store.
func TestProcessesCount(t *testing.T) {
	t.Parallel()
	const processes, each = 6, 40
	path := filepath.Join(t.TempDir(), "planb", "planb.db")
	var group sync.WaitGroup
	for range processes {
		group.Go(func() {
			if out, err := child(t, "count", path, strconv.Itoa(each)).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	group.Wait()
	e := openAt(t, path)
	got, err := e.Get(t.Context(), "n")
	if err != nil || string(got[0].Value) != strconv.Itoa(processes*each) {
		t.Errorf("counted to %s, want %d; %v", got[0].Value, processes*each, err)
	}
	if got[0].Rev != processes*each {
		t.Errorf("revision %d after %d commits", got[0].Rev, processes*each)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 3 {
		t.Errorf("in the directory: %v, %v", left, err)
	}
}

// TestWriterAmongReaders checks that a writer gets its turn among processes that read all
// the time, with locks that overlap. With bbolt's own locking the writer would wait until
// they end.
func TestWriterAmongReaders(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	for range 4 {
		cmd := child(t, "read", e.path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}()
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatalf("the reader said %q, %v", line, err)
		}
	}
	for range 40 {
		if err := write(t, e); err != nil { // a writer whose turn does not come gets an error
			t.Fatal(err)
		}
	}
}

// killRoundsEnv sets the number of rounds of TestKill, for more than every run needs.
const killRoundsEnv = "PLANB_KILL_ROUNDS"

// TestKill kills writing processes at any moment. Whatever was acknowledged must
// be there and whole, a commit must be there whole or not at all, and the next
// processes must be able to go on. It kills 12 times three processes, or as often as
// PLANB_KILL_ROUNDS says.
func TestKill(t *testing.T) {
	t.Parallel()
	rounds := 12
	if s := os.Getenv(killRoundsEnv); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s is %q, a number of rounds is expected", killRoundsEnv, s)
		}
		rounds = n
	}
	const writers = 3
	path := filepath.Join(t.TempDir(), "planb.db")
	acked, killed := 0, 0
	for round := range rounds {
		last := make([]string, writers)
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				prefix := fmt.Sprintf("%d.%d", round, w)
				names := writeUntilKilled(t, path, prefix, time.Duration(5+(round*7+w*11)%40)*time.Millisecond)
				if len(names) > 0 {
					last[w] = names[len(names)-1]
				}
			})
		}
		group.Wait()
		killed += writers
		e := openAt(t, path)
		for w, name := range last {
			acked += wantAcknowledged(t, e, fmt.Sprintf("%d.%d", round, w), name)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d processes killed, %d acknowledged commits", killed, acked)
	if acked == 0 {
		t.Error("no commit was ever acknowledged: this proves nothing")
	}
	wantConsistent(t, path)
}

// writeUntilKilled runs a writer, kills it after a while from its first
// acknowledged commit, and returns the names of all of them.
func writeUntilKilled(t *testing.T, path, prefix string, after time.Duration) []string {
	cmd := child(t, "write", path, prefix)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Error(err)
		return nil
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return nil
	}
	var names []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if len(names) == 0 {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
		names = append(names, lines.Text())
	}
	if _, killed := cmd.Wait().(*exec.ExitError); !killed || stderr.Len() > 0 {
		t.Errorf("writer %s ended by itself: %s", prefix, stderr.String())
	}
	return names
}

// wantAcknowledged checks the records of one killed writer, by the last commit that it
// acknowledged, and returns the number of that commit.
func wantAcknowledged(t *testing.T, e *Engine, prefix, name string) int {
	t.Helper()
	if name == "" {
		return 0
	}
	_, number, _ := strings.Cut(name, "/")
	told, err := strconv.Atoi(number)
	if err != nil {
		t.Fatalf("the writer printed %q", name)
	}
	page, err := e.Scan(t.Context(), kv.Key(prefix+"/"), "", kv.MaxPageRecords)
	if err != nil {
		t.Fatal(err)
	}
	var last string
	there := make(map[string]bool)
	for _, r := range page.Records {
		if r.Key == kv.Key(prefix+"/last") {
			last, _, _ = strings.Cut(string(r.Value), " ")
			continue
		}
		there[string(r.Key)] = true
		if string(r.Value) != string(writtenValue(string(r.Key))) {
			t.Errorf("%s holds another value", r.Key)
		}
	}
	// One more commit may have been done and not told.
	_, number, _ = strings.Cut(last, "/")
	newest, err := strconv.Atoi(number)
	if err != nil || newest != told && newest != told+1 {
		t.Errorf("%s acknowledged %d, the store has %q", prefix, told, last)
	}
	for i := max(0, newest-19); i <= newest; i++ {
		if !there[fmt.Sprintf("%s/%d", prefix, i)] {
			t.Errorf("%s/%d is lost; %d was acknowledged", prefix, i, told)
		}
	}
	if len(there) != min(newest+1, 20) {
		t.Errorf("%d records of %s, want %d", len(there), prefix, min(newest+1, 20))
	}
	return told + 1
}

// wantConsistent has bbolt check all of its file.
func wantConsistent(t *testing.T, path string) {
	t.Helper()
	if err := checkPages(path); err != nil {
		t.Error(err)
	}
}

// TestMakeAfterKill checks that what a killed maker left is swept away and keeps no process
// from making the store.
func TestMakeAfterKill(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "planb.db")
	writeFile(t, path+".new-123", make([]byte, 5000))
	e := openAt(t, path)
	if err := write(t, e); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + ".new-123"); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
	wantConsistent(t, path)
}
