package questions_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"planb/questions"
)

var update = flag.Bool("update", false, "write the expected files of testdata/questions anew")

const vectors = "../testdata/questions"

// inputs returns the forms of a directory of vectors by name.
func inputs(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(vectors, dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s (%v)", dir, err)
	}
	found := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[strings.TrimSuffix(filepath.Base(file), ".json")] = data
	}
	return found
}

// expect compares got with the golden file, or writes the file.
func expect(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join(vectors, file)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

// TestGoodForms checks each form's canonical JSON, byte for byte, and its digest.
// Stores keep and compare them for ever: a change here breaks every ask that is
// waiting.
func TestGoodForms(t *testing.T) {
	for name, input := range inputs(t, "good") {
		t.Run(name, func(t *testing.T) {
			spec, err := questions.Parse(input)
			if err != nil {
				t.Fatalf("refused:\n%v", err)
			}
			expect(t, "good/"+name+".canonical", string(spec.Canonical())+"\n"+spec.Digest()+"\n")
			roundTrip(t, spec)
		})
	}
}

// roundTrip checks that both ways of reading a canonical form give the same form.
func roundTrip(t testing.TB, spec questions.Spec) {
	t.Helper()
	canonical := spec.Canonical()
	var stored questions.Spec
	if err := json.Unmarshal(canonical, &stored); err != nil {
		t.Fatalf("Unmarshal of the canonical form: %v", err)
	}
	if !reflect.DeepEqual(stored, spec) {
		t.Errorf("Unmarshal gives another form:\n%s\nfor\n%s", stored.Canonical(), canonical)
	}
	again, err := questions.Parse(canonical)
	if err != nil {
		t.Fatalf("Parse of the canonical form:\n%v", err)
	}
	if !reflect.DeepEqual(again, spec) {
		t.Errorf("Parse gives another form:\n%s\nfor\n%s", again.Canonical(), canonical)
	}
	viaDefaultEncoder, err := json.Marshal(spec) // escapes <, > and &
	if err != nil {
		t.Fatal(err)
	}
	if again, err = questions.Parse(viaDefaultEncoder); err != nil || again.Digest() != spec.Digest() {
		t.Errorf("json.Marshal and Parse give another form (%v)", err)
	}
}

// TestBadForms checks the exact words for each mistake.
func TestBadForms(t *testing.T) {
	for name, input := range inputs(t, "bad") {
		t.Run(name, func(t *testing.T) {
			spec, err := questions.Parse(input)
			if err == nil {
				t.Fatalf("read as %s", spec.Canonical())
			}
			var problems questions.Problems
			if !errors.As(err, &problems) || len(problems) == 0 {
				t.Fatalf("the error is %T, want Problems", err)
			}
			if !reflect.DeepEqual(spec, questions.Spec{}) {
				t.Errorf("a form came with the error: %s", spec.Canonical())
			}
			expect(t, "bad/"+name+".txt", err.Error()+"\n")
			for _, r := range err.Error() {
				if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x200b) {
					t.Errorf("the error holds %U", r)
				}
			}
		})
	}
}

func TestEveryVectorIsUsed(t *testing.T) {
	for dir, suffix := range map[string]string{"good": ".canonical", "bad": ".txt"} {
		known := inputs(t, dir)
		files, err := os.ReadDir(filepath.Join(vectors, dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(strings.TrimSuffix(file.Name(), suffix), ".json")
			if _, ok := known[name]; !ok {
				t.Errorf("%s/%s belongs to no form", dir, file.Name())
			}
		}
	}
}
