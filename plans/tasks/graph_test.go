package tasks_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/plans/tasks"
	"planb/questions/safe"
)

func TestBuildTellsAllThatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name  string
		seeds []tasks.Seed
		code  tasks.Code
		want  string
	}{
		{"a near name", []tasks.Seed{seed("schema"), seed("a"), seed("b"), seed("api", "schma")}, tasks.CodeValidationInvalidInput,
			`tasks[3].dependsOn[0]: "schma" is no nodeKey here; did you mean "schema"?`},
		{"no near name", []tasks.Seed{seed("schema"), seed("api", "x")}, tasks.CodeValidationInvalidInput,
			`tasks[1].dependsOn[0]: "x" is no nodeKey here; there are "schema"`},
		{"twice", []tasks.Seed{seed("a"), seed("a")}, tasks.CodeValidationInvalidInput,
			`tasks[1].nodeKey: got "a", as in tasks[0]; allowed: a nodeKey of its own`},
		{"an edge twice, and another mistake", []tasks.Seed{seed("a"), seed("b", "a", "a"), seed("c", "aa", "d")}, tasks.CodeValidationInvalidInput,
			"tasks[1].dependsOn[1]: \"a\" is named twice\n" +
				"tasks[2].dependsOn[0]: \"aa\" is no nodeKey here; there are \"a\", \"b\"\n" +
				"tasks[2].dependsOn[1]: \"d\" is no nodeKey here; there are \"a\", \"b\""},
		{"none", nil, tasks.CodeValidationInvalidInput, "tasks: got a plan of 0 tasks; allowed: 1 to 10000, dropped ones included"},
		{"itself", []tasks.Seed{seed("a", "a")}, tasks.CodeDependencyCycle, "a → a is a cycle. Nothing was stored."},
		{"two", []tasks.Seed{seed("z"), seed("a", "b", "z"), seed("b", "a")}, tasks.CodeDependencyCycle, "a → b → a is a cycle. Nothing was stored."},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := tasks.Build(plan(c.seeds...))
			if err == nil || err.Error() != c.want || tasks.CodeOf(err) != c.code {
				t.Errorf("got  %s %v\nwant %s %s", tasks.CodeOf(err), err, c.code, c.want)
			}
		})
	}
}

// T14: a cycle is named by its path, and a self-edge is one.
func TestT14CycleHasItsPath(t *testing.T) {
	_, err := tasks.Build(plan(seed("a", "b"), seed("b", "c"), seed("c", "d"), seed("d", "b")))
	e, ok := errors.AsType[*tasks.Error](err)
	if !ok || !reflect.DeepEqual(e.Details["path"], []string{"b", "c", "d", "b"}) {
		t.Errorf("got %v", err)
	}
}

// No accepted graph has a cycle, no refused one lacks it, and what is refused has
// nothing changed.
func FuzzCycles(f *testing.F) {
	f.Add([]byte{1, 2, 2, 3, 3, 1}, uint8(4))
	f.Add([]byte{1, 2, 3, 2, 4, 3, 1, 4}, uint8(5))
	f.Fuzz(func(t *testing.T, pairs []byte, count uint8) {
		count = max(2, min(count, 40))
		seeds := make([]tasks.Seed, count)
		for i := range seeds {
			seeds[i] = seed(fmt.Sprint("t", i+1))
		}
		g := build(t, seeds...)
		for i := 0; i+1 < len(pairs) && i < 200; i += 2 {
			n, on := 1+int(pairs[i])%int(count), 1+int(pairs[i+1])%int(count)
			kind := tasks.EdgeKind(pairs[i] >> 6 % 3)
			before := g.Pack()
			next, err := g.With(n, tasks.Edge{On: on, Kind: kind})
			closes := n == on || kind.Hard() && waitsFor(g, on, n)
			if closes != (err != nil) {
				t.Fatalf("%d on %d closes a cycle: %v; got %v", n, on, closes, err)
			}
			if !bytes.Equal(g.Pack(), before) {
				t.Fatal("an edge changed the graph itself")
			}
			if err != nil {
				checkPath(t, g, n, on, err)
				continue
			}
			checkOrder(t, next)
			seeds[n-1] = withEdge(seeds[n-1], fmt.Sprint("t", on), kind)
			g = next
			again, err := tasks.Build(plan(seeds...))
			if err != nil {
				t.Fatal(err)
			}
			if !sameEdges(g, again) {
				t.Fatalf("%d on %d: the edges differ from those of a new graph", n, on)
			}
		}
	})
}

// withEdge returns the seed with an edge, and no other one to the same task.
func withEdge(s tasks.Seed, key string, kind tasks.EdgeKind) tasks.Seed {
	s = withoutEdge(s, key)
	switch kind {
	case tasks.Required:
		s.DependsOn = append(slices.Clone(s.DependsOn), key)
	case tasks.Added:
		s.AlsoAfter = append(slices.Clone(s.AlsoAfter), key)
	case tasks.Soft:
		s.Soft = append(slices.Clone(s.Soft), key)
	}
	return s
}

func withoutEdge(s tasks.Seed, key string) tasks.Seed {
	other := func(k string) bool { return k == key }
	s.DependsOn = slices.DeleteFunc(slices.Clone(s.DependsOn), other)
	s.AlsoAfter = slices.DeleteFunc(slices.Clone(s.AlsoAfter), other)
	s.Soft = slices.DeleteFunc(slices.Clone(s.Soft), other)
	return s
}

func sameEdges(a, b *tasks.Graph) bool {
	for n := 1; n <= a.Len(); n++ {
		if !slices.Equal(a.Edges(n), b.Edges(n)) || !slices.Equal(a.Dependents(n), b.Dependents(n)) {
			return false
		}
	}
	return a.Len() == b.Len()
}

// waitsFor searches without the kept order.
func waitsFor(g *tasks.Graph, n, goal int) bool {
	seen := map[int]bool{}
	var visit func(int) bool
	visit = func(at int) bool {
		if at == goal {
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		return slices.ContainsFunc(g.Edges(at), func(e tasks.Edge) bool { return e.Kind.Hard() && visit(e.On) })
	}
	return visit(n)
}

// checkPath checks that a cycle is one that the edge from n to on would close.
func checkPath(t *testing.T, g *tasks.Graph, n, on int, err error) {
	t.Helper()
	e, _ := errors.AsType[*tasks.Error](err)
	path, _ := e.Details["path"].([]string)
	if len(path) < 2 || path[0] != path[len(path)-1] || path[0] != g.Key(n) || path[1] != g.Key(on) {
		t.Fatalf("%d on %d: the path is %v", n, on, path)
	}
	for i := 1; i+1 < len(path); i++ {
		from, _ := g.Find(path[i])
		to, _ := g.Find(path[i+1])
		if kind, ok := g.Edge(from, to); !ok || !kind.Hard() {
			t.Fatalf("the path %v has no edge from %s to %s", path, path[i], path[i+1])
		}
	}
}

func checkOrder(t *testing.T, g *tasks.Graph) {
	t.Helper()
	place := map[int]int{}
	for at, n := range g.Numbers() {
		place[n] = at
	}
	for n := 1; n <= g.Len(); n++ {
		for _, e := range g.Edges(n) {
			if e.Kind.Hard() && place[e.On] >= place[n] {
				t.Fatalf("task %d stands before %d, which it depends on", n, e.On)
			}
		}
	}
	if len(place) != g.Len() {
		t.Fatalf("%d of %d tasks have a place", len(place), g.Len())
	}
}

// What a store keeps gives the same graph and the same tasks again.
func TestPackedGraphAndLeavesGiveThePlanAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := plan(drawSeeds(t, 12)...)
		p.Description = safe.New(drawLine(t, "of the plan", "P"))
		for i := range p.Tasks {
			p.Tasks[i].Dropped = rapid.IntRange(0, 9).Draw(t, "dropped") == 0 && unneeded(p, p.Tasks[i].Key)
		}
		g, err := tasks.Build(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := tasks.Unpack(g.Pack())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.Pack(), g.Pack()) || !sameEdges(g, again) || again.Hash() != g.Hash() {
			t.Fatal("the unpacked graph differs")
		}
		leaves := p.Leaves()
		var read []tasks.Task
		for _, leaf := range leaves {
			list, err := tasks.ReadLeaf(leaf.First, leaf.Data)
			if err != nil {
				t.Fatal(err)
			}
			if _, quick := tasks.ReadCanonicalLeaf(leaf.Data); !quick {
				t.Fatalf("encoding/json had to read %s", leaf.Data)
			}
			read = append(read, list...)
		}
		again.Complete(read)
		for i, task := range read {
			want := p.Tasks[i]
			if task.Number != i+1 || !want.Dropped && (task.Hash() != want.Hash() || task.Hash() != g.TaskHash(i+1)) {
				t.Fatalf("task %d is read as %+v, want %+v", i+1, task, want)
			}
			if got := again.Key(i + 1); got != want.Key || again.Dropped(i+1) != want.Dropped {
				t.Fatalf("task %d is %s", i+1, got)
			}
		}
	})
}

// unneeded reports whether no task refers to a key, and none is referred to by it.
func unneeded(p tasks.Plan, key string) bool {
	for _, t := range p.Tasks {
		for _, list := range [][]string{t.DependsOn, t.AlsoAfter, t.Soft} {
			if len(list) > 0 && (t.Key == key || slices.Contains(list, key)) {
				return false
			}
		}
	}
	return true
}

func TestLayers(t *testing.T) {
	p := plan(seed("ui", "api"), seed("api", "schema"), seed("schema"), seed("docs"), seed("gone"), seed("ship", "docs", "ui"))
	p.Tasks[3].Soft, p.Tasks[4].Dropped = []string{"ui"}, true
	if got, want := graph(t, p).Layers(), [][]int{{3, 4}, {2}, {1}, {6}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func FuzzUnpack(f *testing.F) {
	g, err := tasks.Build(plan(seed("a"), seed("b", "a")))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(g.Pack())
	f.Add([]byte{1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := tasks.Unpack(data)
		if err != nil {
			return
		}
		checkOrder(t, g)
		if _, err := tasks.Unpack(g.Pack()); err != nil {
			t.Fatal(err)
		}
	})
}

// A leaf has at most 256 tasks and 256 KiB, and one changed task changes few.
func TestLeavesAreBoundedAndStable(t *testing.T) {
	seeds := make([]tasks.Seed, 1000)
	for i := range seeds {
		seeds[i] = seed(fmt.Sprint("t", i))
		seeds[i].Description = safe.New(strings.Repeat("d", i%7*500))
	}
	before := plan(seeds...).Leaves()
	next := 1
	for _, leaf := range before {
		list, err := tasks.ReadLeaf(leaf.First, leaf.Data)
		if err != nil || leaf.First != next || len(list) > 256 || len(leaf.Data) > 256<<10 {
			t.Fatalf("a leaf from %d has %d tasks and %d bytes, %v", leaf.First, len(list), len(leaf.Data), err)
		}
		next += len(list)
	}
	if next != 1001 {
		t.Fatalf("there are leaves for %d tasks", next-1)
	}
	seeds[3].Description = safe.New(strings.Repeat("e", 16<<10))
	after := plan(seeds...).Leaves()
	kept := map[string]bool{}
	for _, leaf := range before {
		kept[string(leaf.Data)] = true
	}
	changed := 0
	for _, leaf := range after {
		if !kept[string(leaf.Data)] {
			changed++
		}
	}
	if changed > 4 {
		t.Errorf("%d of %d leaves changed", changed, len(after))
	}
	if _, err := tasks.ReadLeaf(2, before[0].Data); err == nil {
		t.Error("a leaf is read at another place")
	}
}

// What is read without encoding/json is what encoding/json reads.
func FuzzLeaf(f *testing.F) {
	for _, leaf := range []string{
		`[{"description":"d\"\\","done":"yes","dropped":true,"estimateMinutes":30,"executionContract":{"constraints":["c"],"files":["f","g"],"inputs":["i"],"kind":"human","output":"o"},"n":1,"nodeKey":"a","priority":2,"splitFrom":"b","title":"A","verificationContract":{"commands":["go"],"criteria":["c"],"kind":"command"}},{"n":2}]`,
		`[{"n":1,"later":"a field"}]`, `[{"n":01}]`, `[{"n":-1}]`, `[{"n":1.0}]`, `[{"n":12345678901234567890}]`, `[{"N":1}]`, `[{"n":1,}]`, `[{"n":1}] `,
		`[{"title":"\ud83d\ude00 \u0000"}]`, `[{"title":"a` + "\n" + `"}]`, `[{"title":"` + "\xff" + `"}]`, `[{"title":"\"}]`, `[{"title":null}]`,
		`[{"executionContract":{"files":["a"]},"executionContract":{"files":["b"],"kind":"human"}}]`, `[{"dropped":false}]`, `[]`, `[{}]`, `{}`, ``,
	} {
		f.Add([]byte(leaf))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := tasks.ReadCanonicalLeaf(data)
		if !ok {
			return
		}
		var want []tasks.Task
		if err := json.Unmarshal(data, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as\n%+v, by encoding/json as\n%+v, %v", data, got, want, err)
		}
	})
}

// A leaf is what encoding/json writes of its tasks, but for fields without a value.
func TestALeafIsTheJSONOfItsTasks(t *testing.T) {
	full := tasks.Task{
		Number: 1, Dropped: true, SplitFrom: "whole", Done: safe.New("long ago"),
		Seed: tasks.Seed{
			Key: "a", Title: safe.New("\"A\" \\ <b> \x00\n\u2028 \xff é"), Description: safe.New("text"), Priority: 1, Minutes: 90,
			Execution:    tasks.Execution{Kind: tasks.Human, Files: tasks.Texts("f"), Inputs: tasks.Texts("i"), Constraints: tasks.Texts("c"), Output: safe.New("o")},
			Verification: tasks.Verification{Kind: tasks.Command, Criteria: tasks.Texts("c"), Commands: tasks.Texts("go test")},
		},
	}
	plain := plan(seed("b")).Tasks[0]
	plain.Number = 2
	list := []tasks.Task{full, plain}
	var want, got any
	data, err := json.Marshal(list)
	if err == nil {
		err = json.Unmarshal(data, &want)
	}
	if err == nil {
		err = json.Unmarshal(tasks.Plan{Tasks: list}.Leaves()[0].Data, &got)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%v, %v", got, want, err)
	}
}
