package cli

import (
	"os"
	"path/filepath"
	"testing"

	"planb/cli/frame"
	"planb/store"
	"planb/store/kv/kvtest"
)

// A session that is deleted, or damaged, while it is exported costs no file that was there.
func TestExportOfASessionThatIsGone(t *testing.T) {
	for _, format := range []string{formatHTML, formatMarkdown} {
		to := filepath.Join(t.TempDir(), "plan")
		if err := os.WriteFile(to, []byte("the export of last week"), 0o600); err != nil {
			t.Fatal(err)
		}
		x := &exporting{
			Program: frame.New(), flags: exportFlags{to: to, overwrite: true}, format: format,
			store: store.New(kvtest.NewMap(), store.Options{}), ids: []string{"3f0d5c1e-6a52-4a3e-9d55-0c7a2f3b9e11"},
		}
		if err := x.toFile(t.Context(), to); err == nil {
			t.Errorf("%s: nothing is said", format)
		}
		if text, err := os.ReadFile(to); err != nil || string(text) != "the export of last week" {
			t.Errorf("%s: the file has %q, %v", format, text, err)
		}
	}
}
