package bolt

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"planb/store/kv"
)

// benchRecords is how many records a benchmark's store holds before it starts. They have
// benchValue bytes each, and so have the records that the benchmark writes.
const (
	benchRecords = 1000
	benchValue   = 2048
)

func benchStore(b *testing.B) *Engine {
	b.Helper()
	e := openNew(b)
	for at := 0; at < benchRecords; at += kv.MaxBatchWrites {
		var batch kv.Batch
		for i := range kv.MaxBatchWrites {
			batch.Puts = append(batch.Puts, kv.Put{Key: savedKey(at + i), Value: make([]byte, benchValue)})
		}
		if err := e.Commit(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	return e
}

func benchCommit(ctx context.Context, e *Engine, i int) error {
	return e.Commit(ctx, kv.Batch{Puts: []kv.Put{{Key: savedKey(i % benchRecords), Value: make([]byte, benchValue)}}})
}

// BenchmarkWrite compares one commit through the engine with one by a bbolt
// handle that is held open, taking turns in one run. The budget of ratio is 1.6.
func BenchmarkWrite(b *testing.B) {
	e, other := benchStore(b), benchStore(b)
	held, err := bbolt.Open(other.path, 0o600, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer held.Close()
	var ours, theirs []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		if err := benchCommit(b.Context(), e, i); err != nil {
			b.Fatal(err)
		}
		between := time.Now()
		err := held.Update(func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte(recordsBucket)).Put([]byte(savedKey(i%benchRecords)), make([]byte, benchValue))
		})
		if err != nil {
			b.Fatal(err)
		}
		ours, theirs = append(ours, between.Sub(start)), append(theirs, time.Since(between))
	}
	mine, bare := quantile(ours, 0.5), quantile(theirs, 0.5)
	b.ReportMetric(micros(mine), "µs/commit")
	b.ReportMetric(micros(bare), "µs/held")
	b.ReportMetric(float64(mine)/float64(bare), "ratio")
}

func BenchmarkGet(b *testing.B) {
	e := benchStore(b)
	for i := 0; b.Loop(); i++ {
		if _, err := e.Get(b.Context(), savedKey(i%benchRecords)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGet300 reads 300 records at once, as the hub of a server with 300 waiting asks
// does.
func BenchmarkGet300(b *testing.B) {
	e := benchStore(b)
	var keys []kv.Key
	for i := range 300 {
		keys = append(keys, savedKey(i*3))
	}
	for b.Loop() {
		if _, err := e.Get(b.Context(), keys...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkContention has 16 processes write at once, as fast as they can, and
// compares the 99th percentile of their commits with the median of a process
// that writes alone, in the same run. The budget of ratio is 48.
func BenchmarkContention(b *testing.B) {
	const processes, each = 16, 20
	e := benchStore(b)
	var alone, crowd []time.Duration
	for b.Loop() {
		alone = append(alone, writeTogether(b, e.path, 1, 100)...)
		crowd = append(crowd, writeTogether(b, e.path, processes, each)...)
	}
	one, p99 := quantile(alone, 0.5), quantile(crowd, 0.99)
	b.ReportMetric(micros(one), "µs/alone")
	b.ReportMetric(micros(quantile(crowd, 0.5)), "µs/p50")
	b.ReportMetric(micros(p99), "µs/p99")
	b.ReportMetric(float64(p99)/float64(one), "ratio")
	b.ReportMetric(0, "ns/op")
}

// writeTogether starts processes that write at the same moment, and returns how
// long each commit took.
func writeTogether(b *testing.B, path string, processes, each int) []time.Duration {
	b.Helper()
	var commands []*exec.Cmd
	var starts []io.Closer
	var outs []*bufio.Scanner
	for range processes {
		cmd := child(b, "bench", path, strconv.Itoa(each))
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		commands = append(commands, cmd)
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "ready" {
			b.Fatalf("the process said %q", lines.Text())
		}
		starts, outs = append(starts, in), append(outs, lines)
	}
	for _, start := range starts {
		if err := start.Close(); err != nil {
			b.Fatal(err)
		}
	}
	var took []time.Duration
	for _, lines := range outs {
		for lines.Scan() {
			d, err := time.ParseDuration(lines.Text())
			if err != nil {
				b.Fatal(err)
			}
			took = append(took, d)
		}
	}
	for _, cmd := range commands {
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	if len(took) != processes*each {
		b.Fatalf("%d commits of %d", len(took), processes*each)
	}
	return took
}

// childBench waits for its input to end, then writes and prints how long each
// commit took.
func childBench(path, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	ctx := context.Background()
	e, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	if _, err := e.Get(ctx, savedKey(0)); err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	var out strings.Builder
	for i := range n {
		start := time.Now()
		if err := benchCommit(ctx, e, i*37+os.Getpid()); err != nil {
			return err
		}
		fmt.Fprintln(&out, time.Since(start))
	}
	fmt.Print(out.String())
	return nil
}

// BenchmarkDoorbell measures from the end of a commit until another engine's
// watch fires.
func BenchmarkDoorbell(b *testing.B) {
	writer := benchStore(b)
	reader := openAt(b, writer.path)
	c := startWatch(b, reader)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		fired := make(chan time.Time)
		go func() {
			<-c
			fired <- time.Now()
		}()
		if err := benchCommit(b.Context(), writer, i); err != nil {
			b.Fatal(err)
		}
		done := time.Now()
		took = append(took, max(0, (<-fired).Sub(done)))
	}
	b.ReportMetric(micros(quantile(took, 0.5)), "µs/p50")
	b.ReportMetric(micros(quantile(took, 0.99)), "µs/p99")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkLook is the second look of a watching process, once a second.
func BenchmarkLook(b *testing.B) {
	e := benchStore(b)
	for b.Loop() {
		if seen := e.hub.look(); seen.file == nil {
			b.Fatal("nothing seen")
		}
	}
}

// BenchmarkOpen is the cost of a process before its first operation.
func BenchmarkOpen(b *testing.B) {
	path := benchStore(b).path
	for b.Loop() {
		e, err := Open(b.Context(), path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func quantile(all []time.Duration, q float64) time.Duration {
	slices.Sort(all)
	return all[min(len(all)-1, int(float64(len(all))*q))]
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
