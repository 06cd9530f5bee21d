// Package storetest holds the law that every store.Engine passes (TestEngine),
// an engine in memory (Map) for tests of what is built on one, and Generate, which
// fills an engine with a store of any size, the same each time. Only tests import
// it; it knows nothing of any engine but its own.
package storetest
