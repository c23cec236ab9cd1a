// How long ago something was, in few words.

/** "now", "5 min ago", "3 h ago", "yesterday", "4 days ago", then the date. */
export function ago(time: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(time)) / 60_000);
  if (Number.isNaN(minutes)) {
    return '';
  }
  if (minutes < 1) {
    return 'now';
  }
  if (minutes < 60) {
    return `${minutes} min ago`;
  }
  if (minutes < 24 * 60) {
    return `${Math.floor(minutes / 60)} h ago`;
  }
  const days = Math.floor(minutes / (24 * 60));
  if (days < 8) {
    return days === 1 ? 'yesterday' : `${days} days ago`;
  }
  return time.slice(0, 10);
}
