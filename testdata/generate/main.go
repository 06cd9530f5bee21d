// Planb generate makes a data directory with a store of any size in it, to see
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

	"planb/store"
	"planb/store/bolt"
	"planb/store/storetest"
)

func main() {
	size := storetest.FullSize()
	flag.Uint64Var(&size.Seed, "seed", size.Seed, "another number makes another store, the same the same")
	flag.IntVar(&size.Sessions, "sessions", size.Sessions, "how many sessions")
	flag.IntVar(&size.Asks, "asks", size.Asks, "how many asks, in all sessions")
	flag.IntVar(&size.Versions, "versions", size.Versions, "how many plan versions, in all sessions")
	flag.IntVar(&size.VersionBytes, "version-bytes", size.VersionBytes, "about how long each is")
	flag.IntVar(&size.Longest, "longest", size.Longest, "how many of the versions are in one session")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./testdata/generate [flags] DIR   (then: PLANB_DATA_DIR=DIR planb tui)")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := generate(context.Background(), flag.Arg(0), size); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(ctx context.Context, dir string, size storetest.Size) error {
	start := time.Now()
	path := filepath.Join(dir, "planb.db")
	engine, err := bolt.Open(ctx, path, bolt.Options{})
	if err != nil {
		return err
	}
	defer engine.Close()
	if err := storetest.Generate(ctx, engine, size); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Printf("%s: %s, in %v\n", path, size, time.Since(start).Round(time.Millisecond))
	audit, err := store.New(engine, store.Options{}).Audit(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d open, %d undelivered, %d drafts, %d texts; problems: %d\n",
		audit.Open, audit.Undelivered, audit.Drafts, audit.Chunks, len(audit.Problems)+audit.More)
	return nil
}
