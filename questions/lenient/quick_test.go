package lenient_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"planb/questions/lenient"
)

// FuzzQuick holds that the quick reader takes what encoding/json takes, and reads the same.
func FuzzQuick(f *testing.F) {
	for _, text := range []string{
		`{}`, ` [ ] `, `{"a":1,"a":[true,false,null,{"b":"c"}],"A":-0.5e+10}`, "\t\"x\"\r\n", `"\u00e9\ud83d\ude00\ud800\n\"\\\/\b\f\r\t"`,
		`0`, `-0`, `01`, `1.`, `.5`, `-`, `+1`, `1e`, `1E-7`, `0x1`, `NaN`, `1 2`, `1,`, ``, ` `, `tru`, `truest`, `nul`, `null`,
		`{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{1:2}`, `{a:1}`, `[1,]`, `[,1]`, `[1 2]`, `[`, `{`, `]`, `{"a":1`, `["a`, `"a`, `"\`, `"\u12`, `"\u12G4"`, `"\x"`,
		"\"a\nb\"", "\"\x00\"", "\"\x7f\"", "\"\xff\"", "\xff", "{\"\xc3\":1}", "\ufeff{}", "\"\u2028\"", `{"\u0061":1,"a":2}`, `"\ud800\u0061"`, `"\\u0061"`,
		strings.Repeat("[", lenient.MaxDepth) + strings.Repeat("]", lenient.MaxDepth),
		strings.Repeat("[", lenient.MaxDepth+1) + strings.Repeat("]", lenient.MaxDepth+1),
		strings.Repeat(`{"a":`, lenient.MaxDepth+1) + "1" + strings.Repeat("}", lenient.MaxDepth+1),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(readsAlike)
}

// TestQuickAtTheMostValues is FuzzQuick at the limit of values, which is too long for a fuzzer.
func TestQuickAtTheMostValues(t *testing.T) {
	for _, count := range []int{lenient.MaxInputItems - 1, lenient.MaxInputItems} {
		readsAlike(t, []byte("["+strings.Repeat("1,", count-1)+"1]"))
	}
}

func readsAlike(t *testing.T, raw []byte) {
	quick, ok := lenient.Quickly(raw)
	thorough, err := lenient.Thoroughly(raw)
	if ok != (err == nil) || ok && !reflect.DeepEqual(quick, thorough) {
		t.Fatalf("%q is read as %v %v, and by encoding/json as %v %v", raw, quick, ok, thorough, err)
	}
	var fields map[string]json.RawMessage
	members, isObject := lenient.Members(raw)
	if isObject != (ok && thorough.Kind == lenient.ObjectNode) {
		t.Fatalf("%q: it is an object: %v", raw, isObject)
	}
	if !isObject {
		return
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	got := map[string]json.RawMessage{}
	for i, m := range members {
		got[m.Key] = m.Value
		if m.Key != thorough.Members[i].Key {
			t.Errorf("member %d of %q is %q", i, raw, m.Key)
		}
	}
	if len(members) != len(thorough.Members) || !reflect.DeepEqual(got, fields) {
		t.Errorf("the members of %q are %q, and of encoding/json %q", raw, got, fields)
	}
}
