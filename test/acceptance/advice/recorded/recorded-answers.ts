import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Json, REPOSITORY } from '../../program.ts';
import type { FarmAnswers } from './farm-questions.ts';
import type { RandomFarm } from './farms/random-farm.ts';

/** By the name of the farm. */
export type Recording = Readonly<
  Record<
    string,
    {
      readonly local: FarmAnswers;
      /** By the kind of service: the answers with `--remote` that differ. */
      readonly remote: Readonly<Record<string, FarmAnswers>>;
    }
  >
>;

const FILE = join(REPOSITORY, 'test/acceptance/advice/recorded/answers.json.gz');

export const readRecording = async (): Promise<Recording> =>
  JSON.parse(gunzipSync(await readFile(FILE)).toString());

export async function writeRecording(recording: Recording): Promise<void> {
  await writeFile(FILE, gzipSync(JSON.stringify(recording), { level: 9 }));
}

/** What a program with the store answers, or one that asks a service. */
export function expectedAnswers(
  recording: Recording,
  { name }: Pick<RandomFarm, 'name'>,
  service?: string,
): FarmAnswers {
  const { local = {}, remote = {} } = recording[name] ?? {};
  return service === undefined ? local : { ...local, ...remote[service] };
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
