package agent

import "testing"

// TestWindowIn reads the limit from what servers say, and not what was asked for or
// a part of it.
func TestWindowIn(t *testing.T) {
	for message, want := range map[string]int{
		"This model's maximum context length is 4097 tokens. However, you requested 4162 tokens (3162 in the messages, 1000 in the completion).":                   4097,
		"This model's maximum context length is 128000 tokens. However, your messages resulted in 130,000 tokens (128500 in the messages, 1500 in the functions).": 128000,
		"prompt is too long: 210000 tokens > 200000 maximum":                                                        200000,
		"the request exceeds the available context size (4096 tokens), try increasing it; n_prompt_tokens 5000":     4096,
		"The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).":                   1048576,
		"input length and `max_tokens` exceed context limit: 199759 + 20000 > 200000":                               199759,
		"This model's maximum prompt length is 131072 but the request contains 537812 tokens.":                      131072,
		"`inputs` tokens + `max_new_tokens` must be <= 8192. Given: 9500 `inputs` tokens and 1024 `max_new_tokens`": 8192,
		"the prompt has 5000 tokens and does not fit":                                                               0,
		"too long": 0,
	} {
		if got := windowIn(message); got != want {
			t.Errorf("%d, not %d: %s", got, want, message)
		}
	}
}
