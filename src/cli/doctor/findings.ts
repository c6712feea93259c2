import type { BackupFailure } from '../../domain/backups/failures.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { formatTerminalCount } from '../process/output.ts';

type FindingLevel = 'good' | 'doubtful' | 'bad';

/**
 * The figures behind the first findings, for programs, by subject. docs/doctor.md describes each;
 * instants are ISO 8601. Fields are added, and never renamed or removed.
 */
interface DoctorFigures {
  readonly copies: {
    /** Null where none are made. */
    readonly folder: string | null;
    readonly copiedAt: string | null;
    readonly drilledAt: string | null;
    readonly failedAt: string | null;
    readonly failure: BackupFailure | null;
    readonly isOnOtherDisk: boolean | null;
  };
  readonly disk: { readonly freeBytes: number; readonly daysUntilFull: number | null };
  readonly jobs: { readonly ranAt: string | null; readonly areAlertsChecked: boolean };
  readonly outbox: {
    readonly waiting: number;
    readonly refused: number;
    readonly oldestWaitingAt: string | null;
  };
  readonly silence: {
    readonly assigned: number;
    readonly silent: number;
    /** When the device was last heard that has been silent for longest. */
    readonly silentSince: string | null;
  };
  readonly access: {
    readonly openFiles: readonly { readonly path: string; readonly mode: string }[];
  };
}

type Subject = keyof DoctorFigures;

/** In the order in which operators ask. */
const FIRST_SUBJECTS: readonly string[] = [
  'copies',
  'disk',
  'jobs',
  'outbox',
  'silence',
  'access',
] satisfies readonly Subject[];

export interface DoctorFinding {
  readonly level: FindingLevel;
  readonly subject: string;
  readonly what: string;
  readonly advice: string | null;
  readonly figures: DoctorFigures[Subject] | null;
}

/** Null where the check could not find them. */
type FiguresOf<Name extends string> = Name extends Subject ? [DoctorFigures[Name] | null] : [];

interface FindingBuilder<Name extends string> {
  good(what: string, ...figures: FiguresOf<Name>): DoctorFinding;
  doubtful(what: string, advice: string, ...figures: FiguresOf<Name>): DoctorFinding;
  bad(what: string, advice: string, ...figures: FiguresOf<Name>): DoctorFinding;
}

export function findingsAbout<const Name extends string>(subject: Name): FindingBuilder<Name> {
  const newFinding =
    (level: FindingLevel) =>
    (what: string, advice: string | null, [figures = null]: FiguresOf<Name>): DoctorFinding => ({
      level,
      subject,
      what,
      advice,
      figures,
    });
  return {
    good: (what, ...figures) => newFinding('good')(what, null, figures),
    doubtful: (what, advice, ...figures) => newFinding('doubtful')(what, advice, figures),
    bad: (what, advice, ...figures) => newFinding('bad')(what, advice, figures),
  };
}

/** What operators ask first comes first; the rest stays in its order. */
export function inOrderOfQuestions(findings: readonly DoctorFinding[]): DoctorFinding[] {
  const place = ({ subject }: DoctorFinding): number => {
    const index = FIRST_SUBJECTS.indexOf(subject);
    return index < 0 ? FIRST_SUBJECTS.length : index;
  };
  return [...findings].sort((a, b) => place(a) - place(b));
}

export function formatRoughDuration(ms: number): string {
  if (ms < HOUR_MS) return formatTerminalCount(Math.round(ms / MINUTE_MS), 'minute');
  if (ms < 2 * DAY_MS) return formatTerminalCount(Math.round(ms / HOUR_MS), 'hour');
  return formatTerminalCount(Math.round(ms / DAY_MS), 'day');
}

export const formatUtcSecond = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const WIDTH = 100;
const LEVEL_WIDTH = 10;
const SUBJECT_WIDTH = 15;
const MARGIN = LEVEL_WIDTH + SUBJECT_WIDTH;

function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const ARROW = '-> ';

const indentAdvice = (advice: string): string[] =>
  wrapText(advice, WIDTH - MARGIN - ARROW.length).map(
    (line, index) => (index === 0 ? ARROW : ' '.repeat(ARROW.length)) + line,
  );

function formatFindingLines({ level, subject, what, advice }: DoctorFinding): string[] {
  const textLines = wrapText(what, WIDTH - MARGIN);
  const adviceLines = advice === null ? [] : indentAdvice(advice);
  const head = level.padEnd(LEVEL_WIDTH) + subject.padEnd(SUBJECT_WIDTH);
  return [...textLines, ...adviceLines].map(
    (line, index) => (index === 0 ? head : ' '.repeat(MARGIN)) + line,
  );
}

function countByLevel(findings: readonly DoctorFinding[]): Record<FindingLevel, number> {
  const counts = { good: 0, doubtful: 0, bad: 0 };
  for (const { level } of findings) counts[level]++;
  return counts;
}

export function formatFindings(findings: readonly DoctorFinding[]): string {
  const counts = countByLevel(findings);
  const total = `${counts.good} good, ${counts.doubtful} doubtful, ${counts.bad} bad. ${formatVerdict(counts)}`;
  return `${[...findings.flatMap(formatFindingLines), '', total].join('\n')}\n`;
}

function formatVerdict({ doubtful, bad }: Record<FindingLevel, number>): string {
  if (bad > 0) return `${formatTerminalCount(bad, 'problem')} must be fixed.`;
  if (doubtful > 0)
    return `Acequia works; ${formatTerminalCount(doubtful, 'point')} should be checked.`;
  return 'All is well.';
}

/** Grows with a change that programs must know of. */
const FORMAT = 1;

export const formatFindingsJson = (findings: readonly DoctorFinding[]): string =>
  `${JSON.stringify({ format: FORMAT, ...countByLevel(findings), findings }, null, 2)}\n`;
