package runs_test

import (
	"strings"
	"testing"

	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/runs"
)

// TestAnyLossIsFoundAndMended removes each record of a store and damages it. An audit
// names it, and a reindex mends what other records tell.
func TestAnyLossIsFoundAndMended(t *testing.T) {
	ctx := t.Context()
	fill := func() (*world, string) {
		w := newWorld()
		p := w.create(t, func(r *runs.Request) { r.ID = "mine" })
		w.write(t, p.ID, "choose")
		return w, p.ID
	}
	first, _ := fill()
	first.sound(t)
	before := first.all(t)
	if err := first.Reindex(ctx); err != nil {
		t.Fatal(err)
	}
	if after := first.all(t); len(after) != len(before) {
		t.Errorf("mending a sound store: %d records became %d", len(before), len(after))
	}
	for i, r := range before {
		family := ledger.Family(r.Key)
		if family == ledger.ChunkKeys || family == ledger.SizeKeys || r.Key == ledger.FormatKey {
			continue
		}
		w, id := fill()
		key := w.all(t)[i].Key
		commit := func(batch kv.Batch) {
			t.Helper()
			batch.Op = kv.OpID{1}
			if err := w.engine.Commit(ctx, batch); err != nil {
				t.Fatal(err)
			}
		}
		commit(kv.Batch{Deletes: []kv.Key{key}})
		mayLack := family == "de/" || family == "dd/" || family == "ds/" // the step is written again
		if found := w.audit(t); !mayLack && found == "" {
			t.Errorf("%s is lost, and the audit finds nothing", key)
		}
		if err := w.Reindex(ctx); err != nil {
			t.Fatal(err)
		}
		if found := w.audit(t); found != "" {
			t.Errorf("%s was lost, and mended there is still: %s", key, found)
		}
		if family != "dp/" {
			p := w.read(t, id)
			if family == "dn/" && (p.State != runs.Stopped || p.Generation == 1) {
				t.Errorf("the lost run is %+v", p.Run)
			}
			if family != "ds/" && (p.Draft.Output("brief") == nil || p.Draft.Output("scenarios") == nil) {
				t.Errorf("%s was lost, and outputs with it", key)
			}
		}
		w, _ = fill()
		key = w.all(t)[i].Key
		commit(kv.Batch{Puts: []kv.Put{{Key: key, Value: []byte(`"nonsense"`)}}})
		byKey := family == "do/" || family == "dw/" // these say everything by their keys
		if found := w.audit(t); !byKey && !strings.Contains(found, string(key)) {
			t.Errorf("%s is damaged, and the audit finds: %s", key, found)
		}
		if err := w.Reindex(ctx); err != nil {
			t.Fatal(err)
		}
	}
}
