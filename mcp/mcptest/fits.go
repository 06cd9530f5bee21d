package mcptest

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// ClientsLimits are the most that the texts of one result may take, as JSON.
var ClientsLimits = map[string]int{"codex-mcp-client": 9_500, "claude-code": 48_000}

// size is what a result's texts take as JSON.
func (a Answer) size(t testing.TB) int {
	t.Helper()
	size := 0
	for _, text := range a.Texts() {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		size += len(raw)
	}
	return size
}

// Fits fails the test if a client would cut the result.
func (a Answer) Fits(t testing.TB, client string) {
	t.Helper()
	limit := ClientsLimits[client]
	if a.IsError {
		limit = 9_500
	}
	if size := a.size(t); size > limit {
		t.Errorf("%s is given %d characters, of which it passes on %d: %.200q…", client, size, limit, a.Texts())
	}
}

// whereItIs is how a result says where the rest of a text is.
var whereItIs = regexp.MustCompile(`(?m)^(.+) is longer than clients pass on: ([0-9,]+) characters\. All of it: (?:(/.+), or )?get_answer (\{.*\})\.$`)

// Rest is one text of which a result has only the beginning.
type Rest struct {
	Name, Path string
	Call       map[string]any
}

// Rests are the texts of which the result has only the beginning.
func (a Answer) Rests(t testing.TB) []Rest {
	t.Helper()
	var found []Rest
	for _, match := range whereItIs.FindAllStringSubmatch(strings.Join(a.Texts()[min(1, len(a.Texts())-1):], "\n"), -1) {
		r := Rest{Name: match[1], Path: match[3]}
		if name, err := strconv.Unquote(match[1]); err == nil {
			r.Name = name
		}
		if err := json.Unmarshal([]byte(match[4]), &r.Call); err != nil {
			t.Fatalf("%q cannot be called: %v", match[4], err)
		}
		found = append(found, r)
	}
	return found
}

var goOn = regexp.MustCompile(`Go on with get_answer (\{.*\})\.$`)

// Fetch follows a result's instructions to the end of a text.
func (c *Client) Fetch(client string, call map[string]any) string {
	c.T.Helper()
	var text strings.Builder
	for {
		got := c.Tool("get_answer", call)
		got.Fits(c.T, client)
		if got.IsError || len(got.Texts()) < 2 || got.Texts()[0] == "" {
			c.T.Fatalf("get_answer %v gives %q", call, got.Texts())
		}
		text.WriteString(got.Texts()[0])
		match := goOn.FindStringSubmatch(got.Texts()[1])
		if match == nil {
			return text.String()
		}
		call = nil
		if err := json.Unmarshal([]byte(match[1]), &call); err != nil {
			c.T.Fatal(err)
		}
	}
}

// Reads checks that the copy and the parts fetched by offset both give the person's
// text. begun is the beginning of it that the result itself shows.
func (c *Client) Reads(client string, r Rest, begun, want string) {
	c.T.Helper()
	if r.Path != "" {
		WantFile(c.T.(*testing.T), r.Path, want)
	}
	offset, _ := r.Call["offset"].(float64)
	head := ""
	if offset > 0 {
		head = strings.TrimSuffix(begun, "…")
		if utf8.RuneCountInString(head) != int(offset) {
			c.T.Errorf("%d characters are shown, and the rest is said to begin at %v", utf8.RuneCountInString(head), offset)
		}
	}
	if got := head + c.Fetch(client, r.Call); got != want {
		c.T.Errorf("%s: %d bytes were fetched, want %d: they differ at %d", r.Name, len(got), len(want), DifferAt(got, want))
	}
}

// DifferAt is the first byte in which two texts differ.
func DifferAt(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
