package report

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"planb/drafts"
)

// File is one file of a draft. Its content is made when it is asked for.
type File struct {
	Path string
	Step string    // that it shows; empty: the whole draft
	By   string    // who wrote the step
	At   time.Time // when what it shows was accepted
	make func() ([]byte, error)
}

// Data returns what is in the file.
func (f File) Data() ([]byte, error) { return f.make() }

// entry is one file in the manifest.
type entry struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"`
	Step   string `json:"step,omitempty"`
	By     string `json:"by,omitempty"`
}

// Zip returns all files of a draft, and a manifest of them. The time of each file is
// the time at which its content was accepted. Failure is run_error.json; nil if no run
// failed.
func Zip(d drafts.Draft, failure []byte) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	add := func(path string, at time.Time, data []byte) error {
		f, err := w.CreateHeader(&zip.FileHeader{Name: path, Method: zip.Deflate, Modified: at})
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	}
	var entries []entry
	for _, f := range List(d, failure) {
		data, err := f.Data()
		if err == nil {
			err = add(f.Path, f.At, data)
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{f.Path, drafts.Sum(data), len(data), f.Step, f.By})
	}
	manifest, err := indented(entries)
	if err == nil {
		err = add("manifest.json", latest(d), manifest)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// indented is a value as a JSON file.
func indented(value any) ([]byte, error) {
	data, err := json.MarshalIndent(value, "", "  ")
	return append(data, '\n'), err
}

// latest returns when the last output was accepted. If none was, that is when the draft was
// created; the year 1980, in which the times of a zip begin, if that is unknown, too.
func latest(d drafts.Draft) time.Time {
	last := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	upTo := func(moment string) {
		if at, err := time.Parse(time.RFC3339, moment); err == nil && at.After(last) {
			last = at.UTC()
		}
	}
	upTo(d.Created)
	for _, r := range d.Records {
		upTo(r.At)
	}
	return last
}

// List returns the files that can be made of the draft's outputs, in their order. failure is
// run_error.json; nil if no run failed.
func List(d drafts.Draft, failure []byte) []File {
	at := latest(d)
	made := func(data []byte) func() ([]byte, error) { return func() ([]byte, error) { return data, nil } }
	list := []File{
		{Path: "report.html", At: at, make: func() ([]byte, error) { return HTML(d) }},
		{Path: "report.md", At: at, make: func() ([]byte, error) { return Markdown(d), nil }},
		{Path: appendixPath, At: at, make: func() ([]byte, error) { return Appendix(d), nil }},
		{Path: "plan.txt", At: at, make: made([]byte(d.Prompt))},
		{Path: "plan.json", At: at, make: func() ([]byte, error) { return indented(about(d)) }},
		{Path: "graph.json", At: at, make: func() ([]byte, error) { return indented(Graph(d)) }},
	}
	list = append(list, stepFiles(d)...)
	for _, f := range []struct {
		path, step string
		write      func(drafts.Draft) ([]byte, error)
	}{{"wbs.csv", "wbs", WBS}, {"schedule.csv", "schedule", Schedule}} {
		if d.Output(f.step) != nil {
			list = append(list, File{Path: f.path, Step: f.step, At: at, make: func() ([]byte, error) { return f.write(d) }})
		}
	}
	if calls := calls(d); len(calls) > 0 {
		list = append(list, File{Path: "usage.jsonl", At: at, make: func() ([]byte, error) { return lines(calls) }})
	}
	if len(failure) > 0 {
		list = append(list, File{Path: "run_error.json", At: at, make: made(failure)})
	}
	return list
}

// stepFiles are the outputs, each as JSON and as Markdown.
func stepFiles(d drafts.Draft) (list []File) {
	for _, s := range d.Steps() {
		r := d.Records[s.ID]
		if r.Output == nil {
			continue
		}
		at, err := time.Parse(time.RFC3339, r.At)
		if err != nil {
			at = latest(d) // a record without a time is as old as the newest
		}
		name := fmt.Sprintf("steps/%02d-%s", s.Number, s.ID)
		list = append(list,
			File{Path: name + ".json", Step: s.ID, By: r.By, At: at.UTC(), make: func() ([]byte, error) { return s.Shape.JSON(r.Output), nil }},
			File{Path: name + ".md", Step: s.ID, By: r.By, At: at.UTC(), make: func() ([]byte, error) { return []byte(d.Markdown(s.ID)), nil }})
	}
	return list
}

// plan is plan.json.
type plan struct {
	ID           string `json:"id"`
	Title        string `json:"title"`
	Detail       string `json:"detail"`
	StartDate    string `json:"start_date"`
	PromptSHA256 string `json:"prompt_sha256"`
	Done         int    `json:"steps_completed"`
	Of           int    `json:"steps_total"`
	Flags        any    `json:"flags"`
}

func about(d drafts.Draft) plan {
	done, of := d.Progress()
	return plan{d.ID, title(d), string(d.Detail), d.Start.String(), drafts.Sum([]byte(d.Prompt)), done, of, d.Flags}
}

// Node is a step in graph.json.
type Node struct {
	Number   int      `json:"number"`
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Author   string   `json:"author"`
	Needs    []string `json:"needs"`
	Standing string   `json:"standing"`
	SHA256   string   `json:"sha256,omitempty"`
	Inputs   string   `json:"inputs,omitempty"`
}

// Graph returns the steps with their needs, as graph.json has them.
func Graph(d drafts.Draft) []Node {
	standings := d.Standings()
	var nodes []Node
	for _, s := range d.Steps() {
		r := d.Records[s.ID]
		nodes = append(nodes, Node{s.Number, s.ID, s.Title, s.Author.String(), append([]string{}, s.Needs...), string(standings[s.ID]), r.SHA256, r.Inputs})
	}
	return nodes
}
