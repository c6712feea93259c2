import { itemAt } from '../../domain/items.ts';
import { redactSecrets } from '../process/log.ts';

const CONTEXT_LINES = 2;
export const MAX_LINE_LENGTH = 160;

/** A removed, an added and an unchanged line. */
type Mark = '-' | '+' | ' ';
type DiffLine = readonly [mark: Mark, text: string];

/**
 * Masks quoted values in unchanged lines, and secrets in changed ones, because the file may hold
 * the user's other secrets.
 */
export function formatDiff(before: string, after: string, maxLineLength = MAX_LINE_LENGTH): string {
  const lines = diffLines(splitLines(before), splitLines(after));
  const first = lines.findIndex(([mark]) => mark !== ' ');
  if (first < 0) return '';

  const last = lines.findLastIndex(([mark]) => mark !== ' ');
  return lines
    .slice(Math.max(0, first - CONTEXT_LINES), last + CONTEXT_LINES + 1)
    .map(([mark, line]) =>
      cutLine(
        `${mark} ${mark === ' ' ? maskStrings(line) : redactSecretValues(line)}`,
        maxLineLength,
      ),
    )
    .map((line) => `${line}\n`)
    .join('');
}

const cutLine = (line: string, maxLength: number): string =>
  line.length > maxLength ? `${line.slice(0, maxLength)}…` : line.trimEnd();

export const longestChangedLength = (before: string, after: string): number =>
  Math.max(
    0,
    ...diffLines(splitLines(before), splitLines(after))
      .filter(([mark]) => mark !== ' ')
      .map(([, line]) => line.length),
  );

const splitLines = (text: string): string[] => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/** Skips equal lines at both ends, then keeps the longest common subsequence. */
function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const unchanged = (line: string): DiffLine => [' ', line];

  return [
    ...before.slice(0, head).map(unchanged),
    ...diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(unchanged),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const commonLength = commonLengths(before, after);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];

  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push([' ', itemAt(before, i)]);
      i++;
      j++;
    } else if (commonLength(i + 1, j) >= commonLength(i, j + 1)) {
      lines.push(['-', itemAt(before, i)]);
      i++;
    } else {
      lines.push(['+', itemAt(after, j)]);
      j++;
    }
  }

  for (const line of before.slice(i)) lines.push(['-', line]);
  for (const line of after.slice(j)) lines.push(['+', line]);
  return lines;
}

/** Returns a function: the longest common subsequence of the lines from `i` and from `j` on. */
function commonLengths(before: readonly string[], after: readonly string[]) {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  const lengthAt = (i: number, j: number): number => itemAt(itemAt(lengths, i), j);

  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      itemAt(lengths, i)[j] =
        before[i] === after[j]
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));

  return lengthAt;
}

/** Masks each quoted text, unless it is a name: followed by a colon or an equals sign. */
const maskStrings = (line: string): string =>
  line.replace(/(?:"(?:\\.|[^"\\])*(?:"|\\?$)|'[^']*')(\s*[:=])?/gs, (text, nameSuffix?: string) =>
    nameSuffix ? text : '"…"',
  );

/**
 * Masks the value of a name that sounds secret, unless it refers to a variable, as ${NAME} or
 * {env:NAME} do.
 */
const redactSecretValues = (line: string): string =>
  redactSecrets(
    line.replace(
      /(?<!\w)(?=\w*(?:key|token|secret|passw|auth|credential))(\w+["']?\s*[:=]\s*)(["'])(?![${])[^"']*\2/gi,
      '$1$2…$2',
    ),
  );
