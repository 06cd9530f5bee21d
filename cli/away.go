package cli

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"planb/store"
	"planb/store/bolt"
	"planb/store/handoff"
)

// runtimeDir is where everything is kept while the data directory takes no
// writes; empty if there is no such place. It does not go by XDG_RUNTIME_DIR:
// MCP clients do not pass that on, and a server and its form must look in one
// place. What it names on systems that have it is looked for itself.
func (e environment) runtimeDir() (string, error) {
	if dir := strings.TrimSpace(e["PLANB_RUNTIME_DIR"]); dir != "" {
		return filepath.Abs(dir)
	}
	if runtime.GOOS == "windows" {
		return "", nil // where a file in use cannot be removed, away could not end
	}
	user := fmt.Sprint(os.Geteuid())
	if info, err := os.Stat(filepath.Join("/run/user", user)); err == nil && info.IsDir() {
		return filepath.Join("/run/user", user, "planb"), nil
	}
	dir := filepath.Join("/tmp", "planb-"+user)
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return "", nil // anybody can put a link or a file there
	}
	return dir, nil
}

// keptDir is where, in the data directory, lies what could not come home because
// another machine had written something else there.
const keptDir = "kept"

// engineOver is the engine over the store at path and the one that stands in for
// it. Their places are looked at when they are first used.
func (p program) engineOver(path string, opts bolt.Options) (store.Engine, error) {
	opts.Reserve = bolt.ReserveBytes
	home := bolt.NewLazy(path, opts)
	away, err := p.awayPath(path, ".db")
	if err != nil || away == "" {
		return home, err
	}
	stand, err := bolt.At(away, bolt.Options{Notice: opts.Notice})
	if err != nil {
		return nil, err
	}
	return handoff.New(home, stand, handoff.Options{
		HomePath: filepath.Dir(path), AwayPath: away,
		Same: store.SameFormat, Text: store.Text, Notice: opts.Notice,
		Keep: func(name string, text []byte) error {
			return bolt.PutAside(filepath.Join(filepath.Dir(path), keptDir), name, text)
		},
	}), nil
}

// awayPath is what belongs to the store at path and lies in the runtime directory,
// under a name that ends like that; empty if there is no such directory. Two data
// directories don't mix.
func (p program) awayPath(path, end string) (string, error) {
	dir, err := p.env.runtimeDir()
	if err != nil || dir == "" {
		return "", err
	}
	return filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256([]byte(path)))[:16]+end), nil
}

// away is what lies elsewhere because the data directory takes no writes.
func (s openedStore) away(ctx context.Context) (handoff.State, error) {
	both, ok := s.engine.(*handoff.Engine)
	if !ok {
		return handoff.State{}, nil
	}
	return both.State(ctx)
}

// stillAway is awaySentence after a try to move home what is away: nobody is told
// what is over by then.
func (s openedStore) stillAway(ctx context.Context) string {
	if both, ok := s.engine.(*handoff.Engine); ok && s.awaySentence(ctx) != "" {
		_ = both.MoveHome(ctx) // the sentence says why, and a commit what else is wrong
	}
	return s.awaySentence(ctx)
}

// awaySentence is away for an agent: empty if everything is where it belongs, or
// if that can't be seen, which other calls tell.
func (s openedStore) awaySentence(ctx context.Context) string {
	state, err := s.away(ctx)
	if err != nil || state.Commits == 0 {
		return ""
	}
	return "This is " + state.String() + "."
}
