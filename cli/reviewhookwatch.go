package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"planb/files"
	"planb/questions"
	"planb/store"
)

// Claude Code asks the person in a dialog of its own while its hook runs, and
// neither ends the hook nor closes its pipes when they answer there. Its transcript
// says it: the tool's result is in it then.

const (
	transcriptPoll = 500 * time.Millisecond
	// transcriptLag is how many looks a result must stay the newest call's before it
	// counts. Claude Code writes its transcript with a delay (a tenth of a second
	// where it was measured), so the result of the plan before can come while the
	// hook of the next one already runs.
	transcriptLag = 2
	// transcriptTail is how much of what was written before is read, to know the
	// call that is decided.
	transcriptTail = 1 << 20
)

// withdrawWhenAnswered takes the version's review back when its client has gone on
// without it, until ctx ends.
func withdrawWhenAnswered(ctx context.Context, st *store.Store, plan store.Plan, transcript string) {
	if !awaitClaude(ctx, transcript) {
		return
	}
	if id := openReview(ctx, st, plan); id != "" {
		// Where it cannot be, it waits in the inbox as one that was left does.
		_, _ = st.Settle(ctx, id, questions.Outcome{State: questions.Withdrawn})
	}
}

// awaitClaude waits until the transcript has the result of the newest call of
// ExitPlanMode, and had it not when the wait began; false if ctx ends first, or the
// transcript cannot be read.
func awaitClaude(ctx context.Context, path string) bool {
	poll := time.NewTicker(transcriptPoll)
	defer poll.Stop()
	next := func() bool {
		select {
		case <-poll.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
	t, err := openTranscript(path, io.SeekEnd)
	for errors.Is(err, fs.ErrNotExist) && next() { // it is made with the same delay
		t, err = openTranscript(path, io.SeekStart)
	}
	if err != nil {
		return false
	}
	defer t.file.Close()
	for looks := 0; looks <= transcriptLag; {
		if err := t.read(); err != nil {
			return false
		}
		if looks++; !t.decided {
			looks = 0
		}
		if looks <= transcriptLag && !next() {
			return false
		}
	}
	return true
}

// transcript is read as it grows, a line of JSON for each message.
type transcript struct {
	file    *os.File
	lines   *bufio.Reader
	at      int64  // of the line's first byte
	part    []byte // of a line that is not whole yet
	begun   int64  // what stands before this byte was written before the wait
	newest  string // the id of the newest call of ExitPlanMode
	decided bool   // its result was written since
}

// openTranscript opens the transcript. What stands before its end, or its start, as
// whence says, was written before the wait; the end of that is read, too.
func openTranscript(path string, whence int) (*transcript, error) {
	file, _, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	begun, err := file.Seek(0, whence)
	from := max(begun-transcriptTail, 0)
	if err == nil {
		_, err = file.Seek(from, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &transcript{file: file, lines: bufio.NewReader(file), at: from, begun: begun}, nil
}

// read reads all lines that were added.
func (t *transcript) read() error {
	for {
		line, err := t.lines.ReadSlice('\n')
		t.part = append(t.part, line...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		t.add(t.part)
		t.at += int64(len(t.part))
		t.part = t.part[:0]
	}
}

// add reads one line. A line of another form changes nothing.
func (t *transcript) add(line []byte) {
	if !bytes.Contains(line, []byte(`"tool_`)) {
		return
	}
	var entry struct {
		Type    string
		Message struct {
			Content []struct {
				Type, Name, ID string
				Of             string `json:"tool_use_id"`
			}
		}
	}
	if json.Unmarshal(line, &entry) != nil {
		return
	}
	for _, item := range entry.Message.Content {
		switch {
		case item.Type == "tool_use" && item.Name == claudeTool:
			t.newest, t.decided = item.ID, false
		case item.Type == "tool_result" && item.Of == t.newest && t.newest != "":
			t.decided = t.at >= t.begun
		}
	}
}
