import { unfinishedCopyError } from '../../store/copy/unfinished.ts';
import { formatTerminalCount } from '../counted.ts';

/** How something stands: as it should, so that it should be looked at, or so that something does not work. */
export type FindingLevel = 'good' | 'doubtful' | 'bad';

/** One line of the report. */
export interface DoctorFinding {
  readonly level: FindingLevel;
  readonly subject: string;
  /** What was found. */
  readonly what: string;
  /** What to do about it; null where nothing is to be done. */
  readonly advice: string | null;
}

export interface FindingBuilder {
  good(what: string): DoctorFinding;
  doubtful(what: string, advice: string): DoctorFinding;
  bad(what: string, advice: string): DoctorFinding;
}

/** Findings on one subject. */
export const findingsAbout = (subject: string): FindingBuilder => ({
  good: (what) => ({ level: 'good', subject, what, advice: null }),
  doubtful: (what, advice) => ({ level: 'doubtful', subject, what, advice }),
  bad: (what, advice) => ({ level: 'bad', subject, what, advice }),
});

/** A store that is no store yet. */
export function unfinishedStoreFinding(place: string): DoctorFinding {
  const { message, hint } = unfinishedCopyError(place);
  return findingsAbout('store').bad(message, hint ?? '');
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A length of time (ms) in its largest fitting unit: "40 minutes", "3 hours", "12 days". */
export function formatRoughDuration(ms: number): string {
  const [unit, name] =
    ms < HOUR_MS ? [MINUTE_MS, 'minute'] : ms < 48 * HOUR_MS ? [HOUR_MS, 'hour'] : [24 * HOUR_MS, 'day'];
  return formatTerminalCount(Math.round(ms / Number(unit)), String(name));
}

/** An instant (ms) to the second, in UTC: what a clock says has nothing to do with a company's zone. */
export const formatUtcSecond = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Bytes as people read them. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
