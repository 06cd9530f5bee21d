package archive

import (
	"errors"
	"slices"
	"strings"

	"planb/questions/safe"
)

// Anonymous returns the session without what planb itself noted of people and places: who
// answered and saved (user@host), the directories above the project's own, and the store's
// path in errors. The words of the agent and the person stay as they are.
func (s Session) Anonymous() Session {
	const separators = `/\` // those of any system: a session may come from another one
	project := strings.TrimRight(s.Project.Raw(), separators)
	s.Project = safe.New(project[strings.LastIndexAny(project, separators)+1:])
	unreadable := errors.New("its record is damaged") // the error itself names the store's file
	s.Asks = slices.Clone(s.Asks)
	for i := range s.Asks {
		ask := &s.Asks[i]
		ask.Outcome.By = ""
		ask.TooLate = slices.Clone(ask.TooLate)
		for n := range ask.TooLate {
			ask.TooLate[n].By = ""
		}
		if ask.Err != nil {
			ask.Err = unreadable
		}
	}
	s.Plans = slices.Clone(s.Plans)
	for i := range s.Plans {
		s.Plans[i].By = ""
		if s.Plans[i].Err != nil {
			s.Plans[i].Err = unreadable
		}
	}
	return s
}
