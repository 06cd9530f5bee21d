package setup

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"planb/drafts"
	"planb/mcp/pane"
	"planb/themes"
)

// Key is one setting. Its value comes from the flag, else the environment variable,
// else the file, else the default.
type Key struct {
	Name  string // in the file, with the table before a dot: ring.bell
	About string // what it does, in one line
	Env   string // the environment variable, or ""
	Flag  string // the flag of planb mcp, or ""
	Value string // what the help calls a value of the flag: DURATION
	Group string // what it belongs to, as a heading

	kind valueKind
	// set stores a value of the kind; false if it is not allowed.
	set func(*Settings, value) bool
	get func(Settings) value
	// fromEnv parses the variable if its notation differs from the file's.
	fromEnv func(text string) (value, error)
	// allowed says in words with an example which values are allowed.
	allowed func() string
	// choices returns the allowed values if they are few, to suggest one for a mistyped
	// value. It is nil for free text. The choices of the theme are read from files.
	choices func() []string
	// shownBy is the command that shows the choices if they are many; else empty.
	shownBy string
	// obvious says that About or the value itself tells what is allowed.
	obvious bool
}

// Allowed says in words with an example which values are allowed.
func (k Key) Allowed() string { return k.allowed() }

type valueKind int

const (
	kindText   valueKind = iota
	kindNumber           // a text of digits, which the file may have without quotes
	kindSwitch
	kindList
)

// value is a value of one of the kinds.
type value struct {
	text string
	on   bool
	list []string
}

// Keys lists all settings in the order of the documentation. The themes are those that
// the person can choose from.
func Keys(themes themes.Collection) []Key {
	var all []Key
	for _, group := range []struct {
		title string
		keys  []Key
	}{
		{"Server", serverKeys()}, {"Screens", screenKeys(themes)}, {"When something arrives", ringKeys()},
		{"Plans of tasks", taskKeys()}, {"Drafts that planb writes without an agent", draftKeys()},
	} {
		for _, key := range group.keys {
			key.Group = group.title
			all = append(all, key)
		}
	}
	return all
}

// serverKeys are the settings of the server.
func serverKeys() []Key {
	return []Key{
		{
			Name: "wait", Env: "PLANB_WAIT", Flag: "wait", Value: "DURATION",
			About:   "how long a call may wait for a person before the agent is told to call again; 0s: as long as its client is known to allow",
			allowed: says(`a duration that is not negative, such as "4m30s"`),
			set:     func(s *Settings, v value) bool { return setDuration(&s.Wait, v.text, 0) },
			get:     func(s Settings) value { return value{text: shortDuration(s.Wait)} },
		},
		{
			Name: "answer-timeout", Env: "ASK_ANSWER_TIMEOUT_MS", Flag: "answer-timeout", Value: "DURATION",
			About:   "how long a question waits for its answer before it expires",
			allowed: says(`a duration above 0, such as "36h" or "7d"`),
			set:     func(s *Settings, v value) bool { return setDuration(&s.AnswerTimeout, v.text, 1) },
			get:     func(s Settings) value { return value{text: shortDuration(s.AnswerTimeout)} },
			fromEnv: milliseconds,
		},
		{
			Name: "opener", Env: "PLANB_OPENER", Flag: "opener", Value: "NAME", choices: pane.Names,
			About:   "what opens panes for forms; auto: whatever works here",
			allowed: func() string { return "one of " + quoted(pane.Names()) },
			set:     func(s *Settings, v value) bool { return setName(&s.Opener, v.text, pane.Names()) },
			get:     func(s Settings) value { return value{text: s.Opener} },
		},
		{
			Name: "toolsets", Flag: "toolsets", Value: "LIST", kind: kindList, choices: toolsets,
			About:   "which tools agents are offered: session asks questions, review has plans reviewed, tasks shares work (work: only the tools to carry it out), drafts writes plans from a prompt (drafts-v1: the same under old names); all: everything but drafts-v1",
			allowed: func() string { return "a list of " + quoted(toolsets()) },
			set:     func(s *Settings, v value) bool { return setNames(&s.Toolsets, v.list, toolsets()) },
			get:     func(s Settings) value { return value{list: s.Toolsets} },
		},
		textKey("plans-dir", "DIR", "", "where plan files are, relative to the project; empty: docs/planb/plans", "the path of a directory", func(s *Settings) *string { return &s.PlansDir }),
		textKey("prompt-file", "FILE", "", "a file, relative to the project, with your own text for the prompt named plan, which clients offer as a command; $ARGUMENTS in it stands for the task; empty: planb's own text", "the path of a file", func(s *Settings) *string { return &s.PromptFile }),
	}
}

// toolsets lists the server's toolsets; a test compares it with the server.
func toolsets() []string {
	return []string{"session", "review", "tasks", "work", "drafts", "drafts-v1", "all"}
}

// screenKeys are the settings of the screens.
func screenKeys(themes themes.Collection) []Key {
	return []Key{
		{
			Name: "theme", Env: "PLANB_THEME", choices: themes.Names, shownBy: "planb tui themes",
			About:   "the colours; empty: those that fit the terminal's background",
			allowed: func() string { return `"", or one of ` + quoted(themes.Names()) },
			set:     func(s *Settings, v value) bool { return setTheme(&s.Theme, v.text, themes) },
			get:     func(s Settings) value { return value{text: s.Theme} },
		},
		textKey("editor", "", "PLANB_EDITOR", "the command that edits long texts; empty: $VISUAL, else $EDITOR", `a command line, such as "code --wait"`, func(s *Settings) *string { return &s.Editor }),
		{
			Name:    "panel",
			About:   "how much of a form the panel with the illustrations gets, of its width or else of its height; empty: planb chooses. The keys < and > change it for one form",
			allowed: says(`"", or a percentage from 10% to 90%, such as "45%"`),
			set:     func(s *Settings, v value) bool { return setPercentage(&s.Panel, v.text) },
			get:     func(s Settings) value { return value{text: percentage(s.Panel)} },
		},
		switchKey("mouse", "react to clicks and the wheel; false leaves the mouse to the terminal, for selecting text", func(s *Settings) *bool { return &s.Mouse }),
		accessible(),
	}
}

func accessible() Key {
	key := switchKey("accessible", "ask and answer in plain lines, for a screen reader", func(s *Settings) *bool { return &s.Accessible })
	key.Env = "ACCESSIBLE"
	key.fromEnv = func(string) (value, error) { return value{on: true}, nil } // any value switches it on
	return key
}

// ringKeys say what the inbox does when something arrives.
func ringKeys() []Key {
	return []Key{
		switchKey("ring.bell", "ring the terminal's bell when something arrives in the inbox", func(s *Settings) *bool { return &s.Ring.Bell }),
		switchKey("ring.title", "show how many wait in the inbox's window title", func(s *Settings) *bool { return &s.Ring.Title }),
		switchKey("ring.desktop", "send a desktop notification, if the terminal can", func(s *Settings) *bool { return &s.Ring.Desktop }),
		switchKey("ring.message", "show a line in your terminal multiplexer", func(s *Settings) *bool { return &s.Ring.Message }),
	}
}

// taskKeys say where agents work with tasks, and have their limits.
func taskKeys() []Key {
	projects := Key{
		Name: "tasks.projects", kind: kindList,
		About:   "the projects whose agents have the tools of tasks, by their directories; `planb tasks on` and `off` change it for the project they run in",
		allowed: says(`a list of absolute paths, such as "/home/me/shop"`),
		set: func(s *Settings, v value) bool {
			list := slices.DeleteFunc(append([]string{}, v.list...), func(dir string) bool { return strings.TrimSpace(dir) == "" })
			s.TaskProjects = list
			return !slices.ContainsFunc(list, func(dir string) bool { return !filepath.IsAbs(dir) })
		},
		get: func(s Settings) value { return value{list: s.TaskProjects} },
	}
	return []Key{
		projects,
		countKey("tasks.projects_limit", "the most projects that plans of tasks may have; empty: any number", func(s *Settings) *int { return &s.Tasks.Projects }),
		countKey("tasks.monthly_limit", "the most tasks that may be created in a month (UTC); empty: any number", func(s *Settings) *int { return &s.Tasks.Monthly }),
		{
			Name:    "tasks.grace",
			About:   "how long a claimed task waits for an agent whose client has ended, before others may claim it",
			allowed: says(`a duration above 0, such as "2m"`),
			set:     func(s *Settings, v value) bool { return setDuration(&s.Tasks.Grace, v.text, 1) },
			get:     func(s Settings) value { return value{text: shortDuration(s.Tasks.Grace)} },
		},
	}
}

// countKey is a setting that is a whole number above 0, or empty for no limit.
func countKey(name, about string, field func(*Settings) *int) Key {
	return Key{
		Name: name, About: about, kind: kindNumber, allowed: says(`"", or a whole number above 0, such as "8"`),
		set: func(s *Settings, v value) bool {
			text := strings.TrimSpace(v.text)
			if text == "" {
				*field(s) = 0
				return true
			}
			n, err := strconv.ParseUint(text, 10, 31)
			if err != nil || n == 0 {
				return false
			}
			*field(s) = int(n)
			return true
		},
		get: func(s Settings) value {
			if n := *field(&s); n > 0 {
				return value{text: strconv.Itoa(n)}
			}
			return value{}
		},
	}
}

// draftKeys say who writes drafts without an agent.
func draftKeys() []Key {
	keys := []Key{{
		Name: "draft.command", kind: kindList,
		About:   "the program that writes a draft for `planb draft run`, with its arguments; no shell reads them. It gets each step on stdin and prints a JSON object",
		allowed: says(`a list of a program and its arguments, such as "claude", "-p"`),
		set: func(s *Settings, v value) bool {
			s.DraftCommand = append([]string{}, v.list...)
			return !slices.ContainsFunc(v.list, func(arg string) bool { return strings.ContainsFunc(arg, unicode.IsControl) })
		},
		get: func(s Settings) value { return value{list: s.DraftCommand} },
	}, {
		Name:    "draft.base_url",
		About:   "an OpenAI-compatible server whose models write drafts; empty: none, and planb opens no connection",
		allowed: says(`"", or an address without a user, a query or a key, such as "http://localhost:11434/v1"`),
		set: func(s *Settings, v value) bool {
			s.DraftEndpoint.BaseURL = strings.TrimSpace(v.text)
			return s.DraftEndpoint.BaseURL == "" || isBaseURL(s.DraftEndpoint.BaseURL)
		},
		get: func(s Settings) value { return value{text: s.DraftEndpoint.BaseURL} },
	}, {
		Name:    "draft.key_env",
		About:   "the name of the environment variable with the key of that server, never the key; empty: it needs none",
		allowed: says(`"", or the name of a variable, such as "MY_KEY"`),
		set: func(s *Settings, v value) bool {
			s.DraftEndpoint.KeyEnv = strings.TrimSpace(v.text)
			return isVariable(s.DraftEndpoint.KeyEnv)
		},
		get: func(s Settings) value { return value{text: s.DraftEndpoint.KeyEnv} },
	}, countKey("draft.workers", "how many steps that server writes at once; empty: 4, or 1 if it runs on this machine", func(s *Settings) *int { return &s.DraftEndpoint.Workers }), {
		Name: "draft.dedup_seconds", kind: kindNumber,
		About:   "for how many seconds an agent that asks for the same draft again gets the one that is being written; 0: each request begins another",
		allowed: says(`a whole number of seconds, such as "600"`),
		set: func(s *Settings, v value) bool {
			n, err := strconv.ParseUint(strings.TrimSpace(v.text), 10, 31)
			s.DraftDedup = time.Duration(n) * time.Second
			return err == nil
		},
		get: func(s Settings) value { return value{text: strconv.Itoa(int(s.DraftDedup / time.Second))} },
	}}
	for i, name := range drafts.Profiles() {
		profile := func(s *Settings) *Profile { return &s.DraftEndpoint.Profiles[i] }
		keys = append(keys, Key{
			Name: "draft.profiles." + name + ".models", kind: kindList,
			About:   "the models of a profile, by their names at that server; where one fails, the next writes the step",
			allowed: says(`a list of names, such as "model-a", "model-b"`),
			set: func(s *Settings, v value) bool {
				profile(s).Models = slices.DeleteFunc(append([]string{}, v.list...), func(name string) bool { return strings.TrimSpace(name) == "" })
				return !slices.ContainsFunc(v.list, func(name string) bool { return strings.ContainsFunc(name, unicode.IsControl) })
			},
			get: func(s Settings) value { return value{list: profile(&s).Models} },
		}, switchKey("draft.profiles."+name+".json_object", "ask these models for a JSON object (response_format), which not every server understands",
			func(s *Settings) *bool { return &profile(s).JSONObject }))
	}
	return keys
}

// says returns a function that returns the text.
func says(text string) func() string { return func() string { return text } }

func switchKey(name, about string, field func(*Settings) *bool) Key {
	return Key{
		Name: name, About: about, allowed: says("true or false"), obvious: true, kind: kindSwitch,
		set: func(s *Settings, v value) bool {
			*field(s) = v.on
			return true
		},
		get: func(s Settings) value { return value{on: *field(&s)} },
	}
}

// textKey is a setting with free text. If valueName is given, the setting also has a flag,
// with the same name as the setting.
func textKey(name, valueName, env, about, allowed string, field func(*Settings) *string) Key {
	flag := ""
	if valueName != "" {
		flag = name
	}
	return Key{
		Name: name, Flag: flag, Value: valueName, Env: env, About: about, allowed: says(allowed), obvious: true,
		set: func(s *Settings, v value) bool {
			if strings.ContainsFunc(v.text, unicode.IsControl) {
				return false
			}
			*field(s) = strings.TrimSpace(v.text)
			return true
		},
		get: func(s Settings) value { return value{text: *field(&s)} },
	}
}
