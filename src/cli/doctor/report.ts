import { counted } from '../counted.ts';
import type { Finding, Level } from './finding.ts';

const WIDTH = 100;
const LEVELS: readonly Level[] = ['good', 'doubtful', 'bad'];
/** Columns of the level, and of the subject behind it. */
const COLUMNS = [10, 15] as const;
const MARGIN = COLUMNS[0] + COLUMNS[1];

/** Words over lines of at most `width` columns; one that is longer has a line of its own. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function linesOf({ level, subject, what, advice }: Finding): string[] {
  const said = wrapped(what, WIDTH - MARGIN);
  const next =
    advice === null ? [] : wrapped(advice, WIDTH - MARGIN - 3).map((line, i) => `${i === 0 ? '-> ' : '   '}${line}`);
  const head = level.padEnd(COLUMNS[0]) + subject.padEnd(COLUMNS[1]);
  return [...said, ...next].map((line, index) => (index === 0 ? head : ' '.repeat(MARGIN)) + line);
}

const tally = (findings: readonly Finding[]): Record<Level, number> =>
  Object.fromEntries(LEVELS.map((level) => [level, findings.filter((each) => each.level === level).length])) as Record<
    Level,
    number
  >;

/** The report for a terminal: a line or some for each finding, then how many there are of each kind. */
export function sayFindings(findings: readonly Finding[]): string {
  const { good, doubtful, bad } = tally(findings);
  const verdict =
    bad > 0
      ? `${counted(bad, 'thing')} must be mended.`
      : doubtful > 0
        ? `Acequia works; ${counted(doubtful, 'thing')} should be looked at.`
        : 'All is well.';
  return `${[...findings.flatMap(linesOf), '', `${good} good, ${doubtful} doubtful, ${bad} bad. ${verdict}`].join('\n')}\n`;
}

/** The same for a program. */
export const findingsJson = (findings: readonly Finding[]): string =>
  `${JSON.stringify({ ...tally(findings), findings }, null, 2)}\n`;
