package tasks

import (
	"strconv"

	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

// The families of keys; doc.go says what each holds.
const (
	projectKeys kv.Key = "wj/"
	nameKeys    kv.Key = "wn/"
	slugKeys    kv.Key = "wg/"
	listKeys    kv.Key = "wl/"
	planKeys    kv.Key = "wp/"
	attemptKeys kv.Key = "wr/"
	rowKeys     kv.Key = "wv/"
	quotaKeys   kv.Key = "wq/"

	// agentKeys are the claims that say which connections live; see Connection.
	agentKeys = ledger.ClaimKeys + "agent/"

	// OpenKeys lead from a session to its plans that are proposed or active.
	OpenKeys kv.Key = "wo/"
)

// OpenOf is the prefix of the keys of a session's open plans.
func OpenOf(session string) kv.Key { return OpenKeys + kv.Key(session) + "/" }

func openKey(session, plan string) kv.Key { return OpenOf(session) + kv.Key(plan) }

func projectKey(id string) kv.Key { return projectKeys + kv.Key(id) }

func nameKey(owner, name string) kv.Key {
	return nameKeys + kv.Key(ledger.Hash(owner+"\n"+tasks.FoldName(name)))
}

func slugKey(owner, slug string) kv.Key {
	return slugKeys + kv.Key(ledger.Hash(owner+"\n"+slug))
}

func plansOf(project string) kv.Key { return listKeys + kv.Key(project) + "/" }

func listKey(project, plan string) kv.Key { return plansOf(project) + kv.Key(plan) }

func planKey(id string) kv.Key { return planKeys + kv.Key(id) }

func marksKey(plan string) kv.Key { return planKey(plan) + "/s" }

func claimsOf(plan string) kv.Key { return planKey(plan) + "/c/" }

func claimKey(plan string, n int) kv.Key { return claimsOf(plan) + kv.Key(strconv.Itoa(n)) }

func attemptsKey(plan string, n int) kv.Key {
	return attemptKeys + kv.Key(plan) + "/" + kv.Key(strconv.Itoa(n))
}

func agentKey(hash string) kv.Key { return agentKeys + kv.Key(hash) }

func rowsOf(about string) kv.Key { return rowKeys + kv.Key(about) + "/" }

// numberOf is the number of the task that a claim or a past is of; 0 for other keys.
func numberOf(key kv.Key) int {
	n, err := strconv.Atoi(ledger.LastPart(key))
	if err != nil {
		return 0
	}
	return n
}
