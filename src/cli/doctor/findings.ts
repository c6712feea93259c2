import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { formatTerminalCount } from '../process/output.ts';

type FindingLevel = 'good' | 'doubtful' | 'bad';

export interface DoctorFinding {
  readonly level: FindingLevel;
  readonly subject: string;
  readonly what: string;
  readonly advice: string | null;
}

interface FindingBuilder {
  good(what: string): DoctorFinding;
  doubtful(what: string, advice: string): DoctorFinding;
  bad(what: string, advice: string): DoctorFinding;
}

export const findingsAbout = (subject: string): FindingBuilder => ({
  good: (what) => ({ level: 'good', subject, what, advice: null }),
  doubtful: (what, advice) => ({ level: 'doubtful', subject, what, advice }),
  bad: (what, advice) => ({ level: 'bad', subject, what, advice }),
});

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

export const formatFindingsJson = (findings: readonly DoctorFinding[]): string =>
  `${JSON.stringify({ ...countByLevel(findings), findings }, null, 2)}\n`;
