package rig

// Object is a JSON object.
type Object = map[string]any
