package editstate

// reconcile gives edited, a text that came back from a model, a person or an
// editor, in the dress of base: a line whose content is unchanged keeps the
// bytes of base, its line ending and invalid UTF-8 included; a new or changed
// line ends like the line whose place it takes, else like the line before it,
// else like fallback. A line of edited without an ending stays without.
//
// lone says whether a carriage return by itself ends a line: editors think so,
// and give such a text back with another ending.
func reconcile(base, edited string, lone bool, fallback string) string {
	old, now := splitLines(base, lone), splitLines(edited, lone)
	out := make([]byte, 0, len(edited)+len(now))
	before := ""
	keep := func(l line) {
		if lone && before == "\r" && l.text == "" && l.eol == "\n" {
			// The two endings would become one.
			out = append(out[:len(out)-1], fallback...)
		}
		out = append(out, l.text...)
		out = append(out, l.eol...)
		if l.eol != "" {
			before = l.eol
		}
	}
	put := func(l line, place string) {
		switch {
		case l.eol == "":
		case l.eol == "\r" && lone:
			// Written on purpose: no editor makes these up.
		case place != "" && place != "\r":
			l.eol = place
		case before == "\n" || before == "\r\n":
			l.eol = before
		default:
			l.eol = fallback
		}
		keep(l)
	}
	ai := 0
	for _, d := range diffLines(keys(old), keys(now)) {
		for ; ai < d.Start; ai++ {
			keep(old[ai])
		}
		for k := d.ReplStart; k < d.ReplEnd; k++ {
			place := ""
			if i := d.Start + k - d.ReplStart; i < d.End {
				place = old[i].eol
			}
			put(now[k], place)
		}
		ai = d.End
	}
	for ; ai < len(old); ai++ {
		keep(old[ai])
	}
	return string(out)
}

// keys are the contents by which lines are compared: as a reader of JSON sees
// them, and whether they have an ending, but not which.
func keys(lines []line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = shown(l.text)
		if l.eol == "" {
			out[i] += "\x00" // unfinished
		}
	}
	return out
}
