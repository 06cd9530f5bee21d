package project_test

import (
	"os"
	"path/filepath"
	"testing"

	"planb/store/project"
)

// TestHead writes the files of repositories as git writes them.
func TestHead(t *testing.T) {
	const one, two = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	repository := func(files map[string]string) string {
		dir := t.TempDir()
		files["objects/x"] = ""
		for name, text := range files {
			path := filepath.Join(dir, ".git", filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	worktree := func() string {
		main := repository(map[string]string{
			"HEAD": "ref: refs/heads/main\n", "refs/heads/main": one + "\n", "refs/heads/side": two + "\n",
			"worktrees/side/HEAD": "ref: refs/heads/side\n", "worktrees/side/commondir": "../..\n",
		})
		side := t.TempDir()
		if err := os.WriteFile(filepath.Join(side, ".git"), []byte("gitdir: "+filepath.Join(main, ".git", "worktrees", "side")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return side
	}
	below := func(dir string) string {
		dir = filepath.Join(dir, "a", "b")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for _, test := range []struct{ name, dir, commit, branch string }{
		{"a branch", repository(map[string]string{"HEAD": "ref: refs/heads/main\n", "refs/heads/main": one + "\n"}), one, "main"},
		{"a branch with a slash, from below", below(repository(map[string]string{"HEAD": "ref: refs/heads/a/b\n", "refs/heads/a/b": two + "\n"})), two, "a/b"},
		{"a packed branch", repository(map[string]string{"HEAD": "ref: refs/heads/main\n", "packed-refs": "# pack-refs\n" + two + " refs/heads/other\n" + one + " refs/heads/main\n"}), one, "main"},
		{"a branch without a commit", repository(map[string]string{"HEAD": "ref: refs/heads/new\n"}), "", "new"},
		{"no branch", repository(map[string]string{"HEAD": one + "\n"}), one, ""},
		{"a linked worktree", worktree(), two, "side"},
		{"a ref that leads out", repository(map[string]string{"HEAD": "ref: refs/heads/../../../../secret\n"}), "", ""},
		{"no commit in the ref", repository(map[string]string{"HEAD": "ref: refs/heads/main\n", "refs/heads/main": "nonsense\n"}), "", "main"},
		{"no repository", t.TempDir(), "", ""},
		{"a relative path", "somewhere", "", ""},
	} {
		if commit, branch := project.Head(test.dir); commit != test.commit || branch != test.branch {
			t.Errorf("%s: %q on %q, want %q on %q", test.name, commit, branch, test.commit, test.branch)
		}
	}
}
