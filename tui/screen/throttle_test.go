package screen

import "testing"

func TestThrottle(t *testing.T) {
	var throttle Throttle
	if !throttle.Begin() {
		t.Fatal("the first read may not begin")
	}
	if throttle.Begin() || throttle.BeginMore() {
		t.Error("two reads are under way")
	}
	throttle.Rest()
	if throttle.Ended() || throttle.Begin() {
		t.Error("a read begins during the rest")
	}
	if !throttle.BeginMore() {
		t.Error("further records have to wait for the rest")
	}
	if throttle.Rested() {
		t.Error("a read begins beside one of further records")
	}
	if !throttle.Ended() || !throttle.Begin() {
		t.Error("the read that was wanted does not come")
	}
	if throttle.Ended() {
		t.Error("it comes twice")
	}
}
