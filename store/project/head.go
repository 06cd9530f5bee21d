package project

import (
	"path/filepath"
	"strings"
)

// Head returns the commit that is checked out in a directory's worktree, and the branch.
// Both are as git's files name them, and empty outside of a repository. A detached
// HEAD has no branch, a new branch no commit.
func Head(dir string) (commit, branch string) {
	if !filepath.IsAbs(dir) {
		return "", ""
	}
	git := ""
	for at := real(dir); git == ""; at = filepath.Dir(at) {
		if git = gitDir(at); at == filepath.Dir(at) {
			break
		}
	}
	if git == "" {
		return "", ""
	}
	head := firstLine(filepath.Join(git, "HEAD"))
	ref, ok := strings.CutPrefix(head, "ref: ")
	if !ok {
		return commitIn(head), ""
	}
	ref = filepath.ToSlash(filepath.Clean(strings.TrimSpace(ref)))
	branch, ok = strings.CutPrefix(ref, "refs/heads/")
	if !ok {
		return "", ""
	}
	common := git
	if named := pathIn(filepath.Join(git, "commondir"), ""); named != "" {
		common = named
	}
	for _, place := range []string{git, common} {
		if commit := commitIn(firstLine(filepath.Join(place, filepath.FromSlash(ref)))); commit != "" {
			return commit, branch
		}
	}
	return packed(filepath.Join(common, "packed-refs"), ref), branch
}

// maxRefs bounds how many refs of a repository are read.
const maxRefs = 100_000

// packed returns the commit of a ref that git has packed into one file.
func packed(file, ref string) string {
	var commit string
	eachLine(file, maxRefs, func(line string) bool {
		found, name, ok := strings.Cut(line, " ")
		if ok && name == ref {
			commit = commitIn(found)
		}
		return commit == ""
	})
	return commit
}

func firstLine(file string) (first string) {
	eachLine(file, 1, func(line string) bool {
		first = line
		return false
	})
	return first
}

// commitIn returns the text if it is the name of a commit, in SHA-1 or SHA-256.
func commitIn(text string) string {
	text = strings.TrimSpace(text)
	if len(text) != 40 && len(text) != 64 || strings.Trim(text, "0123456789abcdef") != "" {
		return ""
	}
	return text
}
