package diagram

// shape is the outline of a node.
type shape uint8

const (
	unshaped      shape = iota // no shape given: a rectangle
	rectangle                  // [words]
	rounded                    // (words)
	stadium                    // ([words])
	subroutine                 // [[words]]
	cylinder                   // [(words)]
	circle                     // ((words))
	doubleCircle               // (((words)))
	flag                       // >words]
	diamond                    // {words}
	hexagon                    // {{words}}
	leanRight                  // [/words/]
	leanLeft                   // [\words\]
	trapezoid                  // [/words\]
	trapezoidDown              // [\words/]
	bare                       // words without an outline
	bar                        // a fork or a join
	startSign
	endSign
	choiceSign
)

// sign returns the mark of a shape that is only a mark; noMark for other shapes.
func (s shape) sign() mark {
	switch s {
	case startSign:
		return startMark
	case endSign:
		return endMark
	case choiceSign:
		return choiceMark
	}
	return noMark
}
