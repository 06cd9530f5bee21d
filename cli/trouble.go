package cli

import (
	"errors"
	"fmt"
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

// trouble formats the error that ends a command, for a person at a terminal: a line says
// what happened and, on the next line, an arrow shows what the person can do. It
// cleans the error's text. If the person declined or left, that is no failure and looks
// quieter.
func trouble(k ink.Ink, err error) string {
	head := k.Danger.Render("✗") + " "
	if frame.WasDeclined(err) {
		head = k.Muted.Render("·") + " "
	}
	text := safe.New(strings.TrimSpace(err.Error())).Block()
	if found, ok := errors.AsType[lenient.Problems](err); ok {
		if about, alone := strings.CutSuffix(text, safe.New(found.Error()).Block()); alone {
			what, remedy, _ := headline(strings.TrimRight(about, ":\n"))
			return k.Message(head, what, k.Text) + "\n\n" + problemTable(k, found) + blankBefore(remedyText(k, remedy))
		}
	}
	what, remedy, rest := headline(text)
	out := k.Message(head, what, k.Text) + "\n" + remedyText(k, remedy)
	if rest != "" {
		out += "\n" + k.Message(troubleMargin, rest, k.Text) + "\n"
	}
	return out
}

// remedyText formats what the person can do, if there is anything, on a line of its own.
func remedyText(k ink.Ink, remedy string) string {
	if remedy == "" {
		return ""
	}
	return k.Message(troubleMargin+k.Accent.Render("→")+" ", remedy, k.Text) + "\n"
}

// blankBefore puts an empty line above a text, if there is one.
func blankBefore(text string) string {
	if text == "" {
		return ""
	}
	return "\n" + text
}

// headline divides a message into three: what happened; what to do about it, which stands
// behind a semicolon outside of quotes; and the lines below the first one.
func headline(text string) (what, remedy, rest string) {
	text, rest, _ = strings.Cut(text, "\n")
	rest = strings.Trim(rest, "\n")
	var quote rune
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '`':
			quote = r
		case r == ';' && strings.HasPrefix(text[i:], "; "):
			return text[:i], strings.TrimLeft(text[i+1:], " "), rest
		}
	}
	return text, "", rest
}

// problemTable lists the mistakes in a form. Each row has the place, what was got, and what is
// allowed.
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
