package planfile

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"planb/files"
	"planb/mcp/tool"
	"planb/mcp/wire"
	"planb/plans"
)

// defaultPlansDir is the directory of plan files in the project, unless the person chose
// another.
const defaultPlansDir = "docs/planb/plans"

// directory is the directory of plan files, opened: whatever is done in it stays in
// it, wherever links lead. It is locked for as long as it is open, and its call is
// parked: a call that waits for room must not hold the lock.
type directory struct {
	path   string // as agents and people are told it
	real   string // the same without links: what the store knows its files by
	root   *os.Root
	unlock func()
	resume func() // ends the parking of the call
}

// withinProject is the plans directory as it was chosen: absolute, or relative to the
// project.
func (f *Files) withinProject() string {
	if f.within == "" {
		return filepath.FromSlash(defaultPlansDir)
	}
	return filepath.Clean(f.within)
}

// plansPath is the directory of plan files.
func (f *Files) plansPath(project string) string { return InProject(project, f.withinProject()) }

// InProject is the path, taken from the project if it is relative.
func InProject(project, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(project, path)
}

// openPlans opens the directory of the project's plan files. With create it makes a missing
// one; without, the error for a missing one is fs.ErrNotExist. The caller closes it.
func (f *Files) openPlans(ctx context.Context, project string, create bool) (*directory, error) {
	return f.enterPlans(ctx, project, f.plansPath(project), create)
}

// openPlansAt opens a directory of plan files by the path under which it was opened before.
// It may belong to another project.
func (f *Files) openPlansAt(ctx context.Context, path string) (*directory, error) {
	within := f.withinProject()
	if c, ok := tool.RequestFrom(ctx); ok {
		if project := c.Agent.Dirs(ctx)[0]; InProject(project, within) == path {
			return f.enterPlans(ctx, project, path, false)
		}
	}
	project, ok := strings.CutSuffix(path, string(filepath.Separator)+within)
	if !ok {
		return nil, fmt.Errorf("%s is no plans directory of this server; start planb mcp with --plans-dir", path)
	}
	return f.enterPlans(ctx, project, path, false)
}

// enterPlans opens a directory of plan files, for one call at a time.
func (f *Files) enterPlans(ctx context.Context, project, path string, create bool) (*directory, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("the plans directory %q is not an absolute path; start planb mcp with --plans-dir", path)
	}
	resume := func() {}
	if c, ok := wire.CallFrom(ctx); ok {
		resume = c.Park() // the file system, or the holder of the lock, may take its time
	}
	root, err := openDir(project, path, create)
	if err != nil {
		resume()
		return nil, err
	}
	dir := &directory{path: path, root: root, unlock: func() {}, resume: resume}
	if err := dir.enter(ctx, &f.locks); err != nil {
		dir.close()
		return nil, err
	}
	return dir, nil
}

// enter finds out the directory's own name and locks it.
func (d *directory) enter(ctx context.Context, locks *locks) error {
	opened, err := d.root.Stat(".")
	if err != nil {
		return err
	}
	if d.real, err = filepath.EvalSymlinks(d.path); err != nil {
		return err
	}
	if named, err := os.Stat(d.real); err != nil {
		return err
	} else if !os.SameFile(opened, named) {
		return errExchanged
	}
	unlock, err := locks.lock(ctx, d.path, identity(opened, d.real))
	if err == nil {
		d.unlock = unlock
	}
	return err
}

// close ends the lock, and then waits for room for the call.
func (d *directory) close() {
	d.unlock()
	d.root.Close() // nothing was written to it
	d.resume()
}

// names returns the names of the plans in the directory, and none if it cannot be listed:
// they only help an agent that asked for a plan that does not exist.
func (d *directory) names() (names []string) {
	listed, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return nil
	}
	for _, entry := range listed {
		stem, isPlan := strings.CutSuffix(entry.Name(), plans.Name("").File())
		name, err := plans.ParseName(stem)
		if isPlan && err == nil && name.File() == entry.Name() && entry.Type().IsRegular() {
			names = append(names, string(name))
		}
	}
	return names
}

// below returns the path relative to the project; ok is false if it is outside. Outside, a
// person chose the path, and it may lead anywhere. Inside, a repository may hold any link,
// so no link may lead out of the project.
func below(project, path string) (place string, ok bool) {
	projects := []string{project}
	if real, err := filepath.EvalSymlinks(project); err == nil {
		projects = append(projects, real)
	}
	for _, project := range projects {
		if place, err := filepath.Rel(project, path); err == nil && filepath.IsLocal(place) {
			return place, true
		}
	}
	return "", false
}

// openDir opens a directory. With create it makes a missing one.
func openDir(project, path string, create bool) (*os.Root, error) {
	place, ok := below(project, path)
	if !ok {
		if create {
			if err := os.MkdirAll(path, 0o755); err != nil {
				return nil, err
			}
		}
		return files.OpenDir(path)
	}
	within, err := files.OpenDir(project)
	if err != nil {
		return nil, err
	}
	defer within.Close()
	if create {
		if err := within.MkdirAll(place, 0o755); err != nil {
			return nil, err
		}
	}
	return files.OpenDirIn(within, place)
}

// ReadChosen reads a file that a person chose.
func ReadChosen(project, path string, limit int64) ([]byte, error) {
	file, info, err := openChosen(project, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return files.All(file, info, limit)
}

func openChosen(project, path string) (*os.File, fs.FileInfo, error) {
	place, ok := below(project, path)
	if !ok {
		return files.Open(path)
	}
	within, err := files.OpenDir(project)
	if err != nil {
		return nil, nil, err
	}
	defer within.Close()
	return files.OpenIn(within, place)
}
