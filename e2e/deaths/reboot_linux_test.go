package deaths_test

import (
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
)

// After a power failure nothing of planb runs, and other processes have its PIDs. What
// was answered reaches the next agent of the project, and what was being typed stands in
// the form.
func TestARebootLosesNothing(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	w := rig.WireTo(t, variedServer(t, sleepy), data, "ASK_NO_OPEN=1")
	session := w.ShakeHands()
	for _, title := range []string{"The ship", "The dock"} {
		w.Send(`{"jsonrpc":"2.0","id":"` + title + `","method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session +
			`","title":"` + title + `","questions":[{"id":"name","kind":"text","label":"What shall it be called?"}]}}}`)
	}
	st, asks := rig.OpenStore(t, data), map[string]string{}
	rig.Until(t, "both questions are kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		for _, ask := range waiting {
			asks[ask.Spec.Title.Raw()] = ask.ID
		}
		return err == nil && len(waiting) == 2
	})
	if err := w.Cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	w.WaitExit()
	answered := tm.OpenCommand(data, varied(t, sleepy, "tui", "ask", asks["The ship"]))
	tm.Shows(answered, "What shall it be called?")
	tm.Text(answered, "Aurora")
	tm.Keys(answered, "C-s")
	tm.Gone(answered)
	typing := tm.OpenCommand(data, varied(t, sleepy, "tui", "ask", asks["The dock"]))
	tm.Shows(typing, "What shall it be called?")
	tm.Text(typing, "Ve")
	rig.Until(t, "what is typed is kept", func() bool {
		entry, _, err := st.Entry(t.Context(), asks["The dock"])
		return err == nil && entry.Fields["name"].Text.Raw() == "Ve"
	})
	rig.Kill(t, tm.Format(typing, "#{pane_pid}"))

	w = rig.WireTo(t, variedServer(t, rebooted), data, "ASK_NO_OPEN=1")
	w.Send(rig.LegacyHello)
	w.Receive()
	w.Send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session","arguments":{}}}`)
	if got := rig.WireText(t, w.Receive()); !strings.Contains(got, `{"name":"Aurora"}`) || !strings.Contains(got, asks["The dock"]) {
		t.Errorf("the first agent after the reboot is told\n%s", got)
	}
	form := tm.OpenCommand(data, varied(t, rebooted, "tui", "ask", asks["The dock"]))
	tm.Shows(form, "Ve")
	tm.Text(form, "ga")
	tm.Keys(form, "C-s")
	tm.Gone(form)
	w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_answer","arguments":{"askId":"` + asks["The dock"] + `"}}}`)
	if got := rig.WireText(t, w.Receive()); !strings.Contains(got, `{"name":"Vega"}`) {
		t.Errorf("get_answer gives %q", got)
	}
	for title, id := range asks {
		rig.Until(t, title+" is answered and delivered", func() bool {
			ask, err := st.Ask(t.Context(), id)
			return err == nil && ask.Outcome.State == questions.Answered && !ask.Delivered.IsZero()
		})
	}
}
