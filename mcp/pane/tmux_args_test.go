package pane

import (
	"slices"
	"testing"
	"time"
)

func TestArrange(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		at   tmuxAt
		want placement
	}{
		{"wide: right, six tenths", tmuxAt{width: 200, height: 50}, placement{side: right, cells: 120}},
		{"just wide enough: 80 for the form, 60 for the agent", tmuxAt{width: 141, height: 50}, placement{side: right, cells: 80}},
		{"the agent keeps 60", tmuxAt{width: 145, height: 50}, placement{side: right, cells: 84}},
		{"one column short: below", tmuxAt{width: 140, height: 50}, placement{cells: 29}},
		{"just high enough: 20 rows each", tmuxAt{width: 100, height: 41}, placement{cells: 20}},
		{"high: below, six tenths", tmuxAt{width: 100, height: 100}, placement{cells: 60}},
		{"one row short: over the whole window", tmuxAt{width: 140, height: 40}, placement{side: over}},
		{"small: over the whole window", tmuxAt{width: 80, height: 24}, placement{side: over}},
		{"the agent is zoomed: so is the form", tmuxAt{width: 200, height: 60, zoomed: true}, placement{side: over}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := arrange(test.at); got != test.want {
				t.Errorf("arrange(%+v) = %+v, want %+v", test.at, got, test.want)
			}
		})
	}
}

func TestArrangeKeepsItsPromisesAtEverySize(t *testing.T) {
	t.Parallel()
	for width := range 260 {
		for height := range 110 {
			got := arrange(tmuxAt{width: width, height: height})
			switch {
			case got.side == over:
				if width >= 141 && height >= 12 || height >= 41 && width >= 40 {
					t.Fatalf("%d×%d: zoomed, though both would fit", width, height)
				}
			case got.side == right:
				if got.cells < 80 || width-got.cells-1 < 60 || height < 12 {
					t.Fatalf("%d×%d: %d columns for the form", width, height, got.cells)
				}
			case got.cells < 20 || height-got.cells-1 < 20 || width < 40:
				t.Fatalf("%d×%d: %d rows for the form", width, height, got.cells)
			}
		}
	}
}

func TestSplitArgs(t *testing.T) {
	t.Parallel()
	command := Command{
		Argv: []string{"/opt/plan b/planb", "tui", "ask", "0198-id"},
		Dir:  "/home/you/#(touch x)/c#",
		Env:  []string{"PLANB_DATA_DIR=/data;", "NO_COLOR=1"},
	}
	got := splitArgs("%7", placement{side: right, cells: 90}, command)
	want := []string{
		"split-window", "-h", "-l", "90", "-t", "%7",
		"-c", "/home/you/##(touch x)/c##",
		"-e", `PLANB_DATA_DIR=/data\;`, "-e", "NO_COLOR=1",
		"-P", "-F", "#{pane_id} #{window_index}", "--",
		"/bin/sh", "-c", ignoring, "planb", "/opt/plan b/planb", "tui", "ask", "0198-id",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}

	got = splitArgs("%7", placement{side: over}, Command{Argv: []string{"/planb", "tui"}, Title: "planb;"})
	want = []string{"split-window", "-v", "-Z", "-t", "%7", "-P", "-F", "#{pane_id} #{window_index}", "--", "/bin/sh", "-c", ignoring, "planb", "/planb", "tui",
		";", "select-pane", "-T", `planb\;`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestEscapes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		rule func(string) string
		in   string
		want string
	}{
		{"a last semicolon would end the command, even after --", word, "a;", `a\;`},
		{"a semicolon alone, too", word, ";", `\;`},
		{"of several, the last", word, "a;;", `a;\;`},
		{"one inside stays literal", word, "a;b", "a;b"},
		{"a backslash before it is kept", word, `a\;`, `a\\;`},
		{"nothing stays nothing", word, "", ""},
		{"#(…) would run a shell", formatLiteral, "#(reboot)", "##(reboot)"},
		{"#{…} would be expanded", formatLiteral, "a#{pid}", "a##{pid}"},
		{"a style is text, too", formatLiteral, "#[fg=red]x", "##[fg=red]x"},
		{"display-message expands times", messageLiteral, "100%H #S", "100%%H ##S"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.rule(test.in); got != test.want {
				t.Errorf("%q became %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestFocusAndTitleArgs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		got, want []string
	}{
		{"the focus is given back", giveBackArgs("%2", "%1", false), []string{
			"if-shell", "-F", "-t", "%2", "#{pane_active}", "select-pane -t %1 ; display-message -p given",
		}},
		{"the focus is given back in a zoomed window", giveBackArgs("%2", "%1", true), []string{
			"if-shell", "-F", "-t", "%2", "#{pane_active}", "select-pane -Z -t %1 ; display-message -p given",
		}},
		{"zoomed again, once the form is gone", rezoomArgs("%1"), []string{
			"run-shell", "-b", "-d", "0.5", "-C",
			"if-shell -F -t %1 '##{?window_zoomed_flag,1,##{?pane_active,,1}}' '' 'resize-pane -Z -t %1'",
		}},
		{
			"a title cannot bring control characters or formats along",
			titleArgs("a\x1b]0;x\x07#(id);"),
			[]string{"-T", `a␛]0;x␇##(id)\;`},
		},
		{
			"nor can a receipt",
			messageArgs("/dev/pts/1", "3 answers\nsent #{pid} 5%"),
			[]string{"display-message", "-d", "4000", "-c", "/dev/pts/1", "3 answers↵sent ##{pid} 5%%"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !slices.Equal(test.got, test.want) {
				t.Errorf("got  %q\nwant %q", test.got, test.want)
			}
		})
	}
}

func TestWhoTypesKeepsTheFocus(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 999e6)
	for _, test := range []struct {
		name   string
		listed string
		want   bool
	}{
		{"nobody is attached", "", false},
		{"behind a pane of the window", "%1 @1 80 24 0 1 1 $0 b25d,80x24,0,0,0\n@1 996", false},
		{"a key just now", "@1 1000", true},
		{"2.9 s ago, as tmux tells it", "@1 997", true},
		{"4 s ago", "@1 996", false},
		{"at another window", "@2 1000", false},
		{"one of two", "@1 900\n@1 999", true},
		{"@1 is not @10", "@10 1000", false},
		{"a clock that was set back", "@1 1005", true},
		{"a tmux that tells no time", "@1 ", true},
	} {
		if got := typingAt(test.listed, "@1", now); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestArrangeForWhoTypes(t *testing.T) {
	t.Parallel()
	for at, want := range map[tmuxAt]placement{
		{width: 200, height: 50}:               {side: right, cells: 120, behind: true},
		{width: 200, height: 50, zoomed: true}: {side: right, cells: 120, behind: true},
		{width: 80, height: 24}:                {cells: 12, behind: true},
		{width: 80, height: 39}:                {cells: 19, behind: true},
		{width: 80, height: 16}:                {side: elsewhere, behind: true},
	} {
		at.typing = true
		if got := arrange(at); got != want {
			t.Errorf("arrange(%+v) = %+v, want %+v", at, got, want)
		}
	}
	if got := splitArgs("%7", placement{behind: true}, Command{Argv: []string{"/planb", "tui"}}); !slices.Contains(got, "-d") {
		t.Errorf("%q takes the focus", got)
	}
}

func TestParseLook(t *testing.T) {
	t.Parallel()
	const listed = "%0 @0 80 24 0 1 1 $0 b25d,80x24,0,0,0\n" +
		"%10 @2 200 50 1 0 0 $1 ef3c,200x50,0,0{60x50,0,0[60x25,0,0,1,60x24,0,26,10],139x50,61,0,100}\n" +
		"%1 @1 99 50 0 1 1 $1 b25d,99x50,0,0,1"
	got, err := parseLook(listed, "%1")
	if want := (tmuxAt{width: 99, height: 50, session: "$1", window: "@1", active: true, inView: true}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	got, err = parseLook(listed, "%10")
	if want := (tmuxAt{width: 60, height: 24, session: "$1", window: "@2", zoomed: true}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if _, err := parseLook(listed, "%2"); err == nil {
		t.Error("a pane that is gone was found")
	}
	if _, err := parseLook("%2 @1 80 24 1 0 1 $0 b25d,80x24,0,0,22", "%2"); err == nil {
		t.Error("a pane that its window's layout does not have was read")
	}
	if _, err := parseLook("%2 @1 wide 50 0 0 1 $0 b25d,80x24,0,0,2", "%2"); err == nil {
		t.Error("a size that is none was read")
	}
}
