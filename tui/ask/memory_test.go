package ask

import (
	"testing"
	"time"

	"planb/store"
)

// TestRecallWaitsBriefly holds that what is there at once is in the input.
func TestRecallWaitsBriefly(t *testing.T) {
	found := make(chan map[string]store.EarlierAnswer, 1)
	found <- map[string]store.EarlierAnswer{"name": {}}
	var input Input
	recalledSoon(&input, found)
	if len(input.EarlierAnswers) != 1 || input.Recalling != nil {
		t.Errorf("the input has %v", input.EarlierAnswers)
	}
	began := time.Now()
	never := make(chan map[string]store.EarlierAnswer)
	recalledSoon(&input, never)
	if waited := time.Since(began); input.Recalling == nil || waited < recallPatience {
		t.Errorf("waited for %v", waited)
	}
}
