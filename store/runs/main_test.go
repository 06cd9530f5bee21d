package runs_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets a random test run 4 cases, unless -rapid.checks or RAPID_CHECKS asks for
// another number: a case here is a whole history of a draft. CI runs 100 of them.
func TestMain(m *testing.M) {
	flag.Parse()
	asked := os.Getenv("RAPID_CHECKS") != ""
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		if err := flag.Set("rapid.checks", "4"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
