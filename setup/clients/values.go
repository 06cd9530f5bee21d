package clients

import "time"

// at follows a path through decoded configuration; nil if the path ends early.
func at(data any, path ...string) any {
	for _, key := range path {
		table, _ := data.(map[string]any)
		data = table[key]
	}
	return data
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// texts returns the strings in a list.
func texts(value any) []string {
	list, _ := value.([]any)
	var all []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

func millis(value any) time.Duration  { return duration(value, time.Millisecond) }
func seconds(value any) time.Duration { return duration(value, time.Second) }

// duration converts a number of units; 0 if value is no number above 0.
func duration(value any, unit time.Duration) time.Duration {
	const most = 1 << 62
	var count float64
	switch v := value.(type) {
	case int64:
		count = float64(v)
	case float64:
		count = v
	}
	if !(count > 0) {
		return 0
	}
	return time.Duration(min(count*float64(unit), most))
}
