// Package storetest holds the law that every store.Engine passes (TestEngine),
// and an engine in memory (Map) for tests of what is built on one. Only tests
// import it; it knows nothing of any engine but its own.
package storetest
