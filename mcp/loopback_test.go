package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp"
	"planb/mcp/mcptest"
)

const sessionHeader = "Mcp-Session-Id"

// loopback serves clients of streamable HTTP by the stdio loop: each session is
// a connection of its own, to which every message posted is one line. It is the
// least of that transport, for programs that speak no other: of HTTP's headers it
// takes the session and the version, and checks none.
type loopback struct {
	t      testing.TB
	server *mcp.Server
	words  *strings.Replacer

	mu       sync.Mutex
	last     int
	sessions map[string]*httpSession
}

// httpSession is one client: its connection's input, and the replies it waits for.
type httpSession struct {
	in   io.WriteCloser
	stop context.CancelFunc

	mu   sync.Mutex
	open []*stream // oldest first
}

// stream is the reply to one posted request, with what is said meanwhile.
type stream struct {
	id       string
	messages chan []byte
}

// serveLoopback returns the address under which the server answers until the test
// ends. Of what clients post, words are replaced.
func serveLoopback(t testing.TB, s *mcp.Server, words *strings.Replacer) string {
	t.Helper()
	l := &loopback{t: t, server: s, words: words, sessions: map[string]*httpSession{}}
	listening := httptest.NewServer(l)
	t.Cleanup(func() {
		l.mu.Lock()
		for _, session := range l.sessions {
			session.end()
		}
		l.mu.Unlock()
		listening.Close()
	})
	return listening.URL + "/mcp"
}

func (l *loopback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(sessionHeader)
	switch {
	case r.Method == http.MethodDelete:
		l.forget(id)
	case r.Method != http.MethodPost:
		http.Error(w, "only POST and DELETE are served", http.StatusMethodNotAllowed)
	default:
		l.post(w, r, id)
	}
}

func (l *loopback) post(w http.ResponseWriter, r *http.Request, id string) {
	line, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	line = []byte(l.words.Replace(string(line)))
	var said mcptest.Message
	if err := json.Unmarshal(line, &said); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	alone := id == "" && (sdk.IsModernProtocol(said.Protocol()) || sdk.IsModernProtocol(r.Header.Get(sdk.HeaderProtocolVersion)))
	switch {
	case alone:
		// From 2026-07-28 on every request stands for itself. One whose body does
		// not say so is of that era by its header.
		id = l.begin()
		defer l.forget(id)
	case id == "" && said.Method == "initialize":
		id = l.begin()
	}
	l.mu.Lock()
	session := l.sessions[id]
	l.mu.Unlock()
	if session == nil {
		http.Error(w, fmt.Sprintf("there is no session %q", id), http.StatusNotFound)
		return
	}
	if !alone {
		w.Header().Set(sessionHeader, id)
	}
	session.serve(w, r, said, line)
}

// begin connects a new client and returns its session's name.
func (l *loopback) begin() string {
	in, clientOut := io.Pipe()
	clientIn, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	session := &httpSession{in: clientOut, stop: stop}
	go func() {
		if err := l.server.Serve(ctx, in, out); err != nil {
			l.t.Errorf("a connection ended with %v", err)
		}
		_ = out.Close()
	}()
	go session.read(clientIn)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	id := "session-" + strconv.Itoa(l.last)
	l.sessions[id] = session
	return id
}

func (l *loopback) forget(id string) {
	l.mu.Lock()
	session := l.sessions[id]
	delete(l.sessions, id)
	l.mu.Unlock()
	if session != nil {
		session.end()
	}
}

func (s *httpSession) end() {
	_ = s.in.Close() // a pipe's end closes without failing
	s.stop()
}

// serve passes one message on and, if it is a request, streams what comes back.
func (s *httpSession) serve(w http.ResponseWriter, r *http.Request, said mcptest.Message, line []byte) {
	if said.Method == "" || len(said.ID) == 0 {
		if s.write(w, line) {
			w.WriteHeader(http.StatusAccepted)
		}
		return
	}
	reply := &stream{id: string(said.ID), messages: make(chan []byte, 64)}
	s.mu.Lock()
	s.open = append(s.open, reply)
	s.mu.Unlock()
	defer s.close(reply)
	if !s.write(w, line) {
		return
	}
	for begun := false; ; begun = true {
		select {
		case message := <-reply.messages:
			if !begun && w.Header().Get(sessionHeader) == "" {
				if status := statusOf(message); status != http.StatusOK {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(status)
					_, _ = w.Write(message) // a client that left reads no answer
					return
				}
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "event: message\ndata: %s\n\n", message)
			_ = http.NewResponseController(w).Flush() // a client that left is noticed below
			if repliesTo(message, reply.id) {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

func (s *httpSession) write(w http.ResponseWriter, line []byte) bool {
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		http.Error(w, err.Error(), http.StatusGone)
		return false
	}
	return true
}

func (s *httpSession) close(done *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, reply := range s.open {
		if reply == done {
			s.open = append(s.open[:i], s.open[i+1:]...)
			return
		}
	}
}

// read hands out what the server writes: a reply to its request's stream,
// anything else to the stream that has been open longest.
func (s *httpSession) read(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return // the connection's end
		}
		line = line[:len(line)-1]
		s.mu.Lock()
		var to *stream
		for _, reply := range s.open {
			if to == nil || repliesTo(line, reply.id) {
				to = reply
			}
		}
		s.mu.Unlock()
		if to != nil {
			to.messages <- line
		}
	}
}

// statusOf is the HTTP status that goes with a reply, from 2026-07-28 on: a
// refused request is refused in this transport's own words too.
func statusOf(line []byte) int {
	var said mcptest.Message
	if json.Unmarshal(line, &said) != nil || said.Error == nil {
		return http.StatusOK
	}
	switch said.Error.Code {
	case sdk.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case sdk.INVALID_PARAMS, sdk.INVALID_REQUEST, sdk.PARSE_ERROR, sdk.UNSUPPORTED_PROTOCOL_VERSION:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// repliesTo reports whether the message is the response to the request of that id.
func repliesTo(line []byte, id string) bool {
	var said mcptest.Message
	return json.Unmarshal(line, &said) == nil && said.Method == "" && string(said.ID) == id
}
