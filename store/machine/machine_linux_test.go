package machine

import (
	"testing"
	"testing/fstest"
)

// Each row is a machine: its files, its hostname and its PLANB_MACHINE. Rows
// with the same letter are one machine; all others are different machines.
func TestWhichMachineThisIs(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	overlay := "22 1 0:21 / /proc rw - proc proc rw\n620 586 0:50 / / rw,relatime master:200 - overlay overlay rw,lowerdir=/a\n"
	disk := "25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n30 25 0:40 / /var/lib/docker/overlay2/x rw - overlay overlay rw\n"
	names := map[string]string{}
	for _, test := range []struct {
		same, what, given, host string
		files                   fstest.MapFS
	}{
		{"a", "a machine with an id", "", "desk", fstest.MapFS{"etc/machine-id": file("1111\n"), "proc/self/mountinfo": file(disk)}},
		{"a", "the same with another hostname", "", "desk2", fstest.MapFS{"etc/machine-id": file("1111\n")}},
		{"a", "its id at D-Bus", "", "desk", fstest.MapFS{"var/lib/dbus/machine-id": file("1111")}},
		{"b", "another id", "", "desk", fstest.MapFS{"etc/machine-id": file("2222\n")}},
		{"c", "a container", "", "dev", fstest.MapFS{"etc/machine-id": file("1111\n"), ".dockerenv": file("")}},
		{"c", "the same, rebuilt from another image", "", "dev", fstest.MapFS{"etc/machine-id": file("3333\n"), "run/.containerenv": file("")}},
		{"c", "the same under a runtime that leaves no mark", "", "dev", fstest.MapFS{"etc/machine-id": file("1111\n"), "proc/self/mountinfo": file(overlay)}},
		{"c", "the same under systemd-nspawn", "", "dev", fstest.MapFS{"run/systemd/container": file("systemd-nspawn")}},
		{"c", "a name that is given", " dev ", "x", fstest.MapFS{"etc/machine-id": file("1111\n")}},
		{"c", "a machine without an id", "", "dev", fstest.MapFS{"etc/machine-id": file("uninitialized\n")}},
		{"d", "another container of the image", "", "dev2", fstest.MapFS{"etc/machine-id": file("1111\n"), ".dockerenv": file("")}},
	} {
		got := name(func(string) string { return test.given }, test.files, func() string { return test.host }, systemID)
		if want, known := names[test.same]; known && want != got {
			t.Errorf("%s: it is another machine", test.what)
		}
		for same, other := range names {
			if same != test.same && other == got {
				t.Errorf("%s: it is the machine %s", test.what, same)
			}
		}
		names[test.same] = got
	}
}

func TestRunsOfOneKernel(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"boot pid:[1]", "boot pid:[1]", true},
		{"boot pid:[1]", "boot pid:[2]", true},
		{"boot pid:[1]", "later pid:[1]", false},
	} {
		if got := SameKernel(test.a, test.b); got != test.same {
			t.Errorf("SameKernel(%q, %q) is %v", test.a, test.b, got)
		}
	}
	if run := Run(); !SameKernel(run, Run()) || run == "" {
		t.Errorf("this run is called %q and then something else", run)
	}
}
