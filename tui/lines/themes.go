package lines

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/wording"
)

// themeChoice is the choice of a theme in plain lines. It is for people who have planb
// drawn in other terminals, in the colours that they choose here.
type themeChoice struct {
	*talk
	keeper  screen.ThemeKeeper
	choices []themes.Choice
	saved   string // the name that counts now
}

// Themes lists the themes until the person has chosen one, which is then saved, or leaves.
func Themes(ctx context.Context, terminal screen.Terminal) error {
	current, err := terminal.Themes.Find(terminal.Theme)
	if err != nil {
		return err
	}
	p := &themeChoice{newTalk(ctx, terminal), terminal.Keeper, terminal.Themes.Choices(), current.Name}
	return unlessLeft(p.run())
}

func (p *themeChoice) run() error {
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
			saved, err = p.choose(word)
		}
		if saved || err != nil {
			return err
		}
	}
}

func (p *themeChoice) introduce() error {
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
func (p *themeChoice) list(words string) error {
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

// choose saves a theme by its number or name. For any other words it lists the themes that
// have them.
func (p *themeChoice) choose(typed string) (saved bool, err error) {
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
