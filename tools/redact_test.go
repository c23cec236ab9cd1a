package tools

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fake makes a text of n characters that looks like a key. The tests hold no
// whole key, so that no scanner finds one in the repository.
func fake(n int, alphabet string) string {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	hexDigits = "0123456789abcdef"
	alnum     = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	upper     = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// secretTexts are texts with the secret in them.
func secretTexts() map[string][2]string {
	key := strings.Repeat(fake(64, alnum+"+/")+"\n", 6)
	m := map[string]string{
		"openai":             "key=%", // filled in below
		"openai project":     "OPENAI: 'sk-proj-" + "%' # mine",
		"anthropic":          "sk-ant-api03-" + "%",
		"deepseek":           "sk-" + "%",
		"github":             "token ghp_" + "%.",
		"github fine":        "github_pat_" + "%",
		"gitlab":             "glpat-" + "%",
		"aws id":             "AKIA" + "%",
		"aws secret":         `aws_secret_access_key = "` + `%"`,
		"google":             "AIza" + "%",
		"azure":              "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + "%==;EndpointSuffix=x",
		"slack":              "xoxb-" + "%",
		"slack webhook":      "https://hooks.slack.com/services/" + "%",
		"stripe":             "sk_live_" + "%",
		"npm":                "//registry.example/:_authToken=npm_" + "%",
		"pypi":               "pypi-AgEIcHlwaS5vcmc" + "%",
		"sendgrid":           "SG." + "%",
		"hugging face":       "hf_" + "%",
		"digitalocean":       "dop_v1_" + "%",
		"telegram":           "bot123456789:AA" + "%/getMe",
		"groq":               "gsk_" + "%",
		"jwt":                "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0" + ".%",
		"bearer":             `-H "Authorization: Bearer ` + `%"`,
		"basic":              "authorization: Basic " + "%==",
		"lower bearer":       `"authorization": "bearer ` + `%"`,
		"api key header":     "X-Api-Key: " + "%",
		"url":                "postgres://me:" + "%@db.internal/x",
		"url without user":   "redis://:" + "%@cache:6379",
		"env":                "DB_PASSWORD=" + "%",
		"env export":         `export STRIPE_SECRET="` + `%"`,
		"env in a listing":   "     3\tAPI_KEY=" + "%",
		"env of grep":        ".env:3:API_TOKEN='" + "%'",
		"env of docker":      "docker run -e MY_SECRET_KEY=" + "% image",
		"private key":        "-----BEGIN RSA PRIVATE KEY-----\n" + "%-----END RSA PRIVATE KEY-----\n",
		"unfinished key":     "-----BEGIN OPENSSH PRIVATE KEY-----\n" + "%",
		"key in json":        `{"private_key": "-----BEGIN PRIVATE KEY-----\n` + `%\n-----END PRIVATE KEY-----\n"}`,
		"the daemon's own":   "echo %",
		"own inside of word": "x%y",
	}
	body := map[string]string{
		"openai": "sk-" + fake(48, alnum), "openai project": fake(80, alnum+"_-"), "anthropic": fake(90, alnum+"_-"), "deepseek": fake(32, hexDigits),
		"github": fake(36, alnum), "github fine": fake(82, alnum), "gitlab": fake(20, alnum), "aws id": fake(16, upper), "aws secret": fake(40, alnum+"/+"),
		"google": fake(35, alnum), "azure": fake(86, alnum+"+/"), "slack": fake(12, "0123456789") + "-" + fake(24, alnum), "slack webhook": "T" + fake(10, upper) + "/B" + fake(10, upper) + "/" + fake(24, alnum),
		"stripe": fake(24, alnum), "npm": fake(36, alnum), "pypi": fake(100, alnum), "sendgrid": fake(22, alnum) + "." + fake(43, alnum), "hugging face": fake(34, alnum),
		"digitalocean": fake(64, hexDigits), "telegram": fake(33, alnum), "groq": fake(52, alnum), "jwt": fake(43, alnum), "bearer": fake(40, alnum), "basic": fake(24, alnum),
		"lower bearer": fake(30, alnum), "api key header": fake(32, hexDigits), "url": "hunter22", "url without user": "p4ssw0rd!", "env": "correct-horse", "env export": fake(24, alnum),
		"env in a listing": fake(24, alnum), "env of grep": "it is 1 secret", "env of docker": fake(30, hexDigits), "private key": key, "unfinished key": key, "key in json": fake(300, alnum),
		"the daemon's own": "my-own-key", "own inside of word": "my-own-key",
	}
	out := map[string][2]string{}
	for name, text := range m {
		out[name] = [2]string{strings.Replace(text, "%", body[name], 1), strings.TrimSpace(body[name])}
	}
	return out
}

// TestSecretsAreMasked: each kind of secret, in the text around it.
func TestSecretsAreMasked(t *testing.T) {
	r := NewRedactor("my-own-key", "short", "  ")
	for name, c := range secretTexts() {
		text, secret := c[0], c[1]
		have := r.Text(text)
		for _, part := range strings.Fields(secret) {
			if len(part) > 3 && strings.Contains(have, part) {
				t.Errorf("%s: %q", name, have)
				break
			}
		}
		if !strings.Contains(have, Mask) || strings.Count(have, "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: %q", name, have)
		}
		if again := r.Text(have); again != have {
			t.Errorf("%s: masked twice: %q", name, again)
		}
	}
}

// TestCodeIsNotMasked: what only looks a little like a secret.
func TestCodeIsNotMasked(t *testing.T) {
	r := NewRedactor("my-own-key")
	for _, text := range []string{
		"func bearer(token string) // Bearer token", "http://localhost:8080/path@x", "risk-assessment-of-the-year-2026-final",
		"https://user:${PASSWORD}@host", "postgres://postgres:postgres@localhost/db", "mysql://root:root@127.0.0.1", "https://user:password@example.com",
		".sk-cube-grid .sk-cube-grid-animation-delay { color: red }", `const sk-folding-cube-wrapper-element`, "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"API_KEY=$(cat key)", "API_KEY=${API_KEY:-}", `API_KEY="$1"`, "API_KEY=your-api-key-here", "API_KEY=<your key>", "TOKEN=None", "MAX_TOKEN=4096", "ERROR_TOKEN=0x1000000,",
		"API_KEY=os.environ['API_KEY']", "API_KEY=process.env.API_KEY;", "PASSWORD=getpass.getpass()", "SECRET_NAME=db-credentials-42", "TOKEN_URL=https://auth.internal/token1",
		"PLUS_TOKEN=PLUS_OPERATOR", "PWD=/home/me/project1", "OLDPWD=/tmp/a/b1", "password = input('Password: ')", `if strings.Contains(s, "-----BEGIN PRIVATE KEY-----") { return "-----END PRIVATE KEY-----" }`,
		"-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", "Authorization: Bearer <token>", `req.Header.Set("Authorization", "Bearer "+token)`, "x-api-key: ${{ secrets.KEY }}",
		"import { npm_package_version } from 'x'", "hf_model_name_or_path_with_underscores", "eyJhbGciOiJIUzI1NiJ9 is the head of a token", "SG.html.go", "AKIA is a prefix", "key: AIza...",
		"sha256:9b74c9897bac770ffc029102a200c5de9b74c9897bac770ffc029102a200c5de", "commit 3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b",
	} {
		if have := r.Text(text); have != text {
			t.Errorf("%q became %q", text, have)
		}
	}
}

// TestSourcesAreNotMasked runs the rules over code that certainly holds no
// secret: the standard library's, but for its test data.
func TestSourcesAreNotMasked(t *testing.T) {
	r := NewRedactor()
	files := 0
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	for _, dir := range []string{"net/http", "crypto/tls", "crypto/x509", "encoding/json", "go/parser", "go/token", "os/user", "text/template", "cmd/go/internal/auth"} {
		names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files++
			for _, f := range r.Find(string(b)) {
				t.Errorf("%s: %q", name, b[f.From:f.To])
			}
		}
	}
	if files < 50 {
		t.Errorf("only %d files were found below %s", files, root)
	}
}

// TestRedactStream: however a text is cut into pieces, no secret passes.
func TestRedactStream(t *testing.T) {
	r := NewRedactor("my-own-key")
	rng := rand.New(rand.NewPCG(7, 7))
	for name, c := range secretTexts() {
		if name == "env of grep" || name == "unfinished key" {
			continue // a quoted value with blanks, and a key without an end, are known at their end only
		}
		text := "first line\nbefore " + c[0] + " after\nlast"
		for range 50 {
			s := r.Stream()
			var out strings.Builder
			for rest := text; rest != ""; {
				n := 1 + rng.IntN(min(len(rest), 20))
				out.WriteString(s.Next(rest[:n]))
				rest = rest[n:]
			}
			out.WriteString(s.End())
			for _, part := range strings.Fields(c[1]) {
				if strings.Contains(out.String(), part) {
					t.Fatalf("%s: %q", name, out.String())
				}
			}
			if !strings.HasPrefix(out.String(), "first line\n") || !strings.HasSuffix(out.String(), "after\nlast") {
				t.Fatalf("%s: %q", name, out.String())
			}
		}
	}
	s := r.Stream() // an endless line is not held for ever
	given := 0
	for range 100 {
		given += len(s.Next(strings.Repeat("x", 10_000)))
	}
	if given < 900_000 {
		t.Errorf("%d bytes were given", given)
	}
}

// TestRedactJSON: A15. Values of fields with a secret's name, at any depth and
// in any spelling, and secrets anywhere else; numbers stay as they are.
func TestRedactJSON(t *testing.T) {
	r := NewRedactor("my-own-key")
	for in, want := range map[string]string{
		`{"path":"a.txt","n":12345678901234567890}`:                `{"path":"a.txt","n":12345678901234567890}`,
		`{"headers":{"Authorization":"abc","Accept":"x"}}`:         `{"headers":{"Accept":"x","Authorization":"[REDACTED]"}}`,
		`{"HEADERS":[{"X-API-KEY":["a","b"]}]}`:                    `{"HEADERS":[{"X-API-KEY":["[REDACTED]","[REDACTED]"]}]}`,
		`{"db":{"pass_word":"x","Password":"y","user":"me"}}`:      `{"db":{"Password":"[REDACTED]","pass_word":"[REDACTED]","user":"me"}}`,
		`{"client-secret":1234,"accessToken":null}`:                `{"accessToken":null,"client-secret":"[REDACTED]"}`,
		`{"command":"echo my-own-key"}`:                            `{"command":"echo [REDACTED]"}`,
		`{"command":"echo my\u002down-key"}`:                       `{"command":"echo [REDACTED]"}`,
		`{"\u0070assword":"x"}`:                                    `{"password":"[REDACTED]"}`,
		`{"my-own-key":1}`:                                         `{"[REDACTED]":1}`,
		`{"old_string":"token","new_string":"max_tokens","key":1}`: `{"old_string":"token","new_string":"max_tokens","key":1}`,
		`not json my-own-key`:                                      `"not json [REDACTED]"`,
	} {
		if have := string(r.JSON(json.RawMessage(in))); have != want {
			t.Errorf("%s\n became %s\n   want %s", in, have, want)
		}
	}
	var none *Redactor
	if none.Text("x") != "x" || string(none.JSON([]byte(`{"token":"x"}`))) != `{"token":"x"}` || none.Stream().Next("x") != "x" {
		t.Error("a nil Redactor changes something")
	}
}

func BenchmarkRedact(b *testing.B) {
	r := NewRedactor("my-own-key")
	text := strings.Repeat("func main() { fmt.Println(\"hello, world\", token, key) }\n", 1<<14)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if !r.Clean(text) {
			b.Fatal("not clean")
		}
	}
}
