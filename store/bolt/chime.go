package bolt

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"planb/store/kv"
)

// chime is what the doorbell tells of a commit.
type chime struct {
	rev    int64
	txid   uint64
	before int64    // the revision of the commit that rang before it
	keys   []kv.Key // all that it wrote and deleted; nil: not told
}

const (
	// The numbers have a fixed width, so that they replace the older ones whole.
	chimeNumbers = "%019d %020d\n"
	numbersBytes = 19 + 1 + 20 + 1
	chimeSum     = "%08x\n"
)

// formatChime writes a line with the numbers. If the keys fit in, it adds a line with
// them and a line with the checksum of both.
func formatChime(c chime) []byte {
	text := fmt.Appendf(make([]byte, 0, chimeBytes), chimeNumbers, c.rev, c.txid)
	if c.keys == nil {
		return text
	}
	line := strconv.FormatInt(c.before, 10)
	for _, key := range c.keys {
		line += "\t" + string(key)
	}
	whole := append(text, line+"\n"...)
	whole = fmt.Appendf(whole, chimeSum, chimeChecksum(whole))
	if len(whole) > chimeBytes {
		return text
	}
	return whole
}

// parseChime reads what formatChime wrote over older text. It leaves out the keys if
// another process is just writing them.
func parseChime(text string) (chime, error) {
	var c chime
	if len(text) < numbersBytes {
		return c, fmt.Errorf("it has %d bytes where %d are expected", len(text), numbersBytes)
	}
	if _, err := fmt.Sscanf(text[:numbersBytes], chimeNumbers, &c.rev, &c.txid); err != nil {
		return c, err
	}
	if c.rev < 0 {
		return c, errors.New("the revision is below zero")
	}
	line, rest, _ := strings.Cut(text[numbersBytes:], "\n")
	covered := text[:min(numbersBytes+len(line)+1, len(text))]
	if !strings.HasPrefix(rest, fmt.Sprintf(chimeSum, chimeChecksum([]byte(covered)))) {
		return c, nil
	}
	before, keys, _ := strings.Cut(line, "\t")
	rev, err := strconv.ParseInt(before, 10, 64)
	if err != nil || keys == "" {
		return c, nil
	}
	c.before = rev
	for key := range strings.SplitSeq(keys, "\t") {
		c.keys = append(c.keys, kv.Key(key))
	}
	return c, nil
}

func chimeChecksum(text []byte) uint32 {
	return crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))
}
