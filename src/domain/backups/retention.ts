import { DAY_MS } from '../periods.ts';

/** A number of the newest copies, or the newest copy of each of some days, weeks and months. */
export type Retention =
  | { readonly kind: 'newest'; readonly count: number }
  | {
      readonly kind: 'calendar';
      readonly days: number;
      readonly weeks: number;
      readonly months: number;
    };

export const DEFAULT_RETENTION: Retention = { kind: 'calendar', days: 7, weeks: 4, months: 12 };

const MAX_COPIES = 1000;

/** Reads "7d,4w,12m", some of its parts in any order, or a number of copies. Null if it is none. */
export function parseRetention(text: string): Retention | null {
  const words = text.toLowerCase().split(',');
  if (words.length === 1 && /^\d+$/.test(text)) {
    const count = Number(text);
    return count >= 1 && count <= MAX_COPIES ? { kind: 'newest', count } : null;
  }

  const counts = new Map<string, number>();
  for (const word of words) {
    const [, digits, unit] = /^\s*(\d{1,4})([dwm])\s*$/.exec(word) ?? [];
    if (digits === undefined || unit === undefined || counts.has(unit)) return null;
    counts.set(unit, Number(digits));
  }

  const [days = 0, weeks = 0, months = 0] = ['d', 'w', 'm'].map((unit) => counts.get(unit));
  const total = days + weeks + months;
  return total >= 1 && total <= MAX_COPIES ? { kind: 'calendar', days, weeks, months } : null;
}

export function formatRetention(retention: Retention): string {
  if (retention.kind === 'newest') return String(retention.count);
  const { days, weeks, months } = retention;
  return Object.entries({ d: days, w: weeks, m: months })
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count}${unit}`)
    .join(',');
}

export interface BackupCopy {
  /** In ms since 1970 UTC. */
  readonly at: number;
  readonly bytes: number;
  /** False for a copy that failed a check. */
  readonly isGood: boolean;
}

export interface RetentionLimits {
  readonly retention: Retention;
  /** What all copies may take together; null for no limit. */
  readonly maxBytes: number | null;
  /** In ms since 1970 UTC. */
  readonly now: number;
}

/**
 * The copies that go, oldest first. Damaged copies go once a newer good one exists. Beyond
 * `maxBytes` those kept for their month go first, then those of weeks, then those of days, each
 * from the oldest on. The newest good copy always stays.
 *
 * Good copies of a clock that was ahead stay until their day has come, and take no place of others:
 * the newest copy is the newest up to now. They go first where they take too much.
 */
export function copiesToDelete<Copy extends BackupCopy>(
  copies: readonly Copy[],
  { retention, maxBytes, now }: RetentionLimits,
): Copy[] {
  const newestFirst = [...copies].sort((a, b) => b.at - a.at);
  const good = newestFirst.filter(({ isGood, at }) => isGood && at <= now);
  const [newest] = good;
  if (newest === undefined) return [];

  const ahead = newestFirst.filter(({ isGood, at }) => isGood && at > now);
  const kept = [...keptCopies(good, retention), ...ahead.reverse()];
  const waiting = newestFirst.filter(({ isGood, at }) => !isGood && at > newest.at);
  let bytes = [...kept, ...waiting].reduce((sum, copy) => sum + copy.bytes, 0);
  while (maxBytes !== null && bytes > maxBytes && kept.length > 1) bytes -= kept.pop()?.bytes ?? 0;

  const stays = new Set([...kept, ...waiting]);
  return newestFirst.filter((copy) => !stays.has(copy)).reverse();
}

/** In the order in which they are worth keeping. The first is the newest copy. */
function keptCopies<Copy extends BackupCopy>(
  newestFirst: readonly Copy[],
  retention: Retention,
): Copy[] {
  if (retention.kind === 'newest') return newestFirst.slice(0, retention.count);

  const { days, weeks, months } = retention;
  return [
    ...new Set([
      ...newestFirst.slice(0, 1),
      ...newestOfEach(newestFirst, dayOf, days),
      ...newestOfEach(newestFirst, weekOf, weeks),
      ...newestOfEach(newestFirst, monthOf, months),
    ]),
  ];
}

function newestOfEach<Copy extends BackupCopy>(
  newestFirst: readonly Copy[],
  periodOf: (at: number) => number,
  count: number,
): Copy[] {
  const newest = new Map<number, Copy>();
  for (const copy of newestFirst) {
    const period = periodOf(copy.at);
    if (!newest.has(period)) newest.set(period, copy);
  }
  return [...newest.values()].slice(0, count);
}

export const utcDayOf = (at: number): number => Math.floor(at / DAY_MS);

const dayOf = utcDayOf;

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const weekOf = (at: number): number => Math.floor((dayOf(at) + 3) / 7);

function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Copies take no more than that of the size of the store together. */
export const MAX_STORE_SIZES = 5;
const MAX_DISK_SHARE = 0.1;

/** `diskBytes` is null if the size of the disk is unknown. */
export const defaultMaxBytes = (storeBytes: number, diskBytes: number | null): number =>
  Math.min(MAX_STORE_SIZES * storeBytes, MAX_DISK_SHARE * (diskBytes ?? Number.POSITIVE_INFINITY));

/** Longer than a copy stays by the default, in days. */
const MAX_DAYS = 1_000;

/** The day on which the last of these copies goes, if one is made each day from now on; UTC, in ms. */
export function goneOn(
  copies: readonly Pick<BackupCopy, 'at' | 'isGood'>[],
  retention: Retention,
  now: number,
): number {
  let left: readonly BackupCopy[] = copies.map(({ at, isGood }) => ({ at, isGood, bytes: 0 }));
  const made: BackupCopy[] = [];
  let at = now;
  for (let day = 1; left.length > 0 && day <= MAX_DAYS; day++) {
    at = now + day * DAY_MS;
    made.push({ at, isGood: true, bytes: 0 });
    const limits = { retention, maxBytes: null, now: at };
    const gone = new Set(copiesToDelete([...left, ...made], limits));
    left = left.filter((copy) => !gone.has(copy));
  }
  return utcDayOf(at) * DAY_MS;
}
