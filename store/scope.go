package store

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"slices"

	"planb/store/kv"
	"planb/store/ledger"
)

// belonging names the project that something belongs to.
type belonging struct {
	Project string `json:"project,omitempty"` // its root, hashed
	Machine string `json:"machine,omitempty"`
}

// belonging returns the project of a session; zero if it has none.
func (s *Store) belonging(session Session) belonging {
	if session.Project.IsZero() {
		return belonging{}
	}
	return belonging{ledger.Hash(s.rootOf(session)), session.Machine}
}

// rootOf is the root of the session's project. For a session without a root it is the
// root of the session's directory as it is now.
func (s *Store) rootOf(session Session) string {
	if session.Root != "" {
		return session.Root
	}
	return s.root(session.Project.Raw())
}

// locate fills the Root and Machine of a new session, by its directory.
func (s *Store) locate(session *Session) {
	session.Root, session.Machine = "", s.machine
	if !session.Project.IsZero() {
		session.Root = s.root(session.Project.Raw())
	}
}

// Scope is the sessions of some projects on one machine, at one moment. The zero value
// has none.
type Scope struct {
	root     func(Session) string
	roots    map[string]bool
	hashes   map[string]bool // as indexes have them: of roots, and of directories from before there were roots
	machines map[string]bool
}

// Scope returns the sessions of the projects of these directories on this machine.
func (s *Store) Scope(ctx context.Context, dirs ...string) (Scope, error) {
	machines, err := s.machines(ctx, s.machine)
	if err != nil {
		return Scope{}, err
	}
	scope := Scope{root: s.rootOf, roots: map[string]bool{}, hashes: map[string]bool{}, machines: machines}
	for _, dir := range dirs {
		root := s.root(dir)
		scope.roots[root], scope.hashes[ledger.Hash(root)], scope.hashes[ledger.Hash(dir)] = true, true, true
	}
	return scope, nil
}

// Has reports whether the session is one of the scope's.
func (sc Scope) Has(session Session) bool {
	return sc.machines[session.Machine] && !session.Project.IsZero() && sc.roots[sc.root(session)]
}

// Overlaps reports whether the scopes have a project in common.
func (sc Scope) Overlaps(other Scope) bool {
	for root := range sc.roots {
		if other.roots[root] {
			return true
		}
	}
	return false
}

// has is Has for an index's entry.
func (sc Scope) has(entry belonging) bool {
	return sc.machines[entry.Machine] && sc.hashes[entry.Project]
}

// scopeOf returns the scope of the session's own project on the project's machine.
func (s *Store) scopeOf(ctx context.Context, session Session) (Scope, error) {
	machines, err := s.machines(ctx, s.machine)
	if err == nil && !machines[session.Machine] {
		machines, err = s.machines(ctx, session.Machine)
	}
	if err != nil || session.Project.IsZero() {
		return Scope{}, err
	}
	root := s.rootOf(session)
	return Scope{s.rootOf, map[string]bool{root: true}, map[string]bool{ledger.Hash(root): true}, machines}, nil
}

// adoptedRecord says which machines' sessions count as another one's, too.
type adoptedRecord struct {
	ledger.Header
	By map[string][]string `json:"by"`
}

// machines returns the machines whose sessions count as those of one machine: itself, the
// machines that it adopted, and the empty name of sessions from before machines had names.
func (s *Store) machines(ctx context.Context, machine string) (map[string]bool, error) {
	records, err := s.ledger.GetEach(ctx, adoptedKey)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{"": true, machine: true}
	err = ledger.Beside(records[0], func(r kv.Record) error { // Audit tells that it is damaged
		if !r.Exists() {
			return nil
		}
		record, err := ledger.Decode[adoptedRecord](s.ledger, r)
		if err != nil {
			return err
		}
		for _, adopted := range record.By[machine] {
			own[adopted] = true
		}
		return nil
	})
	return own, err
}

// Adopt makes the sessions of all machines count as this machine's as well. A store that
// was restored on another machine needs this. The sessions stay those machines' too.
func (s *Store) Adopt(ctx context.Context) error {
	others := map[string]bool{}
	for after := ""; ; {
		page, next, err := s.Sessions(ctx, after, kv.MaxPageRecords-1)
		if err != nil {
			return err
		}
		for _, session := range page {
			if session.Machine != "" && session.Machine != s.machine {
				others[session.Machine] = true
			}
		}
		if after = next; after == "" {
			break
		}
	}
	if s.machine == "" || len(others) == 0 {
		return nil
	}
	return s.ledger.Commit(ctx, func(c *ledger.Change) error {
		records, err := s.ledger.Get(ctx, adoptedKey)
		if err != nil {
			return err
		}
		record := adoptedRecord{By: map[string][]string{}}
		if records[0].Exists() {
			if record, err = ledger.Decode[adoptedRecord](s.ledger, records[0]); err != nil {
				return err
			}
		}
		all := maps.Clone(others)
		for _, known := range record.By[s.machine] {
			all[known] = true
		}
		record.Header, record.By[s.machine] = ledger.NewHeader(), slices.Sorted(maps.Keys(all))
		c.Check(records[0])
		return c.Put(adoptedKey, record)
	})
}

// machineMark stands before the machine in an index's entry.
const machineMark = `"machine":"`

// hasMachine reports whether an index entry is of one of the scope's machines, without
// parsing it.
func (sc Scope) hasMachine(entry []byte) bool {
	_, rest, named := bytes.Cut(entry, []byte(machineMark))
	if !named {
		return sc.machines[""]
	}
	machine, _, _ := bytes.Cut(rest, []byte(`"`))
	return sc.machines[string(machine)]
}

// cleanPath is the root of a directory if Options.Root is nil.
func cleanPath(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Clean(dir)
}
