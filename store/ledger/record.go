package ledger

import (
	"encoding/json"
	"errors"
	"fmt"

	"planb/store/kv"
)

// Header is embedded in the type of every record.
type Header struct {
	V int `json:"v"` // the record's format
}

// NewHeader is the header of a record that this code writes.
func NewHeader() Header { return Header{V: Format} }

func (h Header) version() int { return h.V }

// versioned is a type that embeds Header.
type versioned interface{ version() int }

// Encode is a value as a record holds it.
func Encode(value any) ([]byte, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("a %T cannot be written as JSON: %w", value, err)
	}
	return data, nil
}

// Decode makes a value of a record, which must exist. The type embeds Header. The error for
// a newer format is a *FormatError, even if something else is wrong with the record; a
// damaged record is a *kv.Fault.
func Decode[T versioned](l *Ledger, r kv.Record) (T, error) {
	var value T
	err := json.Unmarshal(r.Value, &value)
	version := value.version()
	if err != nil {
		var h Header
		if json.Unmarshal(r.Value, &h) == nil {
			version = h.V
		}
	}
	switch {
	case version > Format:
		return value, &FormatError{Store: l.dataDir, Key: r.Key, Got: version, Known: Format}
	case err != nil:
		return value, l.Damaged(r.Key, err)
	case version < 1:
		return value, l.Damaged(r.Key, errors.New("it has no format"))
	}
	return value, nil
}

// DecodeFound is Decode for a record of a list.
func DecodeFound[T versioned](l *Ledger, f Found) (T, error) {
	if f.Err != nil {
		var none T
		return none, f.Err
	}
	return Decode[T](l, f.Record)
}

// Object is a record about to be rewritten. It holds the fields as they were
// found, so that those a newer planb added survive.
type Object map[string]json.RawMessage

// Object returns the record's fields.
func (l *Ledger) Object(r kv.Record) (Object, error) {
	var o Object
	if err := json.Unmarshal(r.Value, &o); err != nil {
		return nil, l.Damaged(r.Key, err)
	}
	if o == nil {
		return nil, l.Damaged(r.Key, errors.New("it is no object"))
	}
	return o, nil
}

// Set replaces fields, given as names and values in turn.
func (o Object) Set(fields ...any) error {
	for i := 0; i+1 < len(fields); i += 2 {
		data, err := Encode(fields[i+1])
		if err != nil {
			return err
		}
		o[fields[i].(string)] = data
	}
	return nil
}

// Rewrite checks the record and puts it with some fields replaced, given as for
// Object.Set.
func (l *Ledger) Rewrite(c *Change, r kv.Record, fields ...any) error {
	o, err := l.Object(r)
	if err != nil {
		return err
	}
	if err := o.Set(fields...); err != nil {
		return err
	}
	c.Check(r)
	return c.Put(r.Key, o)
}
