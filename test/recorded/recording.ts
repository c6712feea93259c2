import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { expect } from 'vitest';
import { differences, type Sayings } from './differences.ts';

/** The recordings, a file each; the tests compare those parts whose questions begin so. */
export const SOURCES = {
  answers: [''],
  'us-answers': [''],
  'demo-answers': ['call ', 'refusal '],
  'us-demo-answers': ['call ', 'refusal '],
  errors: ['REST, ', 'MCP, ', 'remote, '],
  mails: [''],
  questions: ['metric, ', 'us, '],
  reasons: ['metric, ', 'us, ', 'page, '],
  page: [''],
} as const satisfies Record<string, readonly string[]>;
export type Source = keyof typeof SOURCES;

export const SOURCE_NAMES = Object.keys(SOURCES) as Source[];

/** The file that lists what differs from the recording, while a new one is made. */
const REPORT = process.env.ACEQUIA_RECORD;

export const fileOf = (source: Source): string =>
  join(import.meta.dirname, 'sayings', `${source}.json.br`);

export async function readRecording(source: Source): Promise<Sayings> {
  return JSON.parse(brotliDecompressSync(await readFile(fileOf(source))).toString());
}

async function writeRecording(source: Source, said: Sayings): Promise<void> {
  const json = JSON.stringify(said);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    // The same sentences come again after much else.
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  };
  await writeFile(fileOf(source), brotliCompressSync(json, { params }));
}

/**
 * Compares what was said with the recording, or with the part of it that begins with `prefix`. With
 * ACEQUIA_RECORD, it becomes the recording.
 */
export async function expectRecorded(source: Source, said: Sayings, prefix = ''): Promise<void> {
  const prefixes: readonly string[] = SOURCES[source];
  expect(prefixes).toContain(prefix);
  const isCompared = (question: string): boolean => question.startsWith(prefix);
  expect(Object.keys(said).filter((question) => !isCompared(question))).toEqual([]);

  const recorded = Object.entries(await readRecording(source).catch((): Sayings => ({})));
  const before = recorded.filter(([question]) => isCompared(question));
  const after = JSON.parse(JSON.stringify(withoutRandomness(said)));
  const changes = differences(source, Object.fromEntries(before), after);
  if (REPORT === undefined) {
    expect(changes).toEqual([]);
    return;
  }

  const others = recorded.filter(
    ([question]) =>
      !isCompared(question) && prefixes.some((each) => each !== '' && question.startsWith(each)),
  );
  await writeRecording(source, { ...Object.fromEntries(others), ...after });
  await appendFile(REPORT, changes.map((change) => `${change}\n`).join(''));
}

const RANDOM_TEXTS: readonly (readonly [pattern: RegExp, standIn: string])[] = [
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '(id)'],
  [/(?<=\/sign-in)#[\w-]+/g, '#(secret)'],
  [/\b127\.0\.0\.1:\d+/g, '(address)'],
  [/--db \S+/g, '--db (store)'],
];

const HOUR_MS = 3_600_000;

/** By the real clock, at which some rows are imported. */
const isNow = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < HOUR_MS;

/** Names and texts without what differs from run to run. */
export function withoutRandomness<T>(value: T): T {
  const masked = (text: string): string =>
    RANDOM_TEXTS.reduce((masked, [pattern, standIn]) => masked.replace(pattern, standIn), text);
  const maskedValue = (each: unknown, name: string): unknown => {
    if (/cursor$/i.test(name) && typeof each === 'string') return '(cursor)';
    if (typeof each === 'string') return isNow(each) ? '(now)' : masked(each);
    if (Array.isArray(each)) return each.map((item) => maskedValue(item, ''));
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).map(([key, item]) => [masked(key), maskedValue(item, key)]),
    );
  };
  return maskedValue(value, '') as T;
}
