package docs_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
	"planb/store/kv"
)

// If a repair finds that an ask is lost, it gives the person what they wrote
// for it, and leaves a sound store.
func TestRepairGivesOutWhatWasWrittenForALostAsk(t *testing.T) {
	h := newDocsHome(t)
	long := strings.Repeat("half-filled ", 300)
	h.loseAsks(t, long, "came too late")
	repair := func() string {
		t.Helper()
		end, err := h.command(t, "doctor", "--repair").Run(t.Context())
		if err != nil || end.Code != 0 {
			t.Fatalf("exit code %d, %v: %s%s", end.Code, err, end.Stdout, end.Stderr)
		}
		return string(end.Stdout)
	}
	out := repair()
	files, err := bolt.FilesIn(h.data, "planb.db.before-repair-*.words.json")
	if err != nil || len(files) != 1 {
		t.Fatalf("the words are in %v, %v", files, err)
	}
	if said := strings.Join(strings.Fields(out), " "); !strings.Contains(said, "Written for forms that are lost: "+files[0]) {
		t.Errorf("the repair says %q", said)
	}
	words, err := os.ReadFile(files[0])
	for _, want := range []string{long, "came too late"} {
		if err != nil || !strings.Contains(string(words), want) {
			t.Errorf("%q is not in %s, %v", want, words, err)
		}
	}
	h.isSound(t)
	if out := repair(); strings.Contains(out, "Written for") {
		t.Errorf("a second repair: %s", out)
	}
}

// loseAsks deletes the records of both asks. The open one has a half-filled
// form, the answered one a late reply.
func (h *docsHome) loseAsks(t *testing.T, entered, late string) {
	t.Helper()
	engine, err := bolt.Open(t.Context(), filepath.Join(h.data, "planb.db"), bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st, ctx := store.New(engine, store.Options{By: "test@localhost"}), t.Context()
	asks, err := st.Asks(ctx, h.session)
	if err != nil {
		t.Fatal(err)
	}
	var lost []kv.Key
	for _, ask := range asks {
		lost = append(lost, kv.Key("a/"+ask.ID))
		if ask.Open() {
			err = st.SaveEntry(ctx, ask.ID, questions.Entry{Fields: map[string]questions.Field{"name": {Text: safe.New(entered)}}})
		} else if _, err = st.Settle(ctx, ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New(late)}); errors.As(err, new(*questions.SettledError)) {
			err = nil
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(engine.Commit(ctx, kv.Batch{Op: kv.OpID{1}, Deletes: lost}), engine.Close()); err != nil {
		t.Fatal(err)
	}
}
