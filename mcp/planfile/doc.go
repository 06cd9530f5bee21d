// Package planfile is plans as files: those of the project, which people edit, too, and
// the readable copies of what the store keeps.
//
// If somebody else wrote into a plan file, that text becomes a version before anything
// replaces it. The file is replaced in one step, by one planb at a time, and no link in the
// project leads out of it. planb never reads a copy back.
//
// Which versions there are is the store's business. The package does not know what a person
// says of them, nor which tools write them.
//
// Begin to read at Files.Work.
package planfile
