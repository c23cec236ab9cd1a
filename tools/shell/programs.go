package shell

// files, words: programs none of whose options can do harm.
var (
	anyFiles = reader{anyFlag: true}
	anyWords = reader{anyFlag: true, words: true}

	grepFlags = reader{anyFlag: true, skip: 1, skipped: "ef --regexp --file", short: "A:B:C:m:e:f@d:D:",
		long: "regexp= file@ after-context= before-context= context= max-count= include= exclude= exclude-dir= exclude-from@ directories= devices="}
)

// readers are the programs that only read, with the options that keep them so.
var readers = map[string]reader{
	// Contents.
	"cat": anyFiles, "tac": anyFiles, "head": anyFiles, "tail": anyFiles, "wc": {anyFlag: true, long: "files0-from@"}, "nl": anyFiles, "rev": anyFiles,
	"cut": {anyFlag: true, short: "d:f:c:b:", long: "delimiter= fields= output-delimiter="}, "paste": anyFiles, "join": anyFiles, "comm": anyFiles, "fold": anyFiles, "fmt": anyFiles,
	"expand": anyFiles, "unexpand": anyFiles, "column": {anyFlag: true, short: "s:o:c:", long: "separator= output-separator="}, "cmp": anyFiles,
	"od": anyFiles, "hexdump": {anyFlag: true, short: "e:f@n:s:", long: "format-file@ format= length= skip="}, "base64": {short: "dDiw:", long: "decode ignore-garbage wrap="}, "cksum": anyFiles, "md5sum": anyFiles, "sha1sum": anyFiles,
	"sha224sum": anyFiles, "sha256sum": anyFiles, "sha384sum": anyFiles, "sha512sum": anyFiles, "b2sum": anyFiles, "sum": anyFiles,
	"grep":  grepFlags,
	"egrep": grepFlags,
	"fgrep": grepFlags,
	"rg": {short: "abcFHhiIlLnNopPqSsuUvVwxA:B:C:E:e:g:j:m:M:r:t:T:f@d:0#.", skip: 1, skipped: "ef --files --regexp --file",
		long: "regexp= file@ files glob= iglob= type= type-not= type-list hidden no-ignore no-ignore-vcs line-number no-line-number count count-matches " +
			"files-with-matches files-without-match ignore-case case-sensitive smart-case fixed-strings word-regexp line-regexp invert-match only-matching " +
			"after-context= before-context= context= max-count= max-depth= max-columns= multiline multiline-dotall pcre2 json heading no-heading color= colors= " +
			"column with-filename no-filename null sort= sortr= stats text trim vimgrep passthru quiet follow replace= version help no-config no-messages"},
	"sort": {short: "bcCdfghiMmnrRsuVzk:t:S:", long: "reverse numeric-sort unique key= field-separator= ignore-case version-sort human-numeric-sort general-numeric-sort " +
		"month-sort stable check zero-terminated ignore-leading-blanks dictionary-order random-sort merge debug"},
	"uniq": {short: "cdDiuzf:s:w:", most: 1, long: "count repeated unique ignore-case skip-fields= skip-chars= check-chars= zero-terminated all-repeated? group?"},
	"tr":   anyWords,
	"diff": {short: "abBcdeEfFhiInNpqrsStTuUwWyZxCL#", long: "brief unified? context? side-by-side ignore-all-space ignore-space-change ignore-blank-lines ignore-case " +
		"recursive new-file text minimal color color= exclude= width= suppress-common-lines report-identical-files strip-trailing-cr no-dereference label= normal"},
	"jq":    {short: "nrRsScCMajeh", skip: 1, long: "null-input raw-output raw-input slurp compact-output sort-keys color-output monochrome-output ascii-output join-output exit-status tab indent="},
	"iconv": {short: "f:t:cl", long: "from-code= to-code= list"},
	"shuf":  {short: "eirzn:", long: "head-count= echo repeat zero-terminated input-range="},

	// Names and places.
	"ls": anyFiles, "dir": anyFiles, "vdir": anyFiles, "stat": anyFiles, "du": {anyFlag: true, short: "B:d:t:X@", long: "files0-from@ exclude-from@ block-size= max-depth= threshold= exclude="}, "df": anyFiles,
	"file": {short: "bhikLNnprsv0F:e:P:", long: "brief mime mime-type mime-encoding dereference no-dereference version"},
	"tree": {apart: true, short: "adfilxpsughDFrtcUvJXCnAqNL:P:I:", long: "noreport dirsfirst prune gitignore du si inodes device charset= filelimit= filesfirst matchdirs ignore-case sort= timefmt= fromfile"},
	"fd": {short: "HIusigaldpFL0d:t:e:E:S:j:c:", skip: 1, long: "hidden no-ignore case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow full-path print0 " +
		"max-depth= min-depth= type= extension= exclude= size= changed-within= changed-before= color= max-results= version help"},
	"basename": anyWords, "dirname": anyWords, "realpath": anyWords, "readlink": anyWords, "pwd": anyWords,
	"which": anyWords, "whereis": anyWords, "type": anyWords,

	// Words.
	"echo": anyWords, "seq": anyWords, "expr": anyWords, "true": anyWords, "false": anyWords, ":": anyWords, "sleep": anyWords,
	"exit": {words: true}, "return": {words: true},
	"break": {words: true}, "continue": {words: true}, "shift": {words: true}, "wait": {words: true}, "times": {words: true},
	"yes": anyWords, "numfmt": anyWords, "factor": anyWords, "bc": {short: "lqsv", long: "mathlib quiet standard version"},

	// The system.
	"uname": anyWords, "whoami": anyWords, "id": anyWords, "groups": anyWords, "tty": anyWords, "arch": {most: -1, words: true}, "nproc": anyWords,
	"uptime": anyWords, "free": anyWords, "lscpu": anyWords, "locale": anyWords, "getconf": anyWords, "pgrep": anyWords, "cal": anyWords,
	"hostname": {short: "fsidIA", most: -1, words: true}, "umask": {short: "S", most: -1, words: true},
}

// builtins are those of the readers that the shell has itself: PATH does not
// matter for them.
var builtins = map[string]bool{
	"echo": true, "printf": true, "test": true, "[": true, "true": true, "false": true, ":": true, "pwd": true, "type": true,
	"exit": true, "return": true, "break": true, "continue": true, "shift": true, "wait": true, "times": true, "umask": true,
	"cd": true, "read": true, "set": true, "command": true, "builtin": true, "exec": true,
}

// risky are programs that are dangerous whatever their arguments.
var risky = map[string]string{
	"sudo": "it runs as another user", "doas": "it runs as another user", "su": "it runs as another user", "pkexec": "it runs as another user",
	"runas": "it runs as another user", "chroot": "it changes the system", "nsenter": "it changes the system", "unshare": "it changes the system",
	"eval": "it evaluates a text as a command", "source": "it runs a script in the shell", ".": "it runs a script in the shell",
	"alias": "it gives a program another name", "unalias": "it gives a program another name", "trap": "it runs a text as a command later",
	"enable": "it changes the shell", "bind": "it changes the shell", "complete": "it changes the shell", "fc": "it runs earlier commands",
	"dd": "it writes to devices or files without a check", "shred": "it destroys files", "wipefs": "it destroys file systems", "fdisk": "it changes disks",
	"sfdisk": "it changes disks", "parted": "it changes disks", "mkswap": "it changes disks", "mkfs": "it destroys file systems",
	"mkfs.ext2": "it destroys file systems", "mkfs.ext3": "it destroys file systems", "mkfs.ext4": "it destroys file systems", "mkfs.xfs": "it destroys file systems",
	"mkfs.btrfs": "it destroys file systems", "mkfs.vfat": "it destroys file systems", "mkfs.fat": "it destroys file systems", "mke2fs": "it destroys file systems",
	"mount": "it changes the system", "umount": "it changes the system", "insmod": "it changes the system", "modprobe": "it changes the system",
	"iptables": "it changes the system", "nft": "it changes the system", "ufw": "it changes the system", "sysctl": "it changes the system",
	"shutdown": "it stops the system", "reboot": "it stops the system", "halt": "it stops the system", "poweroff": "it stops the system", "init": "it stops the system",
	"systemctl": "it changes services", "service": "it changes services", "launchctl": "it changes services",
	"crontab": "it plans commands for later", "at": "it plans commands for later", "batch": "it plans commands for later",
	"useradd": "it changes users", "userdel": "it changes users", "usermod": "it changes users", "passwd": "it changes users", "chpasswd": "it changes users",
	"visudo": "it changes users", "killall": "it ends processes by name", "pkill": "it ends processes by name",
	"coproc": "it starts a coprocess", "socat": "it opens connections that may run commands", "nc": "it opens connections that may run commands",
	"ncat": "it opens connections that may run commands", "netcat": "it opens connections that may run commands", "telnet": "it opens connections",
	"twine": "it publishes a package", "goreleaser": "it publishes a release", "format": "it destroys file systems", "diskpart": "it changes disks",
}

// riskyWords are subcommands that are dangerous, by program.
var riskyWords = map[string]map[string]string{
	"npm":       {"publish": "it publishes a package", "unpublish": "it removes a published package", "deprecate": "it changes a published package", "dist-tag": "it changes a published package", "owner": "it changes a published package", "access": "it changes a published package", "token": "it changes credentials", "login": "it changes credentials", "adduser": "it changes credentials"},
	"pnpm":      {"publish": "it publishes a package"},
	"yarn":      {"publish": "it publishes a package", "npm": "it may publish a package"},
	"bun":       {"publish": "it publishes a package"},
	"deno":      {"publish": "it publishes a package"},
	"cargo":     {"publish": "it publishes a package", "yank": "it changes a published package", "owner": "it changes a published package", "login": "it changes credentials"},
	"gem":       {"push": "it publishes a package", "yank": "it changes a published package"},
	"poetry":    {"publish": "it publishes a package"},
	"uv":        {"publish": "it publishes a package"},
	"hatch":     {"publish": "it publishes a package"},
	"flit":      {"publish": "it publishes a package"},
	"vsce":      {"publish": "it publishes an extension", "unpublish": "it removes a published extension"},
	"mvn":       {"deploy": "it publishes a package", "release:perform": "it publishes a package"},
	"gradle":    {"publish": "it publishes a package"},
	"dotnet":    {"nuget": "it may publish a package"},
	"docker":    {"push": "it publishes an image", "rm": "it removes containers", "rmi": "it removes images", "system": "it may remove images and data", "volume": "it may remove data", "login": "it changes credentials", "swarm": "it changes the system", "run": "it runs a container, which may reach the whole system", "exec": "it runs in a container"},
	"podman":    {"push": "it publishes an image", "rm": "it removes containers", "rmi": "it removes images", "system": "it may remove images and data", "volume": "it may remove data"},
	"kubectl":   {"delete": "it changes a cluster", "apply": "it changes a cluster", "create": "it changes a cluster", "replace": "it changes a cluster", "patch": "it changes a cluster", "scale": "it changes a cluster", "exec": "it runs in a cluster", "drain": "it changes a cluster", "edit": "it changes a cluster", "rollout": "it changes a cluster"},
	"helm":      {"install": "it changes a cluster", "upgrade": "it changes a cluster", "uninstall": "it changes a cluster", "delete": "it changes a cluster", "rollback": "it changes a cluster", "push": "it publishes a chart"},
	"terraform": {"apply": "it changes infrastructure", "destroy": "it destroys infrastructure", "import": "it changes infrastructure", "state": "it changes infrastructure", "taint": "it changes infrastructure"},
	"tofu":      {"apply": "it changes infrastructure", "destroy": "it destroys infrastructure"},
	"pulumi":    {"up": "it changes infrastructure", "destroy": "it destroys infrastructure"},
	"gh":        {"release": "it may publish a release", "repo": "it may change repositories", "secret": "it changes secrets", "auth": "it shows or changes credentials", "api": "it may change anything on the server", "gist": "it may publish files", "workflow": "it may start workflows", "extension": "it may install programs", "alias": "it may set commands"},
	"firebase":  {"deploy": "it publishes a site"},
	"vercel":    {"deploy": "it publishes a site", "rm": "it removes a site"},
	"netlify":   {"deploy": "it publishes a site"},
	"fly":       {"deploy": "it publishes an app", "destroy": "it removes an app"},
	"heroku":    {"apps:destroy": "it removes an app"},
	"aws":       {"s3": "it may change data in the cloud", "iam": "it may change permissions", "ec2": "it may change infrastructure"},
	"dropdb":    {"": "it removes a database"},
	"rails":     {"db:drop": "it removes a database", "db:reset": "it removes a database"},
}

// shells run a script that is given to them.
var shells = map[string]bool{"sh": true, "bash": true, "dash": true, "zsh": true, "ksh": true, "fish": true, "ash": true, "busybox": true,
	"pwsh": true, "powershell": true, "cmd": true}

// interpreters run what they read from their input, if they get no file.
var interpreters = map[string]bool{"python": true, "python2": true, "python3": true, "node": true, "perl": true, "ruby": true, "php": true,
	"lua": true, "osascript": true, "deno": true, "bun": true, "tclsh": true, "Rscript": true, "psql": true, "mysql": true, "sqlite3": true}

// versioned are programs that say their version and do nothing else, whatever
// files lie around.
var versioned = map[string]bool{"python": true, "python3": true, "node": true, "java": true, "gcc": true, "g++": true, "cc": true, "clang": true,
	"cmake": true, "make": true, "php": true, "docker": true, "bash": true, "rg": true, "jq": true, "tar": true, "curl": true}
