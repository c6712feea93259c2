/**
 * The value as JSON, right in its first `most` characters: what would come behind them is left out as far as it can be,
 * so that a message about a batch of megabytes does not write it out first.
 */
export function truncatedJson(value: unknown, most: number): string {
  // Each value writes a character at least: behind so many of them nothing is shown any more.
  let left = most;
  const cut = (_: string, each: unknown): unknown => {
    if (left-- <= 0) return undefined;
    return typeof each === 'string' || Array.isArray(each) ? each.slice(0, most) : each;
  };
  return JSON.stringify(value, cut) ?? String(value);
}

/** A text as a sentence begins with it. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
