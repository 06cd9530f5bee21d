package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"planb/questions"
	"planb/store"
)

// Claude Code asks the person in a dialog of its own while its hook runs, and
// neither ends the hook nor closes its pipes when they answer there. Its transcript
// says it: the tool's result is in it then.

const (
	transcriptPoll = 500 * time.Millisecond
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

// awaitClaude waits until the transcript has the result of a call of ExitPlanMode
// that it has not now; false if ctx ends first, or there is no transcript.
func awaitClaude(ctx context.Context, path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	begun, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = file.Seek(max(begun-transcriptTail, 0), io.SeekStart)
	}
	if err != nil {
		return false
	}
	t := transcript{lines: bufio.NewReader(file), at: max(begun-transcriptTail, 0), calls: map[string]bool{}}
	poll := time.NewTicker(transcriptPoll)
	defer poll.Stop()
	for {
		answered, err := t.read(begun)
		if answered || err != nil {
			return answered
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return false
		}
	}
}

// transcript is read as it grows, a line of JSON for each message.
type transcript struct {
	lines *bufio.Reader
	at    int64           // of the line's first byte
	part  []byte          // of a line that is not whole yet
	calls map[string]bool // of ExitPlanMode, by id
}

// read takes what was added, and reports whether there is a result of such a call in
// what was written from the byte begun on.
func (t *transcript) read(begun int64) (answered bool, err error) {
	for {
		line, err := t.lines.ReadSlice('\n')
		t.part = append(t.part, line...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, err
		}
		if t.take(t.part) && t.at >= begun {
			return true, nil
		}
		t.at += int64(len(t.part))
		t.part = t.part[:0]
	}
}

// take reads one line; what it does not understand says nothing.
func (t *transcript) take(line []byte) (result bool) {
	if !bytes.Contains(line, []byte(`"tool_`)) {
		return false
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
		return false
	}
	for _, item := range entry.Message.Content {
		switch {
		case item.Type == "tool_use" && item.Name == claudeTool:
			t.calls[item.ID] = true
		case item.Type == "tool_result" && t.calls[item.Of]:
			result = true
		}
	}
	return result
}
