package runs

import (
	"fmt"
	"time"

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
	ofKeys      kv.Key = "do/"

	// OpenKeys lead from a session to its plans that are not completed.
	OpenKeys kv.Key = "dw/"
)

// OpenOf is the prefix of the keys of a session's plans that are not completed.
func OpenOf(session string) kv.Key { return OpenKeys + kv.Key(session) + "/" }

func openKey(session, plan string) kv.Key { return OpenOf(session) + kv.Key(plan) }

func ofSession(session string) kv.Key { return ofKeys + kv.Key(session) + "/" }

func ofKey(session, plan string) kv.Key { return ofSession(session) + kv.Key(plan) }

func planKey(id string) kv.Key { return planKeys + kv.Key(id) }

func runKey(id string) kv.Key { return runKeys + kv.Key(id) }

func stepsOf(plan string) kv.Key { return stepKeys + kv.Key(plan) + "/" }

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

// StepClaims is the prefix of the claims of those who write steps of a plan.
func StepClaims(plan string) kv.Key {
	return ledger.ClaimKeys + "step/" + kv.Key(ledger.Hash(plan)) + "/"
}

// StepClaim is the claim of the one who writes a step of a plan.
func StepClaim(plan, step string) kv.Key { return StepClaims(plan) + kv.Key(step) }
