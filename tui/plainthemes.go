package tui

import (
	"fmt"
	"strconv"
	"strings"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/wording"
)

// plainThemes is the choice of a theme in plain lines. It is for people who have planb
// drawn in other terminals, in the colours that they choose here.
type plainThemes struct {
	*plainTalk
	keeper  screen.ThemeKeeper
	choices []themes.Choice
	saved   string // the name that counts now
}

// chooseTheme lists the themes until one is chosen and saved, or the person leaves.
func (t *plainTalk) chooseTheme(terminal screen.Terminal) error {
	current, err := terminal.Themes.Find(terminal.Theme)
	if err != nil {
		return err
	}
	p := &plainThemes{t, terminal.Keeper, terminal.Themes.Choices(), current.Name}
	if err := p.introduce(); err != nil {
		return err
	}
	for {
		typed, err := p.ask("A number or a name saves that theme, help tells of the rest; Enter alone leaves:")
		if err != nil {
			return err
		}
		saved := false
		switch word := strings.ToLower(bareWord(typed)); word {
		case "", "leave", "q":
			return p.say("Nothing was changed.")
		case "help", "?":
			err = p.say("A number or a name saves that theme.\nall reads out all themes; several words, as nord dark, those that have them.\nEnter alone leaves with everything as it was.")
		case "all":
			err = p.list("")
		default:
			saved, err = p.take(word)
		}
		if saved || err != nil {
			return err
		}
	}
}

func (p *plainThemes) introduce() error {
	about := fmt.Sprintf("Themes: %d.", len(p.choices))
	if p.keeper.Where != "" {
		about += " The one you choose is saved in " + safe.New(p.keeper.Where).Line() + "."
	}
	if err := p.say("%s\n", strings.TrimSpace(about+" "+p.keeper.Overruled())); err != nil {
		return err
	}
	return p.list("")
}

// list reads out the themes that have all words, with their numbers.
func (p *plainThemes) list(words string) error {
	var lines []string
	for i, choice := range p.choices {
		if !choice.Matches(words) {
			continue
		}
		now := ""
		if choice.Name == p.saved {
			now = "which counts now"
		}
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, commas(choice.Name, backgrounds(choice), now)))
	}
	if len(lines) == 0 {
		return p.say("No theme has that.")
	}
	return p.say("%s", strings.Join(lines, "\n"))
}

// backgrounds says for which backgrounds a theme is.
func backgrounds(c themes.Choice) string {
	switch words := c.Backgrounds(); words {
	case "":
		return "no colours"
	case "both":
		return "dark or light as the terminal's background is"
	default:
		return words
	}
}

// take saves what was typed, if it is a theme's number or name; else it lists what
// has these words.
func (p *plainThemes) take(typed string) (saved bool, err error) {
	at, err := strconv.Atoi(typed)
	if err == nil && (at < 1 || at > len(p.choices)) {
		return false, p.say("There is no theme of that number; there are %d.", len(p.choices))
	}
	for i, choice := range p.choices {
		if at != i+1 && typed != choice.Name {
			continue
		}
		where, err := p.keeper.Save(choice.Name)
		if err != nil {
			return false, p.say("Not saved: %s", wording.Sentence(err))
		}
		return true, p.say("%s", p.keeper.Saved(choice.Name, where))
	}
	return false, p.list(typed)
}
