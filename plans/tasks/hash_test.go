package tasks_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"planb/plans/tasks"
	"planb/questions/safe"
)

// The bytes that are hashed never change; a changed golden here would lock every
// task that was ever approved.
func TestCanonicalForm(t *testing.T) {
	s := seed("api", "schema", "auth")
	s.Title, s.Description = safe.New(`Write <the> "API"`), safe.New("a\nb\t\u2028é\x01")
	s.Execution = tasks.Execution{Kind: tasks.Human, Files: tasks.Texts("b", "a/"), Output: safe.New("out")}
	s.Verification = tasks.Verification{Kind: tasks.Command, Commands: tasks.Texts("go test ./...")}
	want := `{"dependsOn":["auth","schema"],"description":"a\u000ab\u0009` + "\u2028é" + `\u0001","estimateMinutes":30,` +
		`"executionContract":{"files":["b","a/"],"kind":"human","output":"out"},"nodeKey":"api","title":"Write <the> \"API\"",` +
		`"verificationContract":{"commands":["go test ./..."],"kind":"command"}}`
	if got := string(s.Canonical()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := seed("a").Hash().String(); got != "59d2d60eda94e19047f80238cb3c7065574fe8dcc282eeb4a0eaa50119542a13" {
		t.Errorf("the hash is %s", got)
	}
	var back tasks.Hash
	hash := s.Hash()
	text, _ := hash.MarshalText()
	if err := back.UnmarshalText(text); err != nil || back != hash {
		t.Errorf("%s is read as %s, %v", hash, back, err)
	}
	for _, wrong := range []string{"", "x", strings.Repeat("g", 64)} {
		if back.UnmarshalText([]byte(wrong)) == nil {
			t.Errorf("%q is a hash", wrong)
		}
	}
}

// Each hashed field changes the hash, and nothing else does (2.3).
func TestHashCoversWhatIsApproved(t *testing.T) {
	base := seed("a", "b", "c")
	for name, change := range map[string]func(*tasks.Seed){
		"nodeKey":     func(s *tasks.Seed) { s.Key = "b" },
		"title":       func(s *tasks.Seed) { s.Title = safe.New("A ") },
		"description": func(s *tasks.Seed) { s.Description = safe.New(" ") },
		"kind":        func(s *tasks.Seed) { s.Execution.Kind = tasks.Human },
		"files":       func(s *tasks.Seed) { s.Execution.Files = tasks.Texts("a") },
		"inputs":      func(s *tasks.Seed) { s.Execution.Inputs = tasks.Texts("a") },
		"constraints": func(s *tasks.Seed) { s.Execution.Constraints = tasks.Texts("a") },
		"output":      func(s *tasks.Seed) { s.Execution.Output = safe.New("a") },
		"verify":      func(s *tasks.Seed) { s.Verification.Kind = tasks.Manual },
		"criteria":    func(s *tasks.Seed) { s.Verification.Criteria = tasks.Texts("a") },
		"commands":    func(s *tasks.Seed) { s.Verification.Commands = tasks.Texts("a") },
		"estimate":    func(s *tasks.Seed) { s.Minutes++ },
		"dependsOn":   func(s *tasks.Seed) { s.DependsOn = []string{"b"} },
	} {
		changed := base
		change(&changed)
		if changed.Hash() == base.Hash() {
			t.Errorf("%s is not hashed", name)
		}
	}
	for name, change := range map[string]func(*tasks.Seed){
		"priority":       func(s *tasks.Seed) { s.Priority = 0 },
		"agents' edges":  func(s *tasks.Seed) { s.AlsoAfter = []string{"d"} },
		"soft edges":     func(s *tasks.Seed) { s.Soft = []string{"d"} },
		"order of edges": func(s *tasks.Seed) { s.DependsOn = []string{"c", "b"} },
	} {
		changed := base
		change(&changed)
		if changed.Hash() != base.Hash() {
			t.Errorf("%s is hashed", name)
		}
	}
}

func TestPlanHash(t *testing.T) {
	hash := func(p tasks.Plan) tasks.Hash {
		g, err := tasks.Build(p)
		if err != nil {
			t.Fatal(err)
		}
		return g.Hash()
	}
	base := hash(plan(seed("a"), seed("b")))
	if hash(plan(seed("b"), seed("a"))) != base {
		t.Error("the order of the tasks is hashed")
	}
	other := plan(seed("a"), seed("b"))
	other.Description = safe.New("more")
	if hash(other) == base || hash(plan(seed("a"))) == base || hash(plan(seed("a"), seed("c"))) == base {
		t.Error("two plans have one hash")
	}
	dropped := plan(seed("a"), seed("b"), seed("c"))
	dropped.Tasks[2].Dropped = true
	if hash(dropped) != base {
		t.Error("a dropped task is hashed")
	}
	other = plan(seed("a"), seed("b"))
	other.Title = safe.New("Other")
	if hash(other) == base {
		t.Error("the title is not hashed")
	}
}

// Canonical JSON is JSON: what is read from it is the text, and two texts have two
// forms.
func FuzzCanonicalJSON(f *testing.F) {
	f.Add("a\"\\\x00\u2028<é", "b")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		var back string
		if err := json.Unmarshal(tasks.CanonicalString(a), &back); err != nil || back != a {
			t.Fatalf("%q is read as %q, %v", a, back, err)
		}
		s := seed("k", "x")
		s.Title, s.Description = safe.New(a), safe.New(b)
		s.Execution.Files = tasks.Texts(a, b)
		var value map[string]any
		if err := json.Unmarshal(s.Canonical(), &value); err != nil {
			t.Fatal(err)
		}
		if !inOrder(value, s.Canonical()) {
			t.Fatalf("the keys of %s are not in ascending order", s.Canonical())
		}
		other := s
		other.Title = safe.New(b)
		if a != b && other.Hash() == s.Hash() {
			t.Fatalf("%q and %q have one hash", a, b)
		}
	})
}

// inOrder reports whether the keys of an object stand in ascending order.
func inOrder(value map[string]any, data []byte) bool {
	last := -1
	for _, key := range slices.Sorted(maps.Keys(value)) {
		at := bytes.LastIndex(data, []byte(`"`+key+`":`))
		if at <= last {
			return false
		}
		last = at
	}
	return true
}

// T22: unlocked is what has the approved hash and was not held back; a byte changed
// in a hashed field locks that task alone (6).
func TestT22UnlockedByComparison(t *testing.T) {
	approved := build(t, seed("a"), seed("b", "a"), seed("c"))
	changed := seed("b", "a")
	changed.Description = safe.New("x")
	now := build(t, seed("a"), changed, seed("c"), seed("d"))
	for _, c := range []struct {
		name     string
		approved *tasks.Graph
		held     []int
		want     []bool
	}{
		{"nothing approved", nil, nil, []bool{false, false, false, false}},
		{"one reworded, one new", approved, nil, []bool{true, false, true, false}},
		{"one held", approved, []int{3, 9}, []bool{true, false, false, false}},
		{"all", now, nil, []bool{true, true, true, true}},
	} {
		if got := now.Unlocked(c.approved, c.held); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	with, err := now.With(3, tasks.Edge{On: 1, Kind: tasks.Added})
	if err != nil || !reflect.DeepEqual(with.Unlocked(now, nil), []bool{true, true, true, true}) {
		t.Errorf("an agent's edge locks a task, %v", err)
	}
}
