package tasks

import (
	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

// The families of keys; doc.go says what each holds.
const (
	projectKeys kv.Key = "wj/"
	nameKeys    kv.Key = "wn/"
	slugKeys    kv.Key = "wg/"
	rowKeys     kv.Key = "wv/"
	quotaKeys   kv.Key = "wq/"
)

func projectKey(id string) kv.Key { return projectKeys + kv.Key(id) }

func nameKey(owner, name string) kv.Key {
	return nameKeys + kv.Key(ledger.Hash(owner+"\n"+tasks.FoldName(name)))
}

func slugKey(owner, slug string) kv.Key {
	return slugKeys + kv.Key(ledger.Hash(owner+"\n"+slug))
}

func rowsOf(about string) kv.Key { return rowKeys + kv.Key(about) + "/" }
