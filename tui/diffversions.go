package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/store"
	"planb/tui/wording"
)

// versionChosen says which version a person chose to compare with.
type versionChosen struct {
	screen *diffScreen
	number int
}

// choose lets the person choose a version to compare the newer one with, the
// newest first.
func (d *diffScreen) choose() tea.Cmd {
	var rows []pickRow
	at := 0
	for i := len(d.versions) - 1; i >= 0; i-- {
		if d.versions[i].Number == d.older {
			at = len(rows)
		}
		if d.versions[i].Number != d.newer {
			rows = append(rows, d.versionRow(d.versions[i]))
		}
	}
	if len(rows) == 0 {
		d.status = "There is no other version to compare with."
		return nil
	}
	name := fmt.Sprintf("Compare v%d with", d.newer)
	return send(pushScreen{newPickScreen(d.browser.keys, name, wording.Count(len(rows), "version"), rows, at), d})
}

func (d *diffScreen) versionRow(version store.Plan) pickRow {
	title, damaged := version.Title.Line(), version.Err != nil
	switch {
	case damaged:
		title = "damaged: " + wording.Sentence(version.Err)
	case version.Title.Blank():
		title = wording.Untitled
	}
	row := pickRow{text: fmt.Sprintf("v%-4d %s", version.Number, title), damaged: damaged, open: func(from screen) tea.Cmd {
		return tea.Batch(send(closeScreen{from}), send(versionChosen{d, version.Number}))
	}}
	if !version.Created.IsZero() {
		row.right = wording.Moment(version.Created, d.browser.now())
	}
	return row
}
