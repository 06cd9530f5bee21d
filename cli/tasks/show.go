package tasks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/ledger"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/wording"
)

func (c Commands) showCommand() *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:   "show PLAN|TASK",
		Short: "Print a plan as you review it, or one task in full",
		Long: "Print a plan in the Markdown in which you review and edit it, or one task: what it is, what it waits for, when it is\n" +
			"done.\n\n" + namedHelp,
		Example:           "  planb tasks show 3f9a1c\n  planb tasks show 3f9a1c.2 --json\n  planb tasks show api",
		Args:              exactly("one plan or task", 1),
		ValidArgsFunction: c.offerTasks(anyState),
		RunE:              func(cmd *cobra.Command, args []string) error { return c.show(cmd.Context(), in, args[0]) },
	}
	return in.flags(command)
}

func (c Commands) show(ctx context.Context, in scope, name string) error {
	err := c.withDesk(ctx, in.all, func(d desk) error {
		t, v, err := d.read(ctx, name)
		if err != nil {
			return err
		}
		if t.number != 0 {
			return c.showTask(ctx, d, v, t.number, in.json)
		}
		return c.showPlan(ctx, d, v, in.json)
	})
	return named(err, name)
}

func (c Commands) showPlan(ctx context.Context, d desk, v view, asJSON bool) error {
	text, err := d.Tasks().Text(ctx, v.Whole)
	if err != nil {
		return err
	}
	switch k := c.ink(); {
	case asJSON:
		return frame.PrintJSON(c.Stdout, struct {
			shownTasks
			Text safe.Text `json:"text"`
		}{v.tasks(), text})
	case k.Terminal:
		_, standing, _ := strings.Cut(planHead(k, v), "\n")
		return c.Print(standing + "\n" + k.Markdown(text, 0))
	}
	return c.Print(text.Raw())
}

// shownWhole is a task with all that is known of it as --json prints it.
type shownWhole struct {
	shownTask
	Plan         string             `json:"planId"`
	Description  safe.Text          `json:"description,omitzero"`
	Execution    rules.Execution    `json:"executionContract"`
	Verification rules.Verification `json:"verificationContract"`
	Soft         []string           `json:"soft,omitempty"`
	Dependents   []string           `json:"dependents,omitempty"` // tasks that wait for it
	Hash         string             `json:"hash"`

	titles map[string]safe.Text // of the tasks of the plan, by key
	quoted bool                 // Why tells what its agent said last
	kept.Past
	now time.Time
}

func (c Commands) showTask(ctx context.Context, d desk, v view, n int, asJSON bool) error {
	past, err := d.Tasks().Past(ctx, d.everywhere(), taskID(v.ID, n))
	if err != nil && !ledger.AboutOne(err) {
		return err
	}
	w := v.whole(n, past)
	if asJSON {
		return frame.PrintJSON(c.Stdout, w)
	}
	k := c.ink()
	if k.Terminal {
		return c.Print(taskHead(k, v, w) + k.Markdown(w.page(), 0))
	}
	head := cells.Join(w.Short, string(w.State), w.Key, w.Title.Line(), w.Why)
	return c.Print(head + "\n\n" + strings.TrimRight(w.page().Block(), "\n") + "\n")
}

// whole is a task with what was done about it.
func (v view) whole(n int, past kept.Past) shownWhole {
	t := v.texts[n]
	w := shownWhole{
		shownTask: v.task(n), Plan: v.ID, Hash: v.Graph.TaskHash(n).String(), now: v.Now, titles: v.titles(), quoted: v.unanswered(n), Past: past,
		Description: t.Description, Execution: t.Execution, Verification: t.Verification, Soft: t.Soft,
	}
	for _, e := range v.Graph.Dependents(n) {
		w.Dependents = append(w.Dependents, v.Graph.Key(e.On))
	}
	return w
}

// titles are those of all tasks of the plan, by key.
func (v view) titles() map[string]safe.Text {
	titles := map[string]safe.Text{}
	for key, n := range v.Graph.Keys() {
		titles[key] = v.names(n)
	}
	return titles
}

// taskHead is what a task is, and where it stands, in a few lines.
func taskHead(k ink.Ink, v view, w shownWhole) string {
	standing := w.State.Standing()
	style := k.Role(themes.RoleOfTask(w.State))
	about := cells.Join(w.Short, w.Key, fmt.Sprintf("priority %d", w.Priority), "estimate "+wording.Minutes(w.Minutes))
	return k.Title.Render(layout.Text(w.Title.Line(), k.Width)) + "\n" +
		layout.Row(style.Render(standing.Mark)+" ", cells.Join(style.Render(standing.Word), w.Why), k.Width) +
		k.Muted.Render(layout.Text(about, k.Width)) + "\n" +
		k.Muted.Render(layout.Text("of the plan "+rules.Short(v.ID)+" "+v.Title.Line(), k.Width)) + "\n\n"
}

// page is what is known of a task, in Markdown.
func (w shownWhole) page() safe.Text {
	var out strings.Builder
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&out, "### %s\n\n%s\n\n", title, strings.Join(lines, "\n"))
		}
	}
	if !w.Description.Blank() {
		out.WriteString(w.Description.Raw() + "\n\n")
	}
	section("Waits for", w.named(w.DependsOn))
	section("Related", w.named(w.Soft))
	section("Waiting for it", w.named(w.Dependents))
	section("Files", textList(w.Execution.Files, true))
	section("Read first", textList(w.Execution.Inputs, false))
	section("What must hold", textList(w.Execution.Constraints, false))
	if !w.Execution.Output.Blank() {
		section("What must exist afterwards", []string{w.Execution.Output.Raw()})
	}
	w.rest(section)
	return safe.New(out.String())
}

// rest is when the task is done, and what was done about it.
func (w shownWhole) rest(section func(title string, lines []string)) {
	section("Done when", append([]string{w.doneWhen()}, append(textList(w.Verification.Commands, true), textList(w.Verification.Criteria, false)...)...))
	section("Attempts", w.attempts())
}

// attempts lists who worked on the task, what they said, and how it ended.
func (w shownWhole) attempts() (lines []string) {
	for i, a := range w.Attempts {
		notes := a.Notes
		if last := i == len(w.Attempts)-1; last && w.quoted && len(notes) > 0 {
			notes = notes[:len(notes)-1]
		}
		line := "- " + escaped(safe.New(a.Worker)) + ", " + wording.Moment(a.At, w.now)
		if a.End != kept.EndedDone || a.Report == nil {
			line += ": " + wording.Attempt(a.End)
		}
		if a.Report != nil {
			line += ": “" + escaped(a.Report.Summary) + "”"
		}
		lines = append(lines, line)
		if !a.Comment.Blank() {
			lines = append(lines, "  - you: "+escaped(a.Comment))
		}
		for _, note := range notes {
			lines = append(lines, "  - "+escaped(note.Text))
		}
		lines = append(lines, w.evidence(a)...)
	}
	return lines
}

// evidence lists what an attempt reported. planb verified none of it.
func (w shownWhole) evidence(a kept.Attempt) (lines []string) {
	if a.Report == nil {
		return nil
	}
	for _, proof := range a.Report.Evidence {
		parts := []string{}
		if proof.Criterion != "" {
			parts = append(parts, "criterion "+escaped(safe.New(proof.Criterion)))
		}
		if !proof.Command.Blank() {
			ran := code(proof.Command.Line())
			if proof.ExitCode != nil {
				ran += fmt.Sprintf(" exited %d", *proof.ExitCode)
			}
			parts = append(parts, ran)
		}
		if !proof.Text.Blank() {
			parts = append(parts, escaped(proof.Text))
		}
		lines = append(lines, "  - reported: "+strings.Join(parts, ", "))
	}
	return lines
}

// escaped is a text in one line of Markdown, in which nothing is a part of it.
func escaped(text safe.Text) string {
	var out strings.Builder
	for _, r := range text.Line() {
		if strings.ContainsRune("\\`*_{}[]<>#|~", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// doneWhen says what a report of completion needs.
func (w shownWhole) doneWhen() string {
	if w.Execution.Kind == rules.Human {
		return "You have done it: only a person can.\n"
	}
	switch v := w.Verification; {
	case v.Kind == rules.Evidence:
		return "There is evidence for each criterion:\n"
	case v.Kind == rules.Command && len(v.Criteria) == 0:
		return "Each command has exited 0, as its agent reports:\n"
	case v.Kind == rules.Command:
		return "Each command has exited 0, as its agent reports, and each criterion has evidence:\n"
	case v.Kind == rules.Manual && len(v.Criteria) == 0:
		return "You accept it.\n"
	case v.Kind == rules.Manual:
		return "You accept it:\n"
	}
	return "Its agent says so, with a summary.\n"
}

// named lists other tasks of the plan by their keys, each with its title.
func (w shownWhole) named(keys []string) []string {
	lines := make([]string, len(keys))
	for i, key := range keys {
		lines[i] = "- " + code(key) + " " + escaped(w.titles[key])
	}
	return lines
}

func textList(texts []safe.Text, asCode bool) []string {
	lines := make([]string, len(texts))
	for i, text := range texts {
		lines[i] = "- " + wording.Indent(text.Raw())
		if asCode {
			lines[i] = "- " + code(text.Line())
		}
	}
	return lines
}

// code is a text as code in a line of Markdown.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}
