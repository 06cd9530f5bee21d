package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Error codes of JSON-RPC 2.0, section 5.1.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	// CodeBusy is of the range that JSON-RPC leaves to servers.
	CodeBusy = -32000
)

// maxValues is how many values the parameters or the result of a message may
// hold. A value that takes two bytes of a line takes a hundred in memory.
const maxValues = 1 << 18

// envelope is the outer form of a JSON-RPC message. Its id is kept as it was
// written: mcp-go decodes ids as floating point, which corrupts integers above
// 2^53.
type envelope struct {
	JSONRPC json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  json.RawMessage `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`

	method string
}

// isRequest and isResponse sort a valid envelope: at most one holds, and neither
// for a notification.
func (e *envelope) isRequest() bool  { return e.method != "" && len(e.ID) > 0 }
func (e *envelope) isResponse() bool { return e.method == "" }

// Error is an error that a client gets with a code.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// parseEnvelope reads one message. If the message has a usable id, the envelope has it even
// with an error, so that the error can be sent as the reply to that request.
func parseEnvelope(raw []byte) (*envelope, *Error) {
	e := &envelope{}
	if err := json.Unmarshal(raw, e); err != nil {
		var wrongType *json.UnmarshalTypeError
		if errors.As(err, &wrongType) {
			return e, &Error{Code: CodeInvalidRequest, Message: "a message must be a JSON object"}
		}
		return e, &Error{Code: CodeParse, Message: "the line is not valid JSON: " + err.Error()}
	}
	return e, e.check()
}

// countValues returns at least how many values of JSON there are in valid JSON, and
// at most twice as many.
func countValues(raw []byte) int {
	count, quoted := 1, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '[' || c == '{'):
			count++
		}
	}
	return count
}

func (e *envelope) check() *Error {
	if len(e.ID) > 0 {
		if _, ok := idKey(e.ID); !ok {
			unread := string(e.ID) == "null" && len(e.Method) == 0 && len(e.Error) > 0
			e.ID = nil
			if unread { // the client could not read a message of ours, and an error has no reply
				return nil
			}
			return &Error{Code: CodeInvalidRequest, Message: "id must be a string or a number"}
		}
	}
	if string(e.JSONRPC) != `"2.0"` {
		return &Error{Code: CodeInvalidRequest, Message: `jsonrpc must be "2.0"`}
	}
	for _, part := range []json.RawMessage{e.Params, e.Result, e.Error} {
		if countValues(part) > maxValues {
			return &Error{Code: CodeInvalidRequest, Message: fmt.Sprintf("a message may hold at most %d values", maxValues)}
		}
	}
	if len(e.Method) == 0 {
		if len(e.ID) == 0 || len(e.Result) == 0 && len(e.Error) == 0 {
			return &Error{Code: CodeInvalidRequest, Message: "a message needs a method, or an id with a result or an error"}
		}
		return nil
	}
	if err := json.Unmarshal(e.Method, &e.method); err != nil || e.method == "" {
		return &Error{Code: CodeInvalidRequest, Message: "method must be a string that is not empty"}
	}
	return nil
}

// idKey gives equal ids equal keys, however their strings are escaped. It is
// not ok for anything but a string or a number.
func idKey(raw json.RawMessage) (key string, ok bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "", false
	}
	switch c := raw[0]; {
	case c == '"':
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return "", false
		}
		return "s" + text, true
	case c == '-' || c >= '0' && c <= '9':
		return "n" + string(raw), true
	}
	return "", false
}

// withID returns the request as a message that carries another id.
func (e *envelope) withID(id int64) []byte {
	out := make([]byte, 0, len(e.Method)+len(e.Params)+64)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = strconv.AppendInt(out, id, 10)
	out = append(out, `,"method":`...)
	out = append(out, e.Method...)
	if len(e.Params) > 0 {
		out = append(out, `,"params":`...)
		out = append(out, e.Params...)
	}
	return append(out, '}')
}

// response frames a result or an error ("result", "error") for the client's own id.
func response(id json.RawMessage, part string, payload any) ([]byte, error) {
	body, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	out := make([]byte, 0, len(id)+len(body)+48) // there is room for a newline, too
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, id...)
	out = append(out, `,"`...)
	out = append(out, part...)
	out = append(out, `":`...)
	out = append(out, body...)
	return append(out, '}'), nil
}

// errorResponse frames an error for the client's own id.
func errorResponse(id json.RawMessage, problem *Error) []byte {
	out, err := response(id, "error", problem)
	if err != nil {
		// A number and strings always encode.
		panic(err)
	}
	return out
}

// notification frames a message that wants no reply.
func notification(method string, params any) ([]byte, error) {
	return json.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
}
