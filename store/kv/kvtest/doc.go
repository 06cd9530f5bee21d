// Package kvtest holds the law that every kv.Engine passes (TestEngine), and an
// engine in memory (Map) for tests of what is built on one, which can be told to
// fail. Only tests import it; it knows no other engine and nothing of what records
// mean.
package kvtest
