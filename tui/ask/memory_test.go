package ask

import (
	"testing"
	"time"

	"planb/store"
)

// TestRecallWaitsBriefly holds that what is there at once is in the input.
func TestRecallWaitsBriefly(t *testing.T) {
	found := make(chan map[string]store.Earlier, 1)
	found <- map[string]store.Earlier{"name": {}}
	var input Input
	recalledSoon(&input, found)
	if len(input.Earlier) != 1 || input.Recalling != nil {
		t.Errorf("the input has %v", input.Earlier)
	}
	began := time.Now()
	never := make(chan map[string]store.Earlier)
	recalledSoon(&input, never)
	if waited := time.Since(began); input.Recalling == nil || waited < recallPatience {
		t.Errorf("waited for %v", waited)
	}
}
