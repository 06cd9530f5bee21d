package hook

import (
	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
)

// Title returns the title that a person knows the plan by: its heading,
// else the file's name.
func Title(text safe.Text, file string) safe.Text {
	if heading := plans.Heading(text); !heading.Blank() && len(heading.Raw()) <= questions.MaxTitleBytes {
		return heading
	}
	if file == "-" {
		file = "The plan"
	}
	return safe.New(file)
}
