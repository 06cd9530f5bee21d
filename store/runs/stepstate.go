package runs

import (
	"maps"
	"slices"
	"time"

	"planb/drafts"
)

// Worker names who writes a draft without an agent: planb has a program or a model write it.
const Worker = "planb"

// Writing returns who writes which step now. claimed are the writers whom the claims of the
// steps name (Store.Writers). A run that has ended has no writer. A program that writes
// without an agent counts as the writer of the first ready step.
func (w Whole) Writing(claimed map[string]Writer, standings map[string]drafts.Standing) map[string]Writer {
	switch {
	case w.State.Ended():
		return nil
	case w.Mode == ByWorker && w.State == Processing:
		for _, s := range w.Draft.Steps() {
			if s.Author == drafts.Model && standings[s.ID] == drafts.Ready {
				return map[string]Writer{s.ID: {Name: Worker}}
			}
		}
	}
	return claimed
}

// StepState returns how a step stands for the person. writing is whether somebody writes it.
func (w Whole) StepState(s drafts.Step, standing drafts.Standing, writing bool) drafts.StepState {
	switch {
	case standing == drafts.Clean:
		return drafts.StepWritten
	case standing == drafts.Kept:
		return drafts.StepKept
	case w.State == Failed && w.Error != nil && w.Error.Step == s.ID:
		return drafts.StepFailed
	case writing:
		return drafts.StepInWork
	case standing == drafts.Ready && s.Author == drafts.Person && !w.State.Ended():
		return drafts.StepForYou
	case w.Draft.Output(s.ID) != nil:
		return drafts.StepAgain
	case standing == drafts.Ready:
		return drafts.StepNext
	}
	return drafts.StepLater
}

// Condition returns how a draft stands for the person, if its steps stand so. replied is whether
// the person replied at the step that waits for them.
func (w Whole) Condition(states map[string]drafts.StepState, replied bool, now time.Time) drafts.Condition {
	has := func(state drafts.StepState) bool { return slices.Contains(slices.Collect(maps.Values(states)), state) }
	switch {
	case w.State.Ended():
		return w.State.Condition()
	case has(drafts.StepInWork):
		return drafts.DraftBeingWritten
	case has(drafts.StepForYou) && replied:
		return drafts.DraftReplied
	case has(drafts.StepForYou):
		return drafts.DraftForYou
	case w.Stalled(now):
		return drafts.DraftStalled
	}
	return drafts.DraftToBeWritten
}

// Condition returns how a draft stands for the person, as far as its state tells.
func (s State) Condition() drafts.Condition {
	switch s {
	case Processing:
		return drafts.DraftInWork
	case Completed:
		return drafts.DraftWritten
	case Failed:
		return drafts.DraftFailed
	case Stopped:
		return drafts.DraftStopped
	}
	return drafts.DraftToBeWritten
}
