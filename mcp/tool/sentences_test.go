package tool_test

import (
	"testing"
	"time"

	"planb/mcp/tool"
)

func TestInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		250 * time.Millisecond:           "250 milliseconds",
		time.Second:                      "1 second",
		1040 * time.Millisecond:          "1 second",
		1500 * time.Millisecond:          "1.5 seconds",
		59_990 * time.Millisecond:        "1 minute",
		90*time.Second + time.Nanosecond: "1 minute 30 seconds",
		24 * time.Hour:                   "24 hours",
		49 * time.Hour:                   "2 days 1 hour",
	} {
		if got := tool.InWords(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
