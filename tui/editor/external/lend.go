package external

import (
	"io"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
)

// leastLoan is how long the terminal is lent at least. Bubble Tea 2.0.9 ends its drawing
// from a goroutine of its own, and does not wait for that. If the terminal is back
// before, this end is the end of the new drawing, and the screen stays empty for ever
// (charmbracelet/bubbletea#1778).
const leastLoan = 100 * time.Millisecond

// Lend gives the terminal to a process until that ends. Then ended makes the message
// for the screen.
func Lend(process *exec.Cmd, ended func(error) tea.Msg) tea.Cmd {
	return tea.Exec(loan{process}, ended)
}

// loan is a process that has the terminal. It keeps the files that it was given, such as
// the text on its input.
type loan struct{ process *exec.Cmd }

func (l loan) SetStdin(in io.Reader) {
	if l.process.Stdin == nil {
		l.process.Stdin = in
	}
}

func (l loan) SetStdout(out io.Writer) {
	if l.process.Stdout == nil {
		l.process.Stdout = out
	}
}

func (l loan) SetStderr(out io.Writer) {
	if l.process.Stderr == nil {
		l.process.Stderr = out
	}
}

// Run runs the process.
func (l loan) Run() error {
	least := time.NewTimer(leastLoan)
	err := l.process.Run()
	<-least.C
	return err
}
