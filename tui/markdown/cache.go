package markdown

import (
	"container/list"
	"sync"

	"planb/questions/safe"
	"planb/themes"
)

// key is everything a Doc depends on.
type key struct {
	text    safe.Text
	width   int
	palette themes.Palette
	ascii   bool
	joined  bool
	cited   string // the key of what its citations show
}

// cache keeps the most recently used Docs, up to a number of bytes.
type cache struct {
	limit int

	mu    sync.Mutex
	bytes int
	order *list.List // of *entry, the most recently used first
	byKey map[key]*list.Element
}

type entry struct {
	key   key
	doc   Doc
	bytes int
}

func newCache(limit int) *cache {
	return &cache{limit: limit, order: list.New(), byKey: map[key]*list.Element{}}
}

func (c *cache) get(k key) (Doc, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[k]
	if !ok {
		return Doc{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry).doc, true
}

// put adds a Doc, unless it alone is larger than the cache.
func (c *cache) put(k key, doc Doc) {
	size := len(k.text.Raw()) + sizeOf(doc)
	if size > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[k]; ok {
		return // two goroutines rendered the same text at once
	}
	c.byKey[k] = c.order.PushFront(&entry{k, doc, size})
	c.bytes += size
	for c.bytes > c.limit {
		oldest := c.order.Remove(c.order.Back()).(*entry)
		delete(c.byKey, oldest.key)
		c.bytes -= oldest.bytes
	}
}

// sizeOf estimates the bytes of a Doc and its entry, without the text.
func sizeOf(doc Doc) int {
	const perEntry, perLine, perBlock = 512, 32, 32
	n := perEntry + len(doc.Notice) + perBlock*len(doc.Wide)
	for _, line := range doc.Lines {
		n += perLine + len(line)
	}
	return n
}
