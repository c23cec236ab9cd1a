package model

import (
	"encoding/json"
	"slices"
)

// ReadModels reads the answer to GET /models: the ids, sorted.
func ReadModels(body []byte) ([]string, error) {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, &Error{Kind: ErrReply, Message: "the server's answer is no list of models: " + snippet(string(body)), Err: err}
	}
	var names []string
	for _, m := range list.Data {
		if m.ID != "" {
			names = append(names, m.ID)
		}
	}
	slices.Sort(names)
	return names, nil
}
