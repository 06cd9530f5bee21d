package tasks

// PathMinutes returns the length of the longest chain of open tasks that begins
// with task n, counted as for Priority; 0 if n is not open.
func (v *View) PathMinutes(n int) int { return int(v.tasks[n-1].path) }

// CriticalPath returns the longest chain of open tasks, each waiting for the one
// before, counted as for Priority.
func (v *View) CriticalPath() []int {
	var path []int
	best := v.longest(func(yield func(int) bool) {
		for n := range v.tasks {
			if !yield(n + 1) {
				return
			}
		}
	})
	for best != 0 {
		path = append(path, best)
		at := best
		best = v.longest(func(yield func(int) bool) {
			for _, e := range v.Graph.Dependents(at) {
				if !yield(e.On) {
					return
				}
			}
		})
	}
	return path
}

// longest returns the counting task with the longest path among some; 0 if there is
// none.
func (v *View) longest(among func(func(int) bool)) (best int) {
	for n := range among {
		if v.tasks[n-1].counts && (best == 0 || v.tasks[n-1].path > v.tasks[best-1].path) {
			best = n
		}
	}
	return best
}
