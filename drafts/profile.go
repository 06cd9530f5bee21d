package drafts

// Profiles returns the names that a choice of models may have, the usual one first. A
// person's settings say which models they are.
func Profiles() []string { return []string{"baseline", "premium", "frontier", "custom"} }
