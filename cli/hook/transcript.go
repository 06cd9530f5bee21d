package hook

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

// While its hook runs, Claude Code also asks the person in a dialog of its own.
// If they answer there, it neither ends the hook nor closes its pipes. But its
// transcript then has the tool's result.

const (
	transcriptPoll = 500 * time.Millisecond
	// transcriptLag is the number of further reads in which a result must still belong
	// to the newest call before it counts. Claude Code writes its transcript with a
	// delay (measured: a tenth of a second), so the result of the plan before can
	// arrive when the next plan's hook already runs.
	transcriptLag = 2
	// transcriptTail is how many bytes before the wait's start are read, to
	// find the call that is waited for.
	transcriptTail = 1 << 20
)

// withdrawWhenAnswered withdraws the version's review if the person answers in
// the client's own dialog. It returns when ctx ends.
func withdrawWhenAnswered(ctx context.Context, st *store.Store, plan store.Plan, transcript string) {
	if !awaitClaude(ctx, transcript) {
		return
	}
	if id := openReview(ctx, st, plan); id != "" {
		// If this fails, the review stays in the inbox, as one that the person
		// left.
		_, _ = st.Settle(ctx, id, questions.Outcome{State: questions.Withdrawn})
	}
}

// awaitClaude waits until the transcript has the result of the newest call of
// ExitPlanMode, written after the wait began. It returns false if ctx ends
// first or the transcript cannot be read.
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
	for errors.Is(err, fs.ErrNotExist) && next() { // the transcript, too, is created with that delay
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

// transcript reads a growing file with a line of JSON for each message.
type transcript struct {
	file    *os.File
	lines   *bufio.Reader
	at      int64  // offset of the current line
	part    []byte // beginning of an incomplete line
	begun   int64  // offset at which the wait began
	newest  string // id of the newest call of ExitPlanMode
	decided bool   // its result was written after begun
}

// openTranscript opens the transcript. The wait begins at its start or end, as
// whence says. Up to transcriptTail bytes before that are read, too.
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

// read reads all complete lines that were added.
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

// add evaluates one line. It ignores lines of another form and of other types:
// Claude Code logs its requests, too, and they repeat earlier calls and results.
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
		case entry.Type == "assistant" && item.Type == "tool_use" && item.Name == claudeTool:
			t.newest, t.decided = item.ID, false
		case entry.Type == "user" && item.Type == "tool_result" && item.Of == t.newest && t.newest != "":
			t.decided = t.at >= t.begun
		}
	}
}
