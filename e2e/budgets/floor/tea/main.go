// Command tea is the smallest full-screen Bubble Tea program: it shows its
// argument until a key is pressed. The tests measure planb's form against it. It
// links Glamour and mcp-go as planb does, because what these do before main is
// no work of planb's.
package main

import (
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
	_ "charm.land/glamour/v2"
	_ "github.com/mark3labs/mcp-go/server"
)

type screen struct{ text string }

func (s screen) Init() tea.Cmd { return nil }

func (s screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, pressed := msg.(tea.KeyPressMsg); pressed {
		return s, tea.Quit
	}
	return s, nil
}

func (s screen) View() tea.View { return tea.View{Content: s.text, AltScreen: true} }

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: tea TEXT")
		os.Exit(2)
	}
	if _, err := tea.NewProgram(screen{os.Args[1]}).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
