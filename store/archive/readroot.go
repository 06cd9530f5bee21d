package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"

	"planb/plans"
	"planb/store"
)

// Limits of a root.
const (
	maxFileBytes    = store.MaxTextBytes
	maxSessionBytes = 256 << 20 // of all files of a session
	maxEntries      = 50_000    // of one directory
	maxGap          = 100       // missing versions between two others

	// stillOpen is planb-mcp's own time limit for an answer. If an ask has been
	// pending for longer, its server is gone.
	stillOpen = 24 * time.Hour
)

// Found is what ReadRoot read from one directory.
type Found struct {
	// Session is the directory's session; its ID is empty if there is none.
	Session Session
	// Left lists what Session lacks or has in another form.
	Left []Left
}

// Left is a file or directory that was left out, or that is not as it should
// be.
type Left struct {
	Path string `json:"path"` // within the root, with slashes
	Why  string `json:"why"`
}

// ReadRoot reads the sessions below a root in the layout of planb-mcp and
// browser-plan: sessions/<id>/. A fault in one file affects only that file, and a
// fault in session.json the whole session. ReadRoot follows no links and opens
// only files of the layout. It leaves out an ask that may still be answered in
// that root at the time now. An error ends the sequence: the root cannot be
// read, or ctx has ended.
func ReadRoot(ctx context.Context, root fs.FS, now time.Time) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		info, err := fs.Lstat(root, sessionsDir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = errors.New(`there is no directory "sessions" in it`)
		case err == nil && !info.IsDir():
			err = fmt.Errorf(`"sessions" in it is %s, not a directory`, kindOf(info.Mode()))
		}
		if err != nil {
			yield(Found{}, err)
			return
		}
		entries, more, err := list(root, sessionsDir)
		if err != nil {
			yield(Found{}, err)
			return
		}
		for _, entry := range entries {
			if err := ctx.Err(); err != nil {
				yield(Found{}, err)
				return
			}
			if !yield(readEntry(root, entry, now), nil) {
				return
			}
		}
		if more {
			yield(Found{Left: []Left{{sessionsDir, tooMany()}}}, nil)
		}
	}
}

func tooMany() string {
	return fmt.Sprintf("it has more than %d entries; the others were left out", maxEntries)
}

// list returns a directory's entries by name, and whether there are more than
// maxEntries.
func list(root fs.FS, path string) (entries []fs.DirEntry, more bool, err error) {
	f, err := root.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	dir, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, false, fmt.Errorf("%s cannot be listed", path)
	}
	entries, err = dir.ReadDir(maxEntries + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if len(entries) > maxEntries {
		entries, more = entries[:maxEntries], true
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, more, err
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a link, and links are not followed"
	}
	return "neither a file nor a directory"
}

func readEntry(root fs.FS, entry fs.DirEntry, now time.Time) Found {
	path := sessionsDir + "/" + entry.Name()
	switch {
	case !entry.IsDir():
		return Found{Left: []Left{{path, "it is " + kindOf(entry.Type()) + "; a session is a directory"}}}
	case !canonicalUUID(entry.Name()):
		return Found{Left: []Left{{path, "its name is not that of a session, a UUID in lower case"}}}
	}
	d := directory{root: root, path: path, id: entry.Name(), now: now, files: map[string][]byte{}}
	session, err := d.session()
	if err != nil {
		return Found{Left: append(d.left, Left{path, "the session was left out: " + err.Error()})}
	}
	return Found{Session: session, Left: d.left}
}

// directory is a session's directory while ReadRoot reads it.
type directory struct {
	root  fs.FS
	path  string
	id    string
	now   time.Time
	size  int
	files map[string][]byte // the files that were read, by path within the directory
	left  []Left
}

func (d *directory) leave(name, why string, args ...any) {
	path := d.path
	if name != "" {
		path += "/" + name
	}
	d.left = append(d.left, Left{path, fmt.Sprintf(why, args...)})
}

func (d *directory) session() (Session, error) {
	names, err := d.names("")
	if err != nil {
		return Session{}, err
	}
	if err := d.readAll(names); err != nil {
		return Session{}, err
	}
	data, ok := d.files[sessionFile]
	if !ok {
		return Session{}, errors.New("it has no session.json that can be read")
	}
	session, err := readSession(data, d.id)
	if err != nil {
		return Session{}, fmt.Errorf("session.json: %w", err)
	}
	d.asks(&session)
	d.plans(&session)
	return session, nil
}

// names lists the files of the directory and of its directories asks and plans.
func (d *directory) names(below string) (names []string, err error) {
	path := d.path
	if below != "" {
		path += "/" + below
	}
	entries, more, err := list(d.root, path)
	if err != nil {
		return nil, err
	}
	if more {
		d.leave(below, "%s", tooMany())
	}
	for _, entry := range entries {
		name := entry.Name()
		if below != "" {
			name = below + "/" + name
		}
		switch {
		case below == "" && entry.IsDir() && (name == asksDir || name == plansDir):
			inner, err := d.names(name)
			if err != nil {
				d.leave(name, "it cannot be listed: %v", cause(err))
			}
			names = append(names, inner...)
		case !entry.Type().IsRegular() && !entry.IsDir():
			d.leave(name, "it is %s", kindOf(entry.Type()))
		case entry.IsDir() || !inLayout(name):
			d.leave(name, "it is no part of a session")
		default:
			names = append(names, name)
		}
	}
	return names, nil
}

// readAll reads the files. It stops if session.json is missing.
func (d *directory) readAll(names []string) error {
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a, b)) })
	for _, name := range names {
		data, err := d.read(name)
		if err != nil {
			d.leave(name, "%v", err)
			if name == sessionFile {
				return nil
			}
			continue
		}
		d.files[name] = data
	}
	return nil
}

func (d *directory) read(name string) (data []byte, err error) {
	limit := min(maxFileBytes, maxSessionBytes-d.size)
	if strings.HasSuffix(name, ".md") {
		limit = min(limit, plans.MaxPlanBytes)
	}
	f, err := d.root.Open(d.path + "/" + name)
	if err != nil {
		return nil, fmt.Errorf("it cannot be opened: %w", cause(err))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", cause(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is %s", kindOf(info.Mode()))
	}
	if info.Size() <= int64(limit) {
		data, err = io.ReadAll(io.LimitReader(f, int64(limit)+1))
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("it cannot be read: %w", cause(err))
	case info.Size() <= int64(limit) && len(data) <= limit:
		d.size += len(data)
		return data, nil
	case limit == maxSessionBytes-d.size:
		return nil, fmt.Errorf("with its %d bytes the files of the session have more than %d bytes together", info.Size(), maxSessionBytes)
	}
	return nil, fmt.Errorf("it has %d bytes; at most %d are taken", max(info.Size(), int64(len(data))), limit)
}

// cause returns the error without the path, which the message has already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
