package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAQuestionIsAskedAndAnswered(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()

	call := c.startTool("ask_user", oneQuestion(session))
	ask := w.opened(1)[0]
	w.submit(ask.ID, "harbour")

	got := c.answer(call)
	if got.text() != `{"name":"harbour"}` || got.IsError {
		t.Errorf("the answer is %q, error %v", got.text(), got.IsError)
	}
	until(t, "the answer counts as delivered", func() bool { return w.delivered(ask.ID) })
}

func TestIDsComeBackByteForByte(t *testing.T) {
	c := connect(t, newWorld(t, nil).Server)
	for _, id := range []string{
		"0", "-1", "9007199254740993", "123456789012345678901234567890", "1.50", "1e3",
		`""`, `"a"`, `"\u0061<b>&"`, `"ünï ☃"`, `"12"`,
	} {
		c.write(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` + "\n")
		if got := c.reply(id); string(got.ID) != id || got.Error != nil {
			t.Errorf("id %s came back as %s", id, got.ID)
		}
	}
}

func TestCancelRightBehindItsCallIsNeverLost(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	sessions := []string{c.session(), c.session()}
	for i := range 40 {
		args := oneQuestion(sessions[i%2])
		args["title"] = fmt.Sprintf("Round %d", i)
		id := c.startTool("ask_user", args)
		c.notify("notifications/cancelled", map[string]any{"requestId": i + 4})
		if id != fmt.Sprint(i+4) {
			t.Fatalf("the test's own count is off: %s", id)
		}
	}
	// A call that was not cancelled would wait, and answer at the end of input.
	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		select {
		case got := <-c.expect(fmt.Sprint(i + 4)):
			t.Errorf("a cancelled call was answered: %s", got.line)
		default:
		}
	}
}

func TestEndOfInputLeavesAsksOpen(t *testing.T) { synctest.Test(t, endOfInputLeavesAsksOpen) }

func endOfInputLeavesAsksOpen(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	call := c.startTool("ask_user", oneQuestion(session))
	ask := w.opened(1)[0]

	start := time.Now()
	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("the server took %v to return", took)
	}
	if got := c.answer(call); !strings.HasPrefix(got.text(), "NOT ANSWERED YET: the form ") {
		t.Errorf("the waiting call was answered %q", got.text())
	}
	if !w.ask(ask.ID).Open() {
		t.Error("the ask did not stay open")
	}
}
