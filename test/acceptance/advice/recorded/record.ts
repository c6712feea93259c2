import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { differences } from '../../../recorded/differences.ts';
import { askFarm, type FarmAnswers } from './farm-questions.ts';
import { fillStore } from './farm-store.ts';
import { RANDOM_FARMS, type RandomFarm } from './farms/random-farm.ts';
import {
  expectedAnswers,
  type Recording,
  readRecording,
  writeRecording,
} from './recorded-answers.ts';
import { askRemotely } from './remote-answers.ts';

/** Records the answers of the program; returns what differs from those recorded before. */
export async function recordAnswers(): Promise<string[]> {
  const before = await readRecording().catch((): Recording => ({}));
  const recording: Record<string, Recording[string]> = {};
  const changes: string[] = [];

  for (const farm of RANDOM_FARMS) {
    const { local, remote } = await answersAbout(farm);
    const differing = Object.entries(remote).map(([service, answers]) => [
      service,
      differingAnswers(local, answers),
    ]);
    recording[farm.name] = { local, remote: Object.fromEntries(differing) };

    changes.push(...differences(farm.name, expectedAnswers(before, farm), local));
    for (const [service, answers] of Object.entries(remote))
      changes.push(
        ...differences(`${farm.name}, ${service}`, expectedAnswers(before, farm, service), answers),
      );
  }

  await writeRecording(recording);
  return changes;
}

async function answersAbout(farm: RandomFarm) {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-recorded-'));
  try {
    const db = join(folder, 'farm.db');
    await fillStore(db, farm);
    return { local: await askFarm(farm, ['--db', db]), remote: await askRemotely(db, farm) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function differingAnswers(local: FarmAnswers, remote: FarmAnswers): FarmAnswers {
  const entries = Object.entries(remote);
  return Object.fromEntries(
    entries.filter(([question, answer]) => !isDeepStrictEqual(local[question], answer)),
  );
}
