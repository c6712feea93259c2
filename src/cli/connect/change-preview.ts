import { itemAt } from '../../domain/items.ts';
import { redactSecrets } from '../process/log.ts';

const CONTEXT_LINES = 2;
export const MAX_LINE_WIDTH = 160;

type Mark = '-' | '+' | ' ';

/**
 * A line diff that masks the values of unchanged lines, and secrets everywhere, because the file
 * may hold the user's other secrets.
 */
export function formatDiff(before: string, after: string): string {
  const lines = diffLines(splitLines(before), splitLines(after));
  const first = lines.findIndex(([mark]) => mark !== ' ');
  if (first < 0) return '';

  const last = lines.findLastIndex(([mark]) => mark !== ' ');
  return lines
    .slice(Math.max(0, first - CONTEXT_LINES), last + CONTEXT_LINES + 1)
    .map(([mark, line]) =>
      cutLine(`${mark} ${mark === ' ' ? maskStrings(line) : redactSecretValues(line)}`),
    )
    .map((line) => `${line}\n`)
    .join('');
}

const cutLine = (line: string): string =>
  line.length > MAX_LINE_WIDTH ? `${line.slice(0, MAX_LINE_WIDTH)}…` : line.trimEnd();

export const longestChangedLine = (before: string, after: string): number =>
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
function diffLines(before: readonly string[], after: readonly string[]): [Mark, string][] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const unchanged = (line: string): [Mark, string] => [' ', line];

  return [
    ...before.slice(0, head).map(unchanged),
    ...diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(unchanged),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): [Mark, string][] {
  const common = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      itemAt(common, i)[j] =
        before[i] === after[j]
          ? itemAt(itemAt(common, i + 1), j + 1) + 1
          : Math.max(itemAt(itemAt(common, i + 1), j), itemAt(itemAt(common, i), j + 1));

  const lines: [Mark, string][] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push([' ', itemAt(before, i)]);
      i++;
      j++;
    } else if (
      i < before.length &&
      (j === after.length || itemAt(itemAt(common, i + 1), j) >= itemAt(itemAt(common, i), j + 1))
    )
      lines.push(['-', itemAt(before, i++)]);
    else lines.push(['+', itemAt(after, j++)]);
  }

  return lines;
}

const maskStrings = (line: string): string =>
  line.replace(/(?:"(?:\\.|[^"\\])*"|'[^']*')(\s*[:=])?/g, (text, nameSuffix?: string) =>
    nameSuffix ? text : '"…"',
  );

const redactSecretValues = (line: string): string =>
  redactSecrets(
    line.replace(
      /(\w*(?:key|token|secret|passw|auth|credential)\w*["']?\s*[:=]\s*)(["'])(?![${])[^"']*\2/gi,
      '$1$2…$2',
    ),
  );
