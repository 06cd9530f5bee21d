package drafts_test

import (
	"testing"

	"planb/drafts/draftstest"
	"planb/e2e/rig"
	"planb/store/runs"
)

// T5, T6: an agent begins a draft with a profile; a process of its own writes it, outlives
// the agent's server, and waits where the person decides.
func TestModelsWriteForAnAgent(t *testing.T) {
	t.Parallel()
	s := newModelServer(t)
	d := newDesk(t, endpointSettings(s))
	a := rig.StartAgent(t, d.data, []string{"ASK_NO_OPEN=1", "MODEL_KEY=" + key, "XDG_CONFIG_HOME=" + d.data + "/.config"}, "--toolsets", "drafts")
	begun := a.Call("plan_create", map[string]any{"prompt": string(draftstest.File(t, "prompt.txt")), "start_date": "2026-12-01", "model_profile": "baseline"})
	id, _ := begun.Data["plan_id"].(string)
	if id == "" {
		t.Fatal(begun)
	}
	d.store = rig.OpenStoreAsUser(t, d.data)
	<-s.asked
	if err := a.Process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	decide(t, d.store)
	rig.Until(t, "the scenario is chosen", func() bool { return d.plan(id).Draft.Output("choose") != nil })
	decide(t, d.store)
	rig.Until(t, "the draft is written", func() bool { return d.plan(id).State.Ended() })
	w := d.plan(id)
	if w.State != runs.Completed || w.Draft.Records["brief"].By != "model-a" || w.Draft.Output("choose").Text("by") == "nobody" {
		t.Errorf("the plan is %s, %+v", w.State, w.Error)
	}
	d.nowhere(id)
}
