package tasks

import (
	"fmt"
	"strings"

	"planb/questions/lenient"
	"planb/questions/safe"
)

func executionFields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("kind", "type"),
		lenient.Named("files", "file", "paths"),
		lenient.Named("inputs", "input"),
		lenient.Named("constraints", "constraint", "rules"),
		lenient.Named("output", "outputs", "deliverable"),
	}
}

// execution reads an execution contract, or only its kind.
func (r *seedReader) execution(o *lenient.Object) Execution {
	e := Execution{Kind: Unblocked}
	n, ok := o.Get("executionContract")
	if !ok || n.Blank() {
		return e
	}
	c, ok := r.contract(o.Place("executionContract"), n, executionFields(), `{"kind":"unblocked","files":["api/"]}`)
	if !ok {
		return e
	}
	if word := r.kind(c); word != "" {
		kind, known := executionKind(word)
		if !known {
			r.Problems.Add(c.Place("kind"), lenient.Quote(word), executionKinds, `"human"`)
		}
		e.Kind = kind
	}
	e.Files = tidyFiles(r.list(c, "files"))
	e.Inputs, e.Constraints = r.list(c, "inputs"), r.list(c, "constraints")
	e.Output = r.single(c, "output")
	return e
}

func executionKind(word string) (kind ExecutionKind, known bool) {
	switch strings.ToLower(word) {
	case "human", "person", "user", "manual":
		return Human, true
	case "unblocked", "agent", "auto", "none":
		return Unblocked, true
	}
	return Unblocked, false
}

func verificationFields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("kind", "type"),
		lenient.Named("criteria", "acceptanceCriteria", "criterion", "checks"),
		lenient.Named("commands", "command", "run"),
	}
}

// mergedPullRequest is what the kind github_pr of other tools asks for.
const mergedPullRequest = "URL of the merged pull request"

// verification reads a verification contract, or only its kind, and the criteria
// that other tools keep beside it.
func (r *seedReader) verification(o *lenient.Object) Verification {
	v := Verification{Kind: None}
	n, given := o.Get("verificationContract")
	if given && !n.Blank() {
		v = r.ownVerification(o.Place("verificationContract"), n)
	}
	beside := append(r.list(o, "acceptanceCriteria"), r.list(o, "testStrategy")...)
	v.Criteria = append(v.Criteria, beside...)
	if len(beside) > 0 && v.Kind == None {
		v.Kind = Evidence
	}
	if !v.IsDefault() {
		v.checkKind(&r.Problems, o.Place("verificationContract"))
	}
	return v
}

func (r *seedReader) ownVerification(at string, n lenient.Node) Verification {
	v := Verification{Kind: None}
	c, ok := r.contract(at, n, verificationFields(), `{"kind":"evidence","criteria":["All tests pass"]}`)
	if !ok {
		return v
	}
	v.Criteria, v.Commands = r.list(c, "criteria"), r.list(c, "commands")
	switch word := r.kind(c); VerificationKind(strings.ToLower(word)) {
	case "":
		v.Kind = v.implied()
	case None, Evidence, Command, Manual:
		v.Kind = VerificationKind(strings.ToLower(word))
	case "human", "review":
		v.Kind = Manual
	case "commands", "test", "tests":
		v.Kind = Command
	case "github_pr":
		v.Kind = Evidence
		v.Criteria = append(v.Criteria, safe.New(mergedPullRequest))
	default:
		r.Problems.Add(c.Place("kind"), lenient.Quote(word), verificationKinds, `"evidence"`)
	}
	return v
}

// implied returns the kind of a contract that names none.
func (v Verification) implied() VerificationKind {
	switch {
	case len(v.Commands) > 0:
		return Command
	case len(v.Criteria) > 0:
		return Evidence
	}
	return None
}

// contract reads a contract that is an object, or a text that is only its kind.
func (r *seedReader) contract(at string, n lenient.Node, fields []lenient.Field, example string) (*lenient.Object, bool) {
	if unwrapped := lenient.Unwrap(n); unwrapped.Kind == lenient.TextNode {
		kind := lenient.Member{Key: "kind", Value: unwrapped}
		n = lenient.Node{Kind: lenient.ObjectNode, Members: []lenient.Member{kind}}
	}
	c, ok := r.Object(at, n, fields)
	if !ok {
		r.Problems.Add(at, n.String(), "an object with kind", example)
	}
	return c, ok
}

func (r *seedReader) kind(o *lenient.Object) string {
	return strings.TrimSpace(r.Optional(o, "kind", MaxItemBytes).Raw())
}

// list reads a list of texts, or one text. Blank ones count as absent.
func (r *seedReader) list(o *lenient.Object, field string) []safe.Text {
	n, ok := o.Get(field)
	if !ok || n.Blank() {
		return nil
	}
	at := o.Place(field)
	n = lenient.Unwrap(n)
	if _, isPlain := lenient.Plain(n); isPlain {
		n = lenient.Node{Kind: lenient.ListNode, Items: []lenient.Node{n}}
	}
	if n.Kind != lenient.ListNode || len(n.Items) > MaxListItems {
		r.Problems.Add(at, lenient.GotList(n), fmt.Sprintf("a list of at most %d texts", MaxListItems), "")
		return nil
	}
	var list []safe.Text
	for i, item := range n.Items {
		if text := r.tidy(fmt.Sprintf("%s[%d]", at, i), item); !text.IsZero() {
			list = append(list, text)
		}
	}
	return list
}

// single reads one text of a contract. A list of texts becomes lines.
func (r *seedReader) single(o *lenient.Object, field string) safe.Text {
	n, ok := o.Get(field)
	if !ok || n.Blank() {
		return safe.Text{}
	}
	at := o.Place(field)
	if n.Kind != lenient.ListNode {
		return r.tidy(at, n)
	}
	text := safe.New(strings.Join(raws(r.list(o, field)), "\n"))
	checkBytes(&r.Problems, at, text, MaxItemBytes)
	return text
}

func (r *seedReader) tidy(at string, n lenient.Node) safe.Text {
	return safe.New(strings.TrimSpace(r.Text(at, n, MaxItemBytes).Raw()))
}

// tidyFiles writes each file in one way: without ./ before it, however often that stands
// there: a plan that is exported and read again has the same hash.
func tidyFiles(files []safe.Text) []safe.Text {
	for i, file := range files {
		short := file.Raw()
		for short != "./" && strings.HasPrefix(short, "./") {
			short = strings.TrimSpace(short[2:])
		}
		files[i] = safe.New(short)
	}
	return files
}
