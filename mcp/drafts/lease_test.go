package drafts_test

import (
	"strings"
	"testing"

	"planb/drafts/draftstest"
)

// A lease that is not the one given says nothing of a change, and its answer is kept nowhere.
func TestALeaseThatNobodyWasGiven(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 2)
	one, two := agents[0], agents[1]
	p := writtenByMany{t, w, create(t, one)}
	lease := leaseIn(t, p.call(one, "step_next"))
	brief := string(draftstest.File(t, "brief.json"))
	for name, wrong := range map[string]string{"one digit is wrong": "fffff" + lease[5:] + "0", "another generation": lease + "-7", "words": "lease " + lease} {
		for _, c := range agents {
			got := p.call(c, "step_submit", "step", "brief", "lease", wrong, "output", brief)
			wantCode(t, got, "CONFLICT")
			if strings.Contains(got.Text(), "was changed by") || strings.Contains(got.Text(), "begun anew") || !strings.HasPrefix(got.Text(), "NOT ACCEPTED: ") || !strings.Contains(got.Text(), wrong) {
				t.Errorf("%s: %.300s", name, got.Text())
			}
		}
	}
	if now := p.read(); len(now.History["brief"]) != 0 || now.Draft.Output("brief") != nil {
		t.Errorf("kept were %v", now.History)
	}
	wantCode(t, p.call(two, "step_submit", "step", "brief", "lease", strings.Repeat("a", 33), "output", brief), "INVALID_ARGUMENT")
}

// The refusals of a step are counted, whatever lease comes along.
func TestRefusalsCountByStep(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 1)
	p := writtenByMany{t, w, create(t, agents[0])}
	lease := leaseIn(t, p.call(agents[0], "step_next"))
	for n := 1; n <= 5; n++ {
		named := lease
		if n%2 == 0 {
			named = ""
		}
		got := p.call(agents[0], "step_submit", "step", "brief", "lease", named, "output", `{"verdict":"maybe"}`)
		if strings.Contains(got.Text(), "give_up") != (n > 4) {
			t.Errorf("refused %d times: %s", n, got.Text())
		}
	}
}
