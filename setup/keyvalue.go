package setup

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"planb/setup/edit"
	"planb/themes"
)

// parse parses a value from a variable, a flag or a command line: without
// TOML's quotes, a list with commas. Its error says what is allowed and calls
// the setting named.
func (k Key) parse(named, text string) (value, error) {
	v := value{text: text}
	fits := true
	switch k.kind {
	case kindSwitch:
		var err error
		v.on, err = strconv.ParseBool(strings.TrimSpace(text))
		fits = err == nil
	case kindList:
		v.list, fits = listed(text)
	}
	if settings := Defaults(); !fits || !k.set(&settings, v) {
		return value{}, k.refuse(named, text, quote(text))
	}
	return v, nil
}

// listed reads a list: items with commas between them, or a list as in the file.
func listed(text string) ([]string, bool) {
	var file struct{ List []string }
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		err := toml.Unmarshal([]byte("list = "+text), &file)
		return file.List, err == nil
	}
	for _, item := range strings.Split(text, ",") {
		file.List = append(file.List, strings.TrimSpace(item))
	}
	return file.List, true
}

// variable parses the value of the key's variable.
func (k Key) variable(text string) (value, error) {
	if k.fromEnv == nil {
		return k.parse(k.Env, text)
	}
	return k.fromEnv(strings.TrimSpace(text))
}

// refuse returns the error for a value that is not allowed; got shows the
// value.
func (k Key) refuse(named, text, got string) error {
	choices := k.names()
	nearest, ok := Nearest(text, choices)
	switch {
	case !ok || text == "" || text == nearest:
		return fmt.Errorf("%s is %s; allowed: %s", named, got, k.Allowed())
	case k.shownBy != "":
		return fmt.Errorf("%s is %s; did you mean %q? `%s` shows what is allowed", named, got, nearest, k.shownBy)
	}
	return fmt.Errorf("%s is %s; did you mean %q? Allowed: %s", named, got, nearest, k.Allowed())
}

// Choices returns the allowed values; none if the setting is free text.
func (k Key) Choices() []string {
	if k.kind == kindSwitch {
		return []string{"true", "false"}
	}
	return k.names()
}

// names returns the allowed values if they are names.
func (k Key) names() []string {
	if k.choices == nil {
		return nil
	}
	return k.choices()
}

func (k Key) IsList() bool { return k.kind == kindList }

// toml formats a value as in the file.
func (k Key) toml(v value) string {
	switch k.kind {
	case kindSwitch:
		return strconv.FormatBool(v.on)
	case kindList:
		return List(v.list)
	}
	return strconv.Quote(v.text)
}

// List formats a list as in the file.
func List(entries []string) string { return "[" + quoted(entries) + "]" }

func (k Key) plain(v value) any {
	switch k.kind {
	case kindSwitch:
		return v.on
	case kindList:
		return v.list
	}
	return v.text
}

// Default returns the key's default as TOML.
func (k Key) Default() string { return k.toml(k.get(Defaults())) }

// change returns the edit that sets the value.
func (k Key) change(text string) (edit.Change, error) {
	v, err := k.parse(k.Name, text)
	if err != nil {
		return edit.Change{}, err
	}
	path := strings.Split(k.Name, ".")
	switch k.kind {
	case kindSwitch:
		return edit.Set(v.on, path...), nil
	case kindList:
		return edit.Set(v.list, path...), nil
	}
	return edit.Set(strings.TrimSpace(v.text), path...), nil
}

// isBaseURL reports whether a text is the address of a server, with nothing secret in it.
func isBaseURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

// isVariable reports whether a text may be the name of a variable. So it refuses most keys
// that a person sets by mistake: keys have hyphens or dots.
func isVariable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z') && !('0' <= r && r <= '9')
	})
}

func setTheme(to *string, name string, themes themes.Collection) bool {
	if strings.TrimSpace(name) == "" {
		*to = ""
		return true
	}
	found, err := themes.Find(name)
	if err != nil {
		return false
	}
	*to = found.Name
	return true
}

// setPercentage stores a percentage from 10% to 90%, or 0 for an empty text.
func setPercentage(to *int, text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		*to = 0
		return true
	}
	digits, found := strings.CutSuffix(text, "%")
	n, err := strconv.ParseUint(digits, 10, 8)
	if !found || err != nil || n < 10 || n > 90 {
		return false
	}
	*to = int(n)
	return true
}

// percentage formats what setPercentage stored.
func percentage(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n) + "%"
}

// setDuration stores a duration that is not below least.
func setDuration(to *time.Duration, text string, least time.Duration) bool {
	d, err := parseDuration(strings.TrimSpace(text))
	if err != nil || d < least {
		return false
	}
	*to = d
	return true
}

// parseDuration is time.ParseDuration that also knows days.
func parseDuration(text string) (time.Duration, error) {
	const day = 24 * time.Hour
	days, rest, hasDays := strings.Cut(text, "d")
	if !hasDays {
		return time.ParseDuration(text)
	}
	n, err := strconv.ParseUint(days, 10, 32)
	if err != nil || n > uint64(math.MaxInt64/day) {
		return 0, errors.New("not a number of days")
	}
	if rest == "" {
		return time.Duration(n) * day, nil
	}
	d, err := time.ParseDuration(rest)
	if err == nil && (d < 0 || d >= day) {
		err = errors.New("not less than a day beside days")
	}
	return time.Duration(n)*day + d, err
}

// shortDuration formats a duration as people write it: 24h, not 24h0m0s.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// milliseconds parses a timeout as in ASK_ANSWER_TIMEOUT_MS. A value too large
// for a Duration (292 years) becomes the largest one.
func milliseconds(text string) (value, error) {
	ms, err := strconv.ParseUint(text, 10, 64)
	outOfRange := errors.Is(err, strconv.ErrRange)
	if err != nil && !outOfRange || err == nil && ms == 0 {
		return value{}, fmt.Errorf("ASK_ANSWER_TIMEOUT_MS is %q, not a whole number of milliseconds above 0; set it to, for example, 86400000 (a day), or unset it", text)
	}
	d := time.Duration(math.MaxInt64)
	if !outOfRange && ms <= math.MaxInt64/uint64(time.Millisecond) {
		d = max(time.Duration(ms)*time.Millisecond, 1)
	}
	return value{text: d.String()}, nil
}

func setName(to *string, name string, allowed []string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	if !slices.Contains(allowed, name) {
		return false
	}
	*to = name
	return true
}

// setNames stores a list of at least one name.
func setNames(to *[]string, names, allowed []string) bool {
	list := make([]string, len(names))
	for i, name := range names {
		if !setName(&list[i], name, allowed) {
			return false
		}
	}
	if len(list) == 0 {
		return false
	}
	*to = list
	return true
}

func quoted(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, strconv.Quote(name))
	}
	return strings.Join(list, ", ")
}
