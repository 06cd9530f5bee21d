package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// MaxBytes limits an output.
const MaxBytes = 64 << 10

// Read reads what a model or a person sent: one JSON object, also as a JSON string
// or in a code fence. Texts come out with single spaces and without line breaks.
// The error is Problems.
func (s Shape) Read(raw []byte, c Caps) (Object, error) {
	value, err := decode(raw)
	if err != nil {
		var problems Problems
		problems.Add("", err.Error(), "one JSON object with the fields "+s.names(), "")
		return nil, problems
	}
	return s.read(value, c)
}

// read checks a decoded value.
func (s Shape) read(value any, c Caps) (Object, error) {
	r := &reader{caps: c, ids: map[string]string{}}
	o := r.record("", s, value)
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return o, nil
}

// decode reads one JSON value.
func decode(raw []byte) (any, error) {
	switch {
	case len(raw) > MaxBytes:
		return nil, fmt.Errorf("%d bytes, more than the %d of an output", len(raw), MaxBytes)
	case !utf8.Valid(raw):
		return nil, errors.New("text that is not UTF-8")
	}
	text := bytes.TrimSpace(raw)
	if fenced, ok := bytes.CutPrefix(text, []byte("```")); ok {
		_, fenced, _ = bytes.Cut(fenced, []byte("\n"))
		text = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(fenced), []byte("```")))
	}
	if len(text) == 0 {
		return nil, errors.New("nothing")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("JSON that ends too early, after byte %d", len(text))
		}
		at := dec.InputOffset()
		if mistake, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = mistake.Offset
		}
		return nil, fmt.Errorf("text that is not JSON near byte %d (%w)", at, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more text after the end of the JSON, at byte %d", dec.InputOffset())
	}
	if inner, ok := value.(string); ok {
		if text := strings.TrimSpace(inner); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "```") {
			return decode([]byte(inner))
		}
	}
	return value, nil
}

type reader struct {
	caps     Caps
	ids      map[string]string // path by id
	problems Problems
}

func (r *reader) record(at string, s Shape, value any) Object {
	given, ok := value.(map[string]any)
	if !ok {
		r.problems.Add(at, say(value), "an object with the fields "+s.names(), "")
		return nil
	}
	r.unknown(at, s, given)
	o := Object{}
	for _, f := range s {
		v, found := given[f.Name]
		if !found || v == nil || v == "" && f.Optional {
			r.missing(lenient.Join(at, f.Name), f, o)
			continue
		}
		if f.List {
			o[f.Name] = r.list(lenient.Join(at, f.Name), f, v)
			continue
		}
		o[f.Name] = r.value(lenient.Join(at, f.Name), f, v)
	}
	return o
}

// missing reports an absent field that is needed. An absent list that may be empty
// is empty.
func (r *reader) missing(at string, f Field, o Object) {
	switch {
	case f.Optional:
	case f.List && f.Min == 0:
		o[f.Name] = []any{}
	case f.List:
		r.problems.Add(at, "nothing", "a list of "+f.count(r.caps), "")
	default:
		r.problems.Add(at, "nothing", f.allowed(), f.example())
	}
}

func (r *reader) unknown(at string, s Shape, given map[string]any) {
	var names []string
	for _, f := range s {
		names = append(names, f.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(names, key) {
			continue
		}
		allowed := s.names()
		if near, ok := lenient.Nearest(key, names); ok {
			allowed = near + ", which is probably meant"
		}
		r.problems.Add(lenient.Join(at, key), "a field that is not asked for", allowed, "")
	}
}

func (r *reader) list(at string, f Field, value any) []any {
	items, ok := value.([]any)
	if !ok {
		if f.Kind == Record || f.Kind == Map {
			r.problems.Add(at, say(value), "a list of "+f.count(r.caps), "")
			return nil
		}
		items = []any{value} // models write one item without its list
	}
	if f.Lines {
		items = lines(items)
	}
	if n := len(items); n < f.Min || n > f.Most(r.caps) {
		r.problems.Add(at, Counted(n, "item"), f.count(r.caps), "")
	}
	list := make([]any, 0, len(items))
	for i, item := range items {
		list = append(list, r.value(fmt.Sprintf("%s[%d]", at, i), f.item(), item))
	}
	return list
}

// lines divides texts at their line breaks: models write a table, or a list, in one text.
func lines(items []any) (list []any) {
	for _, item := range items {
		text, ok := item.(string)
		if !ok || !strings.Contains(text, "\n") {
			list = append(list, item)
			continue
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
	}
	return list
}

func (r *reader) value(at string, f Field, value any) any {
	switch f.Kind {
	case Record:
		return r.record(at, f.Fields, value)
	case Map:
		return r.mapped(at, f, value)
	case Flag:
		return r.flag(at, f, value)
	case Number, Decimal:
		return r.number(at, f, value)
	}
	text, ok := plain(value)
	if !ok {
		r.problems.Add(at, say(value), f.allowed(), f.example())
		return ""
	}
	return r.text(at, f, strings.Join(strings.Fields(text), " "))
}

func (r *reader) mapped(at string, f Field, value any) any {
	given, ok := value.(map[string]any)
	if !ok {
		r.problems.Add(at, say(value), "an object", f.example())
		return nil
	}
	o := Object{}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		o[key] = r.value(lenient.Join(at, key), f.Fields[0], given[key])
	}
	return o
}

func (r *reader) flag(at string, f Field, value any) any {
	text, _ := plain(value)
	switch strings.ToLower(text) {
	case "true", "yes":
		return true
	case "false", "no":
		return false
	}
	r.problems.Add(at, say(value), f.allowed(), "")
	return false
}

func (r *reader) number(at string, f Field, value any) any {
	text, _ := plain(value)
	n, err := strconv.ParseFloat(ungrouped(text), 64)
	const most = 1e15 // whole numbers are exact up to here
	wrong := err != nil || math.IsNaN(n) || math.Abs(n) > most || f.Kind == Number && n != math.Trunc(n)
	if f.Min < f.Max {
		wrong = wrong || n < float64(f.Min) || n > float64(f.Max)
	}
	if wrong {
		r.problems.Add(at, say(value), f.allowed(), f.example())
		return 0.0
	}
	return n + 0 // + 0 turns -0 into 0
}

// ungrouped removes the commas of 12,000. It leaves alone what is no such number.
func ungrouped(text string) string {
	head, rest, grouped := strings.Cut(strings.TrimSpace(text), ",")
	if !grouped || len(head) == 0 || len(head) > 3 {
		return strings.TrimSpace(text)
	}
	for group := range strings.SplitSeq(rest, ",") {
		if len(group) != 3 {
			return text
		}
		head += group
	}
	return head
}

// text checks a value that is written as a string.
func (r *reader) text(at string, f Field, text string) string {
	switch f.Kind {
	case Text:
		r.words(at, f, text)
		return text
	case Choice:
		for _, choice := range f.Choices {
			if strings.EqualFold(choice, text) || strings.EqualFold(choice, strings.ReplaceAll(text, " ", "_")) {
				return choice
			}
		}
	case ID:
		if f.isID(text) {
			r.once(at, text)
			return text
		}
	case Ref:
		if f.isID(text) {
			return text
		}
	case Day:
		if _, err := time.Parse(time.DateOnly, text); err == nil {
			return text
		}
	case When:
		if isWhen(text) {
			return text
		}
	case Link:
		if isLink(text) {
			return text
		}
	}
	r.problems.Add(at, lenient.Quote(text), f.allowed(), f.example())
	return text
}

func (r *reader) words(at string, f Field, text string) {
	if SaysNothing(text) {
		r.problems.Add(at, lenient.Quote(text), f.allowed(), "")
		return
	}
	if got, allowed, long := tooLong(text, f.Words); long {
		r.problems.Add(at, got, allowed, "")
	}
}

// SaysNothing reports whether a text has no words, such as "?" or "-".
func SaysNothing(text string) bool {
	return safe.New(text).Blank() || strings.Trim(text, ".…-–—?_ ") == ""
}

func (r *reader) once(at, id string) {
	if before, found := r.ids[id]; found {
		r.problems.Add(at, id+", as in "+before, "an id of its own", "")
		return
	}
	r.ids[id] = at
}

// isID reports whether a text is an id with the field's prefix.
func (f Field) isID(text string) bool {
	number, ok := strings.CutPrefix(text, f.Prefix)
	if !ok {
		return false
	}
	if f.Prefix != "" {
		return isNumber(number)
	}
	for part := range strings.SplitSeq(number, ".") {
		if !isNumber(part) {
			return false
		}
	}
	return true
}

func isNumber(text string) bool {
	const most = 4 // digits
	n, err := strconv.Atoi(text)
	return err == nil && n > 0 && len(text) <= most && strconv.Itoa(n) == text
}

// isWhen reports whether a text is "2027-06-18", "Month 3", "Y3" or "M2".
func isWhen(text string) bool {
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return true
	}
	if month, ok := strings.CutPrefix(text, "Month "); ok {
		return month == "0" || isNumber(month)
	}
	return len(text) > 1 && (text[0] == 'Y' || text[0] == 'M') && isNumber(text[1:])
}

// isLink reports whether a text begins like an id and is as short as a link. The
// schedule reads it whole.
func isLink(text string) bool {
	const most = 30 // bytes
	return text != "" && len(text) <= most && text[0] >= '0' && text[0] <= '9'
}

// plain returns the text of a string, a number or a flag.
func plain(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case json.Number:
		return value.String(), true
	case bool:
		return strconv.FormatBool(value), true
	}
	return "", false
}

// say describes a value for a problem.
func say(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		return lenient.Quote(value)
	case json.Number:
		const most = 40
		if len(value) > most {
			return fmt.Sprintf("a number of %d characters", len(value))
		}
		return value.String()
	case bool:
		return strconv.FormatBool(value)
	case []any:
		return fmt.Sprintf("a list of %d", len(value))
	}
	return "an object"
}
