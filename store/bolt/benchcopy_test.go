package bolt

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"planb/store/kv"
)

const benchCopyBytes = 50 << 20

// BenchmarkCopy copies a store of 50 MB while another goroutine writes to it, and tells
// how long the slowest of those writes took.
func BenchmarkCopy(b *testing.B) {
	e := openBig(b)
	dir := b.TempDir()
	n, slowest := 0, time.Duration(0)
	for b.Loop() {
		began := make(chan struct{})
		ended := make(chan error, 1)
		go func() {
			close(began)
			n++
			ended <- e.Copy(b.Context(), filepath.Join(dir, fmt.Sprintf("copy-%d.db", n)))
		}()
		<-began
		other, err := Open(b.Context(), e.path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for copying := true; copying; {
			select {
			case err := <-ended:
				if err != nil {
					b.Fatal(err)
				}
				copying = false
			default:
				start := time.Now()
				if err := write(b, other); err != nil {
					b.Fatal(err)
				}
				slowest = max(slowest, time.Since(start))
			}
		}
		if err := other.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(slowest.Microseconds())/1000, "ms/slowest-write")
}

// BenchmarkCheck looks through a store of 50 MB.
func BenchmarkCheck(b *testing.B) {
	e := openBig(b)
	for b.Loop() {
		if found, err := checkFile(e.path); err != nil || len(found.Problems) > 0 {
			b.Fatal(found.Problems, err)
		}
	}
}

func openBig(b *testing.B) *Engine {
	b.Helper()
	e := openNew(b)
	random := rand.New(rand.NewPCG(1, 2))
	value := make([]byte, 16<<10)
	for at, i := 0, 0; at < benchCopyBytes; i++ {
		var batch kv.Batch
		for j := range 60 {
			for k := range value {
				value[k] = byte(random.Uint32())
			}
			batch.Puts = append(batch.Puts, kv.Put{Key: kv.Key(fmt.Sprintf("big/%04d/%02d", i, j)), Value: append([]byte{}, value...)})
			at += len(value)
		}
		if err := e.Commit(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	return e
}
