// Package project finds the project of a directory: one directory stands for a
// repository and all its git worktrees; a directory outside of a repository
// stands for itself. The package only reads files, so git need not be
// installed. It does not trust what one directory claims: a worktree belongs to
// a repository only if the repository says so, too.
package project

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Dir returns the directory that a process works for: the first root that a
// client names, else CLAUDE_PROJECT_DIR, else the working directory. The roots
// may be empty.
func Dir(roots []string, env func(name string) string, working string) string {
	if len(roots) > 0 {
		return roots[0]
	}
	if dir := env("CLAUDE_PROJECT_DIR"); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	return working
}

// Root returns the directory that stands for the project of dir: the main
// worktree of its repository, or the repository itself if it is bare. Outside
// of a repository it returns dir. A submodule is a project of its own. The
// result has no symbolic links in it. A dir that is not absolute is returned
// unchanged.
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

// real resolves the links of a path, as far as the path exists.
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

// repository returns the root of a project. The directory is the project's git directory,
// or the top of one of its worktrees. The result is empty if the directory is neither.
func repository(at string) string {
	git := gitDir(at)
	switch {
	case git == "" && isGitDir(at):
		return shared(at)
	case git == "":
		return ""
	}
	// The git directory of a linked worktree is <shared>/worktrees/<name>. A
	// file in it points back to the worktree.
	all := filepath.Dir(git)
	if filepath.Base(all) != "worktrees" || pathIn(filepath.Join(git, "gitdir"), "") != filepath.Join(at, ".git") {
		return at
	}
	return shared(filepath.Dir(all))
}

// shared returns the root for a git directory that several worktrees share: its
// main worktree, if that worktree names this git directory as its own.
func shared(git string) string {
	for _, main := range []string{filepath.Dir(git), configured(git)} {
		if main != "" && gitDir(main) == git {
			return main
		}
	}
	return git
}

// gitDir returns the git directory of the worktree that begins at the
// directory. It is empty if none begins there.
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

// isGitDir reports whether git would accept the directory as a git directory. A
// linked worktree's own one has a HEAD; the rest is in the shared one.
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

// configured returns the main worktree that a git directory's config names. A
// submodule's config names one. It is empty if the config names none.
func configured(git string) string {
	return lineIn(filepath.Join(git, "config"), func(line string) (string, bool) {
		key, value, ok := strings.Cut(line, "=")
		return strings.TrimSpace(value), ok && strings.EqualFold(strings.TrimSpace(key), "worktree")
	}, git)
}

// pathIn returns the path that follows the word in the first line of the file.
func pathIn(file, word string) string {
	return lineIn(file, func(line string) (string, bool) { return strings.CutPrefix(line, word) }, filepath.Dir(file))
}

// maxLines bounds how much of a file is read: git's own files are short.
const maxLines = 1000

// lineIn returns the path in the first line that has one, with its links
// resolved; a relative path begins at base. It is empty if no line has a path,
// or if the file is not a regular file.
func lineIn(file string, read func(line string) (path string, ok bool), base string) (found string) {
	eachLine(file, maxLines, func(line string) bool {
		path, ok := read(line)
		if !ok || path == "" {
			return true
		}
		if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
			path = filepath.Join(base, path)
		}
		found = real(path)
		return false
	})
	return found
}

// eachLine calls do with the first lines of a regular file, until it returns false.
func eachLine(file string, most int, do func(line string) bool) {
	// Without O_NONBLOCK a FIFO in the file's place would block the caller.
	opened, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer opened.Close()
	if info, err := opened.Stat(); err != nil || !info.Mode().IsRegular() {
		return
	}
	lines := bufio.NewScanner(opened)
	for n := 0; n < most && lines.Scan(); n++ {
		if !do(lines.Text()) {
			return
		}
	}
}
