// Package planfile is plans as files: those of the project, which people edit, too, and
// the readable copies of what the store keeps.
//
// What somebody else wrote into a plan file becomes a version before anything replaces
// it. The file is replaced in one step, by one planb at a time, and no link in the
// project leads out of it. planb never reads a copy back.
//
// Which versions there are is the store's business. What a person says of them, and
// which tools write them, is not known here.
//
// Begin to read at Files.Work.
package planfile
