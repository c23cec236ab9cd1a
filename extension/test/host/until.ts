// Waiting inside the extension host: on states, never on time.

/** Gives what a function gives once it is neither undefined nor false. */
export async function until<T>(what: string, get: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + 80_000;
  for (;;) {
    const value = await get();
    if (value !== undefined && value !== false) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`waited in vain: ${what}`);
    }
    await new Promise((done) => setTimeout(done, 30));
  }
}
