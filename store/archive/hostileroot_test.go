package archive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// hostile is a root with one whole session and many files that are not
// sessions.
func hostile(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	at := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at(path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source := fixture(t)
	for path, text := range filesOf(t, source, harbour) {
		write("sessions/"+harbour+"/"+path, text)
	}
	id := func(n int) string { return fmt.Sprintf("sessions/00000000-0000-4000-8000-%012d", n) }
	record := func(n int) string {
		return fmt.Sprintf(`{"schemaVersion":1,"sessionId":%q,"createdAt":"2025-01-01T00:00:00.000Z","updatedAt":"2025-01-02T00:00:00.000Z"}`, strings.TrimPrefix(id(n), "sessions/"))
	}
	write("outside/session.json", record(1))
	write("secret", "SECRET")
	write("sessions/.DS_Store", "")
	write("sessions/not-a-session/session.json", record(2))
	write("sessions/"+strings.ToUpper(harbour)+"/session.json", "{}")
	write(id(10)+"/session.json", "{")
	write(id(11)+"/asks/x.json", "{}")
	write(id(12)+"/session.json", strings.Repeat(`{"a":`, 20_000)+"1"+strings.Repeat("}", 20_000))
	write(id(13)+"/session.json", strings.Replace(record(13), "2025-01-01", "1925-01-01", 1))
	write(id(14)+"/session.json", strings.Replace(record(14), `"schemaVersion":1`, `"schemaVersion":2`, 1))
	write(id(15)+"/session.json", record(16))
	write(id(17)+"/session.json", strings.Replace(record(17), "{", `{"title":"`+strings.Repeat("long ", 20_000)+`",`, 1))
	write(id(18)+"/session.json", "\xff")
	controls := strings.Repeat(`\u0001`, 60_000)
	write(id(20)+"/session.json", strings.Replace(record(20), "{", `{"title":"`+controls+`","intent":"`+controls+`",`, 1))
	if f, err := os.Create(at(id(19))); err != nil || f.Close() != nil { // a file with the name of a session
		t.Fatal(err)
	}

	// A session in which nearly every file is damaged.
	write(id(30)+"/session.json", record(30))
	ask := func(n int, more string) string {
		return fmt.Sprintf(`{"schemaVersion":1,"askId":"00000000-0000-4000-8000-0000000a%04d","sessionId":%q,"status":"answered","createdAt":"2025-01-01T00:00:00.000Z","title":"T","input":{"title":"T","questions":[{"id":"q","label":"Q","kind":"text"}]},"answers":{"q":"a"}%s}`, n, strings.TrimPrefix(id(30), "sessions/"), more)
	}
	write(id(30)+"/asks/1.json", ask(1, ""))
	write(id(30)+"/asks/2.json", ask(1, "")) // the same ask twice
	write(id(30)+"/asks/3.json", ask(3, `,"status":"thinking"`))
	write(id(30)+"/asks/4.json", ask(4, `,"input":{"title":"T","questions":[{"id":"q","label":"Q","kind":"sliders"}]}`))
	write(id(30)+"/asks/5.json", ask(5, `,"sessionId":"`+harbour+`"`))
	write(id(30)+"/asks/6.json", ask(6, `,"askId":"../../escape"`))
	write(id(30)+"/asks/7.json", ask(7, `,"answeredAt":"soon"`))
	write(id(30)+"/asks/8.json", ask(8, "")[:100])
	write(id(30)+"/asks/9.json", strings.Replace(ask(9, ""), `"T"`, "\"\xff\"", 1))
	write(id(30)+"/asks/a.json", ask(10, `,"planb":{"late":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)+`}`))
	late := strings.Repeat(`{"state":"declined","by":"`+strings.Repeat("x", 4000)+`"},`, 99) + `{"state":"declined"}`
	write(id(30)+"/asks/c.json", ask(12, `,"planb":{"id":"00000000-0000-4000-8000-0000000a0012","created":"2025-01-01T00:00:00Z","asked":"2025-01-01T00:00:00Z","outcome":{"state":"answered"},"late":[`+late+`]}`))
	write(id(30)+"/asks/b.json", strings.Repeat("[", 50_000))
	write(id(30)+"/asks/notes.txt", "mine")
	write(id(30)+"/asks/deep/er/and/deeper.json", ask(11, ""))
	write(id(30)+"/plans/v01.md", "no version")
	write(id(30)+"/plans/v2.md", "# Two\xff\n")
	write(id(30)+"/plans/v2.json", "{}")
	write(id(30)+"/plans/v4.json", "{}")
	write(id(30)+"/plans/v999.md", "# Far\n")
	if runtime.GOOS == "windows" {
		return dir
	}
	huge, err := os.Create(at(id(30) + "/asks/huge.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := huge.Truncate(1 << 40); err != nil || huge.Close() != nil { // sparse
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		id(40):                               "../outside",
		id(30) + "/asks/link.json":           "../../../secret",
		id(30) + "/plans/v3.md":              "/etc/passwd",
		id(30) + "/loop":                     ".",
		id(30) + "/asks/" + "\x1b[2J.json":   "/dev/zero",
		id(30) + "/plans/" + "v5\u202e.json": "v2.json",
	} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	write(id(41)+"/session.json.tmp", "")
	if err := os.Symlink("../../secret", at(id(41)+"/session.json")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestHostileTreesAreTold(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links and sparse files take rights there")
	}
	root := rootOf(t, hostile(t))
	sessions, left := readRoot(t, root, now())
	all := strings.Join(left, "\n")
	for _, want := range []string{
		"sessions/.DS_Store: it is a file; a session is a directory",
		"sessions/not-a-session: its name is not that of a session",
		"sessions/3F0D5C1E-6A52-4A3E-9D55-0C7A2F3B9E11: its name is not that of a session, a UUID in lower case",
		"000000000010: the session was left out: session.json: it is not the JSON that belongs there: unexpected end",
		"000000000011: the session was left out: it has no session.json that can be read",
		"000000000012: the session was left out: session.json: it is not the JSON that belongs there",
		"000000000013: the session was left out: session.json: its createdAt is in the year 1925; years from 1970 to 2261 can be kept",
		"000000000014: the session was left out: session.json: its schemaVersion is 2; this planb reads 1",
		`000000000015: the session was left out: session.json: it belongs to the session "00000000-0000-4000-8000-000000000016"`,
		"000000000017: the session was left out: session.json: its title has 100000 bytes; at most 65536 are taken",
		"000000000018: the session was left out: session.json: it is not UTF-8",
		"000000000020: the session was left out: session.json: its title, intent and project take 720",
		"asks/c.json: the ask was left out: with 100 late outcomes its record has 6",
		"000000000019: it is a file; a session is a directory",
		"000000000040: it is a link, and links are not followed; a session is a directory",
		"000000000041/session.json: it is a link, and links are not followed",
		"asks/2.json: it was left out: asks/1.json has the same askId",
		`asks/3.json: the ask was left out: its status is "thinking"; known are`,
		"asks/4.json: the ask was left out: its form can't be read: ",
		`asks/5.json: the ask was left out: it belongs to the session "` + harbour + `"`,
		`asks/6.json: the ask was left out: its askId is "../../escape", which is no UUID`,
		`asks/7.json: the ask was left out: its answeredAt is "soon"; it must be a time such as`,
		"asks/8.json: the ask was left out: it is not the JSON",
		"asks/9.json: the ask was left out: it is not UTF-8",
		"asks/a.json: the ask was left out: it is not the JSON",
		"asks/b.json: the ask was left out: it is not the JSON",
		"asks/notes.txt: it is no part of a session",
		"asks/deep: it is no part of a session",
		"asks/huge.json: it has 1099511627776 bytes; at most 33554432 are taken",
		"asks/link.json: it is a link, and links are not followed",
		"plans/v01.md: it is no part of a session",
		"plans: there is no v1.md that can be read; a text that says so stands in its place",
		"plans/v2.md: it is not UTF-8; it is kept as it is",
		"plans/v2.json: its schemaVersion is 0; this planb reads 1; the version has no title, and gets the time of its session",
		"plans/v3.md: it is a link, and links are not followed",
		"plans/v4.json: there is no v4.md that can be read",
		"plans/v999.md: it was left out with all later versions: versions 3 to 998 are missing",
		"loop: it is a link",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if t.Failed() {
		t.Log(all)
	}
	if len(sessions) != 2 {
		t.Fatalf("%d sessions", len(sessions))
	}
	const bad = "00000000-0000-4000-8000-000000000030"
	s := newStore()
	added := importAll(t, s, sessions)
	if added.Asks != 7 || added.Plans != 5 || len(added.Kept) > 0 {
		t.Errorf("%+v", added)
	}
	sameFiles(t, written(t, s, harbour), filesOf(t, root, harbour))
	for path, text := range written(t, s, bad) {
		if strings.Contains(text, "SECRET") || strings.Contains(text, "root:") {
			t.Errorf("%s was read through a link", path)
		}
	}
}
