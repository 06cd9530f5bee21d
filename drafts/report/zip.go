package report

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"planb/drafts"
)

// Logs are what the store keeps beside the records. Both may be empty.
type Logs struct {
	Usage []byte // usage.jsonl: a line for each call of a model
	Error []byte // run_error.json: why the run failed
}

// entry is one file of the zip.
type entry struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"`
	Step   string `json:"step,omitempty"`
	By     string `json:"by,omitempty"`
	data   []byte
	at     time.Time
}

// Zip returns all files of a draft. Each has the time at which what it shows was
// accepted.
func Zip(d drafts.Draft, logs Logs) ([]byte, error) {
	entries, err := files(d, logs)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		entries[i].SHA256, entries[i].Size = drafts.Sum(e.data), len(e.data)
	}
	manifest, err := json.MarshalIndent(entries, "", "  ")
	if err != nil {
		return nil, err
	}
	entries = append(entries, entry{Path: "manifest.json", data: append(manifest, '\n'), at: latest(d)})
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.Path, Method: zip.Deflate, Modified: e.at})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// latest returns when the last output was accepted; the year 1980, in which the
// times of a zip begin, if none has a time.
func latest(d drafts.Draft) time.Time {
	last := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, r := range d.Records {
		if at, err := time.Parse(time.RFC3339, r.At); err == nil && at.After(last) {
			last = at.UTC()
		}
	}
	return last
}

// files returns the files in their order.
func files(d drafts.Draft, logs Logs) ([]entry, error) {
	page, err := HTML(d)
	if err != nil {
		return nil, err
	}
	at := latest(d)
	list := []entry{{Path: "report.html", data: page, at: at}, {Path: "report.md", data: Markdown(d), at: at}, {Path: "plan.txt", data: []byte(d.Prompt), at: at}}
	for _, f := range []struct {
		path  string
		value any
	}{{"plan.json", about(d)}, {"graph.json", Graph(d)}} {
		data, err := json.MarshalIndent(f.value, "", "  ")
		if err != nil {
			return nil, err
		}
		list = append(list, entry{Path: f.path, data: append(data, '\n'), at: at})
	}
	list = append(list, stepFiles(d)...)
	for _, f := range []struct {
		path, step string
		write      func(drafts.Draft) ([]byte, error)
	}{{"wbs.csv", "wbs", WBS}, {"schedule.csv", "schedule", Schedule}} {
		if d.Output(f.step) == nil {
			continue
		}
		data, err := f.write(d)
		if err != nil {
			return nil, err
		}
		list = append(list, entry{Path: f.path, Step: f.step, data: data, at: at})
	}
	list = append(list, entry{Path: "usage.jsonl", data: logs.Usage, at: at})
	if len(logs.Error) > 0 {
		list = append(list, entry{Path: "run_error.json", data: logs.Error, at: at})
	}
	return list, nil
}

// stepFiles are the outputs, each as JSON and as Markdown.
func stepFiles(d drafts.Draft) (list []entry) {
	for _, s := range drafts.Steps(d.Detail) {
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
			entry{Path: name + ".json", Step: s.ID, By: r.By, data: append(s.Shape.JSON(r.Output), '\n'), at: at.UTC()},
			entry{Path: name + ".md", Step: s.ID, By: r.By, data: []byte(d.Markdown(s.ID)), at: at.UTC()})
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
	for _, s := range drafts.Steps(d.Detail) {
		r := d.Records[s.ID]
		nodes = append(nodes, Node{s.Number, s.ID, s.Title, s.Author.String(), append([]string{}, s.Needs...), string(standings[s.ID]), r.SHA256, r.Inputs})
	}
	return nodes
}
