package endpoint_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/drafts/endpoint"
)

const key = "sk-secret-7f3a"

// asked is a request as the server got it.
type asked struct {
	Model    string
	Messages []struct{ Role, Content string }
	Stream   bool
	Options  struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
	Format *struct{ Type string } `json:"response_format"`
	header http.Header
	path   string
}

// server answers each request with the next of its replies, and again with the last.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []asked
}

type handler func(w http.ResponseWriter, r *http.Request)

func serve(t *testing.T, replies ...handler) *server {
	s := &server{}
	s.Server = httptest.NewServer(s.handler(t, replies))
	t.Cleanup(s.Close)
	return s
}

func (s *server) handler(t *testing.T, replies []handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var got asked
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Errorf("the request is no JSON: %v", err)
		}
		got.header, got.path = r.Header, r.URL.Path
		s.mu.Lock()
		n := len(s.asked)
		s.asked = append(s.asked, got)
		s.mu.Unlock()
		replies[min(n, len(replies)-1)](w, r)
	}
}

func (s *server) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// models are those that were asked, in order.
func (s *server) models() (list []string) {
	for _, r := range s.requests() {
		list = append(list, r.Model)
	}
	return list
}

func status(code int, body string, headers ...string) handler {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body) //nolint:errcheck // the client sees
	}
}

// event is a part of a stream.
func event(content, finish string) string {
	type delta struct {
		Content string `json:"content"`
	}
	choice := map[string]any{"delta": delta{content}, "finish_reason": nil}
	if finish != "" {
		choice["finish_reason"] = finish
	}
	data, err := json.Marshal(map[string]any{"choices": []any{choice}})
	if err != nil {
		panic(err)
	}
	return "data: " + string(data) + "\n\n"
}

const usage = `data: {"choices":[],"usage":{"prompt_tokens":120,"completion_tokens":30}}` + "\n\n"

// streamed writes a text as a stream, in two pieces.
func streamed(text string) handler {
	return status(200, ": hello\n\n"+event(text[:len(text)/2], "")+event(text[len(text)/2:], "stop")+usage+"data: [DONE]\n\n")
}

// stalled begins an answer and goes on when the client is gone.
func stalled(w http.ResponseWriter, r *http.Request) {
	io.WriteString(w, event(`{"a":`, "")) //nolint:errcheck // the client sees
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// reset breaks the connection off.
// finished is a server that has said all, and keeps the connection open.
func finished(text string) handler {
	return func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, event(text, "stop")+usage+"data: [DONE]\n\n") //nolint:errcheck // the client sees
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

func reset(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func pace() endpoint.Pace {
	return endpoint.Pace{Silence: 10 * time.Second, Call: 10 * time.Second, Pause: time.Millisecond, Longest: 20 * time.Millisecond}
}

func client(t *testing.T, s *server, change func(*endpoint.Options)) *endpoint.Client {
	t.Helper()
	o := endpoint.Options{BaseURL: s.URL + "/v1/", Key: key, Models: []string{"model-a", "model-b"}, Pace: pace()}
	if change != nil {
		change(&o)
	}
	c, err := endpoint.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var question = endpoint.Question{Rules: "the rules", Text: "the step", Short: "the short step"}

func wantA(got *endpoint.Answer) func(endpoint.Answer) error {
	return func(a endpoint.Answer) error {
		if string(a.Object) != `{"a":1}` {
			return fmt.Errorf("a: got %s; allowed: 1", a.Object)
		}
		*got = a
		return nil
	}
}

// Section 6: what is sent, and what is read of an answer.
func TestARequestAndItsAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t, streamed(`{"a":1}`))
	var got endpoint.Answer
	if err := client(t, s, func(o *endpoint.Options) { o.JSONObject = true }).Write(t.Context(), question, wantA(&got)); err != nil {
		t.Fatal(err)
	}
	if got.Model != "model-a" || got.In != 120 || got.Out != 30 {
		t.Errorf("got %+v", got)
	}
	r := s.requests()[0]
	if r.path != "/v1/chat/completions" || r.header.Get("Authorization") != "Bearer "+key || !r.Stream || !r.Options.Usage || r.Format == nil || r.Format.Type != "json_object" {
		t.Errorf("asked was %+v", r)
	}
	if m := r.Messages; len(m) != 2 || m[0].Role != "system" || m[0].Content != "the rules" || m[1].Role != "user" || m[1].Content != "the step" {
		t.Errorf("the messages are %+v", m)
	}
	plain := serve(t, streamed(`{"a":1}`))
	if err := client(t, plain, func(o *endpoint.Options) { o.Key = "" }).Write(t.Context(), question, wantA(&got)); err != nil {
		t.Fatal(err)
	}
	if r := plain.requests()[0]; r.Format != nil || r.header.Get("Authorization") != "" {
		t.Errorf("without a key and a format asked was %+v", r)
	}
}

// Section 6: where an answer stands in what a model writes.
func TestWhereTheAnswerStands(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]handler{
		"prose around":       streamed("Of course:\n{\"a\":1}\nAnything else?"),
		"thinking":           streamed("<think>Is it {\"a\":2}?</think>{\"a\":1}"),
		"a fence":            streamed("Here:\n```json\n{\"a\":1}\n```\nNot {\"a\":3}."),
		"not streamed":       status(200, `{"choices":[{"message":{"content":"{\"a\":1}"},"finish_reason":"stop"}]}`),
		"reasoning alone":    status(200, `{"choices":[{"message":{"content":"","reasoning_content":"{\"a\":1}"},"finish_reason":"stop"}]}`),
		"no DONE":            status(200, event(`{"a":1}`, "stop")),
		"no finish":          status(200, event(`{"a":1}`, "")+"data: [DONE]\n\n"),
		"DONE, then silence": finished(`{"a":1}`),
		"carriage return":    status(200, strings.ReplaceAll(event(`{"a":1}`, "stop"), "\n", "\r\n")),
	} {
		s := serve(t, reply)
		var got endpoint.Answer
		if err := client(t, s, nil).Write(t.Context(), question, wantA(&got)); err != nil || len(s.requests()) != 1 {
			t.Errorf("%s: %v after %d requests", name, err, len(s.requests()))
		}
	}
}

// Section 6, black box 24: what goes wrong, and whom planb asks then.
func TestWhatGoesWrong(t *testing.T) {
	t.Parallel()
	good := streamed(`{"a":1}`)
	a, b := "model-a", "model-b"
	for name, row := range map[string]struct {
		replies []handler
		models  []string
		fails   string // the end of the error; empty: it is written
		kind    endpoint.Kind
		silence time.Duration // how long the server may be silent; 0: longer than the test waits
	}{
		"503 then well":       {replies: []handler{status(503, ""), good}, models: []string{a, a}},
		"429 twice then well": {replies: []handler{status(429, "", "Retry-After", "1"), status(429, ""), good}, models: []string{a, a, a}},
		"408 then well":       {replies: []handler{status(408, ""), good}, models: []string{a, a}},
		"reset then well":     {replies: []handler{reset, good}, models: []string{a, a}},
		"empty then well":     {replies: []handler{status(200, ""), good}, models: []string{a, a}},
		"broken off":          {replies: []handler{status(200, event(`{"a":1}`, "")), good}, models: []string{a, a}},
		"silence":             {replies: []handler{stalled, good}, models: []string{a, a}, silence: 200 * time.Millisecond},
		"error in a stream":   {replies: []handler{status(200, event("{", "")+`data: {"error":{"message":"overloaded"}}`+"\n\n"), good}, models: []string{a, a}},
		"no events":           {replies: []handler{status(200, "<html>"), good}, models: []string{a, a}},
		"503 for ever":        {replies: []handler{status(503, "busy"), status(503, ""), status(503, ""), good}, models: []string{a, a, a, b}},
		"prose then well":     {replies: []handler{streamed("I cannot do that."), good}, models: []string{a, a}},
		"problems then next":  {replies: []handler{streamed(`{"a":2}`), streamed(`{"a":3}`), streamed(`{"a":4}`), good}, models: []string{a, a, a, b}},
		"too long an answer":  {replies: []handler{status(200, event(`{"a":`, "length")), good}, models: []string{a, a}},
		"400":                 {replies: []handler{status(400, `{"error":{"message":"bad field"}}`), good}, models: []string{a, b}},
		"404":                 {replies: []handler{status(404, `{"error":"no such model"}`), good}, models: []string{a, b}},
		"402":                 {replies: []handler{status(402, ""), good}, models: []string{a, b}},
		"filter":              {replies: []handler{status(200, event("", "content_filter")), good}, models: []string{a, b}},
		"context length":      {replies: []handler{status(400, `{"error":{"code":"context_length_exceeded"}}`), good}, models: []string{a, a}},
		"context, twice":      {replies: []handler{status(400, `maximum context length is 8192`), status(413, ""), good}, models: []string{a, a, b}},
		"endless":             {replies: []handler{endless, good}, models: []string{a, b}},
		"401":                 {replies: []handler{status(401, `{"error":{"message":"bad key `+key+`"}}`)}, models: []string{a}, fails: "model-a: the server answered 401 Unauthorized: bad key [key]", kind: endpoint.Denied},
		"403":                 {replies: []handler{status(403, "")}, models: []string{a}, fails: "model-a: the server answered 403 Forbidden", kind: endpoint.Denied},
		"all fail":            {replies: []handler{status(400, "no")}, models: []string{a, b}, fails: "model-b: the server answered 400 Bad Request: no (the last of 2 attempts)"},
		"all are silent":      {replies: []handler{stalled}, models: []string{a, a, a, b, b, b}, fails: "the server was silent for too long (200ms) (the last of 6 attempts)", kind: endpoint.Silent, silence: 200 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, row.replies...)
			var got endpoint.Answer
			err := client(t, s, func(o *endpoint.Options) { o.Pace.Silence = cmp.Or(row.silence, o.Pace.Silence) }).Write(t.Context(), question, wantA(&got))
			failed, ok := errors.AsType[*endpoint.Error](err)
			switch {
			case row.fails == "" && err != nil:
				t.Errorf("got %v", err)
			case row.fails != "" && (!ok || !strings.HasSuffix(err.Error(), row.fails) || failed.Kind != row.kind || len(failed.Attempts) != len(row.models)):
				t.Errorf("got %v, want %s", err, row.fails)
			}
			if models := s.models(); !slices.Equal(models, row.models) {
				t.Errorf("asked were %v, want %v", models, row.models)
			}
			if strings.Contains(fmt.Sprintf("%+v %v", failed, err), key) {
				t.Errorf("the key is in %v", err)
			}
		})
	}
}

// endless never ends an answer.
func endless(w http.ResponseWriter, r *http.Request) {
	for line := event(strings.Repeat("x", 60_000), ""); r.Context().Err() == nil; {
		if _, err := io.WriteString(w, line); err != nil {
			return
		}
	}
}

// Section 6: problems go back with the answer; a question that is too long is shortened.
func TestWhatGoesBack(t *testing.T) {
	t.Parallel()
	s := serve(t, streamed(`{"a":2}`), status(400, "context_length_exceeded"), streamed(`{"a":1}`))
	var got endpoint.Answer
	if err := client(t, s, nil).Write(t.Context(), question, wantA(&got)); err != nil {
		t.Fatal(err)
	}
	list := s.requests()
	if m := list[1].Messages; len(m) != 4 || m[2].Role != "assistant" || m[2].Content != `{"a":2}` || !strings.Contains(m[3].Content, `a: got {"a":2}; allowed: 1`) {
		t.Errorf("what goes back is %+v", m)
	}
	if m := list[2].Messages; len(m) != 2 || m[1].Content != "the short step" {
		t.Errorf("shortened it is %+v", m)
	}
	if got.In != 120 || got.Out != 30 || len(got.Failed) != 2 || got.Failed[0].In != 120 || got.Failed[1].In != 0 || !strings.Contains(got.Failed[1].Outcome, "400") {
		t.Errorf("the calls took %d and %d tokens; before them %+v", got.In, got.Out, got.Failed)
	}
}

// The key is given back by the server, and gets no further.
func TestTheKeyIsGivenBack(t *testing.T) {
	t.Parallel()
	s := serve(t, streamed(`{"a":"`+key+`"}`))
	var problems []string
	err := client(t, s, nil).Write(t.Context(), question, func(a endpoint.Answer) error {
		problems = append(problems, string(a.Object))
		return fmt.Errorf("got %s", a.Object)
	})
	failed, ok := errors.AsType[*endpoint.Error](err)
	if !ok || strings.Contains(fmt.Sprintf("%v %+v %#v %q", err, failed, failed.Attempts, problems), key) || problems[0] != `{"a":"[key]"}` {
		t.Errorf("got %v, %q", err, problems)
	}
	if printed := fmt.Sprintf("%v %+v %#v", client(t, s, nil), client(t, s, nil), client(t, s, nil)); strings.Contains(printed, key) {
		t.Errorf("a client is printed as %s", printed)
	}
}

// An error that gives the key back is shortened, and the cut goes through the key.
func TestAKeyAcrossACutIsHidden(t *testing.T) {
	t.Parallel()
	// What is hidden is shorter than the key, so that an early cut is not cut off later.
	before := func(cut int) string {
		keys := strings.Repeat(key+" ", 4)
		return keys + strings.Repeat("x", cut-len(keys)-len(key)/2)
	}
	for name, reply := range map[string]handler{
		"an error in words":    status(400, before(400)+key+" is no key"),
		"an error as JSON":     status(400, `{"error":{"message":"`+before(400)+key+` is no key"}}`),
		"an error's text":      status(400, `{"error":"`+before(400)+key+` is no key"}`),
		"a broken event":       status(200, "data: "+before(80)+key+" is no key\n\n"),
		"no event":             status(200, before(80)+key+" is no key"),
		"an error in a stream": status(200, `data: {"error":{"message":"`+before(400)+key+` is no key"}}`+"\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := client(t, serve(t, reply), nil).Write(t.Context(), question, func(endpoint.Answer) error { return nil })
			failed, ok := errors.AsType[*endpoint.Error](err)
			if said := fmt.Sprintf("%v %+v", err, failed); !ok || !strings.Contains(said, "xxx") || strings.Contains(said, key[:4]) {
				t.Errorf("it says %s", said)
			}
		})
	}
}

// No redirect is followed: the key and the plan go where the person said.
func TestNoRedirectIsFollowed(t *testing.T) {
	t.Parallel()
	other := serve(t, streamed(`{"a":1}`))
	s := serve(t, status(307, "", "Location", other.URL))
	var got endpoint.Answer
	if err := client(t, s, nil).Write(t.Context(), question, wantA(&got)); err == nil || !strings.Contains(err.Error(), "planb follows none") {
		t.Errorf("got %v", err)
	}
	if n := len(other.requests()); n != 0 {
		t.Errorf("the other server was asked %d times", n)
	}
}

// A server without a trusted certificate gets nothing.
func TestAServerWithoutACertificate(t *testing.T) {
	t.Parallel()
	s := &server{}
	s.Server = httptest.NewUnstartedServer(s.handler(t, []handler{streamed(`{"a":1}`)}))
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	var got endpoint.Answer
	if err := client(t, s, nil).Write(t.Context(), question, wantA(&got)); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("got %v", err)
	}
	if n := len(s.requests()); n != 0 {
		t.Errorf("it was asked %d times", n)
	}
}

// Section 10: a stop ends the request under way within a second.
func TestAStopEndsTheRequest(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	c := client(t, s, func(o *endpoint.Options) { o.Pace.Silence = time.Hour })
	go func() { ended <- c.Write(ctx, question, func(endpoint.Answer) error { return nil }) }()
	<-begun
	stopped := time.Now()
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) || time.Since(stopped) > time.Second {
		t.Errorf("after %s: %v", time.Since(stopped), err)
	}
}

func TestWhatAnEndpointMayBe(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ url, key, fails string }{
		{"http://localhost:11434/v1", "", ""},
		{"http://127.0.0.1:1/v1", key, ""},
		{"https://models.example/v1", key, ""},
		{"http://models.example/v1", "", ""},
		{"http://models.example/v1", key, "unencrypted"},
		{"ftp://models.example", "", "no URL of a server"},
		{"models.example", "", "no URL of a server"},
		{"https://", "", "no URL of a server"},
		{"https://me:" + key + "@models.example", "", "a user, a password"},
		{"https://models.example/v1?key=" + key, "", "a query"},
		{"https://models.example/v1", "two\r\nlines: " + key, "has a character"},
	} {
		_, err := endpoint.New(endpoint.Options{BaseURL: row.url, Key: row.key, Models: []string{"m"}})
		if (err == nil) != (row.fails == "") || err != nil && (!strings.Contains(err.Error(), row.fails) || strings.Contains(err.Error(), key)) {
			t.Errorf("%s: got %v, want %s", row.url, err, row.fails)
		}
	}
}
