package wire

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// answers is a Handler that answers everything.
type answers struct{}

func (answers) Handle(*Call, []byte) Answer {
	return Answer{Message: sdk.JSONRPCResponse{Result: "done"}}
}
func (answers) Listen(*Call, sdk.SubscriptionFilter) any { return nil }
func (answers) RootsChanged()                            {}

// Every request gives its room up, however many come.
func TestRequestsGiveTheirRoomUp(t *testing.T) {
	const requests = 3 * workBytes / workLeast
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var sent bytes.Buffer
	c := New(ctx, &sent, answers{}, slog.New(slog.DiscardHandler))
	var lines strings.Builder
	for id := range requests {
		fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":%d,"method":"ask"}`+"\n", id)
	}
	if err := c.Serve(ctx, strings.NewReader(lines.String())); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(sent.String(), `"done"`); got != requests {
		t.Errorf("%d of %d requests were answered", got, requests)
	}
	if !c.load.work.TryAcquire(workBytes) || !c.load.queue.TryAcquire(queueBytes) {
		t.Error("room is held after the last reply")
	}
}
