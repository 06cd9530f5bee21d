package clients

import (
	"path/filepath"
	"strings"
	"testing"
)

const planHookAlone = `{
  "hooks": {
    "PermissionRequest": [
      {
        "matcher": "ExitPlanMode",
        "hooks": [
          {
            "type": "command",
            "command": "/opt/planb review --hook claude",
            "timeout": 345600
          }
        ]
      }
    ]
  }
}
`

func TestRegisteringThePlanHook(t *testing.T) {
	for name, c := range map[string]struct {
		before, want string
		command      string
		keep         func(string) bool
	}{
		"nothing there": {"", planHookAlone, "/opt/planb", nil},
		"there":         {planHookAlone, planHookAlone, "/opt/planb", nil},
		"another planb": {strings.Replace(planHookAlone, "/opt/planb", "/old/planb", 1), planHookAlone, "/opt/planb", nil},
		"a name that finds it": {
			strings.Replace(planHookAlone, "/opt/planb", "planb", 1), strings.Replace(planHookAlone, "/opt/planb", "planb", 1),
			"/opt/planb", func(program string) bool { return program == "planb" },
		},
		"a path for a shell": {"", strings.Replace(planHookAlone, "/opt/planb", `'/opt/it'\\''s mine/planb'`, 1), "/opt/it's mine/planb", nil},
		"among others": {
			"{\n  // mine\n  \"hooks\": {\n    \"PermissionRequest\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"planb review --hook claude\"}]}\n    ],\n    \"Stop\": []\n  }\n}\n",
			"{\n  // mine\n  \"hooks\": {\n    \"PermissionRequest\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"planb review --hook claude\"}]},\n" +
				"      {\n        \"matcher\": \"ExitPlanMode\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"/opt/planb review --hook claude\",\n            \"timeout\": 345600\n          }\n        ]\n      }\n" +
				"    ],\n    \"Stop\": []\n  }\n}\n",
			"/opt/planb", nil,
		},
		"in a group of the person's": {
			`{"hooks": {"PermissionRequest": [{"matcher": "Exit.*|X", "hooks": [{"command": "x"}, {"command": "/old/planb review --hook claude", "timeout": 60}]}]}}`,
			`{"hooks": {"PermissionRequest": [{"matcher": "Exit.*|X", "hooks": [{"command": "x"}, {"command": "/opt/planb review --hook claude", "timeout": 60}]}]}}`,
			"/opt/planb", nil,
		},
		"without a time": {
			`{"hooks": {"PermissionRequest": [{"hooks": [{"command": "/opt/planb review --hook claude"}]}]}}`,
			`{"hooks": {"PermissionRequest": [{"hooks": [{"command": "/opt/planb review --hook claude", "timeout": 345600}]}]}}`,
			"/opt/planb", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			place, claude := home(t), client(t, "claude")
			file := filepath.Join(place.Home, ".claude", "settings.json")
			if c.before != "" {
				write(t, file, c.before)
			}
			texts, _ := put(t, claude.RegisterHook(ReviewsPlans, place, c.command, c.keep), place.Home)
			if got := texts[".claude/settings.json"]; got != c.want {
				t.Fatalf("got\n%s\nwant\n%s", got, c.want)
			}
			if _, again := put(t, claude.RegisterHook(ReviewsPlans, place, c.command, c.keep), place.Home); again {
				t.Error("a second time changes something")
			}
			if h := claude.InspectPlanHook(place); h.Err != nil || !h.Registered || !isPlanb(h.Program) || h.Seconds < 60 {
				t.Errorf("what stands there is read as %+v", h)
			}
		})
	}
}

func TestTakingThePlanHookOut(t *testing.T) {
	const own = `{"type": "command", "command": "/opt/planb review --hook claude", "timeout": 345600}`
	for name, c := range map[string]struct{ before, want string }{
		"alone":            {planHookAlone, "{}\n"},
		"beside a setting": {`{"a": 1, "hooks": {"PermissionRequest": [{"matcher": "ExitPlanMode", "hooks": [` + own + `]}]}}`, `{"a": 1}`},
		"beside an event":  {`{"hooks": {"Stop": [], "PermissionRequest": [{"hooks": [` + own + `]}]}}`, `{"hooks": {"Stop": []}}`},
		"beside a group":   {`{"hooks": {"PermissionRequest": [{"hooks": [` + own + `]}, {"matcher": "Bash"}]}}`, `{"hooks": {"PermissionRequest": [ {"matcher": "Bash"}]}}`},
		"beside a hook":    {`{"hooks": {"PermissionRequest": [{"hooks": [{"command": "x"}, ` + own + `]}]}}`, `{"hooks": {"PermissionRequest": [{"hooks": [{"command": "x"}]}]}}`},
		"twice":            {`{"hooks": {"PermissionRequest": [{"hooks": [` + own + `]}, {"hooks": [` + own + `]}]}}`, `{}`},
		"not there":        {`{"hooks": {}}`, `{"hooks": {}}`},
	} {
		t.Run(name, func(t *testing.T) {
			for what, files := range map[string]func(Client, Place) []File{
				"the hook": func(c Client, p Place) []File { return c.UnregisterHook(ReviewsPlans, p) }, "all of planb": Client.Unregister,
			} {
				place := home(t)
				write(t, filepath.Join(place.Home, ".claude", "settings.json"), c.before)
				texts, _ := put(t, files(client(t, "claude"), place), place.Home)
				if got := texts[".claude/settings.json"]; got != c.want {
					t.Errorf("without %s:\n%s\nwant\n%s", what, got, c.want)
				}
			}
		})
	}
}

// TestTheHookOfTasks registers both hooks of a client, and removes one after the other.
func TestTheHookOfTasks(t *testing.T) {
	place, claude := home(t), client(t, "claude")
	const alone = `{
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/opt/planb tasks prime"
          }
        ]
      }
    ]
  }
}
`
	texts, _ := put(t, claude.RegisterHook(TellsTasks, place, "/opt/planb", nil), place.Home)
	if got := texts[".claude/settings.json"]; got != alone {
		t.Errorf("registered: %v", texts)
	}
	if _, again := put(t, claude.RegisterHook(TellsTasks, place, "/opt/planb", nil), place.Home); again {
		t.Error("registering again changes something")
	}
	put(t, claude.RegisterHook(ReviewsPlans, place, "/opt/planb", nil), place.Home)
	if h := claude.InspectPlanHook(place); !h.Registered {
		t.Errorf("beside it: %+v", h)
	}
	texts, _ = put(t, claude.UnregisterHook(ReviewsPlans, place), place.Home)
	if got := texts[".claude/settings.json"]; got != alone {
		t.Errorf("after the other one was removed: %v", texts)
	}
	put(t, claude.RegisterHook(ReviewsPlans, place, "/opt/planb", nil), place.Home)
	texts, _ = put(t, claude.Unregister(place), place.Home)
	if got := texts[".claude/settings.json"]; strings.Contains(got, "hooks") {
		t.Errorf("after planb was removed: %s", got)
	}
}
