package kv

import (
	"bytes"
	"testing"
)

// FuzzUnseal reads any bytes as an envelope: what it takes, Seal must have made.
func FuzzUnseal(f *testing.F) {
	r := Record{Key: "k", Value: []byte("value"), Rev: 7, Op: OpID{1, 2, 3}}
	f.Add("k", Seal(r))
	f.Add("other", Seal(r))
	f.Add("k", Seal(r)[:EnvelopeBytes])
	f.Add("", []byte{})
	f.Fuzz(func(t *testing.T, key string, sealed []byte) {
		before := bytes.Clone(sealed)
		r, err := Unseal(Key(key), sealed)
		if !bytes.Equal(sealed, before) {
			t.Error("the envelope was changed")
		}
		if err == nil && !bytes.Equal(Seal(r), sealed) {
			t.Errorf("%x was read as %+v", sealed, r)
		}
	})
}

func TestSealUnseal(t *testing.T) {
	r := Record{Key: "k", Value: []byte("value"), Rev: 1 << 40, Op: OpID{1, 15: 9}}
	got, err := Unseal(r.Key, Seal(r))
	if err != nil || got.Key != r.Key || got.Rev != r.Rev || got.Op != r.Op || !bytes.Equal(got.Value, r.Value) {
		t.Errorf("got %+v, %v", got, err)
	}
}
