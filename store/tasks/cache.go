package tasks

import (
	"container/list"
	"sync"
)

// maxCached limits what a process keeps of the texts that it read, by their bytes. What
// was read takes about four times as much.
const maxCached = 4 << 20

// cache keeps what was made of texts, by their digests: a text with a digest never
// changes. What it returns must not be changed. The zero value is ready.
type cache struct {
	mu      sync.Mutex
	entries map[string]*list.Element
	recent  list.List // of cached; the one that was used last is first
	size    int
}

type cached struct {
	digest string
	value  any
	size   int
}

// get returns what was made of the text; nil if it is not kept.
func (c *cache) get(digest string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[digest]
	if !ok {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(cached).value
}

// put keeps what was made of a text, and drops what was not used for the longest time.
func (c *cache) put(digest string, value any, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[string]*list.Element{}
	}
	if _, ok := c.entries[digest]; ok || size > maxCached {
		return
	}
	c.entries[digest] = c.recent.PushFront(cached{digest, value, size})
	for c.size += size; c.size > maxCached; {
		last := c.recent.Back()
		old := c.recent.Remove(last).(cached)
		delete(c.entries, old.digest)
		c.size -= old.size
	}
}
