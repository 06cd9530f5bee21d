package wording

import "testing"

func TestBytes(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1 << 10: "1 KB", 1<<10 + 512: "1.5 KB", 10 << 10: "10 KB",
		10<<10 + 700: "11 KB", 64 << 10: "64 KB", 1 << 20: "1 MB", 12_345_678: "12 MB", 3_250_586: "3.1 MB", 2 << 30: "2048 MB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
