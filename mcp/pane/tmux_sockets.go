package pane

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	// seekTime is how long one server may take to list its panes.
	seekTime = time.Second
	// maxSockets limits how many sockets are tried.
	maxSockets = 16
)

// tmuxServers lists the sockets where tmux keeps those of this user. Like tmux, it
// trusts no directory that others may write to, and no socket of somebody else's.
func tmuxServers(env Env) ([]tmuxServer, error) {
	base := env("TMUX_TMPDIR")
	if base == "" {
		base = "/tmp"
	}
	dir := filepath.Join(base, "tmux-"+strconv.Itoa(os.Getuid()))
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.IsDir() || info.Mode().Perm()&0o007 != 0 || !isOwn(info):
		return nil, nil // tmux itself would refuse it
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var servers []tmuxServer
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || info.Mode().Type() != fs.ModeSocket || !isOwn(info) {
			continue // gone meanwhile, or none of ours
		}
		if servers = append(servers, tmuxServer{filepath.Join(dir, entry.Name()), runTmux}); len(servers) == maxSockets {
			break
		}
	}
	return servers, nil
}
