package editstate

import (
	"context"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// WalkOptions say what a walk visits.
type WalkOptions struct {
	// Want, if set, chooses files: rel is the path below the start with
	// slashes, name its last part. Files that it refuses are not visited.
	Want func(rel, name string) bool
	// Enter, if set, chooses folders in the same way.
	Enter func(rel, name string) bool
	// Named holds names of folders that are entered although they are noise
	// or ignored: the caller asked for them by name.
	Named []string
	// Links visits symbolic links to files inside the workspace too. Links to
	// folders are never followed.
	Links bool
	// Folders visits folders too, those that are entered.
	Folders bool
}

// WalkSummary says what a walk left out.
type WalkSummary struct {
	// Noise are the folders that were skipped for their name, as displayed,
	// in order; at most maxNoise of them.
	Noise []string
	// Ignored counts the entries that ignore files leave out.
	Ignored int
	// Unreadable counts folders that could not be opened or listed.
	Unreadable int
}

// walk is one walk over a tree: workers take folders, and parts of large
// folders, from a common stack.
type walk struct {
	w       *Workspace
	ctx     context.Context
	opt     WalkOptions
	start   Loc
	dir     string // start's path
	buffers map[string]*Buffer
	named   bool // the start is itself in a noise folder

	mu      sync.Mutex
	more    *sync.Cond
	tasks   []walkTask
	running int
	sum     WalkSummary
}

// walkTask is a folder to open, or files of an open folder to visit.
type walkTask struct {
	parent *openDir // of the folder name
	name   string
	dir    *openDir // of files
	files  []fs.DirEntry
}

// openDir is a folder that stays open until all that is in it has been opened.
type openDir struct {
	folder
	refs   atomic.Int32
	rel    string // below the start, "" for the start itself
	ignore *ignoreScope
}

func (d *openDir) release() {
	if d.refs.Add(-1) == 0 {
		d.close()
	}
}

// batch is how many files of one folder a worker takes at once.
const batch = 128

// Walk visits the files below the place start, in no order, in parallel:
// worker makes the function that one worker calls for each of its files. It is
// the only way for searches to see the tree. What git ignores is left out, as
// are .git, noise folders and special files; hidden files are not. A start
// that is named is visited whatever ignores it. If start is a file, that file
// is visited.
//
// Nothing outside start's root is reached: folders are opened relative to the
// open folder above, without following links.
func (w *Workspace) Walk(ctx context.Context, start Loc, opt WalkOptions, worker func() func(*WalkFile)) (WalkSummary, error) {
	k := &walk{w: w, ctx: ctx, opt: opt, start: start, dir: start.Path()}
	k.more = sync.NewCond(&k.mu)
	k.buffers = w.host.buffers.below(k.dir)
	f, err := openFolder(start.root.os, start.rel)
	if err != nil {
		return k.single(err, worker)
	}
	top := &openDir{folder: f}
	k.named = k.isNoiseInside()
	top.ignore = k.outerRules()
	top.refs.Store(1)
	k.visitFolder(top)
	stop := context.AfterFunc(ctx, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.more.Broadcast()
	})
	defer stop()
	var wg sync.WaitGroup
	for range max(runtime.GOMAXPROCS(0), 2) {
		wg.Go(func() { k.work(worker()) })
	}
	wg.Wait()
	for _, t := range k.tasks { // cancelled
		t.release()
	}
	slices.Sort(k.sum.Noise)
	return k.sum, ctx.Err()
}

// single visits a start that is no folder.
func (k *walk) single(cause error, worker func() func(*WalkFile)) (WalkSummary, error) {
	display := k.w.Display(k.start)
	if k.start.rel == "." {
		return k.sum, openError(display, cause)
	}
	fi, err := k.start.root.os.Lstat(k.start.rel)
	switch {
	case err != nil:
		return k.sum, openError(display, err)
	case fi.IsDir():
		return k.sum, openError(display, cause)
	case !fi.Mode().IsRegular():
		return k.sum, &Error{Code: NotRegular, Path: display, Message: display + " is " + kindOf(fi.Mode()) + ", not a file or folder"}
	}
	f, err := openFolder(k.start.root.os, filepath.Dir(k.start.rel))
	if err != nil {
		return k.sum, openError(display, err)
	}
	defer f.close()
	k.dir = filepath.Dir(k.dir)
	name := filepath.Base(k.start.rel)
	if k.opt.Want != nil && !k.opt.Want(name, name) {
		return k.sum, k.ctx.Err()
	}
	worker()(&WalkFile{Rel: name, Name: name, walk: k, dir: &openDir{folder: f}})
	return k.sum, k.ctx.Err()
}

func (t walkTask) release() {
	if t.parent != nil {
		t.parent.release()
	} else {
		t.dir.release()
	}
}

// work takes tasks until there are none and nobody can make new ones.
func (k *walk) work(visit func(*WalkFile)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.ctx.Err() == nil {
		n := len(k.tasks)
		if n == 0 {
			if k.running == 0 {
				k.more.Broadcast()
				return
			}
			k.more.Wait()
			continue
		}
		t := k.tasks[n-1]
		k.tasks = k.tasks[:n-1]
		k.running++
		k.mu.Unlock()
		k.do(t, visit)
		k.mu.Lock()
		k.running--
	}
	k.more.Broadcast()
}

func (k *walk) do(t walkTask, visit func(*WalkFile)) {
	defer t.release()
	if t.dir != nil {
		for _, e := range t.files {
			if k.ctx.Err() != nil {
				return
			}
			k.visitFile(t.dir, e, visit)
		}
		return
	}
	rel := join(t.parent.rel, t.name)
	if k.opt.Folders {
		visit(&WalkFile{Rel: rel, Name: t.name, IsFolder: true, walk: k, dir: t.parent})
	}
	f, err := t.parent.sub(t.name)
	if err != nil {
		k.unreadable()
		return
	}
	d := &openDir{folder: f, rel: rel, ignore: t.parent.ignore}
	d.refs.Store(1)
	k.visitFolder(d)
}

func (k *walk) unreadable() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sum.Unreadable++
}
