package archive

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"planb/plainjson"
	"planb/questions/safe"
	"planb/store"
)

// File is one file of a session's directory.
type File struct {
	Path string // relative to the session's directory, with slashes
	Data []byte
}

const (
	sessionsDir = "sessions"
	asksDir     = "asks"
	plansDir    = "plans"
	sessionFile = "session.json"
)

// Files returns the session as the files of its directory in the layout of
// planb-mcp. They are in the order to write them in: session.json is last, so
// that a reader who finds it also finds the files that it lists. Asks and versions
// that cannot be read are left out; see Session.Unreadable.
func Files(s Session) ([]File, error) {
	files, err := layout(s)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(rank(a.Path), rank(b.Path)), cmp.Compare(a.Path, b.Path))
	})
	return files, nil
}

// rank returns the position of a file in the order of writing.
func rank(path string) int {
	switch {
	case path == sessionFile:
		return 3
	case strings.HasPrefix(path, asksDir+"/"):
		return 2
	case strings.HasSuffix(path, ".md"):
		return 0
	}
	return 1
}

// inLayout reports whether a path can be a file of the layout.
func inLayout(path string) bool {
	dir, name, below := strings.Cut(path, "/")
	if !below {
		return path == sessionFile
	}
	if !fs.ValidPath(path) || strings.ContainsAny(name, "/\\\x00:") || strings.HasPrefix(name, ".") || !utf8.ValidString(name) || len(name) > 200 {
		return false
	}
	switch dir {
	case asksDir:
		return strings.HasSuffix(name, ".json")
	case plansDir:
		_, _, ok := planName(name)
		return ok
	}
	return false
}

// layout returns what Files returns, in no order.
func layout(s Session) ([]File, error) {
	record := dirSession{
		SchemaVersion: dirVersion, SessionID: s.ID, ProjectPath: s.Project, Title: s.Title, Intent: s.Intent,
		CreatedAt: dirTime(s.Created), UpdatedAt: dirTime(s.Updated),
		Asks: []dirAskEntry{}, Plans: []dirPlanEntry{},
	}
	if more := (dirSessionMore{s.Client, s.InArchive()}); more != (dirSessionMore{}) {
		record.Planb = &more
	}
	var files []File
	add := func(path string, v any) error {
		data, err := indented(v)
		if err != nil {
			return fmt.Errorf("session %s: %s cannot be written: %w", s.ID, path, err)
		}
		files = append(files, File{path, data})
		return nil
	}
	for _, plan := range s.Plans {
		if plan.Err != nil {
			continue
		}
		meta := newDirPlan(s.ID, plan)
		text := plansDir + "/" + meta.File
		files = append(files, File{text, []byte(plan.Text.Raw())})
		if err := add(strings.TrimSuffix(text, ".md")+".json", meta); err != nil {
			return nil, err
		}
		record.Plans = append(record.Plans, dirPlanEntry{meta.Version, meta.Title, text, meta.CreatedAt})
		record.LatestPlanVersion = &meta.Version
	}
	asks := slices.DeleteFunc(slices.Clone(s.Asks), func(a store.Ask) bool { return a.Err != nil })
	slices.SortStableFunc(asks, func(a, b store.Ask) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	for _, ask := range asks {
		one, err := newDirAsk(ask, s.ID)
		if err != nil {
			return nil, fmt.Errorf("ask %s cannot be written: %w", ask.ID, err)
		}
		path := asksDir + "/" + strings.NewReplacer("-", "", ":", "", ".", "").Replace(one.CreatedAt) + "-" + ask.ID + ".json"
		if err := add(path, one); err != nil {
			return nil, err
		}
		record.Asks = append(record.Asks, dirAskEntry{ask.ID, path, one.Title, one.Status, one.CreatedAt, one.AnsweredAt})
	}
	record.PlanCount, record.AskCount = len(record.Plans), len(record.Asks)
	return files, add(sessionFile, record)
}

// dirTime writes a time as the layout does.
func dirTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// indented writes JSON as the layout does.
func indented(v any) ([]byte, error) {
	text, err := plainjson.Indent(v, "  ")
	return append(text, '\n'), err
}

// newDirPlan is the JSON file beside the text of a version.
func newDirPlan(session string, plan store.WholePlan) dirPlan {
	meta := dirPlan{
		SchemaVersion: dirVersion, SessionID: session, Version: plan.Number, Title: plan.Title,
		CreatedAt: dirTime(plan.Created), File: fmt.Sprintf("v%d.md", plan.Number), Bytes: len(plan.Text.Raw()),
	}
	if plan.By != "" || plan.Name != "" {
		meta.Planb = &dirPlanMore{By: safe.New(plan.By), Name: string(plan.Name)}
	}
	return meta
}
