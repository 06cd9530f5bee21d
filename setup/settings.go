package setup

import (
	"time"

	"planb/drafts"
	"planb/plans/tasks"
)

// defaultAnswerTimeout is how long a question waits for its answer if no
// timeout is set.
const defaultAnswerTimeout = 24 * time.Hour

// defaultDedup is how long a request for the same draft returns the existing draft, if no time
// is set.
const defaultDedup = 10 * time.Minute

// Settings are a person's preferences.
type Settings struct {
	Wait          time.Duration // how long a call may wait for a person; 0: as long as planb knows the client to allow
	AnswerTimeout time.Duration // how long a question waits for its answer
	Opener        string        // what opens panes; "auto": what works here
	Toolsets      []string      // names of the toolsets offered to agents
	PlansDir      string        // where plan files are; empty: the default
	PromptFile    string        // a file with the text of the prompt plan; empty: planb's own
	Theme         string        // empty: what fits the terminal's background
	Editor        string        // a command line; empty: $VISUAL, else $EDITOR
	Panel         int           // percent of a form's width, or height, for the panel of illustrations; 0: planb's choice
	Mouse         bool          // the form uses clicks and the wheel
	Accessible    bool          // plain lines instead of screens
	Ring          Ring
	TaskProjects  []string // directories of the projects whose agents have the toolset tasks
	Tasks         Tasks
	DraftCommand  []string // the program that writes drafts without an agent, with its arguments
	DraftEndpoint Endpoint
	// DraftDedup is how long a request for the same draft returns the existing draft; 0: each
	// request begins another one.
	DraftDedup time.Duration
}

// Endpoint is an OpenAI-compatible server whose models write drafts without an agent.
type Endpoint struct {
	BaseURL  string // empty: none
	KeyEnv   string // the variable with its key; empty: it needs none
	Workers  int    // how many steps are written at once; 0: planb's choice
	Profiles []Profile
}

// Profile is a choice of models.
type Profile struct {
	Name       string
	Models     []string // in this order: the next one writes if one fails
	JSONObject bool     // the server understands response_format json_object
}

// Profile returns the profile with the name, or the first one with models if the name is
// empty; false if there is none with models.
func (e Endpoint) Profile(name string) (Profile, bool) {
	for _, p := range e.Profiles {
		if e.BaseURL != "" && len(p.Models) > 0 && (name == "" || p.Name == name) {
			return p, true
		}
	}
	return Profile{}, false
}

// emptyProfiles returns all profiles, without models.
func emptyProfiles() (list []Profile) {
	for _, name := range drafts.Profiles() {
		list = append(list, Profile{Name: name, Models: []string{}})
	}
	return list
}

// Tasks are the limits of plans of tasks.
type Tasks struct {
	Projects int           // the most projects; 0 for no limit
	Monthly  int           // the most tasks that are created in a month; 0 for no limit
	Grace    time.Duration // how long a task waits for a holder that is gone
}

// Ring says what the inbox does when something arrives.
type Ring struct {
	Bell    bool // the terminal bell
	Title   bool // the count in the window's title
	Desktop bool // a desktop notification, if the terminal can
	Message bool // a line in the person's multiplexer
}

// KeySetting is a line of the file that gives an action of a screen its keys. Only the
// screens know the names of the actions.
type KeySetting struct {
	Screen string // empty: all screens that have the action
	Action string
	Keys   []string // as written; an empty list leaves the action without keys
	Line   int      // from 1
}

// Name returns its name in the file: keys.form.submit.
func (k KeySetting) Name() string {
	if k.Screen == "" {
		return "keys." + k.Action
	}
	return "keys." + k.Screen + "." + k.Action
}

// Defaults are the settings if the person has set none.
func Defaults() Settings {
	return Settings{
		AnswerTimeout: defaultAnswerTimeout, Opener: "auto", Toolsets: []string{"session", "review"},
		Mouse: true, Ring: Ring{Bell: true, Title: true, Desktop: true, Message: true},
		TaskProjects: []string{}, Tasks: Tasks{Grace: tasks.DefaultGrace}, DraftCommand: []string{},
		DraftEndpoint: Endpoint{Profiles: emptyProfiles()}, DraftDedup: defaultDedup,
	}
}
