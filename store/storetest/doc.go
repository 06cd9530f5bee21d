// Package storetest fills an engine with a store of any size, the same each time
// (Generate), for tests that measure. Only tests import it; it knows no engine but the
// one in memory.
package storetest
