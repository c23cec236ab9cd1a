// What the chat says at the end of a turn.
import type { PromptResult } from '../protocol';
import type { EndItem } from '../shared/items';

const reasons: Record<PromptResult['stopReason'], string> = {
  end_turn: '',
  max_tokens: 'The reply was cut off at the model\'s length limit.',
  max_turn_requests: 'Stopped: too many requests to the model in one turn. Say "go on" to continue.',
  refusal: 'The model refused to go on.',
  cancelled: 'Stopped.',
  loop_detected: 'Stopped: the model kept repeating itself.',
  error: 'The model failed.',
};

/** The item at the end of a turn; undefined when there is nothing to say. */
export function endItem(id: string, result: PromptResult, changed: string[]): EndItem | undefined {
  const text = [reasons[result.stopReason], result.error?.message].filter(Boolean).join(' ');
  if (!text && changed.length === 0) {
    return undefined;
  }
  const failed = result.stopReason === 'error' || result.stopReason === 'refusal';
  return {
    kind: 'end',
    id,
    turnId: result.turnId,
    text,
    level: failed ? 'error' : text && result.stopReason !== 'cancelled' ? 'warning' : 'info',
    changed,
    wantsKey: result.error?.kind === 'auth_required' ? true : undefined,
    retryable: failed || result.stopReason === 'cancelled' || result.stopReason === 'loop_detected',
  };
}
