// What the status bar says.

/** The text of the status bar item. */
export function statusText(questions: number, activity: 'idle' | 'running' | 'waiting'): { text: string; tooltip: string; warn: boolean } {
  if (questions > 0) {
    const what = questions === 1 ? '1 question' : `${questions} questions`;
    return { text: `$(bell-dot) agentd: ${what}`, tooltip: `agentd waits for you: ${what}`, warn: true };
  }
  if (activity === 'running') {
    return { text: '$(loading~spin) agentd', tooltip: 'agentd is at work', warn: false };
  }
  return { text: '$(diff) agentd', tooltip: 'agentd: open the chat', warn: false };
}
