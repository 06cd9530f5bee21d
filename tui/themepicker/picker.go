package themepicker

import (
	tea "charm.land/bubbletea/v2"

	"planb/themes"
	"planb/tui/cells"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// maxFilter is the most bytes of a filter: more than any theme's name has.
const maxFilter = 200

// Picker is the list of all themes in a box over another screen. It is moved through and
// filtered, shows at once what is under its cursor, and keeps what is chosen.
type Picker struct {
	keeper screen.ThemeKeeper
	plain  bool // no colours can be shown
	state  state
	keys   []keymap.Binding
	typing []keymap.Binding
	saving bool
	typed  *editor.Query // the filter
	status string        // why saving failed

	under  screen.Screen
	before themes.Choice // what to go back to
	done   tea.Msg       // closes the picker
	page   screen.Page
	box    box
}

// Chosen asks the window to close the picker and to go on with a theme.
type Chosen struct {
	Picker *Picker
	Choice themes.Choice
	Notice string // what to tell the person; empty if nothing was kept
}

// saved says what became of saving.
type saved struct {
	picker *Picker
	choice themes.Choice
	err    error
}

// New returns a picker over a screen that is drawn in the theme of now. The cursor is on
// that theme.
func New(t screen.Terminal, under screen.Screen, now themes.Choice) *Picker {
	return &Picker{
		keeper: t.Keeper, plain: t.NoColor, typed: editor.NewQuery(maxFilter), state: newState(t.Themes.Choices(), now.Name), under: under, before: now,
		keys: t.Keys.On(keymap.OfThemes, keymap.ThemeList()), typing: t.Keys.On(keymap.OfFilter, keymap.Filtering()),
	}
}

// Init starts nothing: the screen below has started.
func (p *Picker) Init() tea.Cmd { return nil }

// Resize lays out the box.
func (p *Picker) Resize(width, height int) {
	p.page.Width, p.page.Height = width, height
	p.layOut()
	p.shrinkUnder()
}

// Retheme sets the look, also of the screen below, where nothing has the focus now.
func (p *Picker) Retheme(look *screen.Look) {
	p.page.Look = look
	p.under.Retheme(look.WithoutFocus())
}

// Update moves through the themes, and saves.
func (p *Picker) Update(msg tea.Msg) tea.Cmd {
	defer p.layOut()
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if p.state.filtering {
			return screen.EscapeFirst(msg, p.press, p.typing...)
		}
		return screen.EscapeFirst(msg, p.press)
	case tea.PasteMsg:
		if p.state.filtering {
			return p.filter(keymap.None, msg.Content)
		}
	case tea.MouseWheelMsg:
		p.state.list.Move(screen.WheelSteps(msg.Mouse()))
		return p.show()
	case tea.MouseClickMsg:
		if row, ok := p.state.list.RowAt(msg.Mouse().Y - p.listTop()); ok && msg.Mouse().Button == tea.MouseLeft {
			p.state.list.MoveTo(row)
			return p.show()
		}
	case saved:
		if msg.picker == p {
			return p.wasSaved(msg)
		}
	}
	return nil
}

func (p *Picker) press(msg tea.KeyPressMsg) tea.Cmd {
	if p.done != nil { // it came together with Esc, and is for the screen below
		return screen.Send(msg)
	}
	p.status = ""
	keys := p.keys
	if p.state.filtering {
		keys = p.typing
	}
	act := keymap.ActionOf(keys, msg)
	if p.state.list.Act(act) {
		return p.show()
	}
	switch act {
	case keymap.Enter:
		return p.save()
	case keymap.Filter:
		p.state.filtering = true
	case keymap.Help:
		return screen.Send(screen.Push{Screen: screen.NewHelp("Themes", p.keys), Over: p})
	case keymap.Escape:
		if p.filtered() {
			p.state.filtering = false
			return p.filter(keymap.DeleteToStart, "")
		}
		p.done = Chosen{p, p.before, ""}
	case keymap.Quit:
		p.done = Chosen{p, p.before, ""}
	default:
		if p.state.filtering {
			return p.filter(act, msg.Text)
		}
	}
	return nil
}

// Wants closes the picker before the next key, which is for the screen below.
func (p *Picker) Wants() tea.Msg {
	done := p.done
	p.done = nil
	return done
}

// filter changes the filter and narrows the list by it.
func (p *Picker) filter(act keymap.Action, text string) tea.Cmd {
	if !p.typed.Type(act, text) {
		return nil
	}
	p.state.filter(p.typed.Text())
	return p.show()
}

// show draws everything in the theme under the cursor. Without colours there is nothing
// to show.
func (p *Picker) show() tea.Cmd {
	choice, ok := p.state.chosen()
	if !ok || p.plain {
		return nil
	}
	return screen.Send(screen.ShowTheme{Choice: choice})
}

func (p *Picker) save() tea.Cmd {
	choice, ok := p.state.chosen()
	if !ok || p.saving {
		return nil
	}
	p.saving = true
	save := p.keeper.Save
	return func() tea.Msg {
		_, err := save(choice.Name)
		return saved{p, choice, err}
	}
}

func (p *Picker) wasSaved(msg saved) tea.Cmd {
	p.saving = false
	if msg.err != nil {
		p.status = wording.Sentence(msg.err)
		return nil
	}
	notice := cells.JoinBy(" ", "Kept in your settings: "+msg.choice.Name+".", p.keeper.Overruled(), hardToRead(msg.choice))
	return screen.Send(Chosen{p, msg.choice, notice})
}

// hardToRead names the colours of a theme that have too little contrast; empty if none
// has.
func hardToRead(c themes.Choice) string {
	var names []string
	for _, low := range c.LowContrast() {
		names = append(names, low.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return "Hard to read: " + wording.List(names) + "."
}
