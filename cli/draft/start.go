package draft

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"

	"planb/procgroup"
	"planb/store/runs"
)

// Start starts planb draft run in a process of its own, which outlives this one, and
// fails the draft if that process ends without having begun. The program is planb itself.
func (c Commands) Start(program string, drafts func() *runs.Store, log *slog.Logger) func(ctx context.Context, plan string) error {
	return func(ctx context.Context, plan string) error {
		command := exec.Command(program, "draft", "run", plan)
		command.Env, command.SysProcAttr = c.Env.Pairs(), procgroup.Apart()
		if err := command.Start(); err != nil {
			return err
		}
		go func() {
			ended := command.Wait()
			if ended == nil {
				return
			}
			after := context.WithoutCancel(ctx)
			w, err := drafts().Plan(after, plan)
			if err == nil && !w.State.Ended() {
				_, err = drafts().Fail(after, runs.Caller{Name: runs.Planb}, plan, runs.Failure{
					Reason: runs.WorkerError, Recoverable: true,
					Message: fmt.Sprintf("planb draft run ended with %v. Tell your user to run: planb draft resume %s && planb draft run %s", ended, plan, plan),
				})
			}
			if err != nil {
				log.Warn("the draft of a process that ended could not be changed", "plan", plan, "error", err)
			}
		}()
		return nil
	}
}
