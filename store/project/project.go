// Package project finds the project of a directory: the one directory that stands for a repository with all its git
// worktrees, else the directory itself. It reads files alone, so git need not be there. Nothing that a directory says of
// itself is taken on trust: it belongs to another one only where that one says so, too.
package project

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Dir is the directory a process works for: the first root that a client names,
// else CLAUDE_PROJECT_DIR, else the working directory. The roots may be empty.
func Dir(roots []string, env func(name string) string, working string) string {
	if len(roots) > 0 {
		return roots[0]
	}
	if dir := env("CLAUDE_PROJECT_DIR"); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	return working
}

// Root is the directory that stands for the project of dir: that of the main
// worktree of its repository, or the repository itself where that is bare. Without
// a repository it is dir. A submodule is a project of its own. The result has no
// links in it; a dir that is not absolute is returned as it is.
func Root(dir string) string {
	if !filepath.IsAbs(dir) {
		return dir
	}
	dir = real(dir)
	for at := dir; ; at = filepath.Dir(at) {
		if root := repository(at); root != "" {
			return root
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// real is the path without links, as far as it exists.
func real(path string) string {
	path = filepath.Clean(path)
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(real(parent), filepath.Base(path))
}

// repository is the root of the project whose worktree begins at the directory, or
// whose git directory it is; empty if there is none.
func repository(at string) string {
	git := gitDir(at)
	switch {
	case git == "" && isGitDir(at):
		return shared(at)
	case git == "":
		return ""
	}
	// The git directory of a linked worktree is <shared>/worktrees/<name>, and a file
	// in it points back.
	all := filepath.Dir(git)
	if filepath.Base(all) != "worktrees" || pathIn(filepath.Join(git, "gitdir"), "") != filepath.Join(at, ".git") {
		return at
	}
	return shared(filepath.Dir(all))
}

// shared is the root for a git directory that worktrees share: its main worktree,
// if that has it for its git directory.
func shared(git string) string {
	for _, main := range []string{filepath.Dir(git), configured(git)} {
		if main != "" && gitDir(main) == git {
			return main
		}
	}
	return git
}

// gitDir is the git directory of the worktree that begins at the directory; empty
// if none begins there.
func gitDir(at string) string {
	git := filepath.Join(at, ".git")
	if named := pathIn(git, "gitdir: "); named != "" {
		git = named
	}
	if !isGitDir(git) {
		return ""
	}
	return real(git)
}

// isGitDir reports whether git would take the directory for one of its own. That of
// a linked worktree has a HEAD, and the rest is shared.
func isGitDir(dir string) bool {
	head, err := os.Stat(filepath.Join(dir, "HEAD"))
	if err != nil || !head.Mode().IsRegular() {
		return false
	}
	for _, part := range []string{"objects", "commondir"} {
		if _, err := os.Stat(filepath.Join(dir, part)); err == nil {
			return true
		}
	}
	return false
}

// configured is the main worktree that a git directory's config names, as that of a
// submodule does; empty if it names none.
func configured(git string) string {
	return lineIn(filepath.Join(git, "config"), func(line string) (string, bool) {
		key, value, ok := strings.Cut(line, "=")
		return strings.TrimSpace(value), ok && strings.EqualFold(strings.TrimSpace(key), "worktree")
	}, git)
}

// pathIn is the path that the first line of a file names behind a word.
func pathIn(file, word string) string {
	return lineIn(file, func(line string) (string, bool) { return strings.CutPrefix(line, word) }, filepath.Dir(file))
}

// maxLines bounds how much of a file is read: those of git are short.
const maxLines = 1000

// lineIn is the path in the first line that has one, without links; a relative one
// begins at base. It is empty where there is none, and for what is no regular file.
func lineIn(file string, read func(line string) (path string, ok bool), base string) string {
	// A FIFO in the file's place must not hold the caller up.
	opened, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer opened.Close()
	if info, err := opened.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	lines := bufio.NewScanner(opened)
	for n := 0; n < maxLines && lines.Scan(); n++ {
		path, ok := read(lines.Text())
		if !ok || path == "" {
			continue
		}
		if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
			path = filepath.Join(base, path)
		}
		return real(path)
	}
	return ""
}
