package tasks

import (
	"fmt"
	"strconv"
	"strings"
)

// An id is a UUID in its usual form of 36 characters. A plan's id ends in 0000,
// and the id of its task n ends in n, in hexadecimal: so no index leads from a
// task to its plan.
const (
	idBytes     = 36
	numberBytes = 4 // the last digits of a task's id
	shortBytes  = 6 // the digits before them, which people type
)

// PlanID turns a new UUID into the id of a plan.
func PlanID(uuid string) (string, error) { return withNumber(uuid, 0) }

// TaskID returns the id of task n of a plan.
func TaskID(plan string, n int) (string, error) { return withNumber(plan, n) }

func withNumber(uuid string, n int) (string, error) {
	if !isUUID(uuid) {
		return "", fmt.Errorf("%q is no UUID", uuid)
	}
	if n < 0 || n > MaxTasks {
		return "", fmt.Errorf("a task has a number from 1 to %d; got %d", MaxTasks, n)
	}
	return fmt.Sprintf("%s%04x", strings.ToLower(uuid[:idBytes-numberBytes]), n), nil
}

// SplitID returns the plan and the number that an id names. The number is 0 for
// the id of a plan. ok is false if it is the id of neither.
func SplitID(id string) (plan string, n int, ok bool) {
	if !isUUID(id) {
		return "", 0, false
	}
	number, err := strconv.ParseUint(id[idBytes-numberBytes:], 16, 16)
	if err != nil || number > MaxTasks {
		return "", 0, false
	}
	return strings.ToLower(id[:idBytes-numberBytes]) + "0000", int(number), true
}

func isUUID(id string) bool {
	if len(id) != idBytes {
		return false
	}
	for i := range len(id) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (id[i] == '-') || !dash && !isHex(id[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// Short returns the id as people type it: six digits of the plan, and for a task
// its number behind a point, 3f9a1c.12. An id of neither is returned as it is.
func Short(id string) string {
	plan, n, ok := SplitID(id)
	switch {
	case !ok:
		return id
	case n == 0:
		return plan[idBytes-numberBytes-shortBytes : idBytes-numberBytes]
	}
	return plan[idBytes-numberBytes-shortBytes:idBytes-numberBytes] + "." + strconv.Itoa(n)
}

// ParseShort reads what Short writes. digits are those of the plan, in lower
// case; n is 0 if only a plan is named.
func ParseShort(text string) (digits string, n int, ok bool) {
	digits, number, task := strings.Cut(strings.ToLower(text), ".")
	if len(digits) != shortBytes || strings.ContainsFunc(digits, func(r rune) bool { return r > 'f' || !isHex(byte(r)) }) {
		return "", 0, false
	}
	if !task {
		return digits, 0, true
	}
	parsed, err := strconv.Atoi(number)
	if err != nil || parsed < 1 || parsed > MaxTasks || strconv.Itoa(parsed) != number {
		return "", 0, false
	}
	return digits, parsed, true
}

// ClaimID names the claim of an attempt; random makes it unguessable for those
// who did not get it.
func ClaimID(attempt int, random uint32) string { return fmt.Sprintf("%d-%08x", attempt, random) }

// AttemptOf returns the attempt that a claim belongs to.
func AttemptOf(claim string) (attempt int, ok bool) {
	number, random, found := strings.Cut(claim, "-")
	attempt, err := strconv.Atoi(number)
	_, wrong := strconv.ParseUint(random, 16, 32)
	return attempt, found && err == nil && wrong == nil && attempt > 0 && len(random) == 8
}
