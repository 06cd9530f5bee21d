package cli

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"planb/store"
)

// Of a session that cannot be read, no time is told that nobody knows.
func TestUnreadableSessionAsJSON(t *testing.T) {
	raw, err := json.Marshal(listedSession{Session: store.Session{ID: "4f5e6a7b", Updated: time.Now(), Err: errors.New("damaged")}, Unreadable: "damaged"})
	if err != nil || strings.Contains(string(raw), "0001") || !strings.Contains(string(raw), `"updated"`) {
		t.Errorf("got %s, %v", raw, err)
	}
}
