package pictures_test

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"planb/e2e/rig"
)

// The picture of a report: the first screen of the page of the example.
const (
	reportName          = "draft-report.png"
	pageWidth, pageRows = 1000, 800 // pixels
)

func TestReportPicture(t *testing.T) {
	if *makePictures {
		makeReportPicture(t)
	}
	content, err := os.ReadFile(filepath.Join(picturesDir, reportName))
	if err != nil {
		t.Fatalf("%v; make it with: go test ./e2e/pictures -pictures", err)
	}
	if len(content) > pictureBytes {
		t.Errorf("%d bytes, want at most %d", len(content), pictureBytes)
	}
	if header, err := png.DecodeConfig(bytes.NewReader(content)); err != nil || header.Width != pageWidth || header.Height != pageRows {
		t.Errorf("%d×%d pixels, want %d×%d, %v", header.Width, header.Height, pageWidth, pageRows, err)
	}
}

// makeReportPicture writes the page of the example and has Chromium draw it.
func makeReportPicture(t *testing.T) {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("PLANB_DATA_DIR", dir)
	page, picture := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.png")
	rig.Run(t, "draft", "report", "example", "--to", page)
	cmd := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir="+filepath.Join(dir, "profile"),
		fmt.Sprintf("--window-size=%d,%d", pageWidth, pageRows), "--screenshot="+picture, "file://"+page)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	content, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(picturesDir, reportName), content, 0o644); err != nil {
		t.Fatal(err)
	}
}
