package mcp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
)

// brought is what became of a person's edit of a plan that is a file.
type brought int

const (
	isBrought  brought = iota // the file holds it now
	wasBrought                // the file held it already
	leftApart                 // the file was changed since it was submitted, and left as it is
)

// bring puts a person's edit into the file of the plan they reviewed, if that still
// holds what was submitted. edited is the edit's digest.
func (f *planFiles) bring(ctx context.Context, session string, of questions.PlanRef, name plans.Name, text safe.Text, edited string) (brought, error) {
	if filepath.Base(of.Path) != name.File() {
		return leftApart, fmt.Errorf("%q is not the file of the plan %s", of.Path, of.Name)
	}
	dir, err := f.openPlansAt(ctx, filepath.Dir(of.Path))
	if err != nil {
		return leftApart, err
	}
	defer dir.close()
	w := &planWriting{files: f, file: planFile{dir, name}, session: session}
	held, err := w.file.read()
	if err == nil {
		err = w.file.writable(held)
	}
	if err != nil {
		return leftApart, err
	}
	switch digest := plans.Digest(safe.New(held.text)); {
	case digest == edited:
		return wasBrought, nil
	case digest != of.Digest || !held.there:
		return leftApart, nil
	}
	if _, _, err := w.keep(ctx, text.Raw(), ""); err != nil {
		return leftApart, err
	}
	err = w.file.write(text.Raw(), held)
	if errors.Is(err, errPlanMoved) {
		return leftApart, nil
	}
	return isBrought, err
}
