package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Origin holds the bytes of imported files that cannot be derived from the
// session, so that Files can return them unchanged.
type Origin []OriginFile

// OriginFile is one file that is not as Files would write it.
type OriginFile struct {
	// Path is relative to the session's directory, with slashes.
	Path string
	// Over is the SHA-256, in lower-case hexadecimal, of what Files wrote at
	// this path at the time of the import; empty if it wrote nothing. If Files
	// writes something else by now, the session has changed since, and the new
	// content is written.
	Over string
	// Absent reports that there was no such file.
	Absent bool
	// Data is the file's content.
	Data []byte
}

// jsonOriginFile is an OriginFile in JSON. It has one of Text, Base64 and
// Absent.
type jsonOriginFile struct {
	Path   string  `json:"path"`
	Over   string  `json:"over,omitempty"`
	Absent bool    `json:"absent,omitempty"`
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
}

// MarshalJSON writes data that is UTF-8 as text, and other data as base64.
func (f OriginFile) MarshalJSON() ([]byte, error) {
	out := jsonOriginFile{Path: f.Path, Over: f.Over, Absent: f.Absent}
	switch {
	case f.Absent:
	case utf8.Valid(f.Data):
		text := string(f.Data)
		out.Text = &text
	default:
		out.Base64 = f.Data
	}
	return marshal(out)
}

// UnmarshalJSON reads the result of MarshalJSON.
func (f *OriginFile) UnmarshalJSON(data []byte) error {
	var in jsonOriginFile
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*f = OriginFile{Path: in.Path, Over: in.Over, Absent: in.Absent, Data: in.Base64}
	if in.Text != nil {
		f.Data = []byte(*in.Text)
	}
	if in.Absent && f.Data != nil {
		return fmt.Errorf("the file %q is absent and has content", in.Path)
	}
	return nil
}

// encode returns o as a store keeps it; nil if o is empty.
func (o Origin) encode() ([]byte, error) {
	if len(o) == 0 {
		return nil, nil
	}
	return marshal(o)
}

func decodeOrigin(data []byte) (Origin, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var o Origin
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, err
	}
	return o, nil
}

// marshal is json.Marshal without escaping <, > and &.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
