import { describeShortenedList } from '../language/answer-remarks.ts';
import { renderForAll } from '../language/text/render.ts';
import type { AnswerText } from '../language/text/rendered-text.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { isWrite } from '../operation/operation-kind.ts';

/** The JSON of an answer: 10,000 tokens, each of which has two characters in it or more. */
const MAX_ANSWER_CHARS = 20_000;

/** So that as many rows with a cursor fit as well. */
const MAX_CURSOR_CHARS = 400;

interface LimitedAnswer {
  readonly content: Record<string, unknown>;
  /** Says what was left out, and how to get it; null if nothing was. */
  readonly remark: AnswerText | null;
}

/**
 * Shortens the longest list of an answer that is too long for a model. Its cursor is left out as
 * well, because it continues after the rows that are left out. The page reads its answers whole.
 */
export function limitAnswer(
  { page, effect }: Pick<AnyOperation, 'page' | 'effect'>,
  content: Record<string, unknown>,
  maxChars = MAX_ANSWER_CHARS,
): LimitedAnswer {
  const whole = { content, remark: null };
  const excess = JSON.stringify(content).length - maxChars;
  if (excess <= 0 || page?.audience) return whole;

  const [name, rows] = longestList(content);
  if (name === null) return whole;

  const listChars = JSON.stringify(rows).length - excess - MAX_CURSOR_CHARS;
  const shown = rows.slice(0, countWithin(rows, listChars));
  const hasPages = 'next_cursor' in content;
  const cursor = hasPages ? { next_cursor: null } : {};
  const remark = describeShortenedList({
    shown: shown.length,
    all: rows.length,
    isWrite: isWrite({ effect }),
    hasPages,
  });
  return { content: { ...content, [name]: shown, ...cursor }, remark: renderForAll(remark) };
}

function longestList(content: Record<string, unknown>): [string, unknown[]] | [null, never[]] {
  const lists = Object.entries(content)
    .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
    .sort(([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length);
  return lists[0] ?? [null, []];
}

/** Counts the first rows that have at most this many characters as JSON; at least one. */
function countWithin(rows: readonly unknown[], maxChars: number): number {
  let chars = '[]'.length;
  let count = 0;
  for (const row of rows) {
    chars += JSON.stringify(row).length + ','.length;
    if (chars > maxChars) break;
    count += 1;
  }
  return Math.max(1, count);
}
