package frame

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Consent returns nil if the person answers the question with yes, or has
// agreed before with a flag (given).
func (p Program) Consent(question string, given bool) error {
	if given {
		return nil
	}
	if !IsTerminal(p.Stdin) {
		return UsageError(errors.New("nothing was changed, because there is no terminal to ask you on; run it in a terminal, or give --yes"))
	}
	if _, err := io.WriteString(p.Stderr, question+" [y/N] "); err != nil {
		return err
	}
	line, err := bufio.NewReader(p.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("the answer can't be read, so nothing was changed: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	return Declined(errors.New("nothing was changed"))
}
