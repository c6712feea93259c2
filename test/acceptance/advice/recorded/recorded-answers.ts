import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { REPOSITORY } from '../../program.ts';
import type { FarmAnswers } from './farm-questions.ts';
import type { RandomFarm } from './farms/random-farm.ts';

/** The key is the name of the farm. */
export type Recording = Readonly<
  Record<
    string,
    {
      readonly local: FarmAnswers;
      /** The answers with `--remote` that differ, by the kind of service. */
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

/** The answers of a program with the store, or of one that asks a service. */
export function expectedAnswers(
  recording: Recording,
  { name }: Pick<RandomFarm, 'name'>,
  service?: string,
): FarmAnswers {
  const { local = {}, remote = {} } = recording[name] ?? {};
  return service === undefined ? local : { ...local, ...remote[service] };
}
