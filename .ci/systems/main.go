// Systems checks that planb and its tests compile for other systems, whose names it takes
// as Go has them: systems darwin windows. It reads all types from the sources. To vet for a
// system, Go compiles the standard library and all others first, which takes twenty times
// as long.
package main

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, system := range os.Args[1:] {
		faults, err := check(system)
		if err != nil {
			fmt.Fprintf(os.Stderr, "planb's packages cannot be listed for %s: %v\n", system, err)
			os.Exit(1)
		}
		for _, fault := range faults {
			fmt.Fprintf(os.Stderr, "%s: %s\n", system, fault)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check returns what a compiler for the system would refuse in the packages of the module in
// the working directory.
func check(system string) (faults []string, err error) {
	loaded, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax,
		Env:   append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		Tests: true,
	}, "./...")
	if err != nil {
		return nil, err
	}
	if len(loaded) == 0 {
		return nil, errors.New("there are none")
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			faults = append(faults, e.Error())
		}
	}
	return faults, nil
}
