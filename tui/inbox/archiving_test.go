package inbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/themes"
	"planb/tui/tuitest"
)

// copiesOf stands for readable copies; it remembers whose were removed.
type copiesOf struct {
	n       int
	removed []string
	err     error
}

func (c *copiesOf) Of(string) (int, string, error) { return c.n, "/data/plans/x", c.err }

func (c *copiesOf) Remove(gone store.Gone) error {
	c.removed = append(c.removed, gone.Session)
	return c.err
}

// tidyRig is a list of four sessions, the newest of which has a form that waits.
type tidyRig struct {
	*tuitest.Rig
	world  *tuitest.World
	copies *copiesOf
	list   *Screen
}

func newTidyRig(t *testing.T) tidyRig {
	w := tuitest.NewWorld(t)
	for _, title := range []string{"Apples", "Pears", "Plums", "Cherries"} {
		w.Now = w.Now.Add(time.Minute)
		session := w.Session(title, "/home/you/garden")
		if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", "# "+title); err != nil {
			t.Fatal(err)
		}
		ask := w.Ask(session, "How many "+title, "")
		if title == "Cherries" {
			continue
		}
		tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Declined}))
		if title == "Plums" {
			continue
		}
		if err := w.Store.Deliver(t.Context(), ask.ID); err != nil {
			t.Fatal(err)
		}
	}
	r := tidyRig{world: w, copies: &copiesOf{n: 2}}
	r.Rig = openInbox(w, false, 120, 30, themes.None())
	r.list = r.Top().(*Screen)
	r.list.deps.Copies = r.copies
	return r
}

func (r tidyRig) leave() (parting string, err error) {
	lines, err := r.Close(r.T.Context())
	return strings.Join(lines, "\n"), err
}

func (r tidyRig) titles() (titles []string) {
	r.T.Helper()
	for _, session := range r.world.Sessions() {
		titles = append(titles, session.Title.Raw())
	}
	return titles
}

func TestArchivingASession(t *testing.T) {
	t.Parallel()
	r := newTidyRig(t)
	r.Keys("down a") // Plums
	r.Shows("Archived: “Plums”", "u undo", "Sessions  3", "1 archived", "▌   Pears")
	r.Hides("    Plums")
	r.Keys("down a down")
	r.Shows("Sessions  2", "2 archived", "▌   Pears")
	r.Keys("u")
	r.Shows("Out of the archive: “Apples”", "▌   Apples", "Sessions  3", "1 archived")
	r.Keys("/ p l u m s enter")
	r.Shows("Plums") // what is looked for is found
	r.Keys("esc esc")
	r.Keys("/ s t a t u s : a r c h")
	r.Shows("Archived", "Plums")
	r.Hides("Pears", "Apples")
	r.Keys("enter esc a")
	r.Shows("Out of the archive: “Plums”")
	r.Keys("esc")
	r.Shows("Sessions  4", "Plums")
	r.Hides("archived", "Archived")
	r.Keys("u")
	r.Shows("Archived: “Plums”")
	r.Keys("u u")
	r.Shows("There is nothing to undo.")
	// A change takes a session out of the archive.
	r.Keys("home down a")
	r.Hides("  Plums")
	plums := r.world.Sessions()[1]
	if !plums.InArchive() {
		t.Fatalf("%+v is not in the archive", plums)
	}
	r.world.Now = r.world.Now.Add(time.Minute)
	r.world.Ask(plums, "One more", "")
	r.Run(r.list.read())
	r.Shows("● Plums", "Sessions  4")
	for range 4 {
		r.Keys("home a")
	}
	r.Shows("Every session is in the archive. / status:archived shows them.")
}

func TestDeletingASession(t *testing.T) {
	t.Parallel()
	r := newTidyRig(t)
	before := r.world.Snapshot()
	r.Keys("D")
	r.Shows("Not possible: something waits for an answer: 1 form. Answer or withdraw first")
	r.Keys("down D")
	r.Shows("Delete “Plums”?", "What goes with it: 1 form with what was answered, 1 plan", "version and 2 readable copies in /data/plans/x.",
		"told of 1 answer, and none will be.", "until then u brings it back.", "y delete it", "esc keep it")
	r.Keys("x q")
	r.Hides("Delete “")
	r.Shows("Plums")
	r.Keys("delete y")
	r.Shows("Deleted when you leave: “Plums”", "u undo", "Sessions  3", "1 deleted", "▌   Pears")
	r.Hides("    Plums")
	r.Keys("D y D y")
	r.Shows("Deleted when you leave: “Apples”", "Sessions  1", "3 deleted")
	r.Keys("u")
	r.Shows("Not deleted: “Apples”", "▌   Apples")
	if after := r.world.Snapshot(); after != before || len(r.copies.removed) > 0 {
		t.Errorf("something was changed before the list was left:\n%s\nwas\n%s", after, before)
	}
	parting, err := r.leave()
	if err != nil || parting != "Deleted: “Plums”\nDeleted: “Pears”" || len(r.copies.removed) != 2 {
		t.Errorf("left with %q, %v; copies of %v are removed", parting, err, r.copies.removed)
	}
	if got := fmt.Sprint(r.titles()); got != "[Cherries Apples]" {
		t.Errorf("the store has %s", got)
	}
	if a := tuitest.Must(r.world.Store.Audit(t.Context())); len(a.Problems) > 0 || a.Remains > 0 {
		t.Errorf("the store is %+v", a)
	}
}

func TestNothingIsDeletedThatIsNeeded(t *testing.T) {
	t.Parallel()
	r := newTidyRig(t)
	r.Keys("down D y D y")
	r.Shows("2 deleted")
	// One session changes while the list is open, the other after its last read.
	sessions := r.world.Sessions()
	plums, pears := sessions[1], sessions[2]
	r.world.Now = r.world.Now.Add(time.Minute)
	r.world.Ask(plums, "One more", "")
	r.Run(r.list.read())
	r.Shows("Not deleted, because something changed in it: “Plums”", "1 deleted", "Plums")
	r.world.Now = r.world.Now.Add(time.Minute)
	r.world.Ask(pears, "And one more", "")
	parting, err := r.leave()
	if err == nil || !strings.Contains(err.Error(), "deleting “Pears”: it has open forms: 1;") {
		t.Errorf("left with %q, %v", parting, err)
	}
	if got := len(r.titles()); got != 4 {
		t.Errorf("the store has %d sessions", got)
	}
}

func TestDeletingWhatIsGoneOrChanged(t *testing.T) {
	t.Parallel()
	r := newTidyRig(t)
	r.Keys("down D y D y")
	sessions := r.world.Sessions()
	plums, pears := sessions[1], sessions[2]
	if err := r.world.Store.Delete(t.Context(), plums, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.world.Store.SavePlan(t.Context(), pears.ID, "", "# More pears"); err != nil {
		t.Fatal(err)
	}
	parting, err := r.leave()
	if err != nil || parting != "Not deleted, because something changed in it: “Pears”" {
		t.Errorf("left with %q, %v", parting, err)
	}
}

func TestTidyingSaysWhatIsNotPossible(t *testing.T) {
	t.Parallel()
	r := newTidyRig(t)
	r.copies.err = errors.New("the directory cannot be read")
	r.Keys("end D")
	r.Shows("Not possible: the directory cannot be read")
	inbox := openInbox(r.world, true, 120, 30, themes.None())
	for _, key := range []string{"a", "D"} {
		inbox.Keys("home " + key)
		inbox.Shows("Only sessions can be archived or deleted")
	}
	apples := r.world.Sessions()[3]
	r.world.Damage(kv.Key("s/" + apples.ID))
	r.Run(r.list.read())
	for _, key := range []string{"a", "D"} {
		r.Keys("end " + key)
		r.Shows("Not possible: ", "Unreadable session")
	}
	// The list does not know yet that the session is gone.
	r.Keys("up")
	pears := r.world.Sessions()[2]
	if err := r.world.Store.Delete(context.Background(), pears, nil); err != nil {
		t.Fatal(err)
	}
	r.Keys("a")
	r.Shows("Not done: there is no session")
	r.Keys("D")
	r.Shows("Not possible: there is no session")
}

func TestWhatGoesWithASession(t *testing.T) {
	t.Parallel()
	for want, g := range map[string]going{
		"Nothing else is deleted with it.":          {},
		"What goes with it: a readable copy in /d.": {copies: 1, dir: "/d"},
		"What goes with it: 1 plan version.":        {Deletable: store.Deletable{Session: store.Session{Plans: 1}}},
		"What goes with it: 2 forms with what was answered and 3 plan versions.": {
			Deletable: store.Deletable{Session: store.Session{Asks: 2, Plans: 3}}},
		"What goes with it: 1 form with what was answered and 2 drafts with all that was written.": {
			Deletable: store.Deletable{Session: store.Session{Asks: 1}, Drafts: 2}},
	} {
		if got := g.follows(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTypedFilters(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openInbox(w, true, 120, 30, themes.None())
	filter := func(text string) {
		r.Keys("esc /")
		for _, c := range text {
			key := string(c)
			if c == ' ' {
				key = "space"
			}
			r.Keys(key)
		}
	}
	r.Keys("/")
	r.Shows("words, project: client: before: after: status:")
	filter("project:shop")
	r.Shows("Search that survives typos", "検索の改善")
	r.Hides("Webhooks", "Rename", "Waiting")
	filter("project:shop client:claude")
	r.Shows("Search that survives typos")
	r.Hides("検索の改善", "Rename")
	filter("before:2026 ")
	r.Shows("Untitled session")
	r.Hides("Rename", "Webhooks")
	filter("after:2d status:w hook")
	r.Shows("Waiting for you", "Webhooks")
	r.Hides("Rename", "検索の改善")
	filter("status:live")
	r.Shows("Names of the new tables", "  Webhooks")
	r.Hides("Asked too late")
	filter("status:gone typos")
	r.Shows("status: open, overdue, live, archived or unreadable", "Search that survives typos")
	r.Hides("Webhooks")
	filter("receiver") // of the intent
	r.Shows("Webhooks", "Rename", "Untitled session")
	w.Damage(kv.Key("s/" + w.Sessions()[2].ID))
	filter("status:unreadable")
	r.Run(r.Top().(*Screen).read())
	r.Shows("Unreadable session", "damaged record")
	r.Hides("Webhooks")
}

// After a change elsewhere only the front of the list is read anew. What stands behind it
// stays; what has gone from the front goes.
func TestAChangeReadsTheFrontOnly(t *testing.T) {
	t.Parallel()
	s := func(id string, age int) store.Session {
		return store.Session{ID: id, Updated: tuitest.Moment.Add(-time.Duration(age) * time.Hour), Title: safe.New(id)}
	}
	ids := func(state *listState) (out string) {
		for _, session := range state.sessions {
			out += session.ID
		}
		return out + ">" + state.next
	}
	for name, test := range map[string]struct {
		front []store.Session
		next  string
		want  string
	}{
		"nothing new":           {[]store.Session{s("a", 1), s("b", 2)}, "b", "abcde>e"},
		"one moved up":          {[]store.Session{s("d", 0), s("a", 1)}, "a", "dabce>e"},
		"one went":              {[]store.Session{s("a", 1), s("c", 3)}, "c", "acde>e"},
		"new ones":              {[]store.Session{s("x", 0), s("y", 0)}, "y", "xyabcde>e"},
		"all there is":          {[]store.Session{s("a", 1)}, "", "a>"},
		"the last one listed":   {[]store.Session{s("a", 1), s("e", 5)}, "e", "ae>e"},
		"the very same moment":  {[]store.Session{s("a", 1), s("bb", 2)}, "bb", "abbcde>e"},
		"beyond what is listed": {[]store.Session{s("d", 4), s("f", 6)}, "f", "df>f"},
	} {
		state := &listState{}
		state.replace(nil, nil, []store.Session{s("a", 1), s("b", 2), s("c", 3), s("d", 4), s("e", 5)}, "e", tuitest.Moment)
		state.replace(nil, nil, test.front, test.next, tuitest.Moment)
		if got := ids(state); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
