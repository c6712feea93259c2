import type { Json } from '../tool-results.ts';

/** The key is what was asked, such as the operation and its arguments. */
export type Sayings = Readonly<Record<string, Json>>;

/** Returns each as "source, question, field: was this, is that". */
export function differences(source: string, before: Sayings, after: Sayings): string[] {
  const questions = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return questions.flatMap((question) =>
    [...differingFields(before[question], after[question], '')].map(
      ([path, was, is]) =>
        `${source}, ${question}, ${path.replace(/^[.]/, '') || 'answer'}: was ${shown(was)}, is ${shown(is)}`,
    ),
  );
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'missing';

type DifferingField = readonly [path: string, before: unknown, after: unknown];

function* differingFields(before: Json, after: Json, path: string): Generator<DifferingField> {
  if (path === '.text' && typeof before === 'string' && typeof after === 'string') {
    if (wordsOf(before) !== wordsOf(after)) yield [path, before, after];
    return;
  }
  if (
    !isContainer(before) ||
    !isContainer(after) ||
    Array.isArray(before) !== Array.isArray(after)
  ) {
    if (!Object.is(before, after)) yield [path, before, after];
    return;
  }
  const isList = Array.isArray(before);
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    yield* differingFields(
      before[name],
      after[name],
      isList ? `${path}[${name}]` : `${path}.${name}`,
    );
}

const wordsOf = (text: string): string => text.split(/\s+/).join(' ');

const isContainer = (value: unknown): value is Json => typeof value === 'object' && value !== null;
