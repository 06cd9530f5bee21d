package lines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"planb/tui/screen"
	"planb/tui/wording"
)

// This file has the code that reading out a plan of tasks and reading out a draft
// share.

// listed is a line of a list that is read out, with the id of its plan or draft.
type listed struct{ ID, Line string }

// aList says how a list is read out.
type aList[L ~struct{ ID, Line string }] struct {
	name   string // stands before the count
	empty  string // what to say if nothing is listed
	number string // what a number does
	read   func(ctx context.Context) ([]L, error)
}

// choose reads a list out, and shows what the person names by its number, until they leave. Whoever
// leaves what is shown is back at the list.
func choose[L ~struct{ ID, Line string }](t *talk, from aList[L], show func(id string) error) error {
	var list []L
	tell := func(string) (err error) {
		if list, err = from.read(t.ctx); err != nil {
			return err
		}
		if len(list) == 0 {
			return cmp.Or(t.say("%s", from.empty), errLater)
		}
		lines := []string{"", fmt.Sprintf("%s: %d.", from.name, len(list))}
		for i, entry := range list {
			lines = append(lines, fmt.Sprintf("%d. %s", i+1, listed(entry).Line))
		}
		return t.say("%s", strings.Join(lines, "\n"))
	}
	words := wordList[func(string) error]{
		{name: "again", does: "reads out the list; so does Enter alone", do: tell},
		{name: "leave", short: "q", does: "ends this", do: func(string) error { return errLater }},
	}
	help := append([]string{from.number + "."}, words.help("")...)
	words = append(words, word[func(string) error]{name: "help", short: "?", do: func(string) error { return t.say("%s", strings.Join(help, "\n")) }})
	if err := tell(""); err != nil {
		return err
	}
	return t.obeyAll(from.number+", help tells of the rest:", from.name+":", func(typed string) error {
		if typed == "" {
			return tell("")
		}
		if n, err := strconv.Atoi(typed); err == nil {
			if n < 1 || n > len(list) {
				return t.say("Nothing has that number.")
			}
			if err := show(listed(list[n-1]).ID); err != nil && !errors.Is(err, errLater) {
				return err
			}
			return tell("")
		}
		if do, rest, ok := words.find(typed); ok {
			return do(rest)
		}
		return t.say("There is no such word here. Type help for what you can type.")
	})
}

// obeyAll obeys what is typed, line after line. first is asked for the first line, and want for
// the others.
func (t *talk) obeyAll(first, want string, obey func(typed string) error) error {
	for asked := first; ; asked = want {
		typed, err := t.ask(asked)
		if err == nil {
			err = obey(bareWord(typed))
		}
		if err != nil {
			return err
		}
	}
}

// answer has the person answer an ask in the same conversation.
func (t *talk) answer(o AskOptions) error {
	_, err := newHost(o, t).run(t.ctx)
	t.edits, t.news = false, nil // which were the form's
	if err != nil && t.ctx.Err() == nil {
		return t.say("%s", wording.Sentence(err))
	}
	return err
}

// decide asks for a yes before it writes.
func (t *talk) decide(question, done string, write func(ctx context.Context) error) error {
	sure, err := t.sure(question + " Type yes:")
	if err != nil || !sure {
		return err
	}
	return t.write(done, write)
}

// write writes what was decided, and says what became of it.
func (t *talk) write(done string, write func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(t.ctx, screen.StorePatience)
	defer cancel()
	if err := write(ctx); err != nil {
		return t.say("That could not be done: %s", wording.Sentence(err))
	}
	return t.say("%s", done)
}
