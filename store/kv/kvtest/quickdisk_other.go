//go:build !linux

package kvtest

// memoryDisk is empty: this system has no disk in memory without being asked to make one.
func memoryDisk() string { return "" }
