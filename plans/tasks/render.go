package tasks

import (
	"fmt"
	"strings"

	"planb/plainjson"
	"planb/plans"
	"planb/questions/safe"
)

// Render writes a proposal in the one Markdown format: what a person reviews and
// edits, and what is exported. ParseMarkdown reads it as the same proposal.
//
//	# Auth rewrite
//
//	What it is for.
//
//	## Write the API {#api}
//
//	after: schema, config
//	estimate: 1h30m
//	priority: 1
//
//	What to do, in Markdown.
//
//	```contract
//	execution: human
//	files:
//	- api/
//	verification: command
//	commands:
//	- go test ./...
//	```
//
// What has its default is left out. A line of a description that would be read as a
// part of the format gets a backslash.
func Render(p Proposal) safe.Text {
	var out strings.Builder
	out.Grow(p.usualBytes())
	if !p.Title.IsZero() {
		out.WriteString("# " + p.Title.Raw() + "\n")
	}
	paragraph(&out, escaped(p.Description.Raw()))
	for _, item := range p.Items {
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		out.WriteString("## " + item.Title.Raw() + " {#" + item.Key + "}\n")
		paragraph(&out, strings.Join(item.facts(), "\n"))
		paragraph(&out, escaped(item.Description.Raw()))
		paragraph(&out, item.contracts())
	}
	return safe.New(out.String())
}

// usualBytes is how many bytes the proposal takes as Markdown, unless it has long contracts.
func (p Proposal) usualBytes() int {
	size := len(p.Title.Raw()) + len(p.Description.Raw())
	for _, item := range p.Items {
		const facts = 100
		size += len(item.Title.Raw()) + len(item.Key) + len(item.Description.Raw()) + facts
	}
	return size
}

// CheckReview returns an error if the proposal is too long for a person to read. It renders
// only what may be.
func (p Proposal) CheckReview() error {
	if p.mostBytes() <= MaxMarkdownBytes {
		return nil
	}
	_, err := RenderForReview(p)
	return err
}

// mostBytes is at least the size of the proposal as Markdown.
func (p Proposal) mostBytes() int {
	const (
		lines  = 300 // of the names of facts and of a contract's fields, and of the blank lines
		quoted = 6   // bytes of a byte in a quoted value
	)
	most := func(text safe.Text) int { return len(text.Raw()) + strings.Count(text.Raw(), "\n") + lines }
	size := most(p.Title) + most(p.Description)
	for _, item := range p.Items {
		size += most(item.Title) + most(item.Description) + len(item.Key) + len(item.SplitFrom) + quoted*len(item.Done.Raw())
		for _, list := range item.Edges.lists() {
			for _, key := range list.keys {
				size += len(key) + len(", ")
			}
		}
		size += quoted * len(item.Execution.Output.Raw())
		for _, list := range [][]safe.Text{item.Execution.Files, item.Execution.Inputs, item.Execution.Constraints, item.Verification.Criteria, item.Verification.Commands} {
			for _, text := range list {
				size += quoted*len(text.Raw()) + len("- \"\"\n")
			}
		}
	}
	return size
}

// RenderForReview is Render for a person who is to approve the proposal. The error is
// a *Error if it is too long to be read.
func RenderForReview(p Proposal) (safe.Text, error) {
	text := Render(p)
	if size := len(text.Raw()); size > MaxMarkdownBytes {
		return safe.Text{}, InvalidBecause("tasks", fmt.Sprintf(
			"the plan has %d bytes as Markdown; your user can review at most %d. Propose a part of it first", size, MaxMarkdownBytes))
	}
	return text, nil
}

func paragraph(out *strings.Builder, text string) {
	if text != "" {
		out.WriteByte('\n')
		out.WriteString(text)
		out.WriteByte('\n')
	}
}

// The names of facts, as they stand below a task's heading.
const (
	factAfter     = "after"
	factAlsoAfter = "also after"
	factSoft      = "related"
	factEstimate  = "estimate"
	factPriority  = "priority"
	factSplitFrom = "split from"
	factCancel    = "cancel"
	factDone      = "done"
)

func factNames() []string {
	return []string{factAfter, factAlsoAfter, factSoft, factEstimate, factPriority, factSplitFrom, factCancel, factDone}
}

// facts returns the lines below a task's heading.
func (i Item) facts() (lines []string) {
	fact := func(name, value string) {
		if value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	fact(factAfter, strings.Join(i.DependsOn, ", "))
	fact(factAlsoAfter, strings.Join(i.AlsoAfter, ", "))
	fact(factSoft, strings.Join(i.Soft, ", "))
	if i.Minutes != DefaultMinutes && i.Minutes != 0 {
		fact(factEstimate, formatMinutes(i.Minutes))
	}
	if i.Priority != DefaultPriority && !i.Cancel {
		fact(factPriority, fmt.Sprint(i.Priority))
	}
	fact(factSplitFrom, i.SplitFrom)
	if i.Cancel {
		fact(factCancel, "yes")
	}
	if !i.Done.IsZero() {
		fact(factDone, quotedValue(i.Done.Raw()))
	}
	return lines
}

func formatMinutes(minutes int) string {
	hours, minutes := minutes/60, minutes%60
	switch {
	case hours == 0:
		return fmt.Sprintf("%dm", minutes)
	case minutes == 0:
		return fmt.Sprintf("%dh", hours)
	}
	return fmt.Sprintf("%dh%dm", hours, minutes)
}

// contractInfo is what follows the fence of the block with the contracts.
const contractInfo = "contract"

// contracts returns the block with the contracts; empty if both are the defaults. If
// the description itself ends in such a block, contracts returns one even for the
// defaults, so that a reader takes the right one.
func (i Item) contracts() string {
	if i.Cancel || i.Execution.IsDefault() && i.Verification.IsDefault() && !endsInContract(i.Description.Raw()) {
		return ""
	}
	var out strings.Builder
	out.WriteString("```" + contractInfo + "\n")
	value := func(name, text string) {
		if text != "" {
			out.WriteString(name + ": " + quotedValue(text) + "\n")
		}
	}
	list := func(name string, texts []safe.Text) {
		if len(texts) > 0 {
			out.WriteString(name + ":\n")
		}
		for _, text := range texts {
			out.WriteString("- " + quotedValue(text.Raw()) + "\n")
		}
	}
	if i.Execution.Kind != Unblocked {
		value("execution", string(i.Execution.Kind))
	}
	list("files", i.Execution.Files)
	list("inputs", i.Execution.Inputs)
	list("constraints", i.Execution.Constraints)
	value("output", i.Execution.Output.Raw())
	if i.Verification.Kind != None {
		value("verification", string(i.Verification.Kind))
	}
	list("commands", i.Verification.Commands)
	list("criteria", i.Verification.Criteria)
	out.WriteString("```")
	return out.String()
}

func endsInContract(description string) bool {
	blocks := plans.Blocks(description)
	return len(blocks) > 0 && blocks[len(blocks)-1].Info == contractInfo &&
		blocks[len(blocks)-1].To == 1+strings.Count(description, "\n")
}

// quotedValue writes a value for one line: as it is, or as a JSON string if a
// reader of lines would change it.
func quotedValue(text string) string {
	if strings.ContainsAny(text, "\r\n") || strings.TrimSpace(text) != text || strings.HasPrefix(text, `"`) {
		if quoted, err := plainjson.Marshal(text); err == nil {
			return string(quoted)
		}
	}
	return text
}
