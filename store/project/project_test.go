package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// place makes a directory for a test and returns its path without symbolic
// links.
func place(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// git runs git in a directory, without the settings of the person who runs the
// test.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{
		"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main",
	}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, said)
	}
}

// repo makes a repository with one commit.
func repo(t *testing.T, dir string) {
	t.Helper()
	makeDir(t, dir)
	git(t, dir, "init", "-q")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
}

func makeDir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	makeDir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func wantRoot(t *testing.T, dir, want string) {
	t.Helper()
	if got := Root(dir); got != want {
		t.Errorf("the project of %s is %s, want %s", dir, got, want)
	}
}

func TestWorktreesAreOneProject(t *testing.T) {
	dir := place(t)
	main := filepath.Join(dir, "main")
	repo(t, main)
	wantRoot(t, main, main)
	makeDir(t, filepath.Join(main, "docs", "deep"))
	wantRoot(t, filepath.Join(main, "docs", "deep"), main)
	wantRoot(t, filepath.Join(main, "not", "there"), main)
	for _, name := range []string{"one", "two"} {
		git(t, main, "worktree", "add", "-q", filepath.Join(dir, name))
		wantRoot(t, filepath.Join(dir, name), main)
	}
	git(t, main, "worktree", "add", "-q", filepath.Join(main, "inside"))
	wantRoot(t, filepath.Join(main, "inside"), main)
	git(t, main, "worktree", "move", filepath.Join(dir, "two"), filepath.Join(dir, "three"))
	wantRoot(t, filepath.Join(dir, "three"), main)
	other := filepath.Join(dir, "other")
	repo(t, other)
	wantRoot(t, other, other)
}

// From Git 2.48 on a worktree may name its repository by a relative path.
func TestAWorktreeWithRelativePaths(t *testing.T) {
	dir := place(t)
	main, tree := filepath.Join(dir, "main"), filepath.Join(dir, "tree")
	repo(t, main)
	git(t, main, "worktree", "add", "-q", tree)
	write(t, filepath.Join(tree, ".git"), "gitdir: ../main/.git/worktrees/tree\n")
	write(t, filepath.Join(main, ".git", "worktrees", "tree", "gitdir"), "../../../../tree/.git\n")
	wantRoot(t, tree, main)
}

func TestWorktreesOfABareRepository(t *testing.T) {
	dir := place(t)
	repo(t, filepath.Join(dir, "from"))
	bare := filepath.Join(dir, "bare.git")
	git(t, dir, "clone", "-q", "--bare", "from", bare)
	for _, name := range []string{"one", filepath.Join("bare.git", "two")} {
		git(t, bare, "worktree", "add", "-q", "-b", filepath.Base(name), filepath.Join(dir, name))
		wantRoot(t, filepath.Join(dir, name), bare)
	}
	wantRoot(t, bare, bare)

	// The bare repository is hidden in the directory that holds its worktrees.
	home := filepath.Join(dir, "home")
	git(t, dir, "clone", "-q", "--bare", "from", filepath.Join(home, ".bare"))
	write(t, filepath.Join(home, ".git"), "gitdir: ./.bare\n")
	git(t, home, "worktree", "add", "-q", filepath.Join(home, "one"), "main")
	wantRoot(t, home, home)
	wantRoot(t, filepath.Join(home, "one"), home)
}

func TestASubmoduleIsItsOwnProject(t *testing.T) {
	dir := place(t)
	repo(t, filepath.Join(dir, "lib"))
	main := filepath.Join(dir, "main")
	repo(t, main)
	git(t, main, "submodule", "--quiet", "add", filepath.Join(dir, "lib"), "lib")
	lib := filepath.Join(main, "lib")
	wantRoot(t, lib, lib)
	wantRoot(t, main, main)
	git(t, lib, "worktree", "add", "-q", filepath.Join(dir, "tree"))
	wantRoot(t, filepath.Join(dir, "tree"), lib)
}

func TestADirectoryThroughALinkIsTheSameProject(t *testing.T) {
	dir := place(t)
	real := filepath.Join(dir, "real")
	makeDir(t, filepath.Join(real, "sub"))
	if err := os.Symlink(real, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	wantRoot(t, filepath.Join(dir, "link"), real)
	wantRoot(t, filepath.Join(dir, "link", "sub"), filepath.Join(real, "sub"))
	wantRoot(t, filepath.Join(dir, "link", "gone"), filepath.Join(real, "gone"))
}

// A directory may come from anybody. It must not join another project by what
// its own files claim.
func TestADirectoryCannotJoinAnotherProject(t *testing.T) {
	dir := place(t)
	secret := filepath.Join(dir, "secret")
	repo(t, secret)
	git(t, secret, "worktree", "add", "-q", filepath.Join(dir, "tree"))
	for what, files := range map[string]map[string]string{
		"its git directory is the other's":    {".git": "gitdir: " + secret + "/.git\n"},
		"it names the other's worktree":       {".git": "gitdir: " + secret + "/.git/worktrees/tree\n"},
		"its common directory is the other's": {".git/HEAD": "ref: x\n", ".git/commondir": secret + "/.git\n"},
		"its own worktree list leads there": {
			".git": "gitdir: own/worktrees/x\n", "own/HEAD": "ref: x\n", "own/objects/x": "", "own/config": "[core]\n\tworktree = " + secret + "\n",
			"own/worktrees/x/HEAD": "ref: x\n", "own/worktrees/x/commondir": secret + "/.git\n", "own/worktrees/x/gitdir": "../../../.git\n",
		},
	} {
		evil := filepath.Join(dir, "evil")
		for path, text := range files {
			write(t, filepath.Join(evil, path), text)
		}
		if got := Root(evil); got == secret || got != evil && filepath.Dir(got) != evil {
			t.Errorf("%s: the project is %s", what, got)
		}
		if err := os.RemoveAll(evil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatIsNoRepositoryIsItsOwnProject(t *testing.T) {
	dir := place(t)
	makeDir(t, filepath.Join(dir, "empty", ".git"))
	wantRoot(t, filepath.Join(dir, "empty"), filepath.Join(dir, "empty"))
	write(t, filepath.Join(dir, "odd", ".git"), "no git directory\n")
	wantRoot(t, filepath.Join(dir, "odd"), filepath.Join(dir, "odd"))
	wantRoot(t, "relative", "relative")
	wantRoot(t, "/", "/")
}

func TestTheDirectoryAProcessWorksFor(t *testing.T) {
	for _, test := range []struct {
		roots  []string
		claude string
		want   string
	}{
		{nil, "", "/here"},
		{nil, "/claude/", "/claude"},
		{nil, "relative", "/here"},
		{[]string{"/root", "/second"}, "/claude", "/root"},
	} {
		env := func(string) string { return test.claude }
		if got := Dir(test.roots, env, "/here"); got != test.want {
			t.Errorf("%v and %q: %s, want %s", test.roots, test.claude, got, test.want)
		}
	}
}
