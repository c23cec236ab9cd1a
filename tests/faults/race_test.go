//go:build race

package faults

// turns is how many turns the run has: the race detector makes them slow.
const turns = 400

const raceEnabled = true
