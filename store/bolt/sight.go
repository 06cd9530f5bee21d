package bolt

import (
	"os"
	"slices"
	"strings"

	"planb/store/kv"
)

// sight is the state of the store that the watchers were last told of.
type sight struct {
	file os.FileInfo // nil: it could not be read
	txid uint64      // of the last commit, rung or not
	loud int64       // the revision of the last commit that rang
}

// news is what changed since the watchers were told.
type news struct {
	any  bool // it may be anything
	keys []kv.Key
}

// hear notes the commits that the doorbell lists, the newest first, and returns the
// keys that they changed. Each commit names the one before it. If they do not lead back
// to what was seen, a commit is missing between them, and anything may have changed.
func (s *sight) hear(told []chime) news {
	seen := s.loud
	if told[0].rev <= seen {
		return news{}
	}
	s.loud = told[0].rev
	s.txid = max(s.txid, told[0].txid)
	var keys []kv.Key
	for i, c := range told {
		if c.keys == nil || i > 0 && c.rev != told[i-1].before {
			break
		}
		if keys = append(keys, c.keys...); c.before == seen {
			return news{keys: keys}
		}
	}
	return news{any: true}
}

// under reports whether something under the prefix may be new.
func (n news) under(prefix kv.Key) bool {
	return n.any || slices.ContainsFunc(n.keys, func(key kv.Key) bool {
		return strings.HasPrefix(string(key), string(prefix))
	})
}
