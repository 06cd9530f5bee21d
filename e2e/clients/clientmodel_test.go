package clients_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"planb/e2e/rig"
)

// scriptedModel is a language model on loopback that follows a script. The
// default script opens a planb session, asks the user, and calls get_answer
// until it has the answer. The model speaks the clients' protocols: Anthropic's
// Messages, OpenAI's Responses and chat completions, and Gemini's generated
// content, each as a stream.
type scriptedModel struct {
	url    string
	answer string // the answer that ends the default script
	needs  string // the script ignores requests that do not offer this tool
	// script returns the next call, given what the tools have returned so far
	// and the request that carried it. It returns no tool at the end.
	script func(outputs []string, request string) (tool, arguments string)

	mu      sync.Mutex
	request string   // the last request that offered the script's tools
	outputs []string // the tools' results in that request
}

func startModel(t testing.TB, answer string) *scriptedModel {
	t.Helper()
	m := &scriptedModel{answer: answer, needs: "init_planb_session"}
	m.script = func(outputs []string, _ string) (tool, arguments string) { return m.step(outputs) }
	routes := http.NewServeMux()
	routes.HandleFunc("POST /v1/messages", m.serve(sayAsMessages))
	routes.HandleFunc("POST /v1/responses", m.serve(sayAsResponses))
	routes.HandleFunc("POST /v1/chat/completions", m.serve(sayAsChat))
	routes.HandleFunc("POST /v1beta/models/{call}", m.serve(sayAsContent))
	listening := httptest.NewServer(routes)
	t.Cleanup(listening.Close)
	m.url = listening.URL
	return m
}

// told returns what the tools have told the model so far.
func (m *scriptedModel) told() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.outputs
}

func (m *scriptedModel) lastRequest() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.request
}

func (m *scriptedModel) hasAnswer() bool {
	return strings.Contains(strings.Join(m.told(), "\n"), m.answer)
}

// utterance is what the model says in one turn: a text, or a call of a tool.
type utterance struct {
	id, text        string
	tool, namespace string
	arguments       string // JSON
}

func (m *scriptedModel) serve(say func(io.Writer, utterance)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var asked modelRequest
		if err := json.Unmarshal(raw, &asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		say(w, m.turn(asked, string(raw)))
	}
}

// turn decides what to say. The client sends requests without the script's
// tools for its own purposes, such as a title for the conversation.
func (m *scriptedModel) turn(asked modelRequest, raw string) utterance {
	if _, ok := asked.find(m.needs); !ok {
		return utterance{id: "m0", text: "A conversation"}
	}
	outputs := asked.outputs()
	m.mu.Lock()
	m.request, m.outputs = raw, outputs
	m.mu.Unlock()
	tool, arguments := m.script(outputs, raw)
	said := utterance{id: fmt.Sprint("m", len(outputs)+1), text: "Done."}
	if tool != "" {
		said, _ = asked.find(tool)
		said.id = fmt.Sprint("call_", len(outputs)+1)
		said.arguments = arguments
	}
	return said
}

var anySession = regexp.MustCompile(`sessionId: ([0-9a-f-]{36})`)

// sessionIn returns the planb session that the outputs name, or "".
func sessionIn(outputs []string) string {
	match := anySession.FindStringSubmatch(strings.Join(outputs, "\n"))
	if match == nil {
		return ""
	}
	return match[1]
}

func (m *scriptedModel) step(outputs []string) (tool, arguments string) {
	session := sessionIn(outputs)
	switch {
	case len(outputs) == 0:
		return "init_planb_session", `{"title":"A name"}`
	case session == "" || strings.Contains(strings.Join(outputs, "\n"), m.answer):
		return "", ""
	case len(outputs) == 1:
		return "ask_user", `{"sessionId":"` + session + `","title":"A name","questions":[{"id":"name","kind":"text","label":"Which name?"}]}`
	}
	return "get_answer", `{"sessionId":"` + session + `"}`
}

// readAll asks for a log and fetches all parts of the answer, as the results
// tell it to.
func (m *scriptedModel) readAll(outputs []string) (tool, arguments string) {
	session := sessionIn(outputs)
	switch {
	case len(outputs) == 1 && session != "":
		return "ask_user", `{"sessionId":"` + session + `","title":"The log","questions":[{"id":"log","kind":"longtext","label":"What does it say?"}]}`
	case len(outputs) < 2 || strings.Contains(strings.Join(outputs, "\n"), m.answer):
		return m.step(outputs)
	}
	match := rig.NextPart.FindStringSubmatch(outputs[len(outputs)-1])
	if match == nil {
		return "", ""
	}
	return "get_answer", strings.ReplaceAll(match[1], `\"`, `"`)
}

// modelRequest has the fields that the model reads, of a request in any of the
// four protocols.
type modelRequest struct {
	Tools []struct {
		Name     string
		Function struct{ Name string }
		Tools    []struct{ Name string } // of a namespace

		FunctionDeclarations []struct{ Name string }
	}
	Messages []struct {
		Role    string
		Content json.RawMessage
	}
	Input []struct {
		Type   string
		Output json.RawMessage
	}
	Contents []struct {
		Parts []struct {
			FunctionResponse *struct {
				Response struct{ Output, Error string }
			}
		}
	}
}

// find looks for a tool of planb by the end of the name that the client gave
// it.
func (r modelRequest) find(tool string) (utterance, bool) {
	for _, offered := range r.Tools {
		for _, name := range []string{offered.Name, offered.Function.Name} {
			if strings.HasSuffix(name, tool) {
				return utterance{tool: name}, true
			}
		}
		for _, declared := range offered.FunctionDeclarations {
			// Gemini CLI has an ask_user of its own.
			if strings.HasSuffix(declared.Name, "planb_"+tool) || declared.Name == tool && tool != "ask_user" {
				return utterance{tool: declared.Name}, true
			}
		}
		for _, inner := range offered.Tools {
			if strings.HasSuffix(inner.Name, tool) {
				return utterance{tool: inner.Name, namespace: offered.Name}, true
			}
		}
	}
	return utterance{}, false
}

// outputs returns what the tools have returned, in order.
func (r modelRequest) outputs() []string {
	var given []string
	for _, message := range r.Messages {
		if message.Role == "tool" {
			given = append(given, contentText(message.Content))
			continue
		}
		var parts []struct {
			Type    string
			Content json.RawMessage
		}
		if json.Unmarshal(message.Content, &parts) != nil {
			continue // a plain text
		}
		for _, part := range parts {
			if part.Type == "tool_result" {
				given = append(given, contentText(part.Content))
			}
		}
	}
	for _, item := range r.Input {
		if item.Type == "function_call_output" {
			given = append(given, contentText(item.Output))
		}
	}
	for _, content := range r.Contents {
		for _, part := range content.Parts {
			if response := part.FunctionResponse; response != nil {
				given = append(given, response.Response.Output+response.Response.Error)
			}
		}
	}
	return given
}

// contentText reads content that is a text or a list of parts with texts.
func contentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw)
	}
	var texts []string
	for _, part := range parts {
		texts = append(texts, part.Text)
	}
	return strings.Join(texts, "\n")
}
