package planfile

import (
	"context"
	"errors"
	"path/filepath"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
)

// Brought is what became of a person's edit of a plan that is a file.
type Brought int

const (
	NowBrought Brought = iota // the file holds it now
	WasBrought                // the file held it already
	LeftApart                 // the file was changed since it was submitted, and left as it is
)

// Bring puts a person's edit into the file of the plan they reviewed, if that still
// holds what was submitted. edited is the edit's digest.
func (f *Files) Bring(ctx context.Context, session string, of questions.PlanRef, name plans.Name, text safe.Text, edited string) (Brought, error) {
	dir, err := f.openPlansAt(ctx, filepath.Dir(of.Path))
	if err != nil {
		return LeftApart, err
	}
	defer dir.close()
	w := &Writing{files: f, File: File{dir, name}, session: session}
	held, err := w.File.read()
	if err == nil {
		err = w.File.writable(held)
	}
	if err != nil {
		return LeftApart, err
	}
	switch digest := plans.Digest(safe.New(held.Text)); {
	case digest == edited:
		return WasBrought, nil
	case digest != of.Digest || !held.there:
		return LeftApart, nil
	}
	if _, _, err := w.keep(ctx, text.Raw(), ""); err != nil {
		return LeftApart, err
	}
	err = w.File.write(text.Raw(), held)
	if errors.Is(err, errMoved) {
		return LeftApart, nil
	}
	return NowBrought, err
}
