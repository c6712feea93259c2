import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Json, REPOSITORY } from '../../program.ts';
import type { FarmAnswers } from './farm-questions.ts';

/** By the name of the farm. */
export type Recording = Readonly<Record<string, FarmAnswers>>;

const fileOf = (name: string): string =>
  join(REPOSITORY, 'test/acceptance/advice/recorded', `${name}.json.gz`);

export const readRecording = async (name: string): Promise<Recording> =>
  JSON.parse(gunzipSync(await readFile(fileOf(name))).toString());

export async function writeRecording(name: string, recording: Recording): Promise<void> {
  await writeFile(fileOf(name), gzipSync(JSON.stringify(recording), { level: 9 }));
}

/** As "farm, operation and probe, field: was this, is that". */
export function differences(farm: string, before: FarmAnswers, after: FarmAnswers): string[] {
  const questions = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return questions.flatMap((question) =>
    [...differingFields(before[question], after[question], '')].map(
      ([path, was, is]) =>
        `${farm}, ${question}, ${path.replace(/^[.]/, '') || 'answer'}: was ${shown(was)}, is ${shown(is)}`,
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
