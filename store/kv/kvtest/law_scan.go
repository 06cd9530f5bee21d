package kvtest

import (
	"fmt"
	"strings"
	"testing"

	"planb/store/kv"
)

func putAll(t testing.TB, e kv.Engine, keys ...kv.Key) {
	t.Helper()
	var b kv.Batch
	for _, k := range keys {
		b.Puts = append(b.Puts, kv.Put{Key: k, Value: []byte(k)})
	}
	commit(t, e, b)
}

func scanOrder(t *testing.T, e kv.Engine) {
	wantKeys(t, scan(t, e, "", "", 10), "", false)
	putAll(t, e, "b", "a/2", "a", "B", "a/10", "a.", "~")
	wantKeys(t, scan(t, e, "", "", 10), "B a a. a/10 a/2 b ~", false)
	for _, r := range scan(t, e, "", "", 10).Records {
		if string(r.Value) != string(r.Key) || !r.Exists() {
			t.Errorf("%s holds %q at %d", r.Key, r.Value, r.Rev)
		}
	}
	commit(t, e, kv.Batch{Deletes: []kv.Key{"a/10"}})
	wantKeys(t, scan(t, e, "", "", 10), "B a a. a/2 b ~", false)
}

func scanPrefix(t *testing.T, e kv.Engine) {
	putAll(t, e, "a", "ask/1", "ask/2", "askew", "b")
	wantKeys(t, scan(t, e, "ask/", "", 10), "ask/1 ask/2", false)
	wantKeys(t, scan(t, e, "ask", "", 10), "ask/1 ask/2 askew", false)
	wantKeys(t, scan(t, e, "ask/1", "", 10), "ask/1", false)
	wantKeys(t, scan(t, e, "c", "", 10), "", false)
	wantKeys(t, scan(t, e, "aa", "", 10), "", false)
}

func scanAfter(t *testing.T, e kv.Engine) {
	putAll(t, e, "a/1", "a/2", "a/3", "b/1")
	for _, c := range []struct{ prefix, after, want string }{
		{"a/", "a/1", "a/2 a/3"},
		{"a/", "a/10", "a/2 a/3"},
		{"a/", "a/3", ""},
		{"a/", "A", "a/1 a/2 a/3"},
		{"a/", "b", ""},
		{"b/", "a/2", "b/1"},
		{"", "a/2", "a/3 b/1"},
	} {
		t.Run(c.prefix+" after "+c.after, func(t *testing.T) {
			wantKeys(t, scan(t, e, kv.Key(c.prefix), kv.Key(c.after), 10), c.want, false)
		})
	}
}

func scanLimits(t *testing.T, e kv.Engine) {
	putAll(t, e, "a/1", "a/2", "a/3", "b/1")
	wantKeys(t, scan(t, e, "a/", "", 1), "a/1", true)
	wantKeys(t, scan(t, e, "a/", "", 2), "a/1 a/2", true)
	wantKeys(t, scan(t, e, "a/", "", 3), "a/1 a/2 a/3", false)
	wantKeys(t, scan(t, e, "a/", "", kv.MaxPageRecords), "a/1 a/2 a/3", false)

	// Keys and values fill the page exactly, then by one byte too many.
	half := kv.MaxPageBytes / 2
	put(t, e, "big/1", strings.Repeat("x", half-len("big/1")))
	put(t, e, "big/2", strings.Repeat("x", half-len("big/2")))
	wantKeys(t, scan(t, e, "big/", "", 10), "big/1 big/2", false)
	put(t, e, "big/3", "")
	wantKeys(t, scan(t, e, "big/", "", 10), "big/1 big/2", true)
	wantKeys(t, scan(t, e, "big/", "big/2", 10), "big/3", false)
	put(t, e, "big/2", strings.Repeat("x", half))
	wantKeys(t, scan(t, e, "big/", "", 10), "big/1", true)
}

func scanPages(t *testing.T, e kv.Engine) {
	const n = 250
	var want []string
	for i := 0; i < n; i += 50 {
		var keys []kv.Key
		for j := range 50 {
			k := fmt.Sprintf("k/%03d", i+j)
			keys, want = append(keys, kv.Key(k)), append(want, k)
		}
		putAll(t, e, keys...)
	}
	for _, limit := range []int{1, 7, 100, 250, 1000} {
		var got []string
		var after kv.Key
		for more := true; more; {
			p := scan(t, e, "k/", after, limit)
			if len(p.Records) == 0 || len(p.Records) > limit {
				t.Fatalf("a page of %d records at limit %d", len(p.Records), limit)
			}
			got = append(got, strings.Fields(keysOf(p))...)
			after, more = p.Records[len(p.Records)-1].Key, p.More
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("limit %d: got %d keys, want %d", limit, len(got), len(want))
		}
	}
}

// scanLargest puts a value of half a page at each place among small ones, alone and
// beside another.
func scanLargest(t *testing.T, e kv.Engine) {
	const n = 5
	large := strings.Repeat("x", kv.MaxPageBytes/2)
	for first := range n {
		for second := first; second < n; second++ {
			prefix := kv.Key(fmt.Sprintf("%d%d/", first, second))
			for i := range n {
				value := "small"
				if i == first || i == second {
					value = large
				}
				put(t, e, prefix+kv.Key(fmt.Sprint(i)), value)
			}
			var got int
			after := kv.Key("")
			for more := true; more; {
				p := scan(t, e, prefix, after, kv.MaxPageRecords)
				if len(p.Records) == 0 {
					t.Fatalf("large at %d and %d: an empty page after %q", first, second, after)
				}
				size := 0
				for _, r := range p.Records {
					size += len(r.Key) + len(r.Value)
					if r.Key <= after {
						t.Errorf("%s comes after %s", r.Key, after)
					}
					after = r.Key
				}
				if size > kv.MaxPageBytes && len(p.Records) > 1 {
					t.Errorf("a page has %d bytes, at most %d are allowed", size, kv.MaxPageBytes)
				}
				got, more = got+len(p.Records), p.More
			}
			if got != n {
				t.Errorf("large at %d and %d: %d records of %d", first, second, got, n)
			}
		}
	}
}
