package compare

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/store"
	"planb/tui/screen"
	"planb/tui/wording"
)

// versionChosen is the version that the person chose to compare with.
type versionChosen struct {
	screen *Screen
	number int
}

// choose lists the versions to compare the newer one with, the newest first.
func (d *Screen) choose() tea.Cmd {
	var rows []screen.Row
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
	return screen.Send(screen.Push{Screen: screen.NewPick(d.deps.Keys, name, wording.Count(len(rows), "version"), rows, at), Over: d})
}

func (d *Screen) versionRow(version store.Plan) screen.Row {
	title, damaged := version.Title.Line(), version.Err != nil
	switch {
	case damaged:
		title = "unreadable: " + wording.Sentence(version.Err)
	case version.Title.Blank():
		title = questions.Untitled
	}
	row := screen.Row{Text: fmt.Sprintf("v%-4d %s", version.Number, title), Damaged: damaged, Open: func(from screen.Screen) tea.Cmd {
		return tea.Batch(screen.Send(screen.Close{Screen: from}), screen.Send(versionChosen{d, version.Number}))
	}}
	if !version.Created.IsZero() {
		row.Right = wording.Moment(version.Created, d.deps.Now())
	}
	return row
}
