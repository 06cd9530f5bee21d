package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/themes"
)

// ThemesOptions are what choosing a theme needs.
type ThemesOptions struct {
	Terminal Terminal
	// Save keeps the name of a theme and says where, for the person to read. It
	// is called outside the update loop.
	Save func(name string) (where string, err error)
	// Stronger is what overrules whatever is saved, in a word: the name of a
	// variable. Empty: nothing does.
	Stronger string
}

// Themes shows every theme in turn on a form, and keeps the one that the person
// chooses. Who leaves without choosing has changed nothing.
func Themes(ctx context.Context, o ThemesOptions) error {
	screen, err := newThemesScreen(o)
	if err != nil {
		return err
	}
	return o.Terminal.run(ctx, screen)
}

// themesScreen is a list of all themes beside a form that shows the one under
// the cursor; so does all around it.
type themesScreen struct {
	options ThemesOptions
	state   themesState
	page    page
	keys    []boundKey
	typing  []boundKey

	preview *preview
	trying  bool // keys go to the preview
	saving  bool
	status  string
}

// themeSaved says what became of saving.
type themeSaved struct {
	name, where string
	err         error
}

func newThemesScreen(o ThemesOptions) (*themesScreen, error) {
	preview, err := newPreview(o.Terminal.Keys)
	if err != nil {
		return nil, err
	}
	current, err := themes.Find(o.Terminal.Theme)
	if err != nil {
		return nil, err
	}
	return &themesScreen{
		options: o, preview: preview, state: newThemesState(themes.Choices(), current.Name),
		keys: o.Terminal.Keys.on(keysOfThemes, themesKeys()), typing: o.Terminal.Keys.on(keysOfFilter, filterKeys()),
	}, nil
}

// themesKeys are the keys of the list of themes.
func themesKeys() []boundKey {
	return []boundKey{
		bind(actUp, groupMove, "up k", "↑", "the theme above (also k)"),
		bind(actDown, groupMove, "down j", "↓", "the theme below (also j)"),
		bind(actPageUp, groupMove, "pgup ctrl+u", "pgup", "a screen up"),
		bind(actPageDown, groupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		bind(actHome, groupMove, "home g", "home", "the first theme"),
		bind(actEnd, groupMove, "end G", "end", "the last theme"),
		bind(actEnter, groupLook, "enter", "enter", "save this theme in the settings, and leave"),
		bind(actNext, groupLook, "tab", "tab", "try the form beside the list; esc comes back from it"),
		bind(actFilter, groupLook, "/", "/", "filter by a part of the name, dark or light"),
		bind(actHelp, groupLook, "? f1", "?", "help"),
		bind(actEscape, groupLook, "esc", "esc", "leave, with everything as it was"),
		bind(actQuit, groupLook, "q ctrl+c", "q", "leave, too"),
	}
}

// asksBackground makes the window find out what families would follow.
func (*themesScreen) asksBackground() {}

// Init starts the preview.
func (s *themesScreen) Init() tea.Cmd { return s.preview.init() }

// Resize lays out the list and what is beside it.
func (s *themesScreen) Resize(width, height int) {
	s.page.width, s.page.height = width, height
	s.layOut()
}

// Retheme takes the look.
func (s *themesScreen) Retheme(look *look) {
	s.page.look = look
	s.preview.form.Retheme(look)
}

// Update moves through the themes, tries the preview, and saves.
func (s *themesScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.status = ""
		if s.trying {
			return s.pressPreview(msg)
		}
		return escapeFirst(msg, s.press)
	case tea.PasteMsg:
		if s.trying {
			return s.preview.update(msg)
		}
		if s.state.filtering {
			return s.filter(s.state.text + safe.New(msg.Content).Line())
		}
		return nil
	case tea.MouseMsg:
		return s.mouse(msg)
	case themeSaved:
		return s.saved(msg)
	}
	return s.preview.update(msg)
}

func (s *themesScreen) press(msg tea.KeyPressMsg) tea.Cmd {
	keys := s.keys
	if s.state.filtering {
		keys = s.typing
	}
	act := actionOf(keys, msg)
	if moveList(&s.state.list, act) {
		return s.show()
	}
	switch act {
	case actEnter:
		return s.save()
	case actNext:
		s.trying = s.layout() != noPreview
	case actFilter:
		s.state.filtering = true
		s.layOut()
	case actBackspace:
		return s.filter(s.state.text[:lastBoundary(s.state.text)])
	case actDeleteToStart:
		return s.filter("")
	case actHelp:
		return send(pushScreen{newKeysScreen("Themes", s.keys), s})
	case actEscape:
		if s.state.filtering || s.state.text != "" {
			s.state.filtering = false
			return s.filter("")
		}
		return send(quitProgram{})
	case actQuit:
		return send(quitProgram{})
	case actNone:
		if s.state.filtering && msg.Text != "" {
			return s.filter(s.state.text + safe.New(msg.Text).Line())
		}
	}
	return nil
}

// pressPreview gives a key to the form, until Esc has nothing to close there.
func (s *themesScreen) pressPreview(msg tea.KeyPressMsg) tea.Cmd {
	act := actionOf(s.keys, msg)
	if msg.Code == tea.KeyEscape && !s.preview.covered() {
		s.trying = false
		return nil
	}
	if act == actQuit && msg.Mod == tea.ModCtrl {
		return send(quitProgram{})
	}
	return s.preview.update(msg)
}

func (s *themesScreen) filter(text string) tea.Cmd {
	s.state.filter(text)
	s.layOut()
	return s.show()
}

// show draws everything in the theme under the cursor. Without colours there is
// nothing to be shown.
func (s *themesScreen) show() tea.Cmd {
	choice, ok := s.state.chosen()
	if !ok || s.options.Terminal.NoColor {
		return nil
	}
	return send(showTheme{choice})
}

func (s *themesScreen) save() tea.Cmd {
	choice, ok := s.state.chosen()
	if !ok || s.saving {
		return nil
	}
	s.saving = true
	return func() tea.Msg {
		where, err := s.options.Save(choice.Name)
		return themeSaved{choice.Name, where, err}
	}
}

func (s *themesScreen) saved(msg themeSaved) tea.Cmd {
	s.saving = false
	if msg.err != nil {
		s.status = sentence(msg.err)
		return nil
	}
	notice := "The theme is now " + msg.name + ", in " + safe.New(msg.where).Line() + "."
	if s.options.Stronger != "" {
		notice += " " + s.overruled()
	}
	return send(quitProgram{Notice: notice})
}

// overruled says why what is saved will not be seen.
func (s *themesScreen) overruled() string {
	if s.options.Stronger == "" {
		return ""
	}
	return s.options.Stronger + " is set and stronger: it counts until it is unset."
}

func (s *themesScreen) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if x, y, ok := s.inPreview(at.X, at.Y); ok {
		return s.preview.update(movedTo(msg, x, y))
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		s.state.list.move(wheelSteps(msg.Mouse()))
		return s.show()
	case tea.MouseClickMsg:
		if row, ok := s.state.list.rowAt(at.Y - s.listTop()); ok && at.Button == tea.MouseLeft {
			s.trying = false
			s.state.list.moveTo(row)
			return s.show()
		}
	}
	return nil
}

// movedTo is the mouse as the preview sees it.
func movedTo(msg tea.MouseMsg, x, y int) tea.Msg {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		msg.X, msg.Y = x, y
		return msg
	case tea.MouseWheelMsg:
		msg.X, msg.Y = x, y
		return msg
	}
	return nil
}
