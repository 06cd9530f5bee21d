package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"planb/plainjson"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Limits of an import. A record of the store holds some hundreds of kilobytes;
// texts that may be longer are kept beside the record.
const (
	maxName   = 4 << 10   // of a client, a place, a person
	maxWords  = 64 << 10  // a title, an intent, a path
	maxRecord = 512 << 10 // everything in one record, as JSON
)

// readJSON reads one file of the layout. It checks for UTF-8 itself, because
// encoding/json accepts other bytes.
func readJSON(data []byte, into any) error {
	if !utf8.Valid(data) {
		return errors.New("it is not UTF-8")
	}
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), into); err != nil {
		return fmt.Errorf("it is not the JSON that belongs there: %w", err)
	}
	return nil
}

// head is what every file of the layout says about itself.
type head struct {
	version          int
	session, belongs string
}

func (h head) check() error {
	switch {
	case h.version != dirVersion:
		return fmt.Errorf("its schemaVersion is %d; this planb reads %d", h.version, dirVersion)
	case h.session != h.belongs:
		return fmt.Errorf("it belongs to the session %s", shown(h.session))
	}
	return nil
}

// shown quotes the content of a file within a sentence.
func shown(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		text = string(runes[:80]) + "…"
	}
	return `"` + safe.New(text).Line() + `"`
}

// readTime reads a time and checks that a store can hold it.
func readTime(what, text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("its %s is %s; it must be a time such as 2026-11-20T21:29:41.930Z", what, shown(text))
	}
	return t.UTC(), checkTime(what, t)
}

func checkTime(what string, t time.Time) error {
	if year := t.UTC().Year(); year < 1970 || year > 2261 {
		return fmt.Errorf("its %s is in the year %d; years from 1970 to 2261 can be kept", what, year)
	}
	return nil
}

func checkLength(what string, text string, limit int) error {
	if len(text) > limit {
		return fmt.Errorf("its %s has %d bytes; at most %d are taken", what, len(text), limit)
	}
	return nil
}

func canonicalUUID(text string) bool {
	id, err := uuid.Parse(text)
	return err == nil && id.String() == text
}

// readAsk reads the file of one ask. It keeps every answer: an answer that is
// not a text, a list of texts or a number is kept as its JSON, and answers that
// are not an object become a note on the whole form.
func readAsk(data []byte, session string) (store.Ask, error) {
	var in dirAsk
	if err := readJSON(data, &in); err != nil {
		return store.Ask{}, err
	}
	if err := (head{in.SchemaVersion, in.SessionID, session}).check(); err != nil {
		return store.Ask{}, err
	}
	if !canonicalUUID(in.AskID) {
		return store.Ask{}, fmt.Errorf("its askId is %s, which is no UUID", shown(in.AskID))
	}
	created, err := readTime("createdAt", in.CreatedAt)
	if err != nil {
		return store.Ask{}, err
	}
	if !slices.Contains([]string{dirPending, dirAnswered, dirTimeout, dirDeclined, dirError}, in.Status) {
		return store.Ask{}, fmt.Errorf("its status is %s; known are pending, answered, timeout, declined and error", shown(in.Status))
	}
	ask := store.Ask{ID: in.AskID, Session: session, Created: created, Asked: created, Outcome: in.readOutcome()}
	if in.AnsweredAt != nil {
		if ask.Outcome.At, err = readTime("answeredAt", *in.AnsweredAt); err != nil {
			return store.Ask{}, err
		}
	}
	ask.Outcome.Reply = readAnswers(in.Answers)
	if state := ask.Outcome.State; state != questions.Answered && state != questions.Discuss {
		ask.Outcome.Reply = questions.Reply{}
	}
	if ask.Spec, err = readInput(in.Input, ask.Outcome.Reply.Answers); err != nil && (in.Planb == nil || in.Planb.Spec == nil) {
		return store.Ask{}, err
	}
	if in.Planb != nil {
		return in.Planb.read(ask)
	}
	return ask, nil
}

// read adds to the ask what planb wrote beside the layout.
func (m *dirAskMore) read(ask store.Ask) (store.Ask, error) {
	if m.Spec != nil {
		spec, err := readOwnSpec(*m.Spec)
		if err != nil {
			return store.Ask{}, fmt.Errorf("its member planb has a form that can't be read: %w", err)
		}
		ask.Spec = spec
	}
	return m.jsonAsk.onto(ask)
}

// readOwnSpec checks a form that planb made. Agents cannot ask for a review
// with a form, so questions.Parse does not accept one; this accepts exactly the
// form that planb makes for a plan's review.
func readOwnSpec(spec questions.Spec) (questions.Spec, error) {
	text := spec.Canonical()
	if spec.Plan == nil {
		return questions.Parse(text)
	}
	if own := questions.ReviewOf(spec.Title, *spec.Plan); own.Digest() != spec.Digest() || len(spec.Title.Raw()) > questions.MaxTitleBytes || len(text) > questions.MaxSpecBytes {
		return questions.Spec{}, errors.New("it is not the form of a review")
	}
	return spec, nil
}

// onto returns the ask with all that the document says about it, except for the
// spec.
func (j jsonAsk) onto(ask store.Ask) (store.Ask, error) {
	ask.Created, ask.Asked, ask.Timeout = j.Created, j.Asked, time.Duration(j.Timeout)
	ask.Place, ask.Client, ask.Shown, ask.Snoozed = j.Place, j.Client, j.Shown, j.Snoozed
	ask.Outcome, ask.TooLate, ask.Delivered = j.Outcome, j.Late, j.Delivered
	switch {
	case j.ID != ask.ID:
		return store.Ask{}, fmt.Errorf("its member planb has the id %s", shown(j.ID))
	case ask.Timeout < 0:
		return store.Ask{}, fmt.Errorf("its timeout is %v; it must not be negative", ask.Timeout)
	}
	if err := checkLength("place", ask.Place, maxName); err != nil {
		return store.Ask{}, err
	}
	if err := checkClient(ask.Client); err != nil {
		return store.Ask{}, err
	}
	for what, t := range map[string]time.Time{"created": ask.Created, "asked": ask.Asked} {
		if err := checkTime(what, t); err != nil {
			return store.Ask{}, err
		}
	}
	for _, o := range append(slices.Clone(ask.TooLate), ask.Outcome) {
		if err := checkLength("by", o.By, maxName); err != nil {
			return store.Ask{}, err
		}
		if err := checkLength("state", string(o.State), maxName); err != nil {
			return store.Ask{}, err
		}
	}
	return ask, checkRecord(ask)
}

// checkRecord refuses an ask whose record would be too large: it has too many
// late outcomes or too long names.
func checkRecord(ask store.Ask) error {
	const body = 2 << 10 // the most bytes of an outcome; longer ones are kept beside the record
	names, size := []any{ask.Place, ask.Client}, 0
	for _, o := range append(slices.Clone(ask.TooLate), ask.Outcome) {
		names = append(names, o.State, o.By)
		size += body
	}
	text, err := plainjson.Marshal(names)
	if size += len(text); err == nil && size > maxRecord {
		err = fmt.Errorf("with %d late outcomes its record has %d bytes beside its texts; at most %d can be kept", len(ask.TooLate), size, maxRecord)
	}
	return err
}

func checkClient(c store.Client) error {
	for _, name := range []safe.Text{c.Name, c.Title, c.Version} {
		if err := checkLength("client", name.Raw(), maxName); err != nil {
			return err
		}
	}
	return nil
}

// readInput reads the form of an ask. In the layout a choice does not offer the
// person's own words unless it says so. If a person answered with own words all
// the same, readInput lets the choice offer them.
func readInput(raw []byte, answers map[string]questions.Value) (questions.Spec, error) {
	input := json.NewDecoder(bytes.NewReader(raw))
	input.UseNumber()
	var form map[string]any
	if err := input.Decode(&form); err != nil {
		return questions.Spec{}, errors.New("its input is no form")
	}
	list, _ := form["questions"].([]any)
	for _, q := range list {
		if q, ok := q.(map[string]any); ok && (q["kind"] == string(questions.Single) || q["kind"] == string(questions.Multi)) {
			if _, said := q["other"]; !said {
				q["other"] = false
			}
		}
	}
	data, err := plainjson.Marshal(form)
	if err != nil {
		return questions.Spec{}, err
	}
	spec, err := questions.Parse(data)
	if err != nil {
		return questions.Spec{}, fmt.Errorf("its form can't be read: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	for i := range spec.Questions {
		q := &spec.Questions[i]
		if q.Options != nil && !q.Other {
			q.Other = ownWords(*q, answers[q.ID])
		}
	}
	return spec, nil
}

// ownWords reports whether an answer has a text that is not among the options.
func ownWords(q questions.Question, v questions.Value) bool {
	items, _ := v.Items()
	if text, ok := v.Text(); ok && text != "" {
		items = []string{text}
	}
	return slices.ContainsFunc(items, func(item string) bool {
		return !slices.ContainsFunc(q.Options, func(o questions.Option) bool { return o.Value.Raw() == item })
	})
}

func readAnswers(raw json.RawMessage) questions.Reply {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return questions.Reply{}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		text, ok := readValue(raw).Text()
		if !ok {
			text = string(raw)
		}
		return questions.Reply{Note: safe.New(text)}
	}
	answers := make(map[string]questions.Value, len(members))
	for id, value := range members {
		answers[id] = readValue(value)
	}
	return questions.Reply{Answers: answers}
}

// readValue reads an answer. An answer that a Value cannot hold becomes the
// text of its JSON.
func readValue(raw json.RawMessage) questions.Value {
	var v questions.Value
	if json.Unmarshal(raw, &v) == nil {
		return v
	}
	var text bytes.Buffer
	if json.Compact(&text, raw) != nil {
		return questions.TextValue(string(raw))
	}
	return questions.TextValue(text.String())
}
