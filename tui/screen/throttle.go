package screen

// Throttle lets a screen read one time after another, with a rest in between, however often
// the store rings. A read that is wanted meanwhile comes after them, once.
type Throttle struct {
	reading, resting bool
	again            bool // a read is wanted
}

// Begin reports whether a read may begin now. If not, it is wanted.
func (t *Throttle) Begin() bool {
	if t.reading || t.resting {
		t.again = true
		return false
	}
	t.reading = true
	return true
}

// BeginMore is Begin for a read of further records, which needs no rest before it. If it may
// not begin now, it is not made up for later.
func (t *Throttle) BeginMore() bool {
	if t.reading {
		return false
	}
	t.reading = true
	return true
}

// Rest begins the rest after a read. The screen calls Rested when it is over.
func (t *Throttle) Rest() { t.resting = true }

// Ended notes the end of a read, and reports whether the next one is to begin.
func (t *Throttle) Ended() bool {
	t.reading = false
	return t.next()
}

// Rested notes the end of a rest, and reports whether the next read is to begin.
func (t *Throttle) Rested() bool {
	t.resting = false
	return t.next()
}

func (t *Throttle) next() bool {
	if !t.again || t.reading || t.resting {
		return false
	}
	t.again = false
	return true
}
