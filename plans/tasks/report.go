package tasks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// Report is what an agent says when it completes a task. planb verifies none of it.
type Report struct {
	Summary  safe.Text `json:"summary"`
	Evidence []Proof   `json:"evidence,omitempty"`
}

// Proof is one piece of evidence: for a criterion, or of a command.
type Proof struct {
	Criterion string    `json:"criterion,omitempty"` // its number from 1, or its exact text
	Text      safe.Text `json:"text,omitzero"`       // the evidence, or why the command has more arguments
	Command   safe.Text `json:"command,omitzero"`
	ExitCode  *int      `json:"exitCode,omitempty"`
	Output    *string   `json:"output,omitempty"` // its last lines
}

func reportFields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("summary", "result", "notes"),
		lenient.Named("evidence", "proof", "verification"),
	}
}

func proofFields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("criterion", "criteria", "number"),
		lenient.Named("text", "evidence", "proof", "reason"),
		lenient.Named("command", "cmd"),
		lenient.Named("exitCode", "exit", "status"),
		lenient.Named("output", "stdout", "lastLines"),
	}
}

// ReadReport reads a report from the JSON that a model wrote. The fields named in
// others are the caller's. The error is a *Error with all problems at once.
func ReadReport(raw []byte, others ...string) (Report, error) {
	const example = `{"summary":"The API answers","evidence":[{"criterion":1,"text":"All tests pass"}]}`
	var r seedReader
	o, ok := r.whole(raw, append(reportFields(), named(others)...), "a JSON object with summary", example)
	if !ok {
		return Report{}, Invalid(r.Problems)
	}
	report := Report{
		Summary:  r.Needed(o, "summary", MaxNoteBytes, "a text that says what was done", `"The API answers"`),
		Evidence: r.proofs(o),
	}
	if len(r.Problems) > 0 {
		return Report{}, Invalid(r.Problems)
	}
	return report, nil
}

func (r *seedReader) proofs(o *lenient.Object) []Proof {
	const example = `[{"criterion":1,"text":"All tests pass"}]`
	n, ok := o.Get("evidence")
	if !ok || n.Blank() {
		return nil
	}
	at := o.Place("evidence")
	n = lenient.Unwrap(n)
	if _, isPlain := lenient.Plain(n); isPlain || n.Kind == lenient.ObjectNode {
		n = lenient.Node{Kind: lenient.ListNode, Items: []lenient.Node{n}}
	}
	if most := 2 * MaxListItems; len(n.Items) > most {
		r.Problems.Add(at, n.String(), fmt.Sprintf("a list of at most %d", most), example)
		return nil
	}
	proofs := make([]Proof, 0, len(n.Items))
	for i, item := range n.Items {
		place := fmt.Sprintf("%s[%d]", at, i)
		if text, isPlain := lenient.Plain(item); isPlain {
			proofs = append(proofs, Proof{Text: r.Text(place, lenient.Node{Kind: lenient.TextNode, Text: text}, MaxNoteBytes)})
			continue
		}
		p, ok := r.Object(place, item, proofFields())
		if !ok {
			r.Problems.Add(place, item.String(), "an object with criterion and text, or with command, exitCode and output", example)
			continue
		}
		proofs = append(proofs, r.proof(p))
	}
	return proofs
}

func (r *seedReader) proof(o *lenient.Object) Proof {
	p := Proof{
		Criterion: strings.TrimSpace(r.Optional(o, "criterion", MaxItemBytes).Raw()),
		Text:      r.Optional(o, "text", MaxNoteBytes),
		Command:   safe.New(strings.TrimSpace(r.Optional(o, "command", MaxNoteBytes).Raw())),
	}
	if n, ok := o.Get("exitCode"); ok && !(n.Kind == lenient.TextNode && n.Blank()) {
		code, ok := lenient.Number(n)
		if !ok || code != float64(int(code)) {
			r.Problems.Add(o.Place("exitCode"), n.String(), "a whole number", "0")
		}
		exit := int(code)
		p.ExitCode = &exit
	}
	if n, ok := o.Get("output"); ok {
		output, isPlain := lenient.Plain(n)
		if !isPlain {
			r.Problems.Add(o.Place("output"), n.String(), "the last lines, as a text", `"PASS"`)
		}
		output = lastBytes(output, MaxNoteBytes)
		p.Output = &output
	}
	return p
}

// lastBytes returns the end of a text, of whole characters.
func lastBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-most:], "")
}

// Check tests a report against the contract. It returns the state that the task
// reaches; if the report does not meet the contract, a *Error that says what is
// missing.
func (v Verification) Check(r Report) (State, error) {
	missing := append(v.unproven(r), v.unrun(r)...)
	if len(missing) > 0 {
		return "", unmet(missing, v.unreported(r))
	}
	if v.Kind == Manual {
		return NeedsReview, nil
	}
	return Done, nil
}

// Action returns what a report that meets the contract does to the task.
func (v Verification) Action() Action {
	if v.Kind == Manual {
		return ActReport
	}
	return ActComplete
}

// unproven names the criteria without evidence, and evidence for criteria that the
// contract does not have.
func (v Verification) unproven(r Report) (missing []string) {
	proven := make([]bool, len(v.Criteria))
	var strange []string
	for _, p := range r.Evidence {
		at := v.criterion(p)
		switch {
		case at >= 0 && !p.Text.Blank():
			proven[at] = true
		case at < 0 && p.Criterion != "":
			strange = append(strange, lenient.Quote(p.Criterion)+" is no criterion")
		}
	}
	for i, ok := range proven {
		if !ok {
			missing = append(missing, fmt.Sprintf("criterion %d has no evidence", i+1))
		}
	}
	if len(missing) > 0 {
		missing = append(missing, strange...)
	}
	return missing
}

// criterion returns the index of the criterion that a proof is for; -1 if there is
// none. A proof without a criterion is for the only criterion, if there is just one.
func (v Verification) criterion(p Proof) int {
	if p.Criterion == "" {
		if len(v.Criteria) == 1 && p.Command.IsZero() {
			return 0
		}
		return -1
	}
	if number, err := strconv.Atoi(p.Criterion); err == nil {
		if number >= 1 && number <= len(v.Criteria) {
			return number - 1
		}
		return -1
	}
	return slices.IndexFunc(v.Criteria, func(c safe.Text) bool { return c.Raw() == p.Criterion })
}

// unrun names the commands that were not reported as the contract asks.
func (v Verification) unrun(r Report) (missing []string) {
	for _, command := range v.Commands {
		shown := lenient.Quote(command.Raw())
		switch p, found := r.run(command.Raw()); {
		case !found:
			missing = append(missing, shown+" was not reported")
		case p.ExitCode == nil:
			missing = append(missing, shown+" has no exitCode")
		case *p.ExitCode != 0:
			missing = append(missing, fmt.Sprintf("%s exited %d", shown, *p.ExitCode))
		case p.Output == nil:
			missing = append(missing, shown+" has no output: give its last lines, or \"\" if it printed nothing")
		case p.Command != command && p.Text.Blank():
			missing = append(missing, shown+" was run with more arguments: say why in text")
		}
	}
	return missing
}

// unreported returns the commands that the report does not name.
func (v Verification) unreported(r Report) (commands []string) {
	for _, command := range v.Commands {
		if _, found := r.run(command.Raw()); !found {
			commands = append(commands, command.Raw())
		}
	}
	return commands
}

// run returns the last report of exactly this command; if there is none, the last
// report of the command with more arguments.
func (r Report) run(command string) (last Proof, found bool) {
	exact := false
	for _, p := range r.Evidence {
		same := p.Command.Raw() == command
		if same || !exact && strings.HasPrefix(p.Command.Raw(), command+" ") {
			last, found, exact = p, true, same
		}
	}
	return last, found
}
