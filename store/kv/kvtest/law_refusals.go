package kvtest

import (
	"fmt"
	"strings"
	"testing"

	"planb/store/kv"
)

// refusals checks that every engine says the same words about the same mistake,
// and writes nothing.
func refusals(t *testing.T, e kv.Engine) {
	long := kv.Key(strings.Repeat("k", kv.MaxKeyBytes+1))
	wide := strings.Repeat("k", 32)
	puts := func(keys ...kv.Key) kv.Batch {
		var b kv.Batch
		for _, k := range keys {
			b.Puts = append(b.Puts, kv.Put{Key: k})
		}
		return b
	}
	many := make([]kv.Key, 101)
	for i := range many {
		many[i] = kv.Key(fmt.Sprintf("many/%d", i))
	}
	checks := make([]kv.Check, 101)
	for i, k := range many {
		checks[i].Key = k
	}
	for _, c := range []struct {
		name  string
		batch kv.Batch
		want  string
	}{
		{"empty key", puts(""), `a key is empty; it needs 1 to 512 bytes`},
		{"long key", puts(long), `key "` + wide + `"…: 513 bytes, at most 512 are allowed`},
		{"control character", puts("a\nb"), `key "a\nb": byte 0x0a at 1, only printable ASCII is allowed`},
		{"not ASCII", puts("ä"), `key "ä": byte 0xc3 at 0, only printable ASCII is allowed`},
		{"not UTF-8", puts("a\xff"), `key "a\xff": byte 0xff at 1, only printable ASCII is allowed`},
		{"put twice", puts("a", "b", "a"), `key "a" is written twice in one commit`},
		{
			"put and deleted", kv.Batch{Puts: []kv.Put{{Key: "a"}}, Deletes: []kv.Key{"a"}},
			`key "a" is written twice in one commit`,
		},
		{"bad delete", kv.Batch{Deletes: []kv.Key{"\x7f"}}, `key "\x7f": byte 0x7f at 0, only printable ASCII is allowed`},
		{"bad check", kv.Batch{Checks: []kv.Check{{Key: "\x00"}}}, `key "\x00": byte 0x00 at 0, only printable ASCII is allowed`},
		{
			"negative revision", kv.Batch{Checks: []kv.Check{{Key: "a", Rev: -1}}},
			`check of "a": revision -1, it must not be negative`,
		},
		{"many puts", puts(many...), `101 writes in one commit, at most 100 are allowed`},
		{
			"many writes", kv.Batch{Puts: puts(many[:60]...).Puts, Deletes: many[60:]},
			`101 writes in one commit, at most 100 are allowed`,
		},
		{"many checks", kv.Batch{Checks: checks}, `101 checks in one commit, at most 100 are allowed`},
		{
			"many bytes", kv.Batch{Puts: []kv.Put{{Key: "a", Value: make([]byte, kv.MaxBatchBytes)}}},
			`1048577 bytes in one commit, at most 1048576 are allowed`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantError(t, e.Commit(t.Context(), c.batch), c.want)
		})
	}

	_, err := e.Get(t.Context(), make([]kv.Key, kv.MaxRecordsInGet+1)...)
	wantError(t, err, `101 keys in one get, at most 100 are allowed`)
	_, err = e.Get(t.Context(), "a", "")
	wantError(t, err, `a key is empty; it needs 1 to 512 bytes`)
	_, err = e.Scan(t.Context(), "", "", 0)
	wantError(t, err, `a scan for 0 records, 1 to 1000 are allowed`)
	_, err = e.Scan(t.Context(), "", "", kv.MaxPageRecords+1)
	wantError(t, err, `a scan for 1001 records, 1 to 1000 are allowed`)
	_, err = e.Scan(t.Context(), "\t", "", 1)
	wantError(t, err, `prefix "\t": byte 0x09 at 0, only printable ASCII is allowed`)
	_, err = e.Scan(t.Context(), "", long, 1)
	wantError(t, err, `key "`+wide+`"…: 513 bytes, at most 512 are allowed`)

	wantKeys(t, scan(t, e, "", "", 10), "", false)
}

func wantError(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
