package drafts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"planb/drafts"
	"planb/drafts/report"
	"planb/files"
	"planb/mcp/tool"
	"planb/setup/known"
	"planb/store/runs"
)

// fileInfoTool is plan_file_info.
func (s *toolset) fileInfoTool() tool.Tool {
	return tool.Tool{
		Name: "plan_file_info", Title: "A file of a draft", Description: "A file of a draft, and with offset its text: report, report.md, zip, a step such as facts (its JSON), or a path.",
		Schema: `{"type":"object","required":["plan_id"],"properties":{` + idSchema + `,"artifact":{"type":"string"},"offset":{"type":"integer"},"max_bytes":{"type":"integer"}}}`,
		Hints:  tool.Hints{ReadOnly: true, Idempotent: true}, Serve: s.reads(s.fileInfo),
	}
}

// downloadTool is plan_download.
func (s *toolset) downloadTool() tool.Tool {
	return tool.Tool{
		Name: "plan_download", Title: "Save a file of a draft", Description: "Save the report (or another artifact) of a draft into dir, by default the project. Returns saved_path.",
		Schema: `{"type":"object","required":["plan_id"],"properties":{` + idSchema + `,"artifact":{"type":"string"},"dir":{"type":"string"}}}`, Serve: s.reads(s.download),
	}
}

// Limits of how much of a file one call returns, in bytes.
const (
	defaultPart = 16 << 10
	maxPart     = 64 << 10
)

// file is a file of a plan with its content. The tools call it an artifact in their arguments.
type file struct {
	path string
	data []byte
	at   time.Time
}

// info is a file of a plan as data, or why there is none yet.
type info struct {
	Plan      string     `json:"plan_id"`
	Ready     *bool      `json:"ready,omitempty"` // false alone
	Reason    string     `json:"reason,omitempty"`
	Error     string     `json:"error,omitempty"`
	Type      string     `json:"content_type,omitempty"`
	SHA256    string     `json:"sha256,omitempty"`
	Size      int        `json:"download_size,omitempty"`
	Generated *time.Time `json:"generated_at,omitempty"`
	URI       string     `json:"uri,omitempty"`
	Next      int        `json:"next_offset,omitempty"`
	Saved     string     `json:"saved_path,omitempty"`
	tool.Facts
}

// uriOf is the resource of a file of a plan.
func uriOf(plan, path string) string { return "planb://drafts/" + plan + "/files/" + path }

func typeOf(path string) string {
	switch filepath.Ext(path) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".md":
		return "text/markdown; charset=utf-8"
	case ".csv":
		return "text/csv; charset=utf-8"
	case ".json":
		return "application/json"
	case ".jsonl":
		return "application/jsonl"
	case ".zip":
		return "application/zip"
	}
	return "text/plain; charset=utf-8"
}

// describe is a file as data.
func describe(w runs.Whole, f file) *info {
	at := f.at
	return &info{Plan: w.ID, Type: typeOf(f.path), SHA256: drafts.Sum(f.data), Size: len(f.data), Generated: &at, URI: uriOf(w.ID, f.path)}
}

// pathOf is the path of a named artifact, in the names of the originals, too.
func pathOf(name string) string {
	switch name {
	case "", "report", "html":
		return "report.html"
	case "md", "markdown":
		return "report.md"
	case "zip":
		return zipPath
	}
	return name
}

const zipPath = "plan.zip"

// readFile reads a plan and makes a file of it.
func (s *toolset) readFile(ctx context.Context, c *tool.Caller, id, name string) (runs.Whole, file, *tool.Result) {
	w, failure := s.plan(ctx, c, id, false, false)
	if failure != nil {
		return w, file{}, failure
	}
	f, failure := s.fileNamed(w, name)
	return w, f, failure
}

// givesOut reports whether a caller gets the file at a path as the plan stands. The reports and
// the zip are made of a whole plan only; the zip of a failed one says why it failed.
func givesOut(w runs.Whole, path string) bool {
	switch path {
	case "report.html", "report.md":
		return w.State == runs.Completed
	case zipPath:
		return w.State == runs.Completed || w.State == runs.Failed
	}
	return true
}

// givenOut are the files that a caller gets as the plan stands, but for the zip.
func givenOut(w runs.Whole) []report.File {
	return slices.DeleteFunc(report.List(w.Draft, w.RunError()), func(f report.File) bool { return !givesOut(w, f.Path) })
}

// fileNamed makes the file of a plan that a caller names.
func (s *toolset) fileNamed(w runs.Whole, name string) (file, *tool.Result) {
	path := pathOf(name)
	if step, ok := w.Draft.Step(name); ok {
		path = fmt.Sprintf("steps/%02d-%s.json", step.Number, step.ID)
	}
	if !givesOut(w, path) {
		return file{}, s.notYet(w)
	}
	f, has, err := fileAt(w, path)
	switch {
	case err != nil:
		return file{}, failed(w.Session, internalError, path+" cannot be made: "+tool.OneLine(err.Error()), false)
	case !has && ofAnother(w, path):
		return file{}, failed(w.Session, contentUnavailable, fmt.Sprintf("artifact: %s is not of this draft, which is a %s with the target %s.", tool.Shortened(name), w.Detail, w.Target), false)
	case !has:
		return file{}, failed(w.Session, invalidArtifact, fmt.Sprintf("artifact: got %q; allowed: report, report.md, zip, the id of a step, or a file of this draft: %s.", tool.Shortened(name), paths(givenOut(w))), false)
	}
	return f, nil
}

// fileAt makes the file of a plan at a path, also of an unfinished plan: its report says what
// is missing. It reports whether the plan has that file.
func fileAt(w runs.Whole, path string) (f file, has bool, err error) {
	list := report.List(w.Draft, w.RunError())
	if path == zipPath {
		data, err := report.Zip(w.Draft, w.RunError())
		return file{path, data, list[0].At}, true, err
	}
	i := slices.IndexFunc(list, func(f report.File) bool { return f.Path == path })
	if i < 0 {
		return file{}, false, nil
	}
	data, err := list[i].Data()
	return file{path, data, list[i].At}, true, err
}

// ofAnother reports whether a path names a step that only plans with another detail or
// target have.
func ofAnother(w runs.Whole, path string) bool {
	for _, step := range drafts.Steps(drafts.Full) {
		if _, own := w.Draft.Step(step.ID); !own && strings.HasPrefix(path, fmt.Sprintf("steps/%02d-%s.", step.Number, step.ID)) {
			return true
		}
	}
	return false
}

func paths(list []report.File) string {
	var all []string
	for _, f := range list {
		all = append(all, f.Path)
	}
	return strings.Join(all, ", ")
}

// notYet says that a plan has no report yet.
func (s *toolset) notYet(w runs.Whole) *tool.Result {
	no := false
	data := &info{Plan: w.ID, Ready: &no, Reason: "processing"}
	switch w.State {
	case runs.Stopped:
		data.Reason = "stopped"
	case runs.Failed:
		data.Reason, data.Error = "failed", "generation_failed"
	}
	return said(w.Session, data, s.named(fmt.Sprintf(`Not written yet. Call plan_status {"plan_id":%q}.`, w.ID)))
}

// fileInfo serves plan_file_info.
func (s *toolset) fileInfo(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("plan_file_info", raw)
	id, name := args.Text("plan_id", "task_id"), args.Text("artifact", "path")
	offset, hasOffset := args.Number("offset", 1e9)
	most, hasMost := args.Number("max_bytes", 1e9)
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	w, f, failure := s.readFile(ctx, c, id, name)
	if failure != nil {
		return failure
	}
	data := describe(w, f)
	if !hasOffset && !hasMost {
		return said(w.Session, data)
	}
	if !hasMost {
		most = defaultPart
	}
	return s.part(ctx, c, w, f, data, int(offset), min(max(int(most), utf8.UTFMax), maxPart))
}

// part gives a part of a file's text, as long as the client passes on.
func (s *toolset) part(ctx context.Context, c *tool.Caller, w runs.Whole, f file, data *info, offset, most int) *tool.Result {
	switch {
	case f.path == zipPath:
		return failed(w.Session, invalidArgument, "offset: a zip has no text. Save it with plan_download.", false)
	case offset >= len(f.data):
		return failed(w.Session, invalidArgument, fmt.Sprintf("offset: got %d; allowed: less than the %d bytes of the file.", offset, len(f.data)), false)
	}
	for offset > 0 && !utf8.RuneStart(f.data[offset]) {
		offset--
	}
	text := string(f.data[offset:min(len(f.data), offset+most)])
	text = strings.ToValidUTF8(tool.Fitting(text, s.room(ctx, c)), "")
	if end := offset + len(text); end < len(f.data) {
		data.Next = end
	}
	return said(w.Session, data, text)
}

// room is how many bytes of JSON a result may have beside its data.
func (s *toolset) room(ctx context.Context, c *tool.Caller) int {
	const data = 800
	return known.BySelfName(c.Agent.Client(ctx).Name.Raw()).ResultLimit(false) - data
}

// download serves plan_download.
func (s *toolset) download(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("plan_download", raw)
	id, name, dir := args.Text("plan_id", "task_id"), args.Text("artifact"), args.Text("dir", "output_dir")
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	w, f, failure := s.readFile(ctx, c, id, name)
	if failure != nil {
		return failure
	}
	dir, failure = s.downloadDir(ctx, c, w, dir)
	if failure != nil {
		return failure
	}
	path, err := save(dir, w.ID+"-"+strings.ReplaceAll(f.path, "/", "-"), f.data)
	if err != nil {
		return failed(w.Session, downloadFailed, "The file was not saved: "+tool.OneLine(err.Error())+".", false)
	}
	data := describe(w, f)
	data.Saved = path
	return said(w.Session, data, "Saved as "+path+". Tell the user this path, and that it is a draft.")
}

// downloadDir is where a file is saved: dir, else PLANEXE_PATH, else the project. A dir
// must be in one of these.
func (s *toolset) downloadDir(ctx context.Context, c *tool.Caller, w runs.Whole, dir string) (string, *tool.Result) {
	allowed := slices.Clone(c.Agent.Dirs(ctx))
	if path := s.Env("PLANEXE_PATH"); filepath.IsAbs(path) {
		allowed = append([]string{path}, allowed...)
	}
	outside := func() *tool.Result {
		return failed(w.Session, runs.PermissionDenied, fmt.Sprintf("dir: got %q; allowed: a directory in %s. Nothing was saved.", tool.Shortened(dir), strings.Join(allowed, " or ")), false)
	}
	switch {
	case dir == "~", strings.HasPrefix(dir, "~/"): // means the user's home to whoever writes it
		return "", outside()
	case dir == "":
		dir = allowed[0]
	case !filepath.IsAbs(dir):
		dir = filepath.Join(allowed[len(allowed)-1], dir)
	}
	if err := os.MkdirAll(allowed[0], 0o755); err != nil {
		return "", failed(w.Session, downloadFailed, "The directory could not be made: "+tool.OneLine(err.Error())+".", false)
	}
	for _, root := range allowed {
		made, err := makeWithin(root, dir)
		switch {
		case errors.Is(err, errOutside):
			continue
		case err != nil:
			return "", failed(w.Session, downloadFailed, "The directory could not be made: "+tool.OneLine(err.Error())+".", false)
		}
		return made, nil
	}
	return "", outside()
}

var errOutside = errors.New("it is outside")

// makeWithin makes a directory below a root, through no link that leads out of it, and
// returns its real path.
func makeWithin(root, dir string) (string, error) {
	rel, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return "", errOutside
	}
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", err
	}
	for path := filepath.Join(top, rel); path != top; path = filepath.Dir(path) {
		if real, err := filepath.EvalSymlinks(path); err == nil && !within(top, real) {
			return "", errOutside
		}
	}
	below, err := files.OpenDir(root)
	if err != nil {
		return "", err
	}
	defer below.Close() //nolint:errcheck // it was only read
	if rel != "." {
		if err := below.MkdirAll(rel, 0o755); err != nil {
			return "", err
		}
	}
	real, err := filepath.EvalSymlinks(filepath.Join(root, rel))
	if err != nil {
		return "", err
	}
	if !within(top, real) {
		return "", errOutside
	}
	return real, nil
}

// within reports whether a path is that of a directory, or below it.
func within(top, path string) bool {
	rel, err := filepath.Rel(top, path)
	return err == nil && filepath.IsLocal(rel)
}

// maxCopies is how many files of one name are kept beside each other.
const maxCopies = 100

// save writes a file under a name that is free, and reads it back.
func save(dir, name string, data []byte) (path string, err error) {
	ext := filepath.Ext(name)
	base := strings.TrimSuffix(name, ext)
	for n := range maxCopies {
		path = filepath.Join(dir, name)
		if n > 0 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", base, n, ext))
		}
		err = files.WriteNew(path, data)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	read, _, err := files.Read(path, int64(len(data))+1)
	if err == nil && !bytes.Equal(read, data) {
		err = fmt.Errorf("%s has other bytes than were written", path)
	}
	return path, err
}
