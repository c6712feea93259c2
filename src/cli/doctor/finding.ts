import { isUnfinished } from '../../store/copy/unfinished.ts';
import { counted } from '../counted.ts';

/** How something stands: as it should, so that it should be looked at, or so that something does not work. */
export type Level = 'good' | 'doubtful' | 'bad';

/** One line of the report. */
export interface Finding {
  readonly level: Level;
  readonly subject: string;
  /** What was found. */
  readonly what: string;
  /** What to do about it; null where nothing is to be done. */
  readonly advice: string | null;
}

export interface Findings {
  good(what: string): Finding;
  doubtful(what: string, advice: string): Finding;
  bad(what: string, advice: string): Finding;
}

/** Findings on one subject. */
export const findingsOn = (subject: string): Findings => ({
  good: (what) => ({ level: 'good', subject, what, advice: null }),
  doubtful: (what, advice) => ({ level: 'doubtful', subject, what, advice }),
  bad: (what, advice) => ({ level: 'bad', subject, what, advice }),
});

/** A store that is no store yet. */
export function unfinishedAt(place: string): Finding {
  const { message, hint } = isUnfinished(place);
  return findingsOn('store').bad(message, hint ?? '');
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A length of time (ms) in its largest fitting unit: "40 minutes", "3 hours", "12 days". */
export function sayLength(ms: number): string {
  const [unit, name] =
    ms < HOUR_MS ? [MINUTE_MS, 'minute'] : ms < 48 * HOUR_MS ? [HOUR_MS, 'hour'] : [24 * HOUR_MS, 'day'];
  return counted(Math.round(ms / Number(unit)), String(name));
}

/** An instant (ms) to the second, in UTC: what a clock says has nothing to do with a company's zone. */
export const sayUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Bytes as people read them. */
export function saySize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
