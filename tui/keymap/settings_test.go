package keymap

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// didYouMean stands for what knows which name is nearest.
func didYouMean(name string, known []string) string {
	for _, other := range known {
		if strings.HasPrefix(other, name[:min(3, len(name))]) {
			return "; did you mean " + other + "?"
		}
	}
	return "; there are many"
}

// settingsOf reads "form.submit=ctrl+x,f5" and "help=f2", separated by spaces.
func settingsOf(text string) []Setting {
	var list []Setting
	for _, field := range strings.Fields(text) {
		name, keys, _ := strings.Cut(field, "=")
		var s Setting
		if screen, action, ok := strings.Cut(name, "."); ok {
			s.Screen, s.Action = screen, action
		} else {
			s.Action = name
		}
		if keys != "" {
			s.Keys = strings.Split(keys, ",")
		}
		list = append(list, s)
	}
	return list
}

// Whatever has a key has a name for the settings, or is left out knowingly; a
// name stands for one action where it counts.
func TestEveryActionHasAName(t *testing.T) {
	for _, screen := range keyScreens() {
		acts := map[string]string{}
		for _, rows := range [][]Binding{slices.Concat(screen.keys.Everywhere, screen.keys.OutsideText), screen.keys.InText} {
			for _, row := range rows {
				name := actionName(screen.name, row.Act)
				if leftOut := row.Act == Digit || row.Act == Close; name == "" && !leftOut {
					t.Errorf("%s: what %v does has no name; add it to actionNames", screen.name, row.Key.Keys())
				}
				if name != strings.ToLower(name) || strings.ContainsAny(name, " ._") {
					t.Errorf("%s: the name %q is not written as names are", screen.name, name)
				}
				if does := row.Key.Help().Desc; acts[name] == "" {
					acts[name] = does
				}
			}
		}
		for name, does := range acts {
			if name != "" && does == "" {
				t.Errorf("%s: nothing says what %s does; give a row of it a description (without a group the help leaves it out)", screen.name, name)
			}
		}
	}
}

// The keys as they come are keys, and those that settings could not give are
// only there beside others.
func TestTheKeysAsTheyComeAreInOrder(t *testing.T) {
	for _, screen := range keyScreens() {
		for _, row := range screen.keys.All() {
			for _, key := range row.Key.Keys() {
				got, _, err := parseKey(key, didYouMean)
				if err == nil && got != key {
					t.Errorf("%s: %q is read as %q", screen.name, key, got)
				}
				if err != nil && key != "ctrl+h" {
					t.Errorf("%s: %v", screen.name, err)
				}
			}
		}
	}
	for _, context := range (Keys{}).contexts(keyScreens()) {
		holder := map[string]keyOwner{}
		for _, row := range context {
			for _, key := range row.Key.Keys() {
				first, taken := holder[key]
				if taken && first != row.keyOwner && row.Act != Close {
					t.Errorf("%s is the key of %v and of %v", key, first, row.keyOwner)
				}
				holder[key] = row.keyOwner
			}
		}
	}
}

func TestKeysAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"a": "a", "A": "A", "shift+a": "A", "?": "?", "+": "+", "ö": "ö", " ": "space", "Space": "space",
		"Ctrl+S": "ctrl+s", "control + s": "ctrl+s", "alt+ctrl+x": "ctrl+alt+x", "Page Down": "pgdown", "PgDn": "pgdown", "Return": "enter", "escape": "esc",
		"shift+↑": "shift+up", "F5": "f5", "ctrl+shift+left": "ctrl+shift+left", "ctrl+plus": "ctrl++ few", "ctrl++": "ctrl++ few",
		"ctrl+enter": "ctrl+enter few", "alt+enter": "alt+enter", "ctrl+shift+s": "ctrl+shift+s few", "ctrl+1": "ctrl+1 few", "shift+tab": "shift+tab", "ctrl+tab": "ctrl+tab few",
		"ctrl+space": "ctrl+space", "ctrl+_": "ctrl+_", "alt+/": "alt+/",
		"ctrl+i": "terminals send ctrl+i as tab", "ctrl+m": "terminals send ctrl+m as enter", "ctrl+[": "terminals send ctrl+[ as esc", "ctrl+h": "terminals send ctrl+h as backspace", "ctrl+@": "terminals send ctrl+@ as ctrl+space",
		"cmd+s": "terminals keep cmd for themselves; use ctrl or alt", "crtl+s": `"crtl" is no key to hold down; there are ctrl, alt and shift`,
		"entr": `"entr" is no key; did you mean enter?`, "": `"" is no key; did you mean enter?`, "ab": `"ab" is no key; there are many`, "ctrl+": `"ctrl+" is no key; did you mean enter?`,
		"f13": `"f13" is no key; there are many`, "\u0301": `"́" is no key`, "\x1b": `"\x1b" is no key`, "\u202e": `"\u202e" is no key`,
	} {
		got, reach, err := parseKey(text, didYouMean)
		if reach == reachFew {
			got += " few"
		}
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// keysOn are the keys an action has on a screen, by the names of the settings.
func keysOn(k Keys, owner string) string {
	screen, action, _ := strings.Cut(owner, ".")
	var list []string
	for _, s := range keyScreens() {
		if s.name != screen {
			continue
		}
		keys := k.remap(screen, s.keys)
		for _, layer := range []struct {
			mark string
			rows []Binding
		}{{"", keys.Everywhere}, {"outside:", keys.OutsideText}, {"", keys.InText}} {
			for _, row := range layer.rows {
				if actionName(screen, row.Act) == action {
					list = append(list, layer.mark+strings.Join(row.Key.Keys(), ","))
				}
			}
		}
	}
	return strings.Join(list, " ")
}

func TestActionsGetTheKeysTheSettingsName(t *testing.T) {
	for settings, want := range map[string]map[string]string{
		"form.submit=ctrl+x":                     {"form.submit": "ctrl+x", "review.decide": "ctrl+s"},
		"submit=f5":                              {"form.submit": "f5"},
		"help=f2,h form.help=f3":                 {"form.help": "f3", "review.help": "f1 outside:?"},
		"help=f2,?":                              {"form.help": "f2 outside:?", "search.help": "f2", "plan.help": "outside:f2,?"},
		"copy=alt+y,Y":                           {"plan.copy": "outside:Y", "form.copy": "outside:alt+y,Y"},
		"help=f2":                                {"form.help": "f2", "plan.help": "outside:f2", "search.help": "f2"},
		"form.submit=ctrl+enter,ctrl+x":          {"form.submit": "ctrl+enter,ctrl+x"},
		"form.help=f2,H":                         {"form.help": "f2 outside:H"},
		"form.up=up,k":                           {"form.up": "up outside:k"},
		"review.up=up,i":                         {"review.up": "up outside:i", "review.down": "down outside:j"},
		"form.page-up=ctrl+b":                    {"form.page-up": "ctrl+b"},
		"form.note=":                             {"form.note": ""},
		"form.back=f9":                           {"form.back": "f9,esc"},
		"form.choose=":                           {"form.choose": "enter"},
		"form.menu=f10":                          {"form.menu": "f10,ctrl+c"},
		"sessions.quit=Q":                        {"sessions.quit": "outside:Q,ctrl+c"},
		"form.note=z form.zoom=n":                {"form.note": "outside:z", "form.zoom": "outside:n"},
		"diff.as-read=M":                         {"diff.as-read": "outside:M outside:M"},
		"text.line-start=alt+a":                  {"text.line-start": "alt+a"},
		"review.question=Q":                      {"review.question": "outside:Q"},
		"pick.up=w plan.up=up,w plan.what-led=W": {"pick.up": "outside:w", "plan.up": "", "plan.scroll-up": "outside:up,k", "plan.what-led": "outside:W"},
	} {
		keys, problems := New(settingsOf(settings), didYouMean)
		if len(problems) > 0 && settings != "help=f2,h form.help=f3" && !strings.HasPrefix(settings, "pick") {
			t.Errorf("%s: %v", settings, problems)
		}
		for owner, want := range want {
			if got := keysOn(keys, owner); got != want {
				t.Errorf("%s: %s has %q, want %q", settings, owner, got, want)
			}
		}
	}
}

// What cannot be is said; what is right beside it counts.
func TestMistakesInKeysAreNamed(t *testing.T) {
	for settings, want := range map[string]string{
		"form.submt=f5":                       `there is no action "submt" in keys.form; did you mean submit?`,
		"submt=f5":                            `there is no action "submt"; did you mean submit?`,
		"from.submit=f5":                      `there are no keys of "from"; there are many`,
		"forms.submit=f5":                     `there are no keys of "forms"; did you mean form?`,
		"form.submit=crtl+s":                  `"crtl" is no key to hold down; there are ctrl, alt and shift`,
		"form.submit=S":                       "S is text while you write; name a key beside it that is no character",
		"text.delete-word=x":                  "x is text there; take a key that is no character",
		"search.up=k":                         "k is text there; take a key that is no character",
		"form.submit=ctrl+enter":              "only few terminals send ctrl+enter; name another key beside it",
		"form.submit=ctrl+i":                  "terminals send ctrl+i as tab",
		"plan.older=alt+p":                    "alt+p arrives there as esc and then the other key; take a key without alt",
		"form.note=z":                         "z is the key of both form.note and form.zoom; give one of them another key",
		"form.note=5":                         "5 has a fixed meaning in keys.form; take another key",
		"form.submit=ctrl+w":                  "ctrl+w is the key of both form.submit and text.delete-word; give one of them another key",
		"form.note=esc":                       "esc is the key of both form.back and form.note; give one of them another key",
		"form.note=F form.zoom=F":             "F is the key of both form.note and form.zoom; give one of them another key",
		"form.note=F form.zoom=n form.copy=F": "F is the key of both form.note and form.copy; give one of them another key",
	} {
		keys, problems := New(settingsOf(settings), didYouMean)
		var got []string
		for _, p := range problems {
			got = append(got, p.Reason)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: got\n%s\nwant\n%s", settings, strings.Join(got, "\n"), strings.ReplaceAll(want, "|", "\n"))
		}
		if len(keys.changed) > 0 {
			t.Errorf("%s: %v counts", settings, keys.changed)
		}
	}
}

// A screen whose keys clash keeps all its own. Other screens have what the settings say.
func TestAClashLeavesAScreenItsOwnKeys(t *testing.T) {
	keys, problems := New(settingsOf("form.note=z text.line-start=alt+a plan.what-led=W copy=C"), didYouMean)
	if len(problems) != 1 || problems[0].Setting != 0 {
		t.Errorf("the problems are %v", problems)
	}
	for owner, want := range map[string]string{
		"form.note": "outside:n", "form.copy": "outside:y", "review.copy": "outside:C", "text.line-start": "alt+a",
		"plan.what-led": "outside:W", "plan.copy": "outside:C",
	} {
		if got := keysOn(keys, owner); got != want {
			t.Errorf("%s has %q, want %q", owner, got, want)
		}
	}
	keys, problems = New(settingsOf("form.submit=ctrl+x text.line-start=ctrl+s form.note=z review.decide=f5"), didYouMean)
	if len(problems) != 2 || keysOn(keys, "form.submit") != "ctrl+s" || keysOn(keys, "text.line-start") != "ctrl+a" {
		t.Errorf("%v, %v", problems, keys)
	}
}

// However the settings are, two actions never share a key, and the way out stays.
func FuzzKeySettings(f *testing.F) {
	for _, seed := range []string{"form.submit=ctrl+x help=f2", "form.note=z form.zoom=n form.copy=z", "back= menu= up=k down=j", "plan.quit=Q,esc"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		settings := settingsOf(text)
		keys, problems := New(settings, func(string, []string) string { return "" })
		for _, p := range problems {
			if p.Setting < 0 || p.Setting >= len(settings) || p.Reason == "" {
				t.Errorf("%+v", p)
			}
		}
		r := settingReader{screens: keyScreens(), wanted: map[keyOwner]wantedKeys{}}
		for owner, list := range keys.changed {
			r.wanted[owner] = wantedKeys{keys: list}
		}
		if clashes := r.clashes(); len(clashes) > 0 {
			t.Errorf("%v", clashes)
		}
		for _, owner := range []string{"form.back", "form.menu", "form.choose", "plan.back", "plan.quit", "text.backspace"} {
			if !strings.Contains(keysOn(keys, owner), map[string]string{"back": "esc", "menu": "ctrl+c", "quit": "ctrl+c", "choose": "enter"}[owner[strings.Index(owner, ".")+1:]]) {
				t.Errorf("%s has %q", owner, keysOn(keys, owner))
			}
		}
		_ = fmt.Sprint(keys.Form().All(), keys.Review().All())
	})
}
