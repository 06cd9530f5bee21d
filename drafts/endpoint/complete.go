package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// message is a part of the conversation.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// request is what the endpoint gets.
type request struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
	Stream   bool      `json:"stream"`
	Options  struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
	Format *format `json:"response_format,omitempty"`
}

type format struct {
	Type string `json:"type"`
}

// reply is what a model wrote, without the key.
type reply struct {
	text    string
	cut     bool // the model was stopped, because it may write no more
	in, out int  // tokens
}

// fault is why there is no reply.
type fault struct {
	what    string
	passes  bool          // it may go better at another time
	slow    bool          // the server took too long
	denied  bool          // the key was refused
	tooLong bool          // the question does not fit into the model's context
	after   time.Duration // that the server asks to wait
}

func (f *fault) Error() string { return f.what }

// maxReply bounds what is read of an answer, in bytes.
const maxReply = 4 << 20

var (
	errSilence = errors.New("the server was silent for too long")
	errCall    = errors.New("the answer took too long")
)

// complete asks a model once. Its error is a *fault, or that of ctx.
func (c *Client) complete(ctx context.Context, model string, talk []message) (reply, error) {
	body := request{Model: model, Messages: talk, Stream: true}
	body.Options.Usage = true
	if c.json {
		body.Format = &format{"json_object"}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return reply{}, &fault{what: err.Error()}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.pace.Call, errCall)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	silent := time.AfterFunc(c.pace.Silence, func() { end(errSilence) })
	defer silent.Stop()
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(data))
	if err != nil {
		return reply{}, &fault{what: err.Error()}
	}
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Accept", "text/event-stream, application/json")
	post.Header.Set("User-Agent", "planb")
	response, err := c.session.Do(post)
	if err != nil {
		return reply{}, c.broken(ctx, err)
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	heard := &watched{response.Body, silent, c.pace.Silence}
	if response.StatusCode != http.StatusOK {
		return reply{}, c.refused(response, heard)
	}
	r, err := read(heard, c.secret)
	r.text = c.secret.redact(r.text)
	if f, ok := errors.AsType[*fault](err); ok {
		return r, f
	}
	if err != nil {
		return r, c.broken(ctx, err)
	}
	if strings.TrimSpace(r.text) == "" && !r.cut {
		return r, &fault{what: "the answer is empty", passes: true}
	}
	return r, nil
}

// broken is a connection that failed.
func (c *Client) broken(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errSilence):
		return &fault{what: fmt.Sprintf("%v (%s)", errSilence, c.pace.Silence), passes: true, slow: true}
	case errors.Is(cause, errCall):
		return &fault{what: fmt.Sprintf("%v (%s)", errCall, c.pace.Call), passes: true, slow: true}
	case cause != nil:
		return cause
	}
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	return &fault{what: "the connection failed: " + c.secret.redact(err.Error()), passes: !untrusted}
}

// refused says why the server answered without success.
func (c *Client) refused(response *http.Response, body io.Reader) *fault {
	const most = 64 << 10
	data, err := io.ReadAll(io.LimitReader(body, most))
	said := ""
	if err == nil {
		said = errorText(data, c.secret)
	}
	code := response.StatusCode
	f := &fault{what: fmt.Sprintf("the server answered %d %s", code, http.StatusText(code))}
	if said != "" {
		f.what += ": " + said
	}
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		f.denied = true
	case code == http.StatusRequestTimeout || code == http.StatusTooManyRequests || code >= 500:
		f.passes, f.after = true, retryAfter(response.Header.Get("Retry-After"))
		f.slow = code == http.StatusRequestTimeout || code == http.StatusGatewayTimeout
	case code == http.StatusRequestEntityTooLarge, code == http.StatusBadRequest && aboutContext(data):
		f.tooLong = true
	case code >= 300 && code < 400:
		f.what = fmt.Sprintf("the server answered %d and sends to another address; planb follows none", code)
	}
	return f
}

// aboutContext reports whether an error says that the question is too long. Servers word
// it differently.
func aboutContext(body []byte) bool {
	text := strings.ToLower(string(body))
	for _, words := range []string{"context_length", "context length", "context window", "maximum context", "too many tokens", "prompt is too long"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// retryAfter reads the header: seconds, or a time.
func retryAfter(text string) time.Duration {
	if seconds, err := strconv.ParseUint(strings.TrimSpace(text), 10, 20); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// errorText is the message in the body of an error, shortened and without the key.
func errorText(body []byte, key secret) string {
	var said struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &said) != nil {
		return key.excerpt(strings.Join(strings.Fields(string(body)), " "), maxOutcome)
	}
	var inner struct {
		Message string `json:"message"`
	}
	text := said.Message
	if json.Unmarshal(said.Error, &inner) == nil && inner.Message != "" {
		text = inner.Message
	} else if json.Unmarshal(said.Error, &inner.Message) == nil && inner.Message != "" {
		text = inner.Message
	}
	return key.excerpt(strings.Join(strings.Fields(text), " "), maxOutcome)
}

// watched resets a timer with each byte that comes.
type watched struct {
	io.Reader
	timer *time.Timer
	limit time.Duration
}

// Read implements io.Reader.
func (w *watched) Read(data []byte) (int, error) {
	n, err := w.Reader.Read(data)
	if n > 0 {
		w.timer.Reset(w.limit)
	}
	return n, err
}

// piece is a part of an answer, or a whole one: servers that cannot stream send that.
type piece struct {
	Choices []struct {
		Delta   words  `json:"delta"`
		Message words  `json:"message"`
		Finish  string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		In  int `json:"prompt_tokens"`
		Out int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type words struct {
	Content   string `json:"content"`
	Reasoning string `json:"reasoning_content"`
}

// read reads an answer: events, each a line "data: {…}", or one JSON object. It is a fault
// if a stream ends before the model says so. A fault's words do not have the key.
func read(body io.Reader, key secret) (reply, error) {
	a := assembling{key: key}
	bounded := &io.LimitedReader{R: body, N: maxReply}
	lines := bufio.NewReaderSize(bounded, 64<<10)
	var whole bytes.Buffer // the lines that are no events
	for {
		line, err := lines.ReadBytes('\n')
		if bounded.N <= 0 {
			return a.reply(), &fault{what: fmt.Sprintf("the answer has more than %d bytes", maxReply)}
		}
		if data, is := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:")); is {
			if data = bytes.TrimSpace(data); string(data) == "[DONE]" {
				return a.reply(), nil // without the end of the connection, which some servers keep open
			}
			if fault := a.add(data); fault != nil {
				return a.reply(), fault
			}
		} else if !a.events {
			whole.Write(line)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return a.reply(), err
		}
	}
	if !a.events {
		if err := a.add(bytes.TrimSpace(whole.Bytes())); err != nil {
			return a.reply(), err
		}
		a.ended = true
	}
	if !a.ended {
		return a.reply(), &fault{what: "the answer broke off", passes: true}
	}
	return a.reply(), nil
}

// assembling is an answer as far as it has come.
type assembling struct {
	key                secret
	content, reasoning strings.Builder
	cut, ended, events bool
	in, out            int
}

// add adds the data of one event, or a whole answer.
func (a *assembling) add(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	a.events = true
	var p piece
	if err := json.Unmarshal(data, &p); err != nil {
		return &fault{what: "the server sent something that is no answer: " + a.key.excerpt(string(data), 80), passes: true}
	}
	if len(p.Error) > 0 && string(p.Error) != "null" {
		return &fault{what: "the server broke off: " + errorText(data, a.key), passes: true}
	}
	for _, choice := range p.Choices[:min(len(p.Choices), 1)] {
		a.content.WriteString(choice.Delta.Content + choice.Message.Content)
		a.reasoning.WriteString(choice.Delta.Reasoning + choice.Message.Reasoning)
		switch choice.Finish {
		case "":
			continue
		case "length":
			a.cut = true
		case "content_filter":
			return &fault{what: "the server's filter kept the answer back"}
		}
		a.ended = true
	}
	if p.Usage != nil {
		a.in, a.out = max(p.Usage.In, 0), max(p.Usage.Out, 0)
	}
	return nil
}

// reply returns the content of the answer, or the model's thinking if it has no content.
func (a *assembling) reply() reply {
	text := a.content.String()
	if strings.TrimSpace(text) == "" {
		text = a.reasoning.String()
	}
	return reply{strings.ToValidUTF8(text, "\uFFFD"), a.cut, a.in, a.out}
}

// answerIn returns the text behind a model's thinking. If that text has blocks between
// fences, it returns only the last block.
func answerIn(text string) string {
	const end, fence = "</think>", "\n```"
	if i := strings.LastIndex(text, end); i >= 0 {
		text = text[i+len(end):]
	}
	blocks := strings.Split("\n"+text, fence)
	if last := (len(blocks) - 1) / 2; last > 0 && strings.Contains(blocks[2*last-1], "{") {
		return blocks[2*last-1]
	}
	return text
}

// clip shortens a text to some bytes.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
