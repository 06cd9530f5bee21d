package tasks

import (
	"container/list"
	"sync"
)

// maxCached limits what a process keeps of what it read, by its bytes. In memory it takes
// about four times as much.
const maxCached = 4 << 20

// cache keeps values made from texts and records. Its keys never change their meaning: the
// digest of a text, a revision of a record. Callers must not change the values. The zero
// value is ready.
type cache struct {
	mu      sync.Mutex
	entries map[string]*list.Element
	recent  list.List // of cached; the one that was used last is first
	size    int
}

type cached struct {
	name  string
	value any
	size  int
}

// get returns what has the name; nil if it is not kept.
func (c *cache) get(name string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[name]
	if !ok {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(cached).value
}

// put keeps something, and drops what was not used for the longest time.
func (c *cache) put(name string, value any, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[string]*list.Element{}
	}
	if _, ok := c.entries[name]; ok || size > maxCached {
		return
	}
	c.entries[name] = c.recent.PushFront(cached{name, value, size})
	for c.size += size; c.size > maxCached; {
		last := c.recent.Back()
		old := c.recent.Remove(last).(cached)
		delete(c.entries, old.name)
		c.size -= old.size
	}
}
