package deaths_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"planb/e2e/rig"
)

// planbOn runs a command on a data directory and returns all its output.
func planbOn(t *testing.T, data string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(rig.Planb(t), args...)
	cmd.Env = append(os.Environ(), "PLANB_DATA_DIR="+data, "XDG_STATE_HOME="+t.TempDir(), "HOME="+t.TempDir(), "TMUX=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// A backup can go to another disk if the store's own disk accepts no more bytes. If there is
// no room for a copy of the store, planb starts none; doctor says so and does not call the
// store damaged.
func TestBackupElsewhereNeedsNoRoomBesideTheStore(t *testing.T) {
	for name, row := range map[string]struct {
		spoil   func(t *testing.T, disk string)
		refuses string // what a backup on the same disk says
		doctor  string
	}{
		"full": {
			spoil:   func(t *testing.T, disk string) { fill(t, disk) },
			refuses: "has room for 0.0 MB, and a copy of the store takes 0.",
			doctor:  "▲ room",
		},
		"read-only": {
			spoil: func(t *testing.T, disk string) {
				if err := unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
					t.Fatal(err)
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disk, elsewhere := smallDisk(t, "1m"), t.TempDir()
			a := rig.StartAgent(t, disk, []string{"XDG_STATE_HOME=" + t.TempDir()})
			a.Session("Kept")
			if err := a.Client.Close(); err != nil {
				t.Fatal(err)
			}
			row.spoil(t, disk)
			before := names(t, disk)
			to := filepath.Join(elsewhere, "copy.db")
			if out, err := planbOn(t, disk, "backup", to); err != nil || !strings.Contains(out, "1 session") {
				t.Fatalf("%s%v", out, err)
			}
			if after := names(t, disk); after != before {
				t.Errorf("the data directory held %s, and holds %s", before, after)
			}
			if left := names(t, elsewhere); left != "copy.db" {
				t.Errorf("beside the backup lies %s", left)
			}
			out, err := planbOn(t, disk, "backup")
			if err == nil || !strings.Contains(out, "planb backup FILE") || !strings.Contains(out, row.refuses) {
				t.Errorf("a backup on the same disk: %s%v", out, err)
			}
			if restored, err := planbOn(t, t.TempDir(), "restore", "--yes", to); err != nil || !strings.Contains(restored, "1 session") {
				t.Errorf("%s%v", restored, err)
			}
			if row.doctor != "" {
				out, err := planbOn(t, disk, "doctor")
				if err != nil || !strings.Contains(out, row.doctor) || !strings.Contains(out, "✓ deep check") || strings.Contains(out, "restore") {
					t.Errorf("%s%v", out, err)
				}
			}
		})
	}
}

// A file system without modes shows every directory as writable for all. That
// is no fault of the copy in it.
func TestTheCheckOfACopyAsksNothingOfItsDirectory(t *testing.T) {
	t.Parallel()
	data, target := t.TempDir(), t.TempDir()
	a := rig.StartAgent(t, data, []string{"XDG_STATE_HOME=" + t.TempDir()})
	a.Session("Kept")
	if err := a.Client.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(target, 0o777); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(target, "planb.db")
	if out, err := planbOn(t, data, "backup", copied); err != nil || !strings.Contains(out, "1 session") {
		t.Fatalf("%s%v", out, err)
	}
	out, err := planbOn(t, data, "check-store", copied)
	var found struct {
		Content struct{ Sessions int }
		Fault   string
	}
	if err == nil {
		err = json.Unmarshal([]byte(out), &found)
	}
	if err != nil || found.Fault != "" || found.Content.Sessions != 1 {
		t.Errorf("%s%v", out, err)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return strings.Join(list, " ")
}
