package graph

import "planb/tui/markdown/diagram/canvas"

// Shape is the outline of a node.
type Shape uint8

// The shapes, as Mermaid writes them.
const (
	Unshaped      Shape = iota // no shape given: a rectangle
	Rectangle                  // [words]
	Rounded                    // (words)
	Stadium                    // ([words])
	Subroutine                 // [[words]]
	Cylinder                   // [(words)]
	Circle                     // ((words))
	DoubleCircle               // (((words)))
	Flag                       // >words]
	Diamond                    // {words}
	Hexagon                    // {{words}}
	LeanRight                  // [/words/]
	LeanLeft                   // [\words\]
	Trapezoid                  // [/words\]
	TrapezoidDown              // [\words/]
	Bare                       // words without an outline
	Bar                        // a fork or a join
	Start                      // a sign without words, like the next two
	End
	Choice
)

// sign returns the sign of a shape that is only a sign; NoSign for other shapes.
func (s Shape) sign() canvas.Sign {
	switch s {
	case Start:
		return canvas.StartSign
	case End:
		return canvas.EndSign
	case Choice:
		return canvas.ChoiceSign
	}
	return canvas.NoSign
}
