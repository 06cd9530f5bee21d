package archive

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"time"
	"unicode/utf8"

	"planb/plainjson"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Schema is the JSON Schema of the document that WriteJSON writes.
//
//go:embed schema.json
var Schema []byte

const (
	jsonSchemaID = "urn:planb:export:1"
	jsonVersion  = 1
)

type jsonSession struct {
	ID         string       `json:"id"`
	Title      safe.Text    `json:"title,omitzero"`
	Intent     safe.Text    `json:"intent,omitzero"`
	Project    safe.Text    `json:"project,omitzero"`
	Client     store.Client `json:"client,omitzero"`
	Created    time.Time    `json:"created"`
	Updated    time.Time    `json:"updated"`
	Archived   bool         `json:"archived,omitempty"`
	Asks       []jsonAsk    `json:"asks"`
	Plans      []jsonPlan   `json:"plans"`
	Unreadable []string     `json:"unreadable,omitempty"`
}

type jsonAsk struct {
	ID        string              `json:"id"`
	Created   time.Time           `json:"created"`
	Asked     time.Time           `json:"asked"`
	Timeout   jsonDuration        `json:"timeout,omitzero"`
	Place     string              `json:"place,omitempty"`
	Client    store.Client        `json:"client,omitzero"`
	Shown     time.Time           `json:"shown,omitzero"`
	Snoozed   time.Time           `json:"snoozed,omitzero"`
	Spec      questions.Spec      `json:"spec"`
	Outcome   questions.Outcome   `json:"outcome"`
	Late      []questions.Outcome `json:"late,omitempty"`
	Delivered time.Time           `json:"delivered,omitzero"`
}

// jsonPlan is a plan version in the document. Base64 holds a text that is not
// UTF-8.
type jsonPlan struct {
	Number  int       `json:"number"`
	Name    string    `json:"name,omitempty"`
	Title   safe.Text `json:"title,omitzero"`
	Created time.Time `json:"created"`
	By      string    `json:"by,omitempty"`
	Bytes   int       `json:"bytes"`
	Digest  string    `json:"sha256"`
	Text    safe.Text `json:"text,omitzero"`
	Base64  []byte    `json:"base64,omitempty"`
}

type jsonDuration time.Duration

func (d jsonDuration) MarshalJSON() ([]byte, error) {
	return plainjson.Marshal(time.Duration(d).String())
}

func (d *jsonDuration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	parsed, err := time.ParseDuration(text)
	*d = jsonDuration(parsed)
	return err
}

// WriteJSON writes the sessions as one document. It writes each session as soon
// as it gets it, so that few are in memory. It stops at the first error.
func WriteJSON(w io.Writer, sessions iter.Seq2[Session, error]) error {
	_, err := fmt.Fprintf(w, "{\n  \"$schema\": %q,\n  \"version\": %d,\n  \"sessions\": [", jsonSchemaID, jsonVersion)
	if err != nil {
		return err
	}
	before := "\n    "
	for session, err := range sessions {
		if err != nil {
			return err
		}
		text, err := plainjson.Marshal(newJSONSession(session))
		if err != nil {
			return fmt.Errorf("session %s cannot be written as JSON: %w", session.ID, err)
		}
		out := bytes.NewBufferString(before)
		if err := json.Indent(out, text, "    ", "  "); err != nil {
			return err
		}
		if _, err := w.Write(out.Bytes()); err != nil {
			return err
		}
		before = ",\n    "
	}
	end := "\n  ]\n}\n"
	if before == "\n    " {
		end = "]\n}\n"
	}
	_, err = io.WriteString(w, end)
	return err
}

func newJSONSession(s Session) jsonSession {
	out := jsonSession{
		ID: s.ID, Title: s.Title, Intent: s.Intent, Project: s.Project, Client: s.Client,
		Created: s.Created, Updated: s.Updated, Archived: s.InArchive(),
		Asks: []jsonAsk{}, Plans: []jsonPlan{},
		Unreadable: s.Unreadable(),
	}
	for _, ask := range s.Asks {
		if ask.Err == nil {
			out.Asks = append(out.Asks, newJSONAsk(ask))
		}
	}
	for _, plan := range s.Plans {
		if plan.Err == nil {
			out.Plans = append(out.Plans, newJSONPlan(plan))
		}
	}
	return out
}

func newJSONAsk(a store.Ask) jsonAsk {
	return jsonAsk{
		ID: a.ID, Created: a.Created, Asked: a.Asked, Timeout: jsonDuration(a.Timeout), Place: a.Place,
		Client: a.Client, Shown: a.Shown, Snoozed: a.Snoozed, Spec: a.Spec, Outcome: a.Outcome, Late: a.TooLate,
		Delivered: a.Delivered,
	}
}

func newJSONPlan(p store.WholePlan) jsonPlan {
	out := jsonPlan{
		Number: p.Number, Name: string(p.Name), Title: p.Title, Created: p.Created, By: p.By, Bytes: p.Bytes, Digest: p.Digest, Text: p.Text,
	}
	if !utf8.ValidString(p.Text.Raw()) {
		out.Text, out.Base64 = safe.Text{}, []byte(p.Text.Raw())
	}
	return out
}
