package tool

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"planb/plainjson"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
)

// Sentence is a person's text with a full stop, if it ends in none.
func Sentence(text string) string {
	if last, _ := utf8.DecodeLastRuneInString(text); !strings.ContainsRune(".!?…", last) {
		text += "."
	}
	return text
}

// Remedy tells the model what to do about a fault of the store. The fault's own sentence is
// for the user: a model with a shell might follow its advice, and move away everything that
// was ever asked and planned.
func Remedy(err error) string {
	var fault *kv.Fault
	var newer *store.FormatError
	switch {
	case errors.As(err, &fault) && fault.Kind == kv.FaultHeld:
		return " Call again in a minute. If it stays so, tell your user exactly that; end no process yourself."
	case errors.As(err, &fault) && fault.Kind == kv.FaultFull:
		// Room is kept in reserve for what people are answering.
		return theirsAlone + "Until they have, begin nothing new with planb; what you must know, ask in the conversation. " +
			"What is open can still be answered: get_answer waits for it."
	case store.AboutOneRecord(err):
		return theirsAlone + "Until they have, do without that record; all else works."
	case errors.As(err, &fault), errors.As(err, &newer):
		return theirsAlone + "Until they have, planb cannot be used; what you must know, ask in the conversation."
	}
	return ""
}

// Quoted is a title in quotes, on one line.
func Quoted(title safe.Text) string {
	return `"` + strings.Join(strings.Fields(title.Raw()), " ") + `"`
}

// OneLine joins the lines of an error and takes its full stop away, for use
// inside a sentence.
func OneLine(text string) string {
	return strings.TrimSuffix(strings.Join(strings.Fields(text), " "), ".")
}

// InWords writes a duration as people say it: 24 hours, 1 minute 30 seconds,
// 1.5 seconds.
func InWords(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d milliseconds", d.Milliseconds())
	}
	if d < time.Minute {
		d = d.Round(100 * time.Millisecond)
	}
	if d < time.Minute && d%time.Second != 0 {
		return fmt.Sprintf("%g seconds", d.Seconds())
	}
	units := []struct {
		name string
		size time.Duration
	}{
		{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second},
	}
	if d == 24*time.Hour {
		units = units[1:]
	}
	var parts []string
	for _, unit := range units {
		n := d / unit.size
		d -= n * unit.size
		switch {
		case n == 1:
			parts = append(parts, "1 "+unit.name)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", n, unit.name))
		}
	}
	return strings.Join(parts, " ")
}

// JSON is the JSON of a value that always encodes: texts and finite numbers.
func JSON(v any) string {
	text, err := plainjson.Marshal(v)
	if err != nil {
		return strconv.Quote(err.Error())
	}
	return string(text)
}

// NotUTF8 is the place of the first byte that is not UTF-8; -1 if there is none.
func NotUTF8(text string) int {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

// Join makes one note of those that are not empty.
func Join(notes ...string) string {
	text := ""
	for _, note := range notes {
		if text != "" && note != "" {
			text += " "
		}
		text += note
	}
	return text
}

// Shortened shows the beginning of a text that was given, short enough for an error.
func Shortened(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// NotStored words a failure of the store for the model.
func NotStored(session, what string, err error) *Result {
	return Failed(session, fmt.Sprintf("%s: %s.%s", what, OneLine(err.Error()), Remedy(err)))
}

// theirsAlone is for faults that a model must not mend itself.
const theirsAlone = " Only your user may put this right: tell them exactly that, and move, change or delete nothing there yourself. "
