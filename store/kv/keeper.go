package kv

import "context"

// Keeper is an Engine whose data are one file. The file can be copied, looked through,
// replaced and made smaller as a whole, while others use the store. Callers ask an
// Engine for it by a type assertion: an engine behind a network is no Keeper, because
// its servers have tools of their own.
type Keeper interface {
	Engine
	// Copy makes a new file that holds the data as they are at one moment. It is on
	// the disk when Copy returns, and is not there if Copy fails. A file that is there
	// already is left alone: the error is fs.ErrExist. Copy does not look through what
	// it copies.
	Copy(ctx context.Context, to string) error
	// Check looks through every page and every record of the file. It takes no lock, so it
	// is for a copy that nobody else uses. Problems says what is damaged; the error is a
	// *Fault if the file cannot be looked through at all. A damaged file can end the whole
	// process: call it in a process of its own.
	Check() (Inspection, error)
	// Replace moves the file at from to the store's place. The file must be checked, lie
	// beside the store, and have no other user. The data of before is kept under the name
	// aside, which must be free. Every engine over the store goes on with the new data, and
	// no revision is used again.
	Replace(ctx context.Context, from, aside string) error
	// Repair writes the data anew from every record that can still be read, however
	// damaged the file is. Made is the name of the new file, beside the store; mend
	// puts in order what is in it. Then it takes the store's place as with Replace.
	// When nothing can be read, nothing is changed and the error is a *Fault.
	Repair(ctx context.Context, made, aside string, mend func(made string) error) (Salvaged, error)
	// Compact writes the file anew without the room that deleted records left.
	Compact(ctx context.Context) error
}

// Inspection is what Check found.
type Inspection struct {
	Size      int64 `json:"size"` // bytes
	Pages     int   `json:"pages"`
	FreePages int   `json:"freePages"`
	Records   int   `json:"records"`
	Revision  int64 `json:"revision"` // the last that was given
	// Problems says what is damaged, one sentence each, at most MaxProblems.
	Problems []string `json:"problems,omitempty"`
}

// Salvaged is what Repair saved of a damaged file.
type Salvaged struct {
	Records int `json:"records"`
	// Lost says what could not be read, one sentence each, at most MaxProblems.
	Lost []string `json:"lost,omitempty"`
}

// MaxProblems is how many problems are listed; a damaged file may have one for
// each of its pages.
const MaxProblems = 20
