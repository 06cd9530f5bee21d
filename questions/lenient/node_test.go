package lenient_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"planb/questions/lenient"
)

// FuzzParse holds that Parse takes what encoding/json takes, within the limits, and reads
// the same, and that Members does.
func FuzzParse(f *testing.F) {
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

// TestTheMostValues has lists and objects at the limit of values, and beyond it.
func TestTheMostValues(t *testing.T) {
	for count, allowed := range map[int]bool{lenient.MaxInputItems: true, lenient.MaxInputItems + 1: false} {
		items := strings.Repeat("1,", count-3) + "1" // beside them: the outer value and a list
		for _, text := range []string{"[[" + items + "]]", `{"a":[` + items + "]}"} {
			if _, err := lenient.Parse([]byte(text)); (err == nil) != allowed {
				t.Errorf("%d values: %v", count, err)
			}
		}
		if _, ok := lenient.Members([]byte(`{"a":[` + items + "]}")); ok != allowed {
			t.Errorf("the members of an object of %d values: %v", count, ok)
		}
	}
}

func readsAlike(t *testing.T, raw []byte) {
	node, err := lenient.Parse(raw)
	valid := json.Valid(raw) && utf8.Valid(raw) && depth(raw) <= lenient.MaxDepth
	if (err == nil) != valid {
		t.Fatalf("%q: %v; encoding/json takes it: %v", raw, err, valid)
	}
	members, isObject := lenient.Members(raw)
	if isObject != (valid && node.Kind == lenient.ObjectNode) {
		t.Fatalf("%q: it is an object: %v", raw, isObject)
	}
	if !valid {
		return
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var want any
	if err := dec.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if got := plain(node); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is read as %v, and by encoding/json as %v", raw, got, want)
	}
	if !isObject {
		return
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	got := map[string]json.RawMessage{}
	for i, m := range members {
		got[m.Key] = m.Value
		if m.Key != node.Members[i].Key {
			t.Errorf("member %d of %q is %q", i, raw, m.Key)
		}
	}
	if len(members) != len(node.Members) || !reflect.DeepEqual(got, fields) {
		t.Errorf("the members of %q are %q, and of encoding/json %q", raw, got, fields)
	}
}

// depth returns how deep lists and objects are nested in correct JSON.
func depth(raw []byte) (deepest int) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	for at := 0; ; {
		token, err := dec.Token()
		switch {
		case err != nil:
			return deepest
		case token == json.Delim('['), token == json.Delim('{'):
			at++
			deepest = max(deepest, at)
		case token == json.Delim(']'), token == json.Delim('}'):
			at--
		}
	}
}

// plain returns what encoding/json makes of the same value.
func plain(n lenient.Node) any {
	switch n.Kind {
	case lenient.TextNode:
		return n.Text
	case lenient.NumberNode:
		return json.Number(n.Text)
	case lenient.BoolNode:
		return n.Truth
	case lenient.ListNode:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, plain(item))
		}
		return list
	case lenient.ObjectNode:
		object := map[string]any{}
		for _, m := range n.Members {
			object[m.Key] = plain(m.Value)
		}
		return object
	}
	return nil
}
