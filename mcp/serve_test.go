package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp/mcptest"
)

func TestAQuestionIsAskedAndAnswered(t *testing.T) {
	w, c, session := mcptest.Started(t)

	call := c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	w.Submit(ask.ID, "harbour")

	got := c.Answer(call)
	if got.Text() != `{"name":"harbour"}` || got.IsError {
		t.Errorf("the answer is %q, error %v", got.Text(), got.IsError)
	}
	mcptest.Until(t, "the answer counts as delivered", func() bool { return w.Delivered(ask.ID) })
}

func TestIDsComeBackByteForByte(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	for _, id := range []string{
		"0", "-1", "9007199254740993", "123456789012345678901234567890", "1.50", "1e3",
		`""`, `"a"`, `"\u0061<b>&"`, `"ünï ☃"`, `"12"`,
	} {
		c.Write(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` + "\n")
		if got := c.Reply(id); string(got.ID) != id || got.Error != nil {
			t.Errorf("id %s came back as %s", id, got.ID)
		}
	}
}

func TestCancelRightBehindItsCallIsNeverLost(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	sessions := []string{c.Session(), c.Session()}
	for i := range 40 {
		args := mcptest.OneQuestion(sessions[i%2])
		args["title"] = fmt.Sprintf("Round %d", i)
		id := c.StartTool("ask_user", args)
		c.Notify("notifications/cancelled", map[string]any{"requestId": i + 4})
		if id != fmt.Sprint(i+4) {
			t.Fatalf("the test's own count is off: %s", id)
		}
	}
	// A call that was not cancelled would wait, and answer at the end of input.
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		select {
		case got := <-c.Expect(fmt.Sprint(i + 4)):
			t.Errorf("a cancelled call was answered: %s", got.Line)
		default:
		}
	}
}

func TestEndOfInputLeavesAsksOpen(t *testing.T) { synctest.Test(t, endOfInputLeavesAsksOpen) }

func endOfInputLeavesAsksOpen(t *testing.T) {
	w, c, session := mcptest.Started(t)
	call := c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]

	start := time.Now()
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("the server took %v to return", took)
	}
	if got := c.Answer(call); !strings.HasPrefix(got.Text(), "NOT ANSWERED YET: the form ") {
		t.Errorf("the waiting call was answered %q", got.Text())
	}
	if !w.Ask(ask.ID).Open() {
		t.Error("the ask did not stay open")
	}
}
