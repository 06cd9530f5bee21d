package rig

type Object = map[string]any
