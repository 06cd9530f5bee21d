package tasks

import (
	"slices"
	"strings"
)

// claimedFiles are the files of tasks in work, slashed, in ascending order.
type claimedFiles struct {
	paths []string
	tasks []int // of paths[i]: the task; -1 for the first one of View.Elsewhere, -2 for the second, and so on
}

// HasFiles reports whether any task of the plan names files.
func (g *Graph) HasFiles() bool {
	return slices.ContainsFunc(g.nodes, func(x node) bool { return x.flags&withFiles != 0 })
}

// overlaps returns one obstacle for each task in work that touches a file of task
// n. Two files overlap if they are equal, or one is a folder that has the other. The
// obstacle names the file as the agent wrote it.
func (v *View) overlaps(n int) (list []Obstacle) {
	files := v.Graph.Files(n)
	if len(files) == 0 {
		return nil
	}
	if v.files == nil {
		v.files = v.filesInWork()
	}
	for _, file := range files {
		for _, at := range v.files.touching(slashed(file)) {
			o := Obstacle{Why: Overlap, Task: v.files.tasks[at], File: file}
			if o.Task < 0 {
				o.Other, o.Task = &v.Elsewhere[-o.Task-1], 0
			}
			if o.Task == n || slices.ContainsFunc(list, func(x Obstacle) bool { return x.Task == o.Task && x.Other == o.Other }) {
				continue
			}
			list = append(list, o)
		}
	}
	return list
}

func (v *View) filesInWork() *claimedFiles {
	type entry struct {
		path string
		task int
	}
	var entries []entry
	for n := 1; n <= v.Graph.Len(); n++ {
		if stored := v.Marks.State(n); stored.Held() && !v.free(n, stored) {
			for _, file := range v.Graph.Files(n) {
				entries = append(entries, entry{slashed(file), n})
			}
		}
	}
	for i, other := range v.Elsewhere {
		for _, file := range other.Files {
			entries = append(entries, entry{slashed(file), -1 - i})
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	f := &claimedFiles{}
	for _, e := range entries {
		f.paths, f.tasks = append(f.paths, e.path), append(f.tasks, e.task)
	}
	return f
}

// slashed writes a file in one way to compare it: agents on Windows write \ for /, and ./ is the
// folder of all files of the project. The task keeps what the agent wrote, because its hash,
// which the person approves, is over that.
func slashed(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	if strings.HasPrefix(file, "/") {
		return file
	}
	return "./" + strings.TrimPrefix(file, "./")
}

// touching returns the indices of the files that overlap with one. That is slashed.
func (f *claimedFiles) touching(file string) (found []int) {
	for i := range len(file) {
		if file[i] == '/' && i+1 < len(file) {
			found = f.equal(found, file[:i+1]) // a folder around the file
		}
	}
	if !strings.HasSuffix(file, "/") {
		return f.equal(found, file)
	}
	from, _ := slices.BinarySearch(f.paths, file)
	for i := from; i < len(f.paths) && strings.HasPrefix(f.paths[i], file); i++ {
		found = append(found, i)
	}
	return found
}

func (f *claimedFiles) equal(found []int, path string) []int {
	from, _ := slices.BinarySearch(f.paths, path)
	for i := from; i < len(f.paths) && f.paths[i] == path; i++ {
		found = append(found, i)
	}
	return found
}
