package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/agentd-dev/agentd/agent/model/openai"
)

// modelEntry is a model of the config file: a name, or an object with settings
// that hold for this model only.
type modelEntry struct {
	ID string `json:"id"`
	openai.Settings
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *modelEntry) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return json.Unmarshal(b, &e.ID)
	}
	type plain modelEntry // without this method
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode((*plain)(e)); err != nil {
		return err
	}
	if e.ID == "" {
		return fmt.Errorf(`a model needs an "id"`)
	}
	return nil
}

// settings are those of the server, then those of a model.
func (c *config) settings(model string) []openai.Settings {
	all := []openai.Settings{c.Provider}
	for _, m := range c.Models {
		if m.ID == model {
			all = append(all, m.Settings)
		}
	}
	return all
}

// checkSettings says what is wrong with the settings of models, and with prices.
func (c *config) checkSettings() error {
	if err := c.Provider.Check(); err != nil {
		return fmt.Errorf("provider: %w", err)
	}
	for _, m := range c.Models {
		if err := m.Settings.Check(); err != nil {
			return fmt.Errorf("the model %s: %w", m.ID, err)
		}
	}
	for name, p := range c.Prices {
		if p.Input < 0 || p.Output < 0 || p.Cached != nil && *p.Cached < 0 {
			return fmt.Errorf("the prices of %s: a price is not negative", name)
		}
	}
	return nil
}
