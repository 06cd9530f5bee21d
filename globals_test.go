package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// What a package does when it is loaded costs every start, and what it keeps in
// variables is shared by everything: so there is no init function, and a
// package variable is an error, embedded text, or nothing but a check of the compiler.
func TestNothingHappensOrIsKeptAtPackageLevel(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, declaration := range file.Decls {
				switch d := declaration.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil && d.Name.Name == "init" {
						t.Errorf("%s: an init function", files.Position(d.Pos()))
					}
				case *ast.GenDecl:
					if d.Tok == token.VAR && !isEmbedded(d) {
						checkVariables(t, files, d)
					}
				}
			}
		}
	}
}

func isEmbedded(d *ast.GenDecl) bool {
	return d.Doc != nil && strings.Contains(d.Doc.List[len(d.Doc.List)-1].Text, "//go:embed ")
}

func checkVariables(t *testing.T, files *token.FileSet, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		value := spec.(*ast.ValueSpec)
		for i, name := range value.Names {
			if name.Name == "_" {
				continue
			}
			if i < len(value.Values) && makesError(value.Values[i]) {
				continue
			}
			t.Errorf("%s: the package variable %s", files.Position(name.Pos()), name.Name)
		}
	}
}

// makesError reports whether the expression is a call of errors.New or fmt.Errorf.
func makesError(expression ast.Expr) bool {
	call, ok := expression.(*ast.CallExpr)
	if !ok {
		return false
	}
	function, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (function.Sel.Name == "New" || function.Sel.Name == "Errorf")
}
