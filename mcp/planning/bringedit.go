package planning

import (
	"context"
	"fmt"
	"path/filepath"

	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// A person may edit the plan that they review; their text becomes a version. If the plan is
// a file, the text goes into it before the agent is told, because the agent reads the file.
// Of a plan without a file the agent is told where its text is.

// bringEdits puts the user's edits into the plans' files, for all reviews in a result.
func (s *toolset) bringEdits(ctx context.Context, _ *tool.Caller, answer *tool.Result) {
	if answer.IsError {
		return
	}
	for _, ask := range answer.Tells() {
		of, review := ask.Spec.Plan, reviewIn(ask)
		if review == nil || review.Edited == "" {
			continue
		}
		said, err := s.bringEdit(ctx, ask.Session, *of, review.Edited)
		if err != nil {
			s.Log.Warn("a user's edit could not be given to the agent", "path", of.Path, "error", err)
			what := "read"
			if isOfFile(*of) {
				what = "put into " + of.Path
			}
			said = fmt.Sprintf("The user's edit could not be %s: %s What you have is not what they approved or ask for.", what, tool.Sentence(tool.OneLine(err.Error())))
		}
		if said != "" {
			answer.Notes = append(answer.Notes, said)
		}
	}
}

// bringEdit puts the version with the digest into the plan's file, if the file still holds
// the text that was submitted. It returns what to tell the agent.
func (s *toolset) bringEdit(ctx context.Context, session string, of questions.PlanRef, edited string) (string, error) {
	version, text, err := s.versionOf(ctx, session, edited)
	if err != nil {
		return "", err
	}
	if !isOfFile(of) {
		return fmt.Sprintf("The plan as the user edited it is version %d%s. Read that.", version.Number, s.readable(version, text)), nil
	}
	switch end, err := s.Files.Bring(ctx, session, of, plans.Name(of.Name), text, edited); {
	case err != nil:
		return "", err
	case end == planfile.WasBrought:
		return "", nil
	case end == planfile.LeftApart:
		return s.keepsApart(version, text, of.Path), nil
	}
	return fmt.Sprintf("%s now holds the plan as the user edited it, version %d. Read it.", of.Path, version.Number), nil
}

// isOfFile reports whether the plan's file was submitted, and not one of its versions by number.
func isOfFile(of questions.PlanRef) bool {
	name, err := plans.ParseName(of.Name)
	return err == nil && filepath.Base(of.Path) == name.File()
}

// keepsApart says where the user's edit is, because it did not go into the file.
func (s *toolset) keepsApart(version store.Plan, text safe.Text, path string) string {
	return fmt.Sprintf("The user edited the plan; their text is version %d%s. %s was changed since it was submitted, so it was left as it is: put their edit into it, then submit it again.", version.Number, s.readable(version, text), path)
}

// readable writes the readable copy of a version and returns its path in brackets, with a
// blank before it; empty if it could not be written.
func (s *toolset) readable(version store.Plan, text safe.Text) string {
	path, _, err := s.Copies.Write(version.Session, version.Number, text.Raw())
	if err != nil {
		return ""
	}
	return " (" + path + ")"
}

// versionOf is the session's latest version with the digest.
func (s *toolset) versionOf(ctx context.Context, session, digest string) (store.Plan, safe.Text, error) {
	list, err := s.Store.Plans(ctx, session)
	if err != nil {
		return store.Plan{}, safe.Text{}, err
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Err == nil && list[i].Digest == digest {
			text, err := s.Store.PlanText(ctx, session, list[i].Number)
			return list[i], text, err
		}
	}
	return store.Plan{}, safe.Text{}, fmt.Errorf("no version of session %s is the edit with SHA-256 %.12s…", session, digest)
}
