package doctor

import "planb/setup"

// Variable judges a variable of the environment whose value is wrong.
func Variable(wrong error) Finding {
	return Finding{AreaSettings, "variable", Problem, wrong.Error(), "correct the variable, or unset it; a command that needs it does not start until then"}
}

// Settings judges the settings file.
func Settings(path string, exists bool, problems []setup.Problem) []Finding {
	found := func(state State, detail, remedy string) Finding {
		return Finding{AreaSettings, "file", state, detail, remedy}
	}
	switch {
	case !exists:
		return []Finding{found(Note, path+" does not exist; it is not needed", "")}
	case len(problems) == 0:
		return []Finding{found(OK, path, "")}
	}
	var list []Finding
	for _, problem := range problems {
		list = append(list, found(Warning, problem.Error(), "correct that line; until then the default is used"))
	}
	return list
}
