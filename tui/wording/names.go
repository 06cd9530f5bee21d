package wording

import (
	"path/filepath"
	"strings"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
)

// Place is a place as a person knows it. The program that opens panes names their places:
// with its own name, a digest, and a number if it has one.
func Place(place string) string {
	parts := strings.SplitN(place, "-", 3)
	name := safe.New(parts[0]).Line()
	switch {
	case len(parts) < 2 || name == "server":
		return ""
	case len(parts) == 3:
		return name + " " + safe.New(parts[2]).Line()
	}
	return name
}

// SessionTitle is what a session is called, in one line.
func SessionTitle(session store.Session) string { return session.Name().Line() }

// Quote is a cleaned title within a sentence.
func Quote(title string) string {
	const titleCells = 60
	return "“" + cells.Cut(title, titleCells) + "”"
}

// QuoteTitle is the title of an ask within a sentence.
func QuoteTitle(ask store.Ask) string { return Quote(ask.Spec.Title.Line()) }

// Agent is how a person knows the client, in a sentence.
func Agent(client store.Client) string {
	if name := ClientName(client); name != "" {
		return name
	}
	return "the agent"
}

// Asker names the client that asks, for a person: by the name in the ask, else by the
// name in its session.
func Asker(ask store.Ask, session store.Session) string {
	if name := ClientName(ask.Client); name != "" {
		return name
	}
	return Agent(session.Client)
}

// ClientName is the client's name, empty if it gave none.
func ClientName(client store.Client) string {
	for _, name := range []safe.Text{client.Title, client.Name} {
		if !name.Blank() {
			return name.Line()
		}
	}
	return ""
}

// ProjectName is the last part of the project's path; empty if there is none.
func ProjectName(session store.Session) string {
	if session.Project.Blank() {
		return ""
	}
	return safe.New(filepath.Base(session.Project.Raw())).Line()
}
