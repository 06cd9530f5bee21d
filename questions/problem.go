package questions

import "planb/questions/lenient"

// Problem is one mistake in a form or a reply.
type Problem = lenient.Problem

// Problems is an error that holds all mistakes, in reading order.
type Problems = lenient.Problems
