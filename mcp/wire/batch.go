package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

const (
	// batchVersion is the only version of the protocol that has batches.
	batchVersion = "2025-03-26"
	// maxBatch is how many messages a batch may hold.
	maxBatch = 100
)

func isBatch(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, " \t\r"), []byte("["))
}

var errBatchTooLong = fmt.Errorf("a batch may hold at most %d messages", maxBatch)

// splitBatch returns the messages of an array. It reads no further than to the
// first message too many.
func splitBatch(line []byte) ([]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	if _, err := decoder.Token(); err != nil { // the bracket
		return nil, err
	}
	var items []json.RawMessage
	for decoder.More() {
		if len(items) == maxBatch {
			return nil, errBatchTooLong
		}
		var item json.RawMessage
		if err := decoder.Decode(&item); err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is something after the array")
	}
	return items, nil
}

// readBatch returns the messages of a batch, or why it is refused.
func (c *Conn) readBatch(line []byte) ([]json.RawMessage, *Error) {
	if c.protocolVersion() != batchVersion {
		return nil, &Error{Code: CodeInvalidRequest, Message: fmt.Sprintf(
			"batches are part of protocol version %s alone, which this connection did not agree on; send each message on a line of its own", batchVersion)}
	}
	items, err := splitBatch(line)
	switch {
	case errors.Is(err, errBatchTooLong):
		return nil, &Error{Code: CodeInvalidRequest, Message: err.Error()}
	case err != nil:
		return nil, &Error{Code: CodeParse, Message: "the line is not valid JSON: " + err.Error()}
	case len(items) == 0:
		return nil, &Error{Code: CodeInvalidRequest, Message: "a batch must hold at least one message"}
	}
	return items, nil
}

// handleBatch serves an array of messages: its requests are begun in their order,
// and answered in one array when the last of them is done.
func (c *Conn) handleBatch(line []byte) {
	items, problem := c.readBatch(line)
	if problem != nil {
		c.send(errorResponse(nil, problem))
		return
	}
	b := &batch{conn: c}
	for _, item := range items {
		b.begin(item)
	}
	if len(b.calls) == 0 {
		b.reply()
		return
	}
	go b.reply()
}

// batch is an array of messages that is served.
type batch struct {
	conn    *Conn
	refused [][]byte
	calls   []*batchedCall
	running sync.WaitGroup
}

// batchedCall is a request of a batch with its reply, which waits for the others.
type batchedCall struct {
	*Call
	reply reply
	kept  int // bytes of the reply that are counted as parked
}

// begin serves one message.
func (b *batch) begin(item json.RawMessage) {
	message, problem := parseEnvelope(item)
	if problem == nil && !message.isRequest() {
		b.conn.handleOther(message)
		return
	}
	var served *Call
	if problem == nil {
		served, problem = b.conn.begin(message, len(item))
	}
	if problem != nil {
		b.refused = append(b.refused, errorResponse(message.ID, problem))
		return
	}
	entry := &batchedCall{Call: served}
	b.calls = append(b.calls, entry)
	b.running.Go(entry.run)
}

func (e *batchedCall) run() {
	defer e.leave()
	answer := e.conn.run(e.Call)
	if size := len(answer.framed); e.conn.load.keep(size) {
		e.reply, e.kept = answer, size
		return
	}
	e.reply = refusal(e.request.ID, &Error{Code: CodeBusy, Message: fmt.Sprintf(
		"the replies of this connection's batches are longer than %d bytes together; send this request on a line of its own", maxParkedBytes)})
}

// reply answers the requests that were not cancelled, when all are done.
func (b *batch) reply() {
	b.running.Wait()
	answered := b.refused
	var done []*Call
	var replies []reply
	kept := 0
	for _, entry := range b.calls {
		done, kept = append(done, entry.Call), kept+entry.kept
		if b.conn.answer(entry.Call) {
			answered, replies = append(answered, entry.reply.framed), append(replies, entry.reply)
		}
	}
	defer b.conn.finish(done...)
	defer b.conn.load.park(0, -kept)
	if len(answered) > 0 {
		b.conn.writeReply(slices.Concat([]byte{'['}, bytes.Join(answered, []byte{','}), []byte{']'}), replies...)
	}
}
