package edit

import (
	"slices"
	"strings"
	"testing"
)

func TestBlockOfLines(t *testing.T) {
	lines := []string{"bind-key a b", "set -g c d"}
	block := blockBegin + "\nbind-key a b\nset -g c d\n" + blockEnd + "\n"
	for name, c := range map[string]struct {
		text  string
		lines []string
		want  string
	}{
		"no file":       {"", lines, block},
		"behind others": {"set -g x y\n", lines, "set -g x y\n\n" + block},
		"no line's end": {"set -g x y", lines, "set -g x y\n\n" + block},
		"CR LF":         {"x\r\n", lines, "x\r\n\r\n" + strings.ReplaceAll(block, "\n", "\r\n")},
		"there already": {"x\n\n" + block + "y\n", lines, "x\n\n" + block + "y\n"},
		"other lines":   {"x\n" + beginMark + "\nold\nolder\n" + blockEnd + "\ny\n", lines, "x\n" + block + "y\n"},
		"taken away":    {"x\n\n" + block + "y\n", nil, "x\ny\n"},
		"emptied":       {"x\n\n" + blockBegin + "\n" + blockEnd + "\ny\n", nil, "x\ny\n"},
		"not there":     {"x\n", nil, "x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Block([]byte(c.text), c.lines)
			if err != nil || string(got) != c.want {
				t.Fatalf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
			if there, err := blockLines(got); err != nil || !slices.Equal(there, c.lines) {
				t.Errorf("lines %q, %v", there, err)
			}
		})
	}
	for text, want := range map[string]string{
		"a\n" + beginMark + "\nb\n":  "line 2: planb's block can't be changed: planb's begin mark is there without its end mark",
		"a\nb\n" + blockEnd + "\n":   "line 3: planb's block can't be changed: planb's end mark is there without a begin mark",
		block + "\n" + block:         "line 6: planb's block can't be changed: planb's begin mark is there twice",
		block + "\n" + blockEnd + "": "line 6: planb's block can't be changed: planb's end mark is there without",
	} {
		if got, err := Block([]byte(text), lines); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %q, %v, want %s", text, got, err, want)
		}
	}
}

func FuzzBlock(f *testing.F) {
	for _, seed := range []string{"", "a\r\nb", blockBegin + "\nx\n" + blockEnd + "\n", beginMark, blockEnd} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		had, err := blockLines([]byte(text))
		if err != nil {
			return
		}
		with, err := Block([]byte(text), []string{"one", "two"})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Block(with, []string{"one", "two"}); err != nil || string(again) != string(with) {
			t.Fatalf("a second time: %q, %v", again, err)
		}
		without, err := Block(with, nil)
		if err != nil {
			t.Fatal(err)
		}
		if left, err := blockLines(without); err != nil || left != nil {
			t.Fatalf("%q is left in %q, %v", left, without, err)
		}
		if had == nil && !contains(string(without), text) {
			t.Fatalf("something was lost of %q in %q", text, without)
		}
	})
}

// blockLines returns the lines between planb's marks; none without marks.
func blockLines(text []byte) ([]string, error) {
	start, end, err := findBlock(text)
	if start < 0 || err != nil {
		return nil, err
	}
	return linesWithin(text[start:end]), nil
}
