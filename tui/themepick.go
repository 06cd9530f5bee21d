package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"planb/tui/keymap"
	"planb/tui/screen"
)

// Themes shows every theme in turn on a form, and keeps the one that the person
// chooses; where nothing is drawn, it lists them. Who leaves without choosing has
// changed nothing.
func Themes(ctx context.Context, t screen.Terminal) error {
	if t.Plain() {
		return unlessLeft(newPlainTalk(ctx, t).chooseTheme(t))
	}
	screen, err := newThemesScreen(t)
	if err != nil {
		return err
	}
	return terminal{t}.run(ctx, screen)
}

// themesScreen is a list of all themes beside a form that shows the one under
// the cursor; so does all around it.
type themesScreen struct {
	themeList
	page    screen.Page
	preview *preview
	trying  bool // keys go to the preview
}

func newThemesScreen(t screen.Terminal) (*themesScreen, error) {
	preview, err := newPreview(t.Keys)
	if err != nil {
		return nil, err
	}
	current, err := t.Themes.Find(t.Theme)
	if err != nil {
		return nil, err
	}
	return &themesScreen{themeList: newThemeList(t, current.Name, keymap.ThemeList()), preview: preview}, nil
}

// asksBackground makes the window find out what families would follow.
func (*themesScreen) asksBackground() {}

// Init starts the preview.
func (s *themesScreen) Init() tea.Cmd { return s.preview.init() }

// Resize lays out the list and what is beside it.
func (s *themesScreen) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	s.layOut()
}

// Retheme takes the look.
func (s *themesScreen) Retheme(look *screen.Look) {
	s.page.Look = look
	s.preview.form.Retheme(look)
}

// Update moves through the themes, tries the preview, and saves.
func (s *themesScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if s.trying {
			return s.pressPreview(msg)
		}
		return screen.EscapeFirst(msg, s.press)
	case tea.PasteMsg:
		if s.trying {
			return s.preview.update(msg)
		}
		defer s.layOut()
		return s.paste(msg.Content)
	case tea.MouseMsg:
		return s.mouse(msg)
	case themeSaved:
		if !s.saved(msg) {
			return nil
		}
		return screen.Send(screen.Quit{Notice: s.keeper.Saved(msg.choice.Name, msg.where)})
	}
	return s.preview.update(msg)
}

func (s *themesScreen) press(msg tea.KeyPressMsg) tea.Cmd {
	rest, cmd := s.themeList.press(msg)
	s.layOut()
	switch rest {
	case keymap.Next:
		s.trying = s.layout() != noPreview
	case keymap.Help:
		return screen.Send(screen.Push{Screen: screen.NewHelp("Themes", s.keys), Over: s})
	case keymap.Escape, keymap.Quit:
		return screen.Send(screen.Quit{})
	}
	return cmd
}

// pressPreview gives a key to the form, until Esc has nothing to close there.
func (s *themesScreen) pressPreview(msg tea.KeyPressMsg) tea.Cmd {
	s.status = ""
	act := keymap.ActionOf(s.keys, msg)
	if s.preview.leftBy(msg) {
		s.trying = false
		return nil
	}
	if act == keymap.Quit && msg.Mod == tea.ModCtrl {
		return screen.Send(screen.Quit{})
	}
	return s.preview.update(msg)
}

func (s *themesScreen) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if x, y, ok := s.inPreview(at.X, at.Y); ok {
		return s.preview.update(movedTo(msg, x, y))
	}
	if _, click := msg.(tea.MouseClickMsg); click {
		s.trying = false
	}
	return s.themeList.mouse(msg, at.Y-s.listTop())
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
