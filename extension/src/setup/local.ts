// Model servers that people run on their own machine.

/** A server that answered. */
export interface LocalServer {
  name: string;
  url: string;
  models: string[];
}

const known = [
  { name: 'Ollama', url: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', url: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', url: 'http://127.0.0.1:8080/v1' },
];

/** Finds the servers that run here. */
export async function findLocalServers(candidates = known, timeoutMs = 600): Promise<LocalServer[]> {
  const found = await Promise.all(candidates.map(async (c) => {
    const models = await listModels(c.url, undefined, timeoutMs).catch(() => undefined);
    return models && { ...c, models };
  }));
  return found.filter((s) => s !== undefined);
}

/** The names of the models that a server has. */
export async function listModels(baseUrl: string, key: string | undefined, timeoutMs = 5000): Promise<string[]> {
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) {
    throw new Error(`the server answered ${response.status} ${response.statusText}`);
  }
  const body = (await response.json()) as { data?: unknown };
  if (!Array.isArray(body.data)) {
    throw new Error('the server did not answer with a list of models');
  }
  return body.data.map((m: { id?: unknown }) => m.id).filter((id): id is string => typeof id === 'string').sort();
}
