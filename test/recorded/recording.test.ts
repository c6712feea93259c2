import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../tool-results.ts';
import { differences, type Sayings } from './differences.ts';
import { fileOf, readRecording, SOURCE_NAMES, SOURCES, withoutRandomness } from './recording.ts';

/** Changes the first text that `change` returns changed. */
function withOneChange(said: Json, change: (text: string) => string): Json {
  let isChanged = false;
  const changed = (value: Json): Json => {
    if (isChanged) return value;
    if (typeof value === 'string') {
      const text = change(value);
      isChanged = text !== value;
      return text;
    }
    if (Array.isArray(value)) return value.map(changed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, changed(each)]));
  };
  return changed(said);
}

/** A question in the middle of a recording whose answer the change concerns. */
function changedQuestion(said: Sayings, change: (text: string) => string) {
  const entries = Object.entries(said);
  const later = entries.slice(Math.floor(entries.length / 2));
  for (const [question, answer] of later) {
    const changed = withOneChange(answer, change);
    if (JSON.stringify(changed) !== JSON.stringify(answer)) return [question, changed] as const;
  }
  throw new Error('Nothing to change');
}

const CHANGES = [
  ['word', (text: string) => text.replace(/(?<=\p{Ll} )\p{Ll}{3,}(?= )/u, 'ploughs')],
  ['figure', (text: string) => text.replace(/(?<= )\d+(?=[ .])/, '977')],
] as const;

describe('a recording', () => {
  it.each(SOURCE_NAMES.flatMap((source) => CHANGES.map((change) => [source, ...change] as const)))(
    'of %s shows one changed %s',
    async (source, _, change) => {
      const before = await readRecording(source);
      const [question, changed] = changedQuestion(before, change);
      const found = differences(source, before, { ...before, [question]: changed });
      expect(found).toHaveLength(1);
      expect(found[0]).toContain(`${source}, ${question}, `);
      expect(found[0]).toMatch(/: was ".*", is ".*(ploughs|977)/);
    },
  );

  it.each(SOURCE_NAMES)('of %s shows what is missing and what is new', async (source) => {
    const { [Object.keys(await readRecording(source))[0]!]: first, ...rest } =
      await readRecording(source);
    expect(differences(source, { first, ...rest }, rest)).toEqual([
      expect.stringMatching(/, first, answer: was .*, is missing$/s),
    ]);
    expect(differences(source, rest, { first, ...rest })).toEqual([
      expect.stringMatching(/, first, answer: was missing, is /),
    ]);
  });

  it.each(SOURCE_NAMES)('of %s holds nothing that no test compares', async (source) => {
    const prefixes: readonly string[] = SOURCES[source];
    const questions = Object.keys(await readRecording(source));
    for (const prefix of prefixes)
      expect([prefix, questions.some((question) => question.startsWith(prefix))]).toEqual([
        prefix,
        true,
      ]);
    expect(
      questions.filter((question) => !prefixes.some((prefix) => question.startsWith(prefix))),
    ).toEqual([]);
  });

  it('holds nothing random', async () => {
    const said = { id: '5c0211a1-7b7a-4f4b-bcb9-cb1842548b9f', next_cursor: 'WzFd', of: 'North 1' };
    expect(
      withoutRandomness({ 'list --db a.db': { ...said, at: new Date().toISOString() } }),
    ).toEqual({
      'list --db (store)': { id: '(id)', next_cursor: '(cursor)', of: 'North 1', at: '(now)' },
    });
    for (const source of SOURCE_NAMES) {
      const recorded = await readRecording(source);
      expect(withoutRandomness(recorded)).toEqual(recorded);
    }
  });

  it('takes less than 400 kB, with the answers about random farms', async () => {
    const files = [
      ...SOURCE_NAMES.map(fileOf),
      join(import.meta.dirname, '../acceptance/advice/recorded/answers.json.gz'),
    ];
    const sizes = await Promise.all(files.map(async (file) => (await readFile(file)).length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000);
  });
});
