package mcp

import (
	"bytes"
	"encoding/json"
	"sync"
)

func isBatch(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, " \t\r"), []byte("["))
}

// handleBatch serves an array of messages, which protocol version 2025-03-26
// allows: all at once, answered in one array when the last of them is.
func (c *conn) handleBatch(line []byte) {
	var items []json.RawMessage
	if err := json.Unmarshal(line, &items); err != nil {
		c.send(errorResponse(nil, &rpcError{Code: codeParse, Message: "the line is not valid JSON: " + err.Error()}))
		return
	}
	if len(items) == 0 {
		c.send(errorResponse(nil, &rpcError{Code: codeInvalidRequest, Message: "a batch must hold at least one message"}))
		return
	}
	var refused [][]byte
	var calls []*call
	for _, item := range items {
		message, problem := parseEnvelope(item)
		if problem == nil && !message.isRequest() {
			c.handleOther(message)
			continue
		}
		var served *call
		if problem == nil {
			served, problem = c.begin(message)
		}
		if problem != nil {
			refused = append(refused, errorResponse(message.ID, problem))
			continue
		}
		calls = append(calls, served)
	}
	if len(calls) == 0 {
		c.serveBatch(nil, refused)
		return
	}
	go c.serveBatch(calls, refused)
}

func (c *conn) serveBatch(calls []*call, refused [][]byte) {
	defer c.finish(calls...)
	replies := make([][]byte, len(calls))
	var all sync.WaitGroup
	for i, served := range calls {
		all.Go(func() { replies[i] = c.run(served) })
	}
	all.Wait()

	answered := refused
	kept := calls[:0:0]
	for i, served := range calls {
		if c.answer(served) {
			kept = append(kept, served)
			answered = append(answered, replies[i])
		}
	}
	if len(answered) == 0 {
		return
	}
	c.writeReply(append(append([]byte{'['}, bytes.Join(answered, []byte{','})...), ']'), kept...)
}
