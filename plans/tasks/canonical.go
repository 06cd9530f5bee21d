package tasks

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"planb/questions/safe"
)

// canonical is JSON as it is hashed: keys in ascending order, no white space, and
// the exact bytes of every text. Only what JSON forbids in a string is escaped, and
// each such byte in one way. A field without a value is left out, so a field of a
// later planb changes no hash where it is not used. This form never changes.
type canonical []byte

func (c *canonical) begin()          { *c = append(*c, '{') }
func (c *canonical) end()            { *c = append(*c, '}') }
func (c *canonical) name(key string) { c.separate(); c.string(key); *c = append(*c, ':') }

// separate writes a comma, except at the beginning of an object or a list.
func (c *canonical) separate() {
	if last := (*c)[len(*c)-1]; last != '{' && last != '[' {
		*c = append(*c, ',')
	}
}

func (c *canonical) text(key, value string) {
	if value != "" {
		c.name(key)
		c.string(value)
	}
}

func (c *canonical) number(key string, value int) {
	c.name(key)
	*c = strconv.AppendInt(*c, int64(value), 10)
}

func (c *canonical) list(key string, values []string) {
	if len(values) == 0 {
		return
	}
	c.name(key)
	*c = append(*c, '[')
	for _, value := range values {
		c.separate()
		c.string(value)
	}
	*c = append(*c, ']')
}

// string writes a JSON string. A byte that is not UTF-8 becomes U+FFFD, because
// JSON has only Unicode.
func (c *canonical) string(s string) {
	b := append(*c, '"')
	from := 0 // what stands before it is written
	for i := 0; i < len(s); {
		if some := plain(s[i:]); some > 0 {
			i += some
			continue
		}
		if at := s[i]; at >= ' ' && at < utf8.RuneSelf && at != '"' && at != '\\' {
			i++
			continue
		}
		size := 1
		if s[i] >= utf8.RuneSelf {
			_, size = utf8.DecodeRuneInString(s[i:])
		}
		if size == 1 {
			b = append(append(b, s[from:i]...), escapedByte(s[i])...)
			from = i + 1
		}
		i += size
	}
	*c = append(append(b, s[from:]...), '"')
}

// plain returns how many bytes at the beginning are surely ASCII that a JSON string holds as
// it is. Looking at bytes one by one took a fifth of the time of a proposal.
func plain(s string) int {
	const tops = 0x8080808080808080
	before := len(s)
	for len(s) >= 32 && (odd(s)|odd(s[8:])|odd(s[16:])|odd(s[24:]))&tops == 0 {
		s = s[32:]
	}
	for len(s) >= 8 && odd(s)&tops == 0 {
		s = s[8:]
	}
	return before - len(s)
}

// odd has a byte with its top bit set if one of the first eight bytes is not ASCII that a JSON
// string holds as it is.
func odd(s string) uint64 {
	const ones = 0x0101010101010101
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	control, quote, backslash := x-ones*' ', (x^ones*'"')-ones, (x^ones*'\\')-ones
	return x | control | quote | backslash // a byte less than what is taken off sets its top bit
}

// escapedByte returns the escape sequence for a byte that may not stand in a JSON
// string.
func escapedByte(b byte) string {
	switch {
	case b >= utf8.RuneSelf:
		return string(utf8.RuneError)
	case b >= ' ':
		return `\` + string(rune(b))
	}
	const digits = "0123456789abcdef"
	return `\u00` + digits[b>>4:b>>4+1] + digits[b&15:b&15+1]
}

func (c *canonical) execution(key string, e Execution) {
	c.name(key)
	c.begin()
	c.list("constraints", raws(e.Constraints))
	c.list("files", raws(e.Files))
	c.list("inputs", raws(e.Inputs))
	c.text("kind", string(e.Kind))
	c.text("output", e.Output.Raw())
	c.end()
}

func (c *canonical) verification(key string, v Verification) {
	c.name(key)
	c.begin()
	c.list("commands", raws(v.Commands))
	c.list("criteria", raws(v.Criteria))
	c.text("kind", string(v.Kind))
	c.end()
}

// seed writes the part of a seed that its hash covers. Priority, the edges that agents
// added and soft edges permit nothing and are left out.
func (c *canonical) seed(s Seed) {
	c.begin()
	dependsOn := s.DependsOn
	if !slices.IsSorted(dependsOn) {
		dependsOn = slices.Sorted(slices.Values(dependsOn))
	}
	c.list("dependsOn", dependsOn)
	c.text("description", s.Description.Raw())
	c.number("estimateMinutes", s.Minutes)
	c.execution("executionContract", s.Execution)
	c.text("nodeKey", s.Key)
	c.text("title", s.Title.Raw())
	c.verification("verificationContract", s.Verification)
	c.end()
}

// usualBytes is how many bytes the seed takes in this form, unless it has a long contract
// or many escaped characters. A buffer of that size does not grow.
func (s Seed) usualBytes() int { return len(s.Title.Raw()) + len(s.Description.Raw())*9/8 + 512 }

// task writes a task without its edges, as encoding/json reads it. It is several times
// faster than encoding/json is, and a proposal has up to 500 tasks.
func (c *canonical) task(t Task) {
	c.begin()
	c.text("description", t.Description.Raw())
	c.text("done", t.Done.Raw())
	if t.Dropped {
		c.name("dropped")
		*c = append(*c, "true"...)
	}
	c.number("estimateMinutes", t.Minutes)
	c.execution("executionContract", t.Execution)
	c.number("n", t.Number)
	c.text("nodeKey", t.Key)
	c.number("priority", t.Priority)
	c.text("splitFrom", t.SplitFrom)
	c.text("title", t.Title.Raw())
	c.verification("verificationContract", t.Verification)
	c.end()
}

func raws(texts []safe.Text) []string {
	if len(texts) == 0 {
		return nil
	}
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = text.Raw()
	}
	return list
}
