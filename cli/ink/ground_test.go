package ink

import "testing"

func TestWhatTheEnvironmentSaysOfTheGround(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want ground
	}{
		{nil, unknown},
		{map[string]string{"COLORFGBG": "15;0"}, dark},
		{map[string]string{"COLORFGBG": "15;default;8"}, dark},
		{map[string]string{"COLORFGBG": "0;15"}, light},
		{map[string]string{"COLORFGBG": "0;7"}, light},
		{map[string]string{"COLORFGBG": "0;default"}, unknown},
		{map[string]string{"PLANB_THEME": "light", "COLORFGBG": "15;0"}, light},
		{map[string]string{"PLANB_THEME": "nord-dark"}, dark},
		{map[string]string{"PLANB_THEME": "nord", "COLORFGBG": "0;15"}, light},
		{map[string]string{"PLANB_THEME": "none"}, unknown},
		{map[string]string{"PLANB_THEME": "no such theme"}, unknown},
	} {
		if got := toldGround(test.env); got != test.want {
			t.Errorf("%v: got %v, want %v", test.env, got, test.want)
		}
	}
}
