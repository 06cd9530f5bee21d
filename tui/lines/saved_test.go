package lines

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/questions"
	"planb/store"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// twoTexts is an ask of a line and a long text.
func (w *world) twoTexts() store.Ask {
	w.T.Helper()
	session := w.Session("Names", "")
	ask, _, err := w.Store.OpenAsk(w.T.Context(), store.Ask{Session: session.ID, Client: session.Client, Timeout: time.Hour, Spec: tuitest.Parse(w.T, `{"title":"Two","questions":[
		{"id":"name","kind":"text","label":"What is it called?"},{"id":"why","kind":"longtext","label":"Why is that?"}]}`)})
	if err != nil {
		w.T.Fatal(err)
	}
	return ask
}

// What is entered after something was saved is still known not to be saved.
func TestWhatComesAfterASaveInPlainLines(t *testing.T) {
	t.Parallel()
	t.Run("lines of a text that was not ended", func(t *testing.T) {
		w := newWorld(t)
		ask := w.twoTexts()
		_, out := w.plainly(ask, "Vega", "Because", ".", "2", "It is", "bright")
		if got := must2(w.Store.Entry(t.Context(), ask.ID)).Fields["why"].Text.Raw(); !strings.Contains(got, "It is\nbright") {
			t.Errorf("kept is %q\n%s", got, out)
		}
	})
	t.Run("an answer on a full disk", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			ask := w.Ask(w.Session("Names", ""), "The new ship", "")
			disk := tuitest.FullDisk(w.Store)
			disk.SetFull(false)
			lines := w.inLines(AskOptions{Store: disk, ID: ask.ID})
			lines.answers("What is it called?", "Vega")
			tuitest.Poll(t, "all answers", func() bool { return strings.Contains(lines.printed(), "Your answers: 1 of 1 questions.") })
			disk.SetFull(true)
			lines.answers("Type send", "1\nRigel")
			lines.answers("could not be saved yet", "later")
			lines.answers("Not saved yet", "later")
			<-lines.result
			prints(t, lines.printed(), `{"name":"Rigel"}`, "What you entered could not be saved")
		})
	})
	t.Run("an answer to an ask that ended", func(t *testing.T) {
		w := newWorld(t)
		ask := w.twoTexts()
		w.plainly(ask, "Vega")
		first := &firstElsewhere{w.Store, func() {
			tuitest.Must(w.User("you@phone").Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, By: "you@phone", Reply: tuitest.TextReply("Rigel")}))
		}}
		out := w.talked([]string{"It is bright", ".", "send"}, func(ctx context.Context, terminal screen.Terminal) error {
			_, err := Ask(ctx, AskOptions{Store: first, ID: ask.ID, By: "you@desk", Now: w.Clock, Terminal: terminal})
			return err
		})
		prints(t, out, "Not counted: you@phone was first.")
	})
}
