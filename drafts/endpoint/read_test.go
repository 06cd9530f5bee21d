package endpoint

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// FuzzRead reads what a hostile server may send: it ends, is bounded, and fails in words.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "data: [DONE]\n\n", "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n",
		"data: {\"choices\":null,\"usage\":{\"prompt_tokens\":-1}}\n", "data: null\n", "data:[]\n", "{\"choices\":[{\"message\":{\"content\":\"\\ud800\"}}]}",
		"data: {\"error\":\"x\"}\n", ": comment\r\n\r\ndata:{", "<html>", strings.Repeat("data: {}\n", 100),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := read(bytes.NewReader(body), "sk-secret")
		if len(r.text) > 3*len(body) || r.in < 0 || r.out < 0 { // a byte that is no UTF-8 becomes three
			t.Errorf("%d bytes became %d, %d and %d tokens", len(body), len(r.text), r.in, r.out)
		}
		if _, ok := errors.AsType[*fault](err); err != nil && (!ok || err.Error() == "") {
			t.Errorf("the error is %v", err)
		}
		_ = answerIn(r.text)
		_ = errorText(body, "sk-secret")
		_ = aboutContext(body)
	})
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]bool{"": false, "7": true, "-1": false, "soon": false, "99999999999999999999": false, "Wed, 21 Oct 2015 07:28:00 GMT": false} {
		if got := retryAfter(text); got > 0 != want {
			t.Errorf("%q: got %s", text, got)
		}
	}
}
