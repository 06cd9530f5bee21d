package asking

import (
	"fmt"
	"slices"
	"strings"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/mcp/wait/dialog"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Limits of questions that fit into a client's own dialog. Such dialogs are narrow and
// uneven: some cannot enter numbers, some cut long options short, none shows Markdown.
// Other questions are asked in a terminal, where all of them fit.
const (
	maxDialogQuestions = 3
	maxDialogOptions   = 6
	maxDialogText      = 200 // characters of a label or of the text beside it
	maxDialogOption    = 40  // characters of an option
	dialogOptionCut    = 20  // characters of an option that are sure to be seen
)

// dialogOfQuestions returns what the dialog shows: who asks, the title and the
// command always, and the questions if all of them fit.
func dialogOfQuestions(ask store.Ask) dialog.Form {
	form := dialog.Form{Spec: ask.Spec, Fields: dialogFields(ask.Spec)}
	who, command := agent.Title(ask.Client), "planb tui ask "+store.ShortID(ask.ID)
	lines := []string{dialog.Shortened(who, maxDialogOption) + " asks you: " + dialog.Shortened(ask.Spec.Title.Line(), dialog.MaxTitle)}
	if len(form.Fields) == 0 {
		lines = append(lines, "To answer, run this in a terminal:  "+command, "The agent waits for your answer.")
	} else {
		lines = append(lines, "Answer here; or cancel this and run in a terminal, where you can also write answers of your own and notes:  "+command)
	}
	form.Message = strings.Join(lines, "\n")
	return form
}

// dialogFields returns the questions as fields; none if one of them does not fit.
func dialogFields(spec questions.Spec) []dialog.Field {
	if len(spec.Questions) > maxDialogQuestions || !spec.Intro.IsZero() || len(spec.Tabs()) > 1 {
		return nil
	}
	fields := make([]dialog.Field, 0, len(spec.Questions))
	for i, q := range spec.Questions {
		field, ok := dialogFieldOf(q)
		if !ok {
			return nil
		}
		field.Name = fmt.Sprintf("question%d", i+1)
		fields = append(fields, field)
	}
	return fields
}

func dialogFieldOf(q questions.Question) (dialog.Field, bool) {
	field := dialog.Field{ID: q.ID, Required: q.Required}
	var fits bool
	if field.Label, fits = dialog.Line(q.Label, maxDialogText); !fits {
		return dialog.Field{}, false
	}
	var proposed string
	switch q.Kind {
	case questions.Text:
		if q.Default != nil {
			proposed, _ = q.Default.Text()
		}
	case questions.Single:
		if !choose(&field, q) {
			return dialog.Field{}, false
		}
		if q.Default != nil {
			proposed = shownFor(field, q)
		}
	default:
		return dialog.Field{}, false
	}
	if proposed != "" {
		proposed = "proposed: " + proposed
	}
	if !plainText(q.Description.Raw()) {
		return dialog.Field{}, false
	}
	var beside []string
	for _, text := range []safe.Text{q.Description, q.Placeholder, safe.New(proposed)} {
		line, fits := dialog.Line(text, maxDialogText)
		if !fits {
			return dialog.Field{}, false
		}
		if line != "" {
			beside = append(beside, line)
		}
	}
	field.Beside = strings.Join(beside, " · ")
	return field, true
}

// choose turns the options into choices of the field, and reports whether a dialog can
// show them: there are few, none has a text beside it, and they still differ after a
// client has cut them.
func choose(f *dialog.Field, q questions.Question) bool {
	if len(q.Options) > maxDialogOptions {
		return false
	}
	for _, o := range q.Options {
		shown, fits := dialog.Line(o.Shown(), maxDialogOption)
		if !fits || shown == "" || !o.Description.IsZero() || !o.Markdown.IsZero() {
			return false
		}
		f.Choices, f.Values = append(f.Choices, shown), append(f.Values, o.Value.Raw())
	}
	if q.Other {
		f.Choices = append(f.Choices, dialog.Elsewhere)
	}
	seen := map[string]bool{}
	for _, choice := range f.Choices {
		seen[strings.ToLower(strings.TrimSpace(tool.FirstOf(choice, dialogOptionCut)))] = true
	}
	return len(seen) == len(f.Choices)
}

// shownFor is the proposal as the dialog shows it: the choice that stands for it, or the
// agent's own words.
func shownFor(f dialog.Field, q questions.Question) string {
	proposed, _ := q.Default.Text()
	if i := slices.Index(f.Values, proposed); i >= 0 {
		return f.Choices[i]
	}
	return proposed
}

// plainText reports whether a text looks the same read as Markdown. If in doubt it says no.
func plainText(text string) bool {
	return !strings.ContainsAny(text, "*_`#[]<>|~\\$&") && !strings.HasPrefix(text, "- ") && !strings.HasPrefix(text, "+ ")
}
