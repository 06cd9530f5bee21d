package doctor

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/setup/clients"
)

func registered(t *testing.T, change func(*Client)) Client {
	t.Helper()
	codex, ok := clients.ByName("codex")
	if !ok {
		t.Fatal("Codex is not known")
	}
	c := Client{Registration: clients.Registration{
		Client: codex, File: "/home/me/.codex/config.toml", Exists: true, Registered: true, Name: "planb",
		Command: "/usr/local/bin/planb", Args: []string{"mcp"}, Limit: 24 * time.Hour, Wait: 23 * time.Hour, Permission: clients.Allowed,
	}, Ours: true}
	if change != nil {
		change(&c)
	}
	return c
}

func TestClients(t *testing.T) {
	for _, c := range []struct {
		about  string
		change func(*Client)
		state  State
		says   string
		remedy string
	}{
		{"as wanted", nil, OK, "a call may take 24h, and planb waits 23h", ""},
		{"unreadable", func(c *Client) { c.Err = errors.New("line 3: what is this") }, Problem, "line 3", "by hand"},
		{"elsewhere", func(c *Client) { c.Elsewhere = true }, Problem, "has the address of a server in its entry for planb, so that it does not start planb", "planb setup codex"},
		{"switched off", func(c *Client) { c.Disabled = true }, Note, "switched off", ""},
		{"gone", func(c *Client) { c.StartErr = fmt.Errorf("x: %w", clients.ErrNotFound) }, Problem, "no such program", "planb setup codex"},
		{"not to be run", func(c *Client) { c.StartErr = errors.New("permission denied") }, Problem, "permission denied", "planb setup codex"},
		{"another", func(c *Client) { c.Ours = false }, Warning, "another planb", "planb setup codex"},
		{"impatient", func(c *Client) { c.Limit = 5 * time.Minute }, Warning, "ends a call after 5m, before planb returns it (and planb waits 23h)", "planb setup codex"},
		{"impatient with the default wait", func(c *Client) { c.Limit, c.Wait = time.Minute, 0 }, Warning, "ends a call after 1m, before planb returns it (and planb goes by the client's default of 5m)", "planb setup codex"},
		{"patient, with the default wait", func(c *Client) { c.Wait = 0 }, OK, "a call may take 24h, and planb goes by the client's default of 5m", ""},
		{"tight-lipped", func(c *Client) { c.Missing = []string{"TMUX", "TMUX_PANE"} }, Warning, "TMUX, TMUX_PANE", "planb setup codex"},
		{"curious", func(c *Client) { c.Permission = clients.Asked }, Warning, "before each form", "planb setup codex"},
		{"forbidding", func(c *Client) { c.Permission = clients.Forbidden }, Warning, "a rule", "mcp__planb"},
		{"of a project", func(c *Client) { c.Place.Project, c.Ours = "/src/x", false }, Warning, "another planb", "planb setup codex --project"},
	} {
		t.Run(c.about, func(t *testing.T) {
			list := Clients([]Client{registered(t, c.change)})
			if len(list) != 1 {
				t.Fatalf("%d findings: %+v", len(list), list)
			}
			wellFormed(t, list[0])
			if f := list[0]; f.State != c.state || !strings.Contains(f.Detail, c.says) || !strings.Contains(f.Remedy, c.remedy) {
				t.Errorf("%s, %q, %q; want %s, %q, %q", f.State, f.Detail, f.Remedy, c.state, c.says, c.remedy)
			}
		})
	}
}

func TestNoClientAtAll(t *testing.T) {
	list := Clients([]Client{registered(t, func(c *Client) { c.Registered = false })})
	for _, f := range list {
		wellFormed(t, f)
	}
	if len(list) != 2 || list[0].State != Note || list[1].State != Warning || !strings.Contains(list[1].Remedy, "planb setup claude") {
		t.Errorf("%+v", list)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		50 * time.Second: "50s", 10 * time.Minute: "10m", 24 * time.Hour: "24h", 23*time.Hour + 30*time.Second: "23h0m30s",
		100 * time.Minute: "1h40m", 280 * time.Second: "4m40s",
	} {
		if got := duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestPlanHooks(t *testing.T) {
	for _, c := range []struct {
		about  string
		change func(*Client)
		state  State
		says   string
		remedy string
	}{
		{"as wanted", nil, OK, "reviewed in planb (/home/me/.claude/settings.json), for 96h", ""},
		{"gone", func(c *Client) { c.HookErr = clients.ErrNotFound }, Problem, "no such program", "planb setup codex --plan-hook"},
		{"another", func(c *Client) { c.HookOurs = false }, Warning, "/home/me/.claude/settings.json sends plans to another planb than this one: /usr/local/bin/planb", "planb setup codex --plan-hook"},
		{"impatient", func(c *Client) { c.PlanHook.Seconds = 60 }, Warning, "ends a review after 1m", "345600"},
		{"of a default", func(c *Client) { c.PlanHook.Seconds = 0 }, Warning, "the client's default of some minutes", "345600"},
		{"of a project", func(c *Client) { c.Place.Project, c.HookErr = "/src/x", clients.ErrNotFound }, Problem, "no such program", "--plan-hook --project"},
	} {
		t.Run(c.about, func(t *testing.T) {
			hooked := registered(t, func(has *Client) {
				has.PlanHook = clients.PlanHook{File: "/home/me/.claude/settings.json", Registered: true, Program: "/usr/local/bin/planb", Seconds: 345600}
				has.HookOurs = true
				if c.change != nil {
					c.change(has)
				}
			})
			list := Clients([]Client{hooked})
			if len(list) != 2 {
				t.Fatalf("%d findings: %+v", len(list), list)
			}
			wellFormed(t, list[1])
			if f := list[1]; f.State != c.state || !strings.Contains(f.Detail, c.says) || !strings.Contains(f.Remedy, c.remedy) {
				t.Errorf("%s, %q, %q; want %s, %q, %q", f.State, f.Detail, f.Remedy, c.state, c.says, c.remedy)
			}
		})
	}
}

// The clients that do not start planb share a row; those that do keep their own.
func TestClientsInBrief(t *testing.T) {
	absent := func(c *Client) { c.Registered = false }
	codex := registered(t, nil)
	list := ClientsInBrief([]Client{registered(t, absent), codex, registered(t, absent)})
	if len(list) != 2 || list[0] != Clients([]Client{codex})[0] || list[1].State != Note ||
		list[1].Detail != "Codex, Codex (`planb doctor --all` names their files)" {
		t.Errorf("%+v", list)
	}
	broken := registered(t, func(c *Client) { c.Registered, c.Err = false, errors.New("line 3") })
	if list := ClientsInBrief([]Client{registered(t, absent), broken}); len(list) != 3 || list[1].State != Problem {
		t.Errorf("one client alone, and one whose file cannot be read: %+v", list)
	}
}
