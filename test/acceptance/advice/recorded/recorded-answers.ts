import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { REPOSITORY } from '../../program.ts';
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
