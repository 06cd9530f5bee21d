package handoff

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"planb/store"
)

// kept is a commit that home contradicts, as a person and a program can read it.
type kept struct {
	Home    string            `json:"home"`
	Why     string            `json:"why"`
	Since   string            `json:"since"`
	Op      string            `json:"op"`
	Puts    map[string]string `json:"puts"`            // by key, what is text
	Bytes   map[string][]byte `json:"bytes,omitempty"` // by key, what is not text, base64
	Texts   map[string]string `json:"texts,omitempty"` // by key, the text in Bytes
	Deletes []store.Key       `json:"deletes,omitempty"`
}

// keep gives away what home contradicts. at are the records at home that it
// stands on.
func (e *Engine) keep(en entry, h head, at map[store.Key]store.Record) error {
	name := fmt.Sprintf("%s-%d.json", en.Op, en.rev)
	k := kept{
		Home: e.opts.HomePath, Why: "the store was changed by another machine meanwhile",
		Since: h.Since.Format("2006-01-02T15:04:05Z07:00"), Op: en.Op.String(),
		Puts: map[string]string{}, Bytes: map[string][]byte{}, Texts: map[string]string{}, Deletes: en.Deletes,
	}
	for _, c := range en.Checks {
		// What was too long for one commit came home ahead of it, where nothing
		// refers to it now.
		if r := at[c.Key]; r.Exists() && r.Op == en.Op {
			e.add(&k, r.Key, r.Value)
		}
	}
	for _, p := range en.Puts {
		e.add(&k, p.Key, p.Value)
	}
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	if e.opts.Keep == nil {
		return fmt.Errorf("%s: a commit kept there does not fit %s any more, and there is no place to keep it", e.opts.AwayPath, e.opts.HomePath)
	}
	if err := e.opts.Keep(name, append(text, '\n')); err != nil {
		return err
	}
	e.opts.Notice(fmt.Errorf("what was kept in %s since %s contradicts what another machine wrote to %s meanwhile; it was put aside as %s", e.opts.AwayPath, k.Since, e.opts.HomePath, name))
	return nil
}

func (e *Engine) add(k *kept, key store.Key, value []byte) {
	if utf8.Valid(value) {
		k.Puts[string(key)] = string(value)
		return
	}
	k.Bytes[string(key)] = value
	if e.opts.Text == nil {
		return
	}
	if text, is := e.opts.Text(value); is {
		k.Texts[string(key)] = text
	}
}
