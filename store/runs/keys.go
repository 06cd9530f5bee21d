package runs

import (
	"fmt"
	"strings"
	"time"

	"planb/drafts"
	"planb/store/kv"
	"planb/store/ledger"
)

// The families of keys; doc.go says what each holds.
const (
	planKeys    kv.Key = "dp/"
	runKeys     kv.Key = "dn/"
	stepKeys    kv.Key = "ds/"
	eventKeys   kv.Key = "de/"
	listKeys    kv.Key = "dt/"
	sameKeys    kv.Key = "dd/"
	requestKeys kv.Key = "dr/"

	// OfKeys lead from a session to its plans.
	OfKeys kv.Key = "do/"
	// OpenKeys lead from a session to its plans that are not completed.
	OpenKeys kv.Key = "dw/"
)

// OpenOf is the prefix of the keys of a session's plans that are not completed.
func OpenOf(session string) kv.Key { return OpenKeys + kv.Key(session) + "/" }

func openKey(session, plan string) kv.Key { return OpenOf(session) + kv.Key(plan) }

// OfSession is the prefix of the keys of a session's plans.
func OfSession(session string) kv.Key { return OfKeys + kv.Key(session) + "/" }

func ofKey(session, plan string) kv.Key { return OfSession(session) + kv.Key(plan) }

// PlanOf is the plan that a record belongs to; empty for an index and for what other
// packages keep.
func PlanOf(key kv.Key) string {
	switch family := ledger.Family(key); family {
	case planKeys, runKeys, stepKeys, eventKeys:
		id, _, _ := strings.Cut(string(key[len(family):]), "/")
		return id
	}
	return ""
}

func planKey(id string) kv.Key { return planKeys + kv.Key(id) }

func runKey(id string) kv.Key { return runKeys + kv.Key(id) }

func stepsOf(plan string) kv.Key { return stepKeys + kv.Key(plan) + "/" }

// stepKey is the key of a step's record.
func stepKey(plan string, step drafts.Step) kv.Key {
	return stepsOf(plan) + kv.Key(stepNumber(step))
}

// stepNumber is the number of a step in keys. It never changes, so that the outputs that
// an older planb kept are found under their own steps: pipeline 1 had the risks before the
// facts.
func stepNumber(step drafts.Step) string {
	n := step.Number
	switch step.ID {
	case "risks":
		n = 7
	case "facts":
		n = 8
	case "project":
		n = 9
	}
	if step.Part > 0 {
		return fmt.Sprintf("%02d.%d", n, step.Part)
	}
	return fmt.Sprintf("%02d", n)
}

// numbered are the ids of the steps of a detail by the numbers in their keys.
func numbered(d drafts.Detail) map[string]string {
	ids := map[string]string{}
	for _, s := range drafts.Steps(d) {
		ids[stepNumber(s)] = s.ID
	}
	return ids
}

// stepID returns the id of the step that the end of a key names: "03", or "17.2" for a
// part of a step. It is empty for a step that ids does not have.
func stepID(ids map[string]string, end string) string {
	number, part, inParts := strings.Cut(end, ".")
	if id := ids[number]; id == "" || !inParts {
		return id
	}
	return ids[number] + "." + part
}

func eventsOf(plan string) kv.Key { return eventKeys + kv.Key(plan) + "/" }

func eventKey(plan string, cursor int) kv.Key {
	return eventsOf(plan) + kv.Key(fmt.Sprintf("%010d", cursor))
}

func listKey(created time.Time, plan string) kv.Key {
	return listKeys + ledger.Inverted(created) + "/" + kv.Key(plan)
}

func sameKey(hash string) kv.Key { return sameKeys + kv.Key(hash) }

func requestKey(hash string) kv.Key { return requestKeys + kv.Key(hash) }

// WorkerClaim is the claim of the worker that writes a plan.
func WorkerClaim(plan string) kv.Key {
	return ledger.ClaimKeys + "draft/" + kv.Key(ledger.Hash(plan))
}

// stepClaims is the prefix of the claims of those who write steps of a plan.
func stepClaims(plan string) kv.Key {
	return ledger.ClaimKeys + "step/" + kv.Key(ledger.Hash(plan)) + "/"
}

// StepClaim is the claim of the one who writes a step of a plan.
func StepClaim(plan, step string) kv.Key { return stepClaims(plan) + kv.Key(step) }
