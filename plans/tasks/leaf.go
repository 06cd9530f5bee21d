package tasks

import (
	"encoding/json"
	"fmt"
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
