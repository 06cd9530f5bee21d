package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Shared is a text that a person takes out of a screen.
type Shared struct {
	What string // as they are told: "The plan's Markdown"
	File string // a name for it; no agent has any say in it
	Text safe.Text
}

// Sharer takes texts out of one screen: into the clipboard, the person's pager or
// their editor. Pager and editor get a copy in a directory that nobody else can
// look into and that is removed when they end; nothing comes back from them.
type Sharer struct {
	keys    []keymap.Binding // of its screen
	environ []string
	status  *string // of the screen: where the person is told what happened
	dir     string  // of the copy that is out now
}

// NewSharer is the sharer of a screen with these keys. It says what happened in status.
func NewSharer(environ []string, keys []keymap.Binding, status *string) *Sharer {
	return &Sharer{environ: environ, keys: keys, status: status}
}

// Sharing is a message of a sharer to its screen; heard takes it.
type Sharing interface{ from() *Sharer }

type (
	shareReady struct {
		sharer *Sharer
		act    keymap.Action
		shared Shared
		path   string // of the copy, for a pager or an editor
		err    error
	}
	shareDone struct {
		sharer  *Sharer
		act     keymap.Action
		changed bool // the copy is no longer what it was
		err     error
	}
)

func (m shareReady) from() *Sharer { return m.sharer }
func (m shareDone) from() *Sharer  { return m.sharer }

// maxClipboard bounds what is sent to the clipboard: it all passes through the
// terminal, and multiplexers drop what is longer.
const maxClipboard = 700 << 10

// Share reads a text, which may take its time, and does with it what act says: copy
// it, or open it in the pager or the editor.
func (s *Sharer) Share(act keymap.Action, read func(ctx context.Context) (Shared, error)) tea.Cmd {
	switch {
	case act == keymap.Edit && Editor(s.environ) == "":
		*s.status = "No editor: set $VISUAL or $EDITOR."
		return nil
	case act == keymap.Pager && pager(s.environ) == "":
		*s.status = "No pager: set $PAGER."
		return nil
	}
	return screen.Within(func(ctx context.Context) tea.Msg {
		msg := shareReady{sharer: s, act: act}
		if msg.shared, msg.err = read(ctx); msg.err == nil && act != keymap.Copy {
			msg.path, msg.err = writeCopy(msg.shared, act)
		}
		return msg
	})
}

// writeCopy puts a text into a file that nobody else can read. A pager gets the cleaned
// text, so that the text can do nothing to the terminal; an editor gets the exact text.
func writeCopy(s Shared, act keymap.Action) (path string, err error) {
	dir, err := os.MkdirTemp("", "planb-*") // mode 0700
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, s.File)
	if err := os.WriteFile(path, []byte(copyText(s, act)), 0o600); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return path, nil
}

func copyText(s Shared, act keymap.Action) string {
	if act == keymap.Pager {
		return s.Text.Block()
	}
	return s.Text.Raw()
}

// Heard does what is to be done next.
func (s *Sharer) Heard(msg Sharing) tea.Cmd {
	if msg.from() != s {
		return nil
	}
	switch msg := msg.(type) {
	case shareReady:
		switch {
		case msg.err != nil:
			*s.status = "It could not be copied or opened: " + wording.Sentence(msg.err)
		case msg.act == keymap.Copy:
			return s.toClipboard(msg.shared)
		default:
			return s.open(msg)
		}
	case shareDone:
		s.dir = ""
		switch {
		case msg.err != nil:
			program := map[keymap.Action]string{keymap.Pager: "pager", keymap.Edit: "editor"}[msg.act]
			*s.status = fmt.Sprintf("The %s failed: %s", program, wording.Sentence(msg.err))
		case msg.changed:
			*s.status = "That was a copy. What is kept here did not change."
		}
	}
	return nil
}

func (s *Sharer) toClipboard(text Shared) tea.Cmd {
	raw := text.Text.Raw()
	if len(raw) > maxClipboard {
		*s.status = fmt.Sprintf("Too long for the clipboard (%s)%s.", wording.Bytes(len(raw)), keymap.Tells(s.keys, "; ", keymap.Edit, " opens a copy in your editor"))
		return nil
	}
	*s.status = text.What + " is in the clipboard, if this terminal allows it."
	return tea.SetClipboard(raw)
}

// open gives the terminal to the pager or the editor until it ends.
func (s *Sharer) open(msg shareReady) tea.Cmd {
	s.dir = filepath.Dir(msg.path)
	process := EditorProcess(s.environ, msg.path)
	if msg.act == keymap.Pager {
		process = pagerProcess(s.environ, msg.path)
	}
	return Lend(process, func(err error) tea.Msg {
		after, readErr := readBack(msg.path)
		changed := readErr != nil || after != copyText(msg.shared, msg.act)
		return shareDone{s, msg.act, changed, errors.Join(err, os.RemoveAll(filepath.Dir(msg.path)))}
	})
}

// Close removes the copy of a program that was ended with its pager.
func (s *Sharer) Close() error {
	if s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}
