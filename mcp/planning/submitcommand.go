package planning

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/mcp/wire"
	"planb/procgroup"
	"planb/questions"
	"planb/questions/safe"
)

const (
	// submitGrace is how long a submit command has to end when it is told to; then
	// it is killed. The server is gone within two seconds of its end.
	submitGrace = 500 * time.Millisecond
	// maxSubmitOutput bounds what it prints.
	maxSubmitOutput = 4 << 20
	maxSubmitError  = 16 << 10
)

// outsideVerdict is the result of a submit command: its output is the feedback, and
// approved is never true.
type outsideVerdict struct {
	Approved bool   `json:"approved"`
	Feedback string `json:"feedback"`
	Note     string `json:"note"`
}

const outsideNote = "A program of the user's reviewed the plan. approved is false whatever it said: the feedback tells how the review went, and whether the plan is approved."

// submitOutside has the submit command review the plan, and waits for it.
func (s *toolset) submitOutside(c *tool.Caller, submitted submission) *tool.Result {
	plan := submitted.plan
	if submitted.path == "" {
		return tool.Failed(plan.Session, fmt.Sprintf("Version %d has no readable copy that the submit command could be given: "+
			"it cannot be written, or somebody has changed it. Write the plan with write_plan, and submit it by its planName.", plan.Number))
	}
	feedback, err := s.runSubmit(c, submitted.path)
	if err != nil {
		return tool.Failed(plan.Session, err.Error())
	}
	told := &tool.Telling{Session: plan.Session, About: fmt.Sprintf("v%d", plan.Number), Words: func(c *tool.Cutter) []string {
		return []string{tool.JSON(outsideVerdict{
			Feedback: c.Piece(feedbackPiece(safe.New(feedback))), Note: tool.Join(outsideNote, submitted.note),
		})}
	}}
	return &tool.Result{Telling: told, Session: plan.Session, Data: &planData{
		Session: plan.Session, Version: plan.Number, Path: submitted.path,
		Plan: &questions.PlanRef{Name: string(plan.Name), Number: plan.Number, Digest: plan.Digest, Path: submitted.path},
	}}
}

// The reasons why planb ends a submit command.
var (
	errSubmitTime = errors.New("its time is over")
	errSubmitSize = errors.New("it prints too much")
	errServerEnds = errors.New("the server ends")
)

// runSubmit runs the command and returns its output. The command has as long as a person has
// for an answer. It ends with the call, together with all that it started.
func (s *toolset) runSubmit(c *tool.Caller, path string) (string, error) {
	ctx, end := context.WithCancelCause(c.Context())
	defer end(nil)
	ctx, cancel := context.WithTimeoutCause(ctx, s.Timeout, errSubmitTime)
	defer cancel()
	stdout := &procgroup.Output{Most: maxSubmitOutput, Over: func() { end(errSubmitSize) }}
	stderr := &procgroup.Output{Most: maxSubmitError}
	argv := append(slices.Clone(s.SubmitCommand), path)
	command := exec.CommandContext(ctx, argv[0], argv[1:]...) // without stdin: that is the client's
	command.Stdout, command.Stderr = stdout, stderr
	command.WaitDelay = submitGrace
	kill := procgroup.Own(command)
	defer c.Park()()
	if err := command.Start(); err != nil {
		return "", planfile.Refuse("Failed to spawn submit command `%s`: %s", argv[0], tool.OneLine(err.Error()))
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	progress := time.NewTicker(wire.ProgressEvery)
	defer progress.Stop()
	for closing := c.Agent.Closing(); ; {
		select {
		case err := <-done:
			if ctx.Err() != nil {
				kill()
				return "", s.submitEnded(argv[0], context.Cause(ctx))
			}
			return submitOutput(argv[0], stdout.String(), stderr.String(), err)
		case <-progress.C:
			c.Progress(fmt.Sprintf("waiting for the submit command, %s", tool.InWords(time.Since(c.Started()).Round(time.Second))))
		case <-closing:
			end(errServerEnds)
			closing = nil
		}
	}
}

// submitEnded words why a submit command was ended.
func (s *toolset) submitEnded(program string, why error) error {
	reason := "it was cancelled"
	switch {
	case errors.Is(why, errSubmitTime):
		reason = "it had not ended within " + tool.InWords(s.Timeout)
	case errors.Is(why, errSubmitSize):
		reason = fmt.Sprintf("it printed more than %d bytes", maxSubmitOutput)
	case errors.Is(why, errServerEnds):
		reason = "this server ends"
	}
	return planfile.Refuse("Submit command `%s` was stopped: %s. The plan is NOT approved", program, reason)
}

// submitOutput is the output of a command that has ended.
func submitOutput(program, stdout, stderr string, err error) (string, error) {
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // something it started still has its output open
		return stdout, nil
	case errors.As(err, &exit):
		return "", planfile.Refuse("Submit command `%s` exited with %s: %s", program, exit.ProcessState, strings.TrimSpace(stderr))
	}
	return "", planfile.Refuse("Submit command `%s` could not be waited for: %s", program, tool.OneLine(err.Error()))
}
