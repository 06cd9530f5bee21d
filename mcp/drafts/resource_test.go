package drafts

import "testing"

// V22: a resource has at most 4 MiB; of a larger one it is said how to save it.
func TestV22AResourceIsCapped(t *testing.T) {
	t.Parallel()
	const uri = "planb://drafts/x/files/report.md"
	read := func(size int) string {
		if _, err := contentsOf(uri, file{path: "report.md", data: make([]byte, size)}); err != nil {
			return err.Error()
		}
		return "given"
	}
	if got := read(4 << 20); got != "given" {
		t.Errorf("4 MiB: %s", got)
	}
	if got := read(4<<20 + 1); got != uri+" has 4,194,305 bytes, and a resource at most 4,194,304; save it with plan_download" {
		t.Errorf("4 MiB and a byte: %s", got)
	}
}
