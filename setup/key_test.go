package setup

import (
	"testing"

	"planb/themes"
)

// Each start of planb lists the settings, so listing them must not read the palettes.
func TestListingTheSettingsReadsNoPalette(t *testing.T) {
	const most = 200 // reading one family of themes takes over 1,000
	if n := testing.AllocsPerRun(5, func() { Keys(themes.Collection{}) }); n > most {
		t.Errorf("Keys allocates %.0f times, want at most %d", n, most)
	}
}

func BenchmarkKeys(b *testing.B) {
	for b.Loop() {
		Keys(themes.Collection{})
	}
}
