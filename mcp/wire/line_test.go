package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLines(t *testing.T) {
	for _, test := range []struct {
		name string
		in   string
		want []string // "!" is a line that was too long
	}{
		{"nothing", "", nil},
		{"one", "a\n", []string{"a"}},
		{"the last one without its newline", "a\nb", []string{"a", "b"}},
		{"empty ones", "\n\na\n", []string{"", "", "a"}},
		{"a carriage return is the caller's", "a\r\n", []string{"a\r"}},
		{"exactly the limit", "12345678\nb\n", []string{"12345678", "b"}},
		{"one too long, and the one after it", "123456789\nb\n", []string{"!", "b"}},
		{"far too long", strings.Repeat("x", 300_000) + "\nb\n", []string{"!", "b"}},
		{"too long, and the end", "123456789", []string{"!"}},
		{"far too long, and the end", strings.Repeat("x", 300_000), []string{"!"}},
		{"two too long", "123456789\n123456789\nb", []string{"!", "!", "b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, in := range []io.Reader{
				strings.NewReader(test.in), iotest.OneByteReader(strings.NewReader(test.in)), iotest.DataErrReader(strings.NewReader(test.in)),
			} {
				got := readAll(t, in, 8)
				if strings.Join(got, "|") != strings.Join(test.want, "|") || len(got) != len(test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
			}
		})
	}
}

func readAll(t *testing.T, in io.Reader, limit int) []string {
	t.Helper()
	lines := newLineReader(in, limit)
	var got []string
	for {
		line, err := lines.next()
		switch {
		case err == nil:
			got = append(got, string(line))
		case errors.Is(err, errLineTooLong):
			got = append(got, "!")
		case errors.Is(err, io.EOF):
			return got
		default:
			t.Fatal(err)
		}
	}
}

func TestAReadErrorIsToldAfterTheLinesBeforeIt(t *testing.T) {
	broken := errors.New("broken")
	lines := newLineReader(io.MultiReader(strings.NewReader("a\nhalf"), iotest.ErrReader(broken)), 100)
	if line, err := lines.next(); string(line) != "a" || err != nil {
		t.Fatalf("got %q, %v", line, err)
	}
	if line, err := lines.next(); !errors.Is(err, broken) {
		t.Fatalf("got %q, %v; half a line is not a line", line, err)
	}
}

// FuzzLines compares the reader with splitting everything at once.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\n\nccc"), 2, 1)
	f.Add([]byte("\n"), 0, 3)
	f.Add(bytes.Repeat([]byte("x"), 200), 3, 64)
	f.Fuzz(func(t *testing.T, data []byte, limit, chunk int) {
		limit, chunk = max(limit%64, -limit%64), max(chunk%32, -chunk%32)+1
		var want []string
		parts := strings.Split(string(data), "\n")
		if parts[len(parts)-1] == "" {
			parts = parts[:len(parts)-1]
		}
		for _, part := range parts {
			if len(part) > limit {
				part = "!"
			}
			want = append(want, part)
		}
		var reads []io.Reader
		for rest := data; len(rest) > 0; {
			n := min(chunk, len(rest))
			reads = append(reads, bytes.NewReader(rest[:n]))
			rest = rest[n:]
		}
		got := readAll(t, io.MultiReader(reads...), limit)
		if strings.Join(got, "\n") != strings.Join(want, "\n") || len(got) != len(want) {
			t.Errorf("limit %d: got %q, want %q", limit, got, want)
		}
	})
}
