// Package procgroup has a program that planb runs end together with all that it
// started (Own), or live on when planb ends (Apart). What such a program prints is kept
// within bounds (Output).
package procgroup
