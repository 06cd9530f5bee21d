package bolt

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// step is one relevant event of a trace, as strace wrote it.
type step struct {
	line int // of the trace
	told string
	do   func(*disk) error // to the disk; nil if it is a deed
	deed *deed             // what a process said
}

// tracedCalls are the system calls that change files or names, or sync them. Calls that
// the replay does not know are among them, so that it can report them.
const tracedCalls = "openat,?openat2,?open,?creat,pwrite64,write,ftruncate,fsync,fdatasync," +
	"?mkdir,mkdirat,?rename,?renameat,renameat2,?link,linkat,?unlink,unlinkat,?rmdir," +
	"?writev,?pwritev,?pwritev2,?truncate,?fallocate,?copy_file_range,?sendfile,?splice,?mmap,?msync," +
	"?sync_file_range,?sync,?syncfs,?symlink,?symlinkat,?mknod,?mknodat"

// record runs the child process under strace, with all that it starts, and
// writes the trace to a file.
func record(t *testing.T, trace, name string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("strace is missing")
		}
		t.Skip("strace is missing")
	}
	// One may forbid a process to look at another, as many containers do.
	if out, err := exec.Command("strace", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("Operation not permitted")) {
			t.Skipf("no process may be traced here: %s", out)
		}
		t.Fatalf("strace: %v: %s", err, out)
	}
	cmd := child(t, name, args...)
	cmd.Args = append([]string{"strace", "-f", "--seccomp-bpf", "-y", "-xx", "-s", "16777216", "-o", trace, "-e", "trace=" + tracedCalls, "--"}, cmd.Args...)
	var err error
	if cmd.Path, err = exec.LookPath("strace"); err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(bytes.TrimSpace(stripDeeds(out))) > 0 {
		t.Fatalf("the traced processes: %v: %s", err, out)
	}
}

// stripDeeds removes the deeds from the output of processes.
func stripDeeds(out []byte) []byte {
	var rest []byte
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte(`{"Who":`)) {
			rest = append(rest, line...)
		}
	}
	return rest
}

// call is one system call.
type call struct {
	name   string
	args   []string
	result string
	begin  int // the line on which it begins
	end    int // and that on which it has ended
}

// readTrace reads the trace as far as it is about the directory root.
func readTrace(trace, root string) ([]step, error) {
	f, err := os.Open(trace)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<27)
	var calls []*call
	begun := map[string]*call{} // by thread
	for n := 1; lines.Scan(); n++ {
		c, thread, err := parseLine(lines.Text(), n, begun)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d of %s: %w", n, trace, err)
		case c == nil:
		case c.end == 0:
			begun[thread] = c
			calls = append(calls, c)
		case c.begin == n:
			calls = append(calls, c)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	var steps []step
	for _, c := range calls {
		some, err := c.steps(root)
		if err != nil {
			return nil, fmt.Errorf("line %d of %s: %w", c.begin, trace, err)
		}
		steps = append(steps, some...)
	}
	return inOrder(steps), nil
}

const (
	unfinished = " <unfinished ...>"
	resumed    = " resumed>"
)

// parseLine reads a line, which has the number of a thread and a call, its
// beginning or its end. It returns nothing for a signal or an exit.
func parseLine(line string, n int, begun map[string]*call) (*call, string, error) {
	thread, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "---") || strings.HasPrefix(rest, "+++") {
		return nil, thread, nil
	}
	if rest, ok := strings.CutPrefix(rest, "<... "); ok {
		c := begun[thread]
		name, rest, _ := strings.Cut(rest, resumed)
		if c == nil || c.name != name {
			return nil, thread, fmt.Errorf("%s resumes, which did not begin", name)
		}
		delete(begun, thread)
		c.end = n
		return c, thread, c.finish(rest)
	}
	name, rest, ok := strings.Cut(rest, "(")
	if !ok {
		return nil, thread, fmt.Errorf("no call in %.80q", line)
	}
	c := &call{name: name, begin: n}
	if rest, cut := strings.CutSuffix(rest, unfinished); cut {
		c.args = splitArgs(rest)
		return c, thread, nil
	}
	c.end = n
	return c, thread, c.finish(rest)
}

// finish adds the rest of the arguments and the result.
func (c *call) finish(rest string) error {
	at := strings.LastIndex(rest, ") ")
	if at < 0 {
		return fmt.Errorf("%s has no end: %.80q", c.name, rest)
	}
	_, result, ok := strings.Cut(rest[at:], "= ")
	if !ok {
		return fmt.Errorf("%s has no result: %.80q", c.name, rest[at:])
	}
	c.args, c.result = append(c.args, splitArgs(rest[:at])...), result
	return nil
}

// splitArgs works since all text is in hexadecimal.
func splitArgs(text string) []string {
	var args []string
	for arg := range strings.SplitSeq(text, ",") {
		if arg = strings.TrimSpace(arg); arg != "" {
			args = append(args, arg)
		}
	}
	return args
}

func (c *call) failed() bool {
	return strings.HasPrefix(c.result, "-1") || strings.HasPrefix(c.result, "?")
}

// steps are the effects of the call on the directory. A change may have happened from the
// beginning of the call on; a sync is certain at its end.
func (c *call) steps(root string) ([]step, error) {
	if c.failed() {
		return nil, nil
	}
	if d, err := c.deed(); d != nil || err != nil {
		return []step{{line: c.begin, told: c.name, deed: d}}, err
	}
	paths, err := c.paths()
	if err != nil {
		return nil, err
	}
	here := false
	within := newDisk(root)
	for _, path := range paths {
		here = here || within.holds(path)
	}
	if !here {
		return nil, nil
	}
	told := fmt.Sprintf("%s %s", c.name, strings.Join(paths, " "))
	at := func(line int, do func(*disk) error) step { return step{line: line, told: told, do: do} }
	if c.name == "fsync" || c.name == "fdatasync" {
		return []step{
			at(c.begin, func(d *disk) error { return d.beginSync(paths[0]) }),
			at(c.end, func(d *disk) error { return d.endSync(paths[0]) }),
		}, nil
	}
	do, err := c.change(paths)
	if do == nil || err != nil {
		return nil, err
	}
	return []step{at(c.begin, do)}, nil
}

// change is what the call does to the disk; nil for nothing.
func (c *call) change(paths []string) (func(*disk) error, error) {
	has := func(word string) bool { return strings.Contains(strings.Join(c.args, " "), word) }
	switch c.name {
	case "openat":
		if has("O_TRUNC") {
			break
		}
		if !has("O_CREAT") {
			return nil, nil
		}
		return func(d *disk) error {
			if d.find(paths[0]) != nil {
				return nil
			}
			return d.place(paths[0], &node{})
		}, nil
	case "mkdir", "mkdirat":
		return func(d *disk) error { return d.place(paths[0], newDir()) }, nil
	case "pwrite64":
		data, err := text(c.args[1])
		offset, err2 := strconv.ParseInt(c.args[3], 10, 64)
		if err := errors.Join(err, err2); err != nil || strconv.Itoa(len(data)) != c.result {
			return nil, fmt.Errorf("%d bytes at %s, of which %s were written; %v", len(data), c.args[3], c.result, err)
		}
		return func(d *disk) error { return d.write(paths[0], offset, []byte(data)) }, nil
	case "ftruncate":
		size, err := strconv.ParseInt(c.args[1], 10, 64)
		return func(d *disk) error { return d.write(paths[0], size, nil) }, err
	case "link", "linkat":
		return func(d *disk) error { return d.link(paths[0], paths[1]) }, nil
	case "rename", "renameat", "renameat2":
		if has("RENAME_EXCHANGE") || has("RENAME_WHITEOUT") {
			break
		}
		return func(d *disk) error { return d.rename(paths[0], paths[1]) }, nil
	case "unlink", "unlinkat", "rmdir":
		return func(d *disk) error { return d.place(paths[0], nil) }, nil
	case "mmap":
		// The trace is complete only if no process writes through mapped memory.
		if !has("PROT_WRITE") || has("MAP_PRIVATE") {
			return nil, nil
		}
	}
	return nil, fmt.Errorf("the replay does not know %s(%.200s)", c.name, strings.Join(c.args, ", "))
}

// deed is the deed that the call announces or confirms, if it does.
func (c *call) deed() (*deed, error) {
	if c.name != "write" || !strings.HasPrefix(c.args[0], "1<") {
		return nil, nil
	}
	line, err := text(c.args[1])
	if err != nil {
		return nil, err
	}
	d := new(deed)
	if err := json.Unmarshal([]byte(line), d); err != nil {
		return nil, fmt.Errorf("a process wrote %.80q: %w", line, err)
	}
	return d, nil
}

// paths are the files that the call is about.
func (c *call) paths() ([]string, error) {
	var paths []string
	dir := ""
	for i, arg := range c.args {
		number, rest, isFile := strings.Cut(arg, "<")
		switch {
		case isFile:
			path, err := text(`"` + strings.TrimSuffix(rest, ">") + `"`)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", arg, err)
			}
			dir = path
			if number != "AT_FDCWD" && !c.takesPathAfter(i) {
				paths = append(paths, path)
			}
		case strings.HasPrefix(arg, `"`) && c.takesPaths():
			path, err := text(arg)
			if err != nil {
				return nil, err
			}
			if !filepath.IsAbs(path) {
				path = filepath.Join(dir, path)
			}
			paths = append(paths, filepath.Clean(path))
		}
	}
	return paths, nil
}

// takesPaths reports whether the strings among the call's arguments are paths.
func (c *call) takesPaths() bool {
	switch c.name {
	case "write", "pwrite64", "writev", "pwritev", "pwritev2":
		return false
	}
	return true
}

// takesPathAfter reports whether that argument is a directory in which the next
// one is a path.
func (c *call) takesPathAfter(i int) bool {
	return c.takesPaths() && i+1 < len(c.args) && strings.HasPrefix(c.args[i+1], `"`)
}

// text is a string as strace writes it, in hexadecimal.
func text(quoted string) (string, error) {
	if strings.HasSuffix(quoted, "...") {
		return "", errors.New("strace cut a string short")
	}
	return strconv.Unquote(quoted)
}

// inOrder sorts steps by their lines.
func inOrder(steps []step) []step {
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.line, b.line) })
	return steps
}
