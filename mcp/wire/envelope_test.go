package wire

import (
	"encoding/json"
	"testing"
)

func TestParseEnvelope(t *testing.T) {
	for _, test := range []struct {
		name, in string
		code     int // 0: it is fine
		id       string
		kind     string
	}{
		{"a request", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 0, "1", "request"},
		{"a notification", `{"jsonrpc":"2.0","method":"x"}`, 0, "", "notification"},
		{"a result", `{"jsonrpc":"2.0","id":"a","result":{}}`, 0, `"a"`, "response"},
		{"a refusal", `{"jsonrpc":"2.0","id":"a","error":{"code":1}}`, 0, `"a"`, "response"},
		{"a refusal of a message that the client could not read", `{"jsonrpc":"2.0","id":null,"error":{"code":1}}`, 0, "", "response"},
		{"no JSON", `{"jsonrpc":`, CodeParse, "", ""},
		{"a bare word", `hello`, CodeParse, "", ""},
		{"a number", `7`, CodeInvalidRequest, "", ""},
		{"a string", `"x"`, CodeInvalidRequest, "", ""},
		{"null", `null`, CodeInvalidRequest, "", ""},
		{"an older version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, CodeInvalidRequest, "1", ""},
		{"no version", `{"id":1,"method":"ping"}`, CodeInvalidRequest, "1", ""},
		{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, CodeInvalidRequest, "", ""},
		{"an id that is a list", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, CodeInvalidRequest, "", ""},
		{"an id that is true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, CodeInvalidRequest, "", ""},
		{"a method that is a number", `{"jsonrpc":"2.0","id":1,"method":5}`, CodeInvalidRequest, "1", ""},
		{"a method that is empty", `{"jsonrpc":"2.0","id":1,"method":""}`, CodeInvalidRequest, "1", ""},
		{"nothing to do", `{"jsonrpc":"2.0","id":1}`, CodeInvalidRequest, "1", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, problem := parseEnvelope([]byte(test.in))
			code := 0
			if problem != nil {
				code = problem.Code
			}
			if code != test.code || string(got.ID) != test.id {
				t.Fatalf("code %d, id %s; want %d, %s", code, got.ID, test.code, test.id)
			}
			if problem != nil {
				return
			}
			kinds := map[string]bool{"request": got.isRequest(), "response": got.isResponse()}
			for kind, is := range kinds {
				if is != (kind == test.kind) {
					t.Errorf("%s: %v", kind, is)
				}
			}
		})
	}
}

func TestIDKeysAreEqualWhereIDsAre(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{`"a"`, `"\u0061"`, true},
		{`1`, `1`, true},
		{`1`, `"1"`, false},
		{`9007199254740992`, `9007199254740993`, false},
		{`"a"`, `"b"`, false},
	} {
		a, okA := idKey(json.RawMessage(test.a))
		b, okB := idKey(json.RawMessage(test.b))
		if !okA || !okB || (a == b) != test.same {
			t.Errorf("%s and %s: keys %q and %q", test.a, test.b, a, b)
		}
	}
}

// FuzzEnvelope holds that whatever is read as a request can be passed on.
func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[1,"\u2028"]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"\ud800","method":"\u0000"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		message, problem := parseEnvelope(line)
		if problem != nil {
			if out := errorResponse(message.ID, problem); !json.Valid(out) {
				t.Errorf("the refusal is not JSON: %q", out)
			}
			return
		}
		if message.isRequest() && !json.Valid(message.withID(7)) {
			t.Errorf("passed on as %q", message.withID(7))
		}
	})
}
