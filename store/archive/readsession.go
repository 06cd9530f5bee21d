package archive

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"planb/plainjson"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// readSession reads session.json. It ignores the lists there: the directories
// tell what exists.
func readSession(data []byte, id string) (Session, error) {
	var in dirSession
	if err := readJSON(data, &in); err != nil {
		return Session{}, err
	}
	if err := (head{in.SchemaVersion, in.SessionID, id}).check(); err != nil {
		return Session{}, err
	}
	s := Session{Session: store.Session{ID: id, Title: in.Title, Intent: in.Intent, Project: in.ProjectPath}}
	var err error
	if s.Created, err = readTime("createdAt", in.CreatedAt); err != nil {
		return Session{}, err
	}
	if s.Updated, err = readTime("updatedAt", in.UpdatedAt); err != nil {
		return Session{}, err
	}
	if in.Planb != nil {
		s.Client = in.Planb.Client
		if in.Planb.Archived {
			s.Archived = s.Updated
		}
	}
	return s, s.checkWords()
}

// checkWords refuses texts that are too long for a session's record.
func (s Session) checkWords() error {
	for what, text := range map[string]safe.Text{"title": s.Title, "intent": s.Intent, "project": s.Project} {
		if err := checkLength(what, text.Raw(), maxWords); err != nil {
			return err
		}
	}
	if err := checkClient(s.Client); err != nil {
		return err
	}
	text, err := plainjson.Marshal(s.Session)
	if err == nil && len(text) > maxRecord {
		err = fmt.Errorf("its title, intent and project take %d bytes as JSON; at most %d can be kept", len(text), maxRecord)
	}
	return err
}

func (d *directory) asks(session *Session) {
	seen := map[string]string{}
	for _, name := range d.below(asksDir) {
		ask, err := readAsk(d.files[name], d.id)
		first, twice := seen[ask.ID]
		switch {
		case err != nil:
			d.leave(name, "the ask was left out: %v", err)
		case twice:
			d.leave(name, "it was left out: %s has the same askId", first)
		case ask.Outcome.State == questions.Pending && d.now.Sub(ask.Created) < stillOpen && ask.Client != (store.Client{}): // which only planb writes
			d.leave(name, "it was open when planb exported it: once it is answered there, export and import again; 24 hours after it was asked it comes as withdrawn")
		case ask.Outcome.State == questions.Pending && d.now.Sub(ask.Created) < stillOpen:
			d.leave(name, "it was asked less than 24 hours ago and may still be answered there; import again after that")
		default:
			seen[ask.ID] = name
			session.Asks = append(session.Asks, ask)
		}
	}
	slices.SortStableFunc(session.Asks, func(a, b store.Ask) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
}

// below returns the names of the files in one directory of the session.
func (d *directory) below(dir string) (names []string) {
	for name := range d.files {
		if strings.HasPrefix(name, dir+"/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
