package bolt

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"planb/store/kv"
)

// Watch implements kv.Engine. It fires at once for a commit under the prefix, and
// within about a second if the writer died before it rang. Quiet commits do not fire.
// A commit under another prefix fires only if the doorbell does not tell its keys.
func (e *Engine) Watch(ctx context.Context, prefix kv.Key) (<-chan struct{}, error) {
	return e.hub.bell.Join(ctx, prefix)
}

// hub finds out what changed for all watchers of an engine: one goroutine, one doorbell
// and one second look, as long as there are watchers.
type hub struct {
	e     *Engine
	bell  *kv.Bell
	leave context.CancelFunc // ends the goroutine; the bell calls start and stop one at a time
	gone  sync.WaitGroup

	mu   sync.Mutex
	seen sight
}

func newHub(e *Engine) *hub {
	h := &hub{e: e}
	h.bell = kv.NewBell(h.start, h.stop)
	return h
}

func (h *hub) close() {
	h.bell.Close()
	h.gone.Wait()
}

// start listens to the doorbell and only then looks once, so that it misses nothing in
// between.
func (h *hub) start() {
	ctx, leave := context.WithCancel(context.Background())
	h.leave = leave
	ear := h.listen()
	seen := h.look()
	if told, err := readBell(h.e.bell); err == nil {
		seen.loud = told[0].rev
	}
	h.mu.Lock()
	h.seen = seen
	h.mu.Unlock()
	h.gone.Go(func() {
		defer ear.close()
		h.run(ctx, ear)
	})
}

// stop ends the goroutine.
func (h *hub) stop() { h.leave() }

func (h *hub) run(ctx context.Context, ear *ear) {
	tick := time.NewTicker(h.e.look)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case ev := <-ear.events():
			if ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename) {
				ear.lost()
			}
			h.rung()
		case err := <-ear.errors():
			// An overflow, most likely: a ring may be lost.
			h.e.notice(err)
			h.fire(func(*sight) news { return news{any: true} })
		case <-tick.C:
			ear.mend()
			h.lookAgain(ctx)
		}
	}
}

// committed tells of commits: of this engine's own before its ring comes back through
// the system.
func (h *hub) committed(told []chime) {
	h.fire(func(seen *sight) news { return seen.hear(told) })
}

// rung reads the doorbell. If it cannot be read, the second look finds what has
// changed.
func (h *hub) rung() {
	if told, err := readBell(h.e.bell); err == nil {
		h.committed(told)
	}
}

// fire lets change update what was seen, and wakes the watchers of the keys that
// changed.
func (h *hub) fire(change func(*sight) news) {
	h.mu.Lock()
	news := change(&h.seen)
	h.mu.Unlock()
	h.bell.Ring(news.under)
}

// look reads, without a lock, which file is there and its last transaction.
func (h *hub) look() sight {
	f, err := os.Open(h.e.path)
	if err != nil {
		return sight{}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return sight{}
	}
	m, err := readMeta(f)
	if err != nil {
		return sight{}
	}
	return sight{file: info, txid: m.txid}
}

// lookAgain looks for what the doorbell did not tell: a commit whose writer died
// before it rang, another file in the place, a file that broke or is whole again.
// Whether new commits were quiet stands in the store itself.
func (h *hub) lookAgain(ctx context.Context) {
	now := h.look()
	h.mu.Lock()
	before := h.seen
	h.mu.Unlock()
	if !sameFile(before.file, now.file) {
		h.fire(func(seen *sight) news {
			*seen = now
			return news{any: true}
		})
		return
	}
	if now.file == nil || now.txid == before.txid {
		return
	}
	var loud int64
	err := h.e.view(ctx, func(b buckets) error {
		loud = b.loud()
		return nil
	})
	h.fire(func(seen *sight) news {
		if err != nil {
			return news{any: true} // the caller that reads again gets the error
		}
		seen.txid = max(seen.txid, now.txid)
		if loud == seen.loud {
			return news{}
		}
		seen.loud = loud
		return news{any: true}
	})
}

func sameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b)
}

// ear listens to the doorbell's file. It watches the file and not its directory: there
// every page that bbolt writes would wake it.
type ear struct {
	e       *Engine
	watcher *fsnotify.Watcher // nil: deaf; only the second look finds changes
	file    os.FileInfo       // the one that is watched
}

// listen starts to listen. If it cannot, it says so in one notice.
func (h *hub) listen() *ear {
	ear := &ear{e: h.e}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		h.e.notice(err)
		return ear
	}
	ear.watcher = watcher
	if err := ear.attach(os.O_CREATE); err != nil {
		h.e.notice(err)
	}
	return ear
}

// attach watches the doorbell's file, opened with one more flag.
func (r *ear) attach(flag int) error {
	f, err := os.OpenFile(r.e.bell, os.O_RDONLY|flag, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if r.file, err = f.Stat(); err != nil {
		return err
	}
	return r.watcher.Add(r.e.bell)
}

// lost forgets the doorbell's file. A new file may get the same number in the file
// system, so a comparison would not tell them apart.
func (r *ear) lost() { r.file = nil }

// mend listens again if the doorbell's file was replaced, or if it was removed and a
// process that rang made it anew.
func (r *ear) mend() {
	if r.watcher == nil {
		return
	}
	there, err := os.Stat(r.e.bell)
	if err != nil || r.file != nil && os.SameFile(r.file, there) {
		return
	}
	_ = r.watcher.Remove(r.e.bell) // it may be gone with its file
	if err := r.attach(0); err != nil {
		r.lost() // the next look tries again
	}
}

func (r *ear) events() <-chan fsnotify.Event {
	if r.watcher == nil {
		return nil
	}
	return r.watcher.Events
}

func (r *ear) errors() <-chan error {
	if r.watcher == nil {
		return nil
	}
	return r.watcher.Errors
}

func (r *ear) close() {
	if r.watcher != nil {
		_ = r.watcher.Close() // its answer changes nothing
	}
}
