package tui

import (
	"strings"
	"testing"

	"planb/questions/safe"
)

func TestFormHeaderSaysWhoAsks(t *testing.T) {
	for _, test := range []struct{ session, want string }{
		{"Nightly export", "Claude Code · shop · Nightly export"},
		{"", "Claude Code · shop"},
		{"Before the export is written", "Claude Code · shop"}, // the form's own title
	} {
		in := formInputOf(parseForm(t, richForm))
		in.Session.Title = safe.New(test.session)
		head, _, _ := strings.Cut(rig(t, in, 80, 24).screen(), "\n")
		if got := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(head), "asked at 14:02")); got != test.want {
			t.Errorf("in the session %q the header says %q, want %q", test.session, got, test.want)
		}
	}
}
