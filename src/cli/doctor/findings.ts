import { unfinishedCopyError } from '../../store/store-state.ts';
import { formatTerminalCount } from '../process/terminal-text.ts';

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

const WIDTH = 100;
const LEVELS: readonly FindingLevel[] = ['good', 'doubtful', 'bad'];
/** Columns of the level, and of the subject behind it. */
const COLUMNS = [10, 15] as const;
const MARGIN = COLUMNS[0] + COLUMNS[1];

/** Words over lines of at most `width` columns; one that is longer has a line of its own. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function formatFindingLines({ level, subject, what, advice }: DoctorFinding): string[] {
  const textLines = wrapText(what, WIDTH - MARGIN);
  const adviceLines =
    advice === null ? [] : wrapText(advice, WIDTH - MARGIN - 3).map((line, i) => `${i === 0 ? '-> ' : '   '}${line}`);
  const head = level.padEnd(COLUMNS[0]) + subject.padEnd(COLUMNS[1]);
  return [...textLines, ...adviceLines].map((line, index) => (index === 0 ? head : ' '.repeat(MARGIN)) + line);
}

const countByLevel = (findings: readonly DoctorFinding[]): Record<FindingLevel, number> =>
  Object.fromEntries(LEVELS.map((level) => [level, findings.filter((each) => each.level === level).length])) as Record<
    FindingLevel,
    number
  >;

/** The report for a terminal: a line or some for each finding, then how many there are of each kind. */
export function formatFindings(findings: readonly DoctorFinding[]): string {
  const { good, doubtful, bad } = countByLevel(findings);
  const verdict =
    bad > 0
      ? `${formatTerminalCount(bad, 'thing')} must be mended.`
      : doubtful > 0
        ? `Acequia works; ${formatTerminalCount(doubtful, 'thing')} should be looked at.`
        : 'All is well.';
  return `${[...findings.flatMap(formatFindingLines), '', `${good} good, ${doubtful} doubtful, ${bad} bad. ${verdict}`].join('\n')}\n`;
}

/** The same for a program. */
export const formatFindingsJson = (findings: readonly DoctorFinding[]): string =>
  `${JSON.stringify({ ...countByLevel(findings), findings }, null, 2)}\n`;
