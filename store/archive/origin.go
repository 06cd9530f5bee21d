package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Origin is what of the files a session was imported from does not follow from
// the session itself, so that they can be written again byte for byte.
type Origin []OriginFile

// OriginFile stands for one file that is not as WriteDir would write it.
type OriginFile struct {
	// Path is relative to the session's directory, with slashes.
	Path string
	// Over is the SHA-256, in lower-case hexadecimal, of what WriteDir wrote there
	// when the file was imported; empty if nothing. Where it writes something else
	// by now, the session went on, and that is written.
	Over string
	// Absent says that there was no such file.
	Absent bool
	// Data is what was in it.
	Data []byte
}

// jsonOriginFile is an OriginFile in JSON: one of Text, Base64 and Absent.
type jsonOriginFile struct {
	Path   string  `json:"path"`
	Over   string  `json:"over,omitempty"`
	Absent bool    `json:"absent,omitempty"`
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
}

// MarshalJSON writes what is UTF-8 as a text.
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

// UnmarshalJSON reads what MarshalJSON wrote.
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

// encode returns o as a store keeps it; nil if there is nothing to keep.
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

// marshal is json.Marshal that leaves <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
