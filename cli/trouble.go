package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/questions/lenient"
	"planb/questions/safe"
)

// troubleMargin stands before every line of trouble but the first.
const troubleMargin = "  "

// trouble formats the error that ends a command, for a person at a terminal: a line that
// says what happened, and below it what the person can do. It cleans the error's text.
func trouble(k ink.Ink, err error) string {
	head := k.Danger.Render("✗") + " "
	if unknown, ok := errors.AsType[frame.UnknownCommand](err); ok {
		return unknownCommand(k, head, unknown)
	}
	text := safe.New(strings.TrimSpace(err.Error())).Block()
	if found, ok := errors.AsType[lenient.Problems](err); ok {
		if about, alone := strings.CutSuffix(text, safe.New(found.Error()).Block()); alone {
			return layout.Row(head, strings.TrimRight(about, ":\n"), k.Width) + "\n" + problemTable(k, found)
		}
	}
	what, more := headline(text)
	out := k.Message(head, what, k.Text) + "\n"
	if more != "" {
		out += k.Message(troubleMargin, more, k.Muted) + "\n"
	}
	return out
}

// headline parts a message in front of what it says beyond its first clause. Clauses end
// with a semicolon, outside of quotes, or with a line.
func headline(text string) (what, more string) {
	var quote rune
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '`':
			quote = r
		case r == '\n', r == ';' && strings.HasPrefix(text[i:], "; "):
			return text[:i], strings.TrimLeft(text[i+1:], " ")
		}
	}
	return text, ""
}

// problemTable lists the mistakes in a form: where each is, and beside that what was got and what
// is allowed.
func problemTable(k ink.Ink, problems lenient.Problems) string {
	shown := problems[:min(len(problems), lenient.MaxProblems)]
	places := 0
	for _, p := range shown {
		places = max(places, ansi.StringWidth(safe.New(p.Where).Line()))
	}
	var out strings.Builder
	for i, p := range shown {
		if i > 0 {
			out.WriteByte('\n')
		}
		where := safe.New(p.Where).Line()
		head := troubleMargin + k.Accent.Render(where) + strings.Repeat(" ", places-ansi.StringWidth(where)) + troubleMargin
		if where == "" {
			head = troubleMargin
		}
		row := func(label, text string) {
			if text != "" {
				out.WriteString(layout.Row(head+k.Faint.Render(label), safe.New(text).Line(), k.Width))
				head = strings.Repeat(" ", ansi.StringWidth(head))
			}
		}
		if p.Allowed == "" {
			row("", p.Got)
			continue
		}
		row("got      ", p.Got)
		row("allowed  ", p.Allowed)
		row("example  ", p.Example)
	}
	if rest := len(problems) - len(shown); rest > 0 {
		fmt.Fprintf(&out, "%sand %d more\n", troubleMargin, rest)
	}
	return out.String()
}

// unknownCommand formats an unknown command behind the head.
func unknownCommand(k ink.Ink, head string, unknown frame.UnknownCommand) string {
	sentence, meant := "unknown command "+strconv.Quote(unknown.Name), ""
	if unknown.Nearest == "" {
		sentence += "; the commands are " + strings.Join(unknown.Known, ", ")
	} else {
		meant = troubleMargin + "Did you mean  " + k.Accent.Render(unknown.Nearest) + "\n"
	}
	return layout.Row(head, sentence, k.Width) + "\n" +
		meant + troubleMargin + k.Faint.Render(unknown.Under+" --help") + "\n"
}
