// Package command has the person's own program answer the steps of a draft, such as
// their agent without a screen: a fresh process for each question, which reads the
// step on its stdin and ends with the JSON object that is the answer.
//
// The program is named in the person's own settings and nowhere else; it is an argv,
// which no shell reads. planb opens no socket for it. Begin with Program.
package command

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"planb/procgroup"
	"planb/questions/lenient"
	"planb/questions/safe"
)

// Program is what answers steps.
type Program struct {
	Argv  []string
	Dir   string        // the working directory
	Env   []string      // the environment
	Limit time.Duration // of one answer; 0: Limit
}

// Limits of an answer.
const (
	Limit     = 10 * time.Minute
	Feedback  = 2       // how often problems go back to the program
	maxOutput = 4 << 20 // bytes of stdout
	maxError  = 16 << 10
	// grace is how long the program has to end when it is told to; then it and all that
	// it started are killed.
	grace = 500 * time.Millisecond
)

// Write has the program answer a question. accept says what is wrong with an answer. If
// something is, a fresh process gets it with the question and the answer, up to Feedback
// times. The error is that of the last try.
func (p Program) Write(ctx context.Context, question string, accept func(answer []byte) error) error {
	text := question
	for try := 0; ; try++ {
		answer, err := p.ask(ctx, text)
		if err != nil {
			return err
		}
		problems := accept(answer)
		if problems == nil || try == Feedback {
			return problems
		}
		text = fmt.Sprintf("%s\n\nYour answer was:\n%s\n\nIt was not accepted:\n%s\n\nAnswer with the whole corrected JSON object and nothing else.", question, answer, problems)
	}
}

// The reasons why planb ends a program.
var (
	errTime = errors.New("its time is over")
	errSize = errors.New("it prints too much")
)

// ask runs the program once and returns the last JSON object that it printed. The
// process group of the program ends with ctx.
func (p Program) ask(ctx context.Context, text string) ([]byte, error) {
	if len(p.Argv) == 0 {
		return nil, errors.New("no program is named")
	}
	limit := p.Limit
	if limit == 0 {
		limit = Limit
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTime)
	defer cancel()
	stdout := &procgroup.Output{Most: maxOutput, Over: func() { end(errSize) }}
	stderr := &procgroup.Output{Most: maxError}
	command := exec.CommandContext(ctx, p.Argv[0], p.Argv[1:]...)
	command.Dir, command.Env = p.Dir, p.Env
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(text), stdout, stderr
	command.WaitDelay = grace
	kill := procgroup.Own(command)
	err := command.Run()
	if ctx.Err() != nil {
		kill()
		switch why := context.Cause(ctx); {
		case errors.Is(why, errTime):
			return nil, fmt.Errorf("%s had not ended within %s", p.Argv[0], limit)
		case errors.Is(why, errSize):
			return nil, fmt.Errorf("%s printed more than %d bytes", p.Argv[0], maxOutput)
		}
		return nil, context.Cause(ctx)
	}
	switch exit := (*exec.ExitError)(nil); {
	case errors.As(err, &exit):
		return nil, fmt.Errorf("%s exited with %s: %s", p.Argv[0], exit.ProcessState, lastLine(stderr.String()))
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // after ErrWaitDelay only its children still have the output open
		return nil, fmt.Errorf("%s: %w", p.Argv[0], err)
	}
	kill()
	answer, ok := lenient.LastObject(stdout.Bytes())
	if !ok {
		return nil, fmt.Errorf("%s printed no JSON object; the end of its output: %s", p.Argv[0], lastLine(stdout.String()))
	}
	return answer, nil
}

// lastLine returns the end of an output for an error.
func lastLine(text string) string {
	const most = 200
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := []rune(safe.New(lines[len(lines)-1]).Line())
	return string(last[:min(len(last), most)])
}
