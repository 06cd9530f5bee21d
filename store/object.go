package store

import (
	"encoding/json"
	"errors"
	"fmt"

	"planb/store/kv"
)

// header is part of every record.
type header struct {
	V int `json:"v"` // the record's format
}

func (h header) version() int { return h.V }

func encode(value any) ([]byte, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("a %T cannot be written as JSON: %w", value, err)
	}
	return data, nil
}

// decode reads a record, which must exist. A newer format is told before
// anything else about the record.
func decode[T interface{ version() int }](s *Store, r kv.Record) (T, error) {
	var value T
	err := json.Unmarshal(r.Value, &value)
	version := value.version()
	if err != nil {
		var h header
		if json.Unmarshal(r.Value, &h) == nil {
			version = h.V
		}
	}
	switch {
	case version > format:
		return value, &FormatError{Store: s.dataDir, Key: r.Key, Got: version, Known: format}
	case err != nil:
		return value, s.damaged(r.Key, err)
	case version < 1:
		return value, s.damaged(r.Key, errors.New("it has no format"))
	}
	return value, nil
}

// object is a record about to be rewritten. It holds the fields as they were
// found, so that those a newer planb added survive.
type object map[string]json.RawMessage

func (s *Store) object(r kv.Record) (object, error) {
	var o object
	if err := json.Unmarshal(r.Value, &o); err != nil {
		return nil, s.damaged(r.Key, err)
	}
	if o == nil {
		return nil, s.damaged(r.Key, errors.New("it is no object"))
	}
	return o, nil
}

// set replaces fields, given as names and values in turn.
func (o object) set(fields ...any) error {
	for i := 0; i+1 < len(fields); i += 2 {
		data, err := encode(fields[i+1])
		if err != nil {
			return err
		}
		o[fields[i].(string)] = data
	}
	return nil
}

// rewrite puts the record with some fields replaced, given as for object.set.
func (s *Store) rewrite(c *change, r kv.Record, fields ...any) error {
	o, err := s.object(r)
	if err != nil {
		return err
	}
	if err := o.set(fields...); err != nil {
		return err
	}
	c.check(r)
	return c.put(r.Key, o)
}
