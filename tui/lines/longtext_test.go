package lines

import (
	"testing"
	"time"

	"planb/store"
	"planb/tui/tuitest"
)

// A dot ends a long answer. Where none was begun, the answer that there is stays, as it does by Enter.
func TestADotAloneKeepsALongAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Client: session.Client, Timeout: time.Hour, Spec: tuitest.Parse(t, `{"title":"t","questions":[{"id":"why","kind":"longtext","label":"Why?"}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	result, out := w.plainly(ask, "One", "two", ".", "1", ".", "send")
	if got, _ := result.Ask.Outcome.Reply.Answers["why"].Text(); got != "One\ntwo" {
		t.Errorf("the answer is %q\n%s", got, out)
	}
}
