package tasks

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"planb/questions/safe"
)

// Leaf holds the texts of tasks with adjacent numbers, at most 256 of them and at
// most 256 KiB. A task's edges are in the Graph, so an edge changes no leaf.
type Leaf struct {
	First int    // the number of its first task
	Data  []byte // JSON; equal tasks give equal bytes
}

// Leaves returns the tasks of a plan as leaves. Leaf boundaries fall at the same
// numbers in all versions of a plan, except where 256 tasks are larger than a leaf:
// so a change of one task leaves nearly all other leaves as they were.
func (p Plan) Leaves() []Leaf {
	var leaves []Leaf
	var leaf, task canonical
	for i, t := range p.Tasks {
		task = task[:0]
		task.task(t)
		if i%leafTasks == 0 || len(leaf)+len(task)+2 > leafBytes {
			leaves = append(leaves, Leaf{First: i + 1})
			leaf = append(make(canonical, 0, p.leafSize(i)), '[')
		}
		leaf.separate()
		leaf = append(leaf, task...)
		leaves[len(leaves)-1].Data = append(leaf, ']')
	}
	return leaves
}

// leafSize is about how many bytes the leaf takes that begins with the task at index i.
func (p Plan) leafSize(i int) (size int) {
	for _, t := range p.Tasks[i:min(i-i%leafTasks+leafTasks, len(p.Tasks))] {
		size += t.usualBytes()
	}
	return min(size, leafBytes)
}

// ReadLeaf returns the tasks of a leaf, without their edges. first is the number
// of its first task.
func ReadLeaf(first int, data []byte) ([]Task, error) {
	tasks, ok := readLeaf(data)
	if !ok {
		tasks = nil
		if err := json.Unmarshal(data, &tasks); err != nil {
			return nil, fmt.Errorf("the tasks from %d on cannot be read: %w", first, err)
		}
	}
	for i, t := range tasks {
		if t.Number != first+i {
			return nil, fmt.Errorf("task %d stands at the place of task %d", t.Number, first+i)
		}
	}
	return tasks, nil
}

// Complete gives tasks that were read from leaves their edges.
func (g *Graph) Complete(tasks []Task) {
	for i := range tasks {
		t := &tasks[i]
		if t.Number < 1 || t.Number > g.Len() {
			continue
		}
		for _, e := range g.Edges(t.Number) {
			key := g.Key(e.On)
			switch e.Kind {
			case Required:
				t.DependsOn = append(t.DependsOn, key)
			case Added:
				t.AlsoAfter = append(t.AlsoAfter, key)
			case Soft:
				t.Soft = append(t.Soft, key)
			}
		}
	}
}

// leafReader reads the form that canonical.task writes, ten times as fast as encoding/json:
// every process that shows, offers or claims a task reads hundreds of them. It leaves
// everything else to encoding/json, such as fields of a later planb.
type leafReader struct {
	text  string // the texts of the tasks are parts of it
	at    int
	other bool // it has another form
}

// readLeaf returns the tasks of a leaf. It returns false if it has another form.
func readLeaf(data []byte) ([]Task, bool) {
	r := leafReader{text: string(data), other: !utf8.Valid(data)}
	for i := 0; i < len(data) && !r.other; i++ {
		r.other = data[i] < ' ' // white space, and what JSON forbids in a string
	}
	tasks := make([]Task, 0, strings.Count(r.text, `"nodeKey":`))
	r.items(func() {
		tasks = append(tasks, Task{})
		r.task(&tasks[len(tasks)-1])
	})
	return tasks, !r.other && r.at == len(r.text)
}

func (r *leafReader) task(t *Task) {
	r.object(func(name string) {
		switch name {
		case "description":
			t.Description = safe.New(r.string())
		case "done":
			t.Done = safe.New(r.string())
		case "dropped":
			t.Dropped = true
			r.skip("true")
		case "estimateMinutes":
			t.Minutes = r.number()
		case "executionContract":
			r.execution(&t.Execution)
		case "n":
			t.Number = r.number()
		case "nodeKey":
			t.Key = r.string()
		case "priority":
			t.Priority = r.number()
		case "splitFrom":
			t.SplitFrom = r.string()
		case "title":
			t.Title = safe.New(r.string())
		case "verificationContract":
			r.verification(&t.Verification)
		default:
			r.other = true
		}
	})
}

func (r *leafReader) execution(e *Execution) {
	r.object(func(name string) {
		switch name {
		case "constraints":
			e.Constraints = r.list()
		case "files":
			e.Files = r.list()
		case "inputs":
			e.Inputs = r.list()
		case "kind":
			e.Kind = ExecutionKind(r.string())
		case "output":
			e.Output = safe.New(r.string())
		default:
			r.other = true
		}
	})
}

func (r *leafReader) verification(v *Verification) {
	r.object(func(name string) {
		switch name {
		case "commands":
			v.Commands = r.list()
		case "criteria":
			v.Criteria = r.list()
		case "kind":
			v.Kind = VerificationKind(r.string())
		default:
			r.other = true
		}
	})
}

// skip reads exactly that text.
func (r *leafReader) skip(text string) {
	if r.other = r.other || !strings.HasPrefix(r.text[r.at:], text); !r.other {
		r.at += len(text)
	}
}

// next reads the byte if it comes next.
func (r *leafReader) next(b byte) bool {
	if r.other || r.at == len(r.text) || r.text[r.at] != b {
		return false
	}
	r.at++
	return true
}

// object reads an object with at least one field; field reads the value of each.
func (r *leafReader) object(field func(name string)) {
	for r.skip("{"); !r.other; {
		name := r.string()
		r.skip(":")
		if field(name); r.next('}') {
			return
		}
		r.skip(",")
	}
}

// items reads a list with at least one item.
func (r *leafReader) items(item func()) {
	for r.skip("["); !r.other; {
		if item(); r.next(']') {
			return
		}
		r.skip(",")
	}
}

func (r *leafReader) list() (texts []safe.Text) {
	r.items(func() { texts = append(texts, safe.New(r.string())) })
	return texts
}

func (r *leafReader) number() (n int) {
	from := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		n = n*10 + int(r.text[r.at]-'0')
		r.at++
	}
	const digits = 9 // of numbers within the limits of a plan
	if length := r.at - from; length == 0 || length > digits || length > 1 && r.text[from] == '0' {
		r.other = true
	}
	return n
}

func (r *leafReader) string() string {
	r.skip(`"`)
	for from := r.at; !r.other; {
		end := strings.IndexByte(r.text[r.at:], '"')
		if end < 0 {
			break
		}
		r.at += end + 1
		inner := r.text[from : r.at-1]
		if strings.IndexByte(inner, '\\') < 0 {
			return inner
		}
		if (len(inner)-len(strings.TrimRight(inner, `\`)))%2 == 1 {
			continue // the quotation mark is a part of the string
		}
		var text string
		r.other = json.Unmarshal([]byte(r.text[from-1:r.at]), &text) != nil
		return text
	}
	r.other = true
	return ""
}
