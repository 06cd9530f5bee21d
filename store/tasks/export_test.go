package tasks

import "time"

// Linger sets how long the connection says that it lives after its last task.
func (c *Connection) Linger(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.linger = d
}

// LookEvery sets how often the connection's claims look for holders that are gone.
func (c *Connection) LookEvery(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lookEvery = d
}

// Busy reports whether a call is just making sure that the connection is known to live.
func (c *Connection) Busy() bool {
	if c.mu.TryLock() {
		c.mu.Unlock()
		return false
	}
	return true
}
