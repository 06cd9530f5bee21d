package kv

import (
	"strings"
	"testing"
)

func TestKeysThatAreRefused(t *testing.T) {
	long := Key(strings.Repeat("k", MaxKeyBytes+1))
	for key, want := range map[Key]string{
		long:   `key "` + strings.Repeat("k", 32) + `"…: 513 bytes, at most 512 are allowed`,
		"":     "key",
		"a\nb": `key "a\nb": byte 0x0a at 1, only printable ASCII is allowed`,
		"é":    `key "é": byte 0xc3 at 0, only printable ASCII is allowed`,
	} {
		if err := key.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	for _, key := range []Key{"a", "a b/~", long[1:]} {
		if err := key.Validate(); err != nil {
			t.Error(err)
		}
	}
	if err := Key("").validatePrefix(); err != nil {
		t.Error(err)
	}
}
