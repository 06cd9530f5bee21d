package archive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"planb/plans/diff"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/archive"
)

const (
	harbour = "3f0d5c1e-6a52-4a3e-9d55-0c7a2f3b9e11"
	empty   = "b7e4d2a0-1111-4c3d-8e5f-2a3b4c5d6e7f"
	odd     = "c0ffee00-2222-4bad-8dad-5a5a5a5a5a5a"
)

// fixture is a root that planb-mcp and browser-plan wrote.
func fixture(t *testing.T) fs.FS { return rootOf(t, "../../testdata/planb-mcp") }

func rootOf(t *testing.T, path string) fs.FS {
	t.Helper()
	root, err := os.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := root.Close(); err != nil {
			t.Error(err)
		}
	})
	return root.FS()
}

func now() time.Time { return time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC) }

// readRoot returns the sessions by id, and what was left out, a line each.
func readRoot(t fataler, root fs.FS, at time.Time) (map[string]archive.Session, []string) {
	t.Helper()
	sessions, left := map[string]archive.Session{}, []string{}
	for found, err := range archive.ReadRoot(context.Background(), root, at) {
		if err != nil {
			t.Fatal(err)
		}
		if found.Session.ID != "" {
			sessions[found.Session.ID] = found.Session
		}
		for _, l := range found.Left {
			left = append(left, l.Path+": "+l.Why)
		}
	}
	return sessions, left
}

func importAll(t fataler, s *store.Store, sessions map[string]archive.Session) (added store.Imported) {
	t.Helper()
	for _, id := range slices.Sorted(maps.Keys(sessions)) {
		done, err := s.Import(context.Background(), sessions[id].Import())
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		added.New = added.New || done.New
		added.Asks += done.Asks
		added.Plans += done.Plans
		added.Kept = append(added.Kept, done.Kept...)
	}
	return added
}

// filesOf returns the files below sessions/<id>, by their path there.
func filesOf(t fataler, root fs.FS, id string) map[string]string {
	t.Helper()
	files := map[string]string{}
	dir := "sessions/" + id
	err := fs.WalkDir(root, dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, path)
		files[strings.TrimPrefix(path, dir+"/")] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// written returns the files that an export makes from a store.
func written(t fataler, s *store.Store, id string) map[string]string {
	t.Helper()
	session, err := archive.Read(context.Background(), s, id)
	if err != nil {
		t.Fatal(err)
	}
	list, err := archive.Files(session)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range list {
		if _, twice := files[f.Path]; twice {
			t.Fatalf("%s is there twice", f.Path)
		}
		files[f.Path] = string(f.Data)
	}
	if len(list) > 0 && list[len(list)-1].Path != "session.json" {
		t.Fatalf("the last file is %s", list[len(list)-1].Path)
	}
	return files
}

func sameFiles(t fataler, got, want map[string]string) {
	t.Helper()
	for path := range want {
		if got[path] != want[path] {
			t.Fatalf("%s is\n%q\nwant\n%q", path, got[path], want[path])
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Fatalf("%s is new:\n%s", path, got[path])
		}
	}
}

func TestImportThenExportGivesTheSameFiles(t *testing.T) {
	root := fixture(t)
	sessions, left := readRoot(t, root, now())
	if len(left) > 0 || len(sessions) != 3 {
		t.Fatalf("%d sessions, left out:\n%s", len(sessions), strings.Join(left, "\n"))
	}
	s := newStore()
	added := importAll(t, s, sessions)
	if added.Asks != 10 || added.Plans != 5 || len(added.Kept) > 0 {
		t.Fatalf("%+v", added)
	}
	for _, id := range []string{harbour, empty} { // the odd one's files are put right
		sameFiles(t, written(t, s, id), filesOf(t, root, id))
	}
	again, _ := readRoot(t, root, now().AddDate(1, 0, 0))
	if added := importAll(t, s, again); !added.Nothing() || len(added.Kept) > 0 {
		t.Errorf("again: %+v", added)
	}
	if waiting, err := s.Waiting(t.Context()); err != nil || len(waiting) > 0 {
		t.Errorf("%d wait, %v", len(waiting), err)
	}
	if audit, err := s.Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
		t.Errorf("%+v, %v", audit, err)
	}
}

func TestImportKeepsIDsTimesAndOddAnswers(t *testing.T) {
	s := newStore()
	sessions, _ := readRoot(t, fixture(t), now())
	importAll(t, s, sessions)
	read := func(id string) archive.Session {
		t.Helper()
		session, err := archive.Read(t.Context(), s, id)
		if err != nil {
			t.Fatal(err)
		}
		return session
	}
	at := func(text string) time.Time {
		t.Helper()
		when, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	usual := read(harbour)
	if usual.Title.Raw() != "Move invoices to PostgreSQL" || usual.Project.Raw() != "/home/ann/src/harbour" || usual.Asks == nil ||
		!usual.Created.Equal(at("2025-06-07T18:20:02.417Z")) || !usual.Updated.Equal(at("2025-06-09T08:02:44.800Z")) {
		t.Errorf("%+v", usual.Session)
	}
	var states []string
	for _, ask := range usual.Asks {
		states = append(states, fmt.Sprintf("%s %s %s", ask.ID[:8], ask.Outcome.State, ask.Outcome.Message.Raw()))
	}
	want := []string{
		"8a6ff2a5 answered ",
		"c2b0a9d4 withdrawn No answer came in time.",
		"d94f1f7e declined ",
		"e1c7b0aa withdrawn It could not be shown: spawn xdg-open ENOENT",
		"f50b6d3c answered ",
		"07d2f6b8 withdrawn It was still open when the session was exported, and nobody waits for an answer any more.",
	}
	if !slices.Equal(states, want) {
		t.Errorf("%q", states)
	}
	first := usual.Asks[0]
	if !first.Created.Equal(at("2025-06-07T18:21:10.123Z")) || !first.Outcome.At.Equal(at("2025-06-07T18:25:41.002Z")) || first.Outcome.By != "" {
		t.Errorf("%+v", first)
	}
	if got := string(first.Spec.AnswersJSON(first.Outcome.Reply)); got != `{"cutover":"dual write","checks":["row counts","sums per month"],"risk":2.5,"owner":"Zoë <zoe@example.org>","notes":"Keep the files for a year.\n\nThe auditors ask for them & we were burnt before."}` {
		t.Error(got)
	}
	if first.Spec.Questions[0].Other {
		t.Error("an answer in one's own words was offered, which planb-mcp never does")
	}
	if plan := usual.Plans[1]; plan.Title.Raw() != "Move invoices, by night" || !plan.Created.Equal(at("2025-06-09T07:15:27.340Z")) || plan.Bytes != len(plan.Text.Raw()) {
		t.Errorf("%+v", plan)
	}

	strange := read(odd)
	answers := strange.Asks[0].Outcome.Reply.Answers
	for id, want := range map[string]questions.Value{
		"t": questions.TextValue(""), "n": questions.NumberValue(99), "s": questions.TextValue("neither"),
		"extra": questions.TextValue("true"), "m": questions.ItemsValue("x", "z", "x"),
	} {
		if !answers[id].Equal(want) {
			t.Errorf("%s is %v, want %v", id, answers[id], want)
		}
	}
	if text, _ := answers["another"].Text(); !json.Valid([]byte(text)) || !strings.Contains(text, `"deep"`) {
		t.Errorf("another is %q", text)
	}
	if spec := strange.Asks[0].Spec; !spec.Questions[0].Other || !spec.Questions[1].Other {
		t.Error("own words can't be shown as such")
	}
	if note := strange.Asks[1].Outcome.Reply.Note.Raw(); note != "a bare string" {
		t.Errorf("the note is %q", note)
	}
	if text := strange.Plans[1].Text.Raw(); text != "# CR LF\r\n\r\n<script>alert(1)</script>\r\n\tno line end" {
		t.Errorf("%q", text)
	}
	for _, ask := range strange.Asks {
		ask.Spec.EntryFrom(ask.Outcome.Reply) // as a screen does
	}
}

// A session that was continued after its import is exported as it is now; files
// whose content has not changed stay as they were.
func TestExportOfASessionThatWentOn(t *testing.T) {
	root := fixture(t)
	s := newStore()
	sessions, _ := readRoot(t, root, now())
	importAll(t, s, sessions)
	if _, _, err := s.SavePlan(t.Context(), harbour, "More", "# More\n"); err != nil {
		t.Fatal(err)
	}
	got, want := written(t, s, harbour), filesOf(t, root, harbour)
	if got["plans/v4.md"] != "# More\n" || !strings.Contains(got["session.json"], `"latestPlanVersion": 4`) {
		t.Errorf("%s", got["session.json"])
	}
	for _, path := range []string{"plans/v4.md", "plans/v4.json", "session.json"} {
		delete(got, path)
	}
	delete(want, "session.json")
	sameFiles(t, got, want)
}

// Everything that planb keeps comes back from the layout, except that open asks
// are closed.
func TestLayoutKeepsEverything(t *testing.T) {
	t.Parallel()
	all := lived(t, newStore())
	roundTrip(t, all)
	rapid.Check(t, func(rt *rapid.T) { roundTrip(rt, session().Draw(rt, "session")) })
}

// An ask with many late answers fits a record, up to the limit.
func TestManyLateOutcomes(t *testing.T) {
	t.Parallel()
	all := lived(t, newStore())
	for range 200 {
		late := questions.Outcome{State: questions.Declined, Message: safe.New(strings.Repeat("late\x00", 100)), At: all.Created, By: strings.Repeat("x", 100)}
		all.Asks[0].TooLate = append(all.Asks[0].TooLate, late)
	}
	roundTrip(t, all)
	s := newStore()
	if added := importAll(t, s, map[string]archive.Session{all.ID: all}); added.Asks != len(all.Asks) || len(added.Kept) > 0 {
		t.Errorf("%+v", added)
	}
}

func roundTrip(t fataler, all archive.Session) {
	t.Helper()
	files, err := archive.Files(all)
	if err != nil {
		t.Fatal(err)
	}
	root := fstest.MapFS{"sessions": {Mode: fs.ModeDir | 0o700}}
	for _, f := range files {
		root["sessions/"+all.ID+"/"+f.Path] = &fstest.MapFile{Data: f.Data}
	}
	later := time.Unix(1e10, 0)
	sessions, left := readRoot(t, root, later)
	back, ok := sessions[all.ID]
	for _, l := range left {
		if !strings.Contains(l, "it is not UTF-8; it is kept as it is") {
			t.Fatalf("left out: %s", l)
		}
	}
	if !ok {
		t.Fatal("it did not come back")
	}
	whole := all
	whole.Updated = all.Updated.Truncate(time.Millisecond) // the layout has no finer times
	if all.InArchive() {
		whole.Archived = whole.Updated
	}
	closed, err := archive.Files(archive.Closed(whole))
	if err != nil {
		t.Fatal(err)
	}
	again, err := archive.Files(archive.Closed(back))
	if err != nil || !slices.EqualFunc(again, closed, func(a, b archive.File) bool { return a.Path == b.Path && string(a.Data) == string(b.Data) }) {
		t.Fatalf("%v, or other files", err)
	}
	if got, want := told(t, back), told(t, all); got != want {
		t.Fatalf("it came back with changes:\n%s", diff.Between(want, got).Unified("written", "read", 3))
	}
}

// told returns a session as an import reads it, without fractions of a millisecond, which
// the layout does not have.
func told(t fataler, s archive.Session) string {
	t.Helper()
	s = archive.Closed(s)
	archived := s.InArchive()
	s.Created, s.Updated = s.Created.Truncate(time.Millisecond), s.Updated.Truncate(time.Millisecond)
	if archived {
		s.Archived = s.Updated
	}
	slices.SortStableFunc(s.Asks, func(a, b store.Ask) int { return strings.Compare(a.ID, b.ID) })
	for i := range s.Asks {
		a := &s.Asks[i]
		for _, at := range []*time.Time{&a.Created, &a.Asked, &a.Shown, &a.Delivered, &a.Outcome.At} {
			*at = at.Truncate(time.Millisecond)
		}
		if len(a.Outcome.Reply.Answers) == 0 {
			a.Outcome.Reply.Answers = nil
		}
	}
	s.Plans = slices.Clone(s.Plans)
	for i := range s.Plans {
		s.Plans[i].Created = s.Plans[i].Created.Truncate(time.Millisecond)
	}
	return jsonOf(t, s)
}

// An ask that may still be answered in the root stays there, and comes with a
// later import.
func TestImportLeavesOpenAsksAlone(t *testing.T) {
	root := fixture(t)
	s := newStore()
	soon, left := readRoot(t, root, time.Date(2025, 6, 9, 9, 0, 0, 0, time.UTC))
	if len(left) == 0 || !strings.Contains(left[0], "07d2f6b8-43aa-4b0c-9e77-a0b1c2d3e406.json: it was asked less than 24 hours ago") {
		t.Fatalf("%q", left)
	}
	importAll(t, s, soon)
	whole, _ := readRoot(t, root, now())
	if added := importAll(t, s, whole); added.Asks != 1 || len(added.Kept) > 0 {
		t.Errorf("%+v", added)
	}
	sameFiles(t, written(t, s, harbour), filesOf(t, root, harbour))
}

// Nobody answers in a directory that planb exported: who imports it is told where the answer can
// come from, and what becomes of the ask without one.
func TestOpenAsksOfAnExport(t *testing.T) {
	t.Parallel()
	all := lived(t, newStore())
	asked := all.Asks[0].Created
	all.Asks = all.Asks[:1]
	all.Asks[0].Outcome, all.Asks[0].TooLate, all.Asks[0].Client = questions.Outcome{State: questions.Pending}, nil, store.Client{Name: safe.New("codex")}
	files, err := archive.Files(all)
	if err != nil {
		t.Fatal(err)
	}
	root := fstest.MapFS{"sessions": {Mode: fs.ModeDir | 0o700}}
	for _, f := range files {
		root["sessions/"+all.ID+"/"+f.Path] = &fstest.MapFile{Data: f.Data}
	}
	const want = "it was open when planb exported it: once it is answered there, export and import again; 24 hours after it was asked it comes as withdrawn"
	if _, left := readRoot(t, root, asked.Add(time.Hour)); len(left) != 1 || !strings.HasSuffix(left[0], ": "+want) {
		t.Errorf("left is %q", left)
	}
	if sessions, left := readRoot(t, root, asked.Add(25*time.Hour)); len(left) > 0 || sessions[all.ID].Import().Asks[0].Outcome.State != questions.Withdrawn {
		t.Errorf("after a day: %q, %+v", left, sessions[all.ID].Asks)
	}
}

func TestReadRootThatIsNone(t *testing.T) {
	for name, c := range map[string]struct {
		root fs.FS
		want string
	}{
		"nothing": {fstest.MapFS{}, `there is no directory "sessions" in it`},
		"file":    {fstest.MapFS{"sessions": {Data: []byte("x")}}, `"sessions" in it is a file, not a directory`},
		"link":    {fstest.MapFS{"sessions": {Data: []byte("/etc"), Mode: fs.ModeSymlink}}, `"sessions" in it is a link, and links are not followed, not a directory`},
	} {
		for _, err := range archive.ReadRoot(t.Context(), c.root, now()) {
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range archive.ReadRoot(ctx, fixture(t), now()) {
		if err != context.Canceled {
			t.Error(err)
		}
	}
}

func FuzzReadRoot(f *testing.F) {
	dir := "../../testdata/planb-mcp/sessions/" + odd + "/"
	for _, name := range []string{"session.json", "asks/20250816T000000000Z-00000000-0000-4000-8000-00000000c001.json", "plans/v1.json"} {
		data, err := os.ReadFile(dir + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	f.Add("plans/v3.md", []byte("# x"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		root := fstest.MapFS{
			"sessions/" + odd + "/session.json": {Data: []byte(`{"schemaVersion":1,"sessionId":"` + odd + `","createdAt":"2025-01-01T00:00:00.000Z","updatedAt":"2025-01-02T00:00:00.000Z"}`)},
			"sessions/" + odd + "/plans/v2.md":  {Data: []byte("# Two\n")},
		}
		path := "sessions/" + odd + "/" + name
		if !fs.ValidPath(path) {
			return
		}
		root[path] = &fstest.MapFile{Data: data}
		sessions, left := readRoot(t, root, now())
		if len(sessions) == 0 && len(left) == 0 {
			t.Fatal("nothing was imported, and nothing was reported")
		}
		s := newStore()
		importAll(t, s, sessions)
		again, _ := readRoot(t, root, now())
		if added := importAll(t, s, again); !added.Nothing() || len(added.Kept) > 0 {
			t.Fatalf("again: %+v", added)
		}
		if audit, err := s.Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
			t.Fatalf("%+v, %v", audit, err)
		}
		for id := range sessions {
			exported := fstest.MapFS{}
			for path, text := range written(t, s, id) {
				exported["sessions/"+id+"/"+path] = &fstest.MapFile{Data: []byte(text)}
			}
			back, left := readRoot(t, exported, now())
			kept, err := archive.Read(t.Context(), s, id)
			if err != nil || len(left) > 0 {
				t.Fatalf("%v, left out of what was exported: %q", err, left)
			}
			if got, want := told(t, back[id]), told(t, kept); got != want {
				t.Fatalf("it came back with changes:\n%s", diff.Between(want, got).Unified("kept", "exported", 3))
			}
		}
	})
}
