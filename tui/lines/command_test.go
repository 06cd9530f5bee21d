package lines

import (
	"bufio"
	"strings"
	"testing"

	"planb/questions"
	"planb/store"
	"planb/tui/tuitest"
)

// Everything beside answering: each word does what the help says of it.
func TestWordsOfAPlainForm(t *testing.T) {
	t.Parallel()
	spec := tuitest.Parse(t, `{"title":"T","intro":"Read this.","questions":[
	 {"id":"one","kind":"single","label":"One?","options":["red apple","green apple","green pear"]},
	 {"id":"two","kind":"text","label":"Two?"},
	 {"id":"three","kind":"text","label":"Three?"}]}`)
	for _, test := range []struct {
		name, want string
		typed      []string
		printed    []string
	}{
		{"undone", `{"one":"red apple"}`, []string{"1", "/back", "2", "x", "/undo", "/undo", "/answers", "send"},
			[]string{"Undone. Question 2, Two? open.", "Undone. Question 1, One? red apple."}},
		{"all undone", `{}`, []string{"/undo", "1", "/whole w", "/note n", "/undo", "/undo", "/undo", "/undo", "/answers", "send"}, []string{"There is nothing to undo."}},
		{"brought back", `{"one":"red apple"}`, []string{"1", "/back", "/clear", "/undo", "/answers", "send"}, nil},
		{"help by a question mark", `{"two":"?"}`, []string{"?", "", "?", "?", "", "send"}, []string{"/back: goes to the question before.", "If your answer is ?, type it once more."}},
		{"help by its word", `{"two":"help"}`, []string{"", "HELP", "help", "help", "", "send"}, []string{"If your answer is HELP, type it once more."}},
		{"help between", `{}`, []string{"", "?", "/again", "?", "/help", "?", "/answers", "send"}, nil},
		{"found", `{"one":"green pear"}`, []string{"/find", "/find blue", "/find PEAR green", "3", "/find x", "", "", "send"},
			[]string{"Type /find and words", "No option has these words.", "A number from 1 to 4: 3. green pear\n", "This question has no options."}},
		{"the next that is open", `{"one":"red apple","two":"x","three":"y"}`, []string{"1", "", "", "open", "x", "open", "y", "open", "send"},
			[]string{"Every question has an answer."}},
		{"the introduction again", `{}`, []string{"/intro", "/answers", "send"}, []string{"Overview:\nRead this.\nA number"}},
		{"open questions are named before sending", `{"one":"red apple"}`, []string{"1", "/send", "send"}, []string{"Your answers: 1 of 3 questions."}},
		{"a note of two lines", `{}`, []string{`/note`, `a\`, `b\\`, "/answers", "send"}, []string{"Next line:", "Your note: a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			prints(t, answersPlainly(t, spec, test.want, test.typed...), test.printed...)
		})
	}
}

// Each conversation names every word it knows in its help, once.
func TestHelpsNameEveryWord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, out := w.plainly(w.Rich(""), "/help")
	for _, word := range formWords() {
		if strings.Count(out, "\n/"+word.name+":")+strings.Count(out, "\n/"+word.name+",") != 1 {
			t.Errorf("a form's help does not name %s once", word.name)
		}
	}
	_, out = w.plainly(w.ReviewAsk(w.Session("S", ""), "x", ""), "help")
	seen := map[string]bool{}
	for _, word := range reviewWords() {
		if strings.Count(out, "\n"+word.name+":")+strings.Count(out, "\n"+word.name+",") != 1 {
			t.Errorf("a review's help does not name %s once", word.name)
		}
		if seen[word.name] || seen[word.short] && word.short != "" {
			t.Errorf("%s means two things", word.name)
		}
		seen[word.name], seen[word.short] = true, true
	}
}

// A line that is too long is not taken, in whole or in part, and the conversation
// goes on.
func TestALineThatIsTooLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", questions.MaxReplyBytes+1)
	for _, test := range []struct {
		name  string
		ask   func(w *world) store.Ask
		typed []string
	}{
		{"a form", func(w *world) store.Ask { return w.Ask(w.Session("S", ""), "The new ship", "") }, []string{long, "Vega", "send"}},
		{"a review", func(w *world) store.Ask { return w.ReviewAsk(w.Session("S", ""), "x", "") }, []string{"comment 1", long, "Why?", "request", "", "yes"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			result, out := w.plainly(test.ask(w), test.typed...)
			if result.Ask.Outcome.State != questions.Answered || !strings.Contains(out, "That line was not read: it has more than") {
				t.Errorf("the outcome is %+v\n%s", result.Ask.Outcome, out)
			}
			if !strings.Contains(out, "Type /edit to write it in your editor.") {
				t.Errorf("it is not said what to do instead:\n%s", out)
			}
		})
	}
}

// What a terminal cuts off is noticed, not taken as the whole.
func TestLinesAsATerminalPassesThemOn(t *testing.T) {
	t.Parallel()
	for size, taken := range map[int]bool{mostTyped - 1: true, mostTyped: false, mostTyped + 1: false} {
		l := lineReader{most: mostTyped - 1}
		in := bufio.NewReader(strings.NewReader(strings.Repeat("x", size) + "\nnext\r\nlast"))
		line, ok := l.next(in)
		if !ok || (line.err == nil) != taken || taken && len(line.text) != size {
			t.Errorf("%d bytes are read as %d, %v", size, len(line.text), line.err)
		}
		for _, want := range []string{"next", "last"} {
			if line, ok := l.next(in); !ok || line.text != want || line.err != nil {
				t.Errorf("behind it is %q, %v", line.text, line.err)
			}
		}
		if _, ok := l.next(in); ok {
			t.Error("the input does not end")
		}
	}
}
