package wording

import (
	"strconv"
	"strings"
)

// Bytes is a size for a person, with two digits or more: 812 bytes, 1.5 KB, 64 KB, 12 MB.
func Bytes[N int | int64](n N) string {
	switch {
	case n < 1<<10:
		return Count(int(n), "byte")
	case n < 1<<20:
		return size(float64(n)/(1<<10), "KB")
	}
	return size(float64(n)/(1<<20), "MB")
}

func size(n float64, unit string) string {
	digits := 1
	if n >= 10 {
		digits = 0
	}
	return strings.TrimSuffix(strconv.FormatFloat(n, 'f', digits, 64), ".0") + " " + unit
}
