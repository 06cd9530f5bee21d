package wire

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// writes is a Handler that notes of each method whether its reply was about to be written,
// and how that went.
type writes struct {
	began  map[string]bool
	failed map[string]error
}

func (w *writes) Handle(call *Call, _ []byte) Answer {
	method := call.request.method
	answer := Answer{
		Message: sdk.JSONRPCResponse{Result: strings.Repeat("x", 100)},
		Writing: func() func(error) {
			w.began[method] = true
			return func(err error) { w.failed[method] = err }
		},
	}
	switch method {
	case "refused":
		answer.Refused = &Error{Code: CodeInvalidParams, Message: "no"}
	case "cancelled":
		call.cancelByClient()
	case "unencodable":
		answer.Message = sdk.JSONRPCResponse{Result: func() {}}
	case "panics":
		panic("on purpose")
	}
	return answer
}

func (w *writes) Listen(*Call, sdk.SubscriptionFilter) any { return nil }
func (w *writes) RootsChanged()                            {}

// A handler counts its answer as written only if the client got that answer itself: not an
// error in its place, and not less.
func TestOnlyAnAnswerThatIsSentCountsAsWritten(t *testing.T) {
	const one = `{"jsonrpc":"2.0","id":1,"method":"METHOD"}`
	for name, test := range map[string]struct {
		method string
		batch  bool
		full   bool // there is no room for the replies of a batch
		ends   bool // nothing can be written
		began  bool
	}{
		"alone":                         {method: "sent", began: true},
		"in a batch":                    {method: "sent", batch: true, began: true},
		"the client is gone":            {method: "sent", ends: true, began: true},
		"a refusal":                     {method: "refused"},
		"a cancelled call":              {method: "cancelled"},
		"a cancelled call in a batch":   {method: "cancelled", batch: true},
		"an answer that is no JSON":     {method: "unencodable"},
		"a handler that panics":         {method: "panics"},
		"a batch without room for more": {method: "sent", batch: true, full: true},
	} {
		t.Run(name, func(t *testing.T) {
			handler := &writes{began: map[string]bool{}, failed: map[string]error{}}
			var sent bytes.Buffer
			var out io.Writer = &sent
			if test.ends {
				out = closedPipe{}
			}
			c := New(t.Context(), out, handler, slog.New(slog.DiscardHandler))
			c.SetProtocolVersion(batchVersion)
			if test.full && !c.load.keep(maxParkedBytes-50) {
				t.Fatal("there is no room for even that")
			}
			line := strings.Replace(one, "METHOD", test.method, 1)
			if test.batch {
				line = "[" + line + "]"
			}
			if err := c.Serve(t.Context(), strings.NewReader(line+"\n")); err != nil {
				t.Fatal(err)
			}
			if handler.began[test.method] != test.began {
				t.Errorf("the answer counts as written: %v, want %v; the client got %s", !test.began, test.began, sent.Bytes())
			}
			if err := handler.failed[test.method]; (err != nil) != test.ends {
				t.Errorf("the write was told as %v", err)
			}
		})
	}
}

// closedPipe is an output whose reader is gone.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, errors.New("closed") }
