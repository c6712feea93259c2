/** Refused rows that are told one by one; all of them are counted. */
const MAX_LISTED_ROWS = 100;

/** Longest text of a row that is told, in characters. */
const MAX_ROW_TEXT = 200;

export interface RefusedRow {
  /** Where in the batch: readings[3], line 5. */
  readonly place: string;
  readonly reason: string;
  /** The row as it was sent, on one line and cut short. */
  readonly given: string;
}

/** Gathers the rows of a batch that are refused. */
export interface RefusalLog {
  /** `reasons` are out of a handful each; `column` is the one of a wide file that a reason is about. */
  add(place: string, given: string, reasons: readonly { readonly reason: string; readonly column?: string }[]): void;
  readonly count: number;
  /** Most frequent first. */
  reasons(): { reason: string; count: number }[];
  /** The first ones. */
  readonly first: readonly RefusedRow[];
}

export function createRefusalLog(): RefusalLog {
  const counts = new Map<string, number>();
  const first: RefusedRow[] = [];
  const rows = {
    count: 0,
    first,
    add(...[place, given, reasons]: Parameters<RefusalLog['add']>): void {
      rows.count++;
      for (const { reason } of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      if (first.length >= MAX_LISTED_ROWS) return;
      const texts = reasons.map(({ reason, column }) => (column ? `${column}: ${reason}` : reason));
      first.push({ place, reason: texts.join('; '), given: oneLine(given) });
    },
    reasons: () => [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
  };
  return rows;
}

function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_ROW_TEXT * 2)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_ROW_TEXT ? `${line.slice(0, MAX_ROW_TEXT - 1)}…` : line;
}
