import { formatTerminalCount } from '../counted.ts';
import type { DoctorFinding, FindingLevel } from './finding.ts';

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
