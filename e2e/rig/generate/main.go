// Command generate makes a data directory with a store of any size in it, to see
// how planb behaves with years of use behind it. It is for contributors, and no
// part of the program planb.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"planb/e2e/rig/fakestore"
	"planb/store"
	"planb/store/bolt"
)

func main() {
	size := fakestore.FullSize()
	flags := flag.NewFlagSet("generate", flag.ExitOnError) // the default one has those of the property tests
	flags.IntVar(&size.Sessions, "sessions", size.Sessions, "how many sessions")
	flags.IntVar(&size.Asks, "asks", size.Asks, "how many asks, in all sessions")
	flags.IntVar(&size.Versions, "versions", size.Versions, "how many plan versions, in all sessions")
	flags.IntVar(&size.VersionBytes, "version-bytes", size.VersionBytes, "about how long each is")
	flags.IntVar(&size.Longest, "longest", size.Longest, "how many of the versions are in one session")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: go run ./e2e/rig/generate [flags] DIR   (then: PLANB_DATA_DIR=DIR planb tui)")
		flags.PrintDefaults()
	}
	_ = flags.Parse(os.Args[1:]) // it exits where it fails
	if flags.NArg() != 1 {
		flags.Usage()
		os.Exit(2)
	}
	if err := generate(context.Background(), flags.Arg(0), size); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(ctx context.Context, dir string, size fakestore.Size) error {
	start := time.Now()
	path := filepath.Join(dir, "planb.db")
	engine, err := bolt.Open(ctx, path, bolt.Options{})
	if err != nil {
		return err
	}
	defer engine.Close()
	if err := fakestore.Generate(ctx, engine, size); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Printf("%s: %s, in %v\n", path, size, time.Since(start).Round(time.Millisecond))
	audit, err := store.New(engine, store.Options{}).Audit(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d open, %d undelivered, %d entries, %d texts; problems: %d\n",
		audit.Open, audit.Undelivered, audit.Entries, audit.Chunks, len(audit.Problems)+audit.More)
	return nil
}
