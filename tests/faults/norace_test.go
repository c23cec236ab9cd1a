//go:build !race

package faults

// turns is how many turns the run has.
const turns = 2000

const raceEnabled = false
