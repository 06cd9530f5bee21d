package pane

import "testing"

// Two containers, and two runs of one machine, can have the same socket,
// process id and window.
func TestAPlaceIsOfOneSystem(t *testing.T) {
	t.Parallel()
	const socket, window = "/tmp/tmux-0/default,7", "@0"
	here := placeIn("boot pid:[1]", tmuxName, socket, window)
	for what, other := range map[string]string{
		"another container": placeIn("boot pid:[2]", tmuxName, socket, window),
		"after a reboot":    placeIn("later pid:[1]", tmuxName, socket, window),
		"another server":    placeIn("boot pid:[1]", tmuxName, socket+"1", window),
		"another window":    placeIn("boot pid:[1]", tmuxName, socket, "@1"),
	} {
		if other == here {
			t.Errorf("%s: the place is %s, too", what, here)
		}
	}
	if again := placeIn("boot pid:[1]", tmuxName, socket, window); again != here {
		t.Errorf("the place is %s and %s", here, again)
	}
}
