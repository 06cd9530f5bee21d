package tasks

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"planb/plans"
	"planb/questions/lenient"
	"planb/questions/safe"
)

// madeKeyBytes limits a nodeKey that is made from a title.
const madeKeyBytes = 40

// validKey reports whether a text can be a nodeKey. Keys stand in lists with
// commas, in braces and on command lines.
func validKey(key string) bool {
	if key == "" || len(key) > MaxKeyBytes || strings.ContainsRune("-_.:/", rune(key[0])) {
		return false
	}
	_, printable := safe.Printable(key)
	return printable && !strings.ContainsFunc(key, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !strings.ContainsRune("-_.:/", r)
	})
}

func keyRule() string {
	return fmt.Sprintf("1 to %d bytes of letters, digits and - _ . : /, a letter or digit first", MaxKeyBytes)
}

// madeKey makes a nodeKey for the task at index i from its title. made counts the
// keys that were made from the same title.
func madeKey(title string, i int, taken map[string]bool, made map[string]int) string {
	base := lenient.Slug(title, madeKeyBytes)
	if base == "" {
		base = "task-" + strconv.Itoa(i+1)
	}
	key := base
	for n := made[base]; taken[key]; n++ {
		key = base + "-" + strconv.Itoa(n+2)
		made[base] = n + 1
	}
	return key
}

// isTidy reports whether tidyDescription surely leaves a description as it is. It is
// quick, because each change of a plan looks at all descriptions.
func isTidy(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(first) != "" && strings.TrimRight(text, " \t\n") == text && !strings.Contains(text, "\r") &&
		!strings.Contains(text, "```") && !strings.Contains(text, "~~~") && !safe.New(text).Blank()
}

// unixLines returns a text whose lines end in \n.
func unixLines(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

// tidyDescription returns a description as it is kept: lines end in \n, no blank
// lines at either end, and a code block that is left open is closed, so that it
// cannot swallow the next task.
func tidyDescription(text string) safe.Text {
	text = strings.TrimRight(unixLines(text), " \t\n")
	for {
		line, rest, found := strings.Cut(text, "\n")
		if !found || strings.TrimSpace(line) != "" {
			break
		}
		text = rest
	}
	if isTidy(text) { // without looking for blocks
		return safe.New(text)
	}
	if blocks := plans.Blocks(text); len(blocks) > 0 && blocks[len(blocks)-1].To == 0 {
		text += "\n" + blocks[len(blocks)-1].Fence
	}
	if safe.New(text).Blank() {
		return safe.Text{}
	}
	return safe.New(text)
}
