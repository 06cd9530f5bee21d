package lenient

// Quickly and Thoroughly are the two ways in which Parse reads.
func Quickly(raw []byte) (Node, bool)     { return quickly(raw) }
func Thoroughly(raw []byte) (Node, error) { return thoroughly(raw) }
