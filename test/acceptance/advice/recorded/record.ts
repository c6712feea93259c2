import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askFarm, type FarmAnswers } from './farm-questions.ts';
import { fillStore } from './farm-store.ts';
import { RANDOM_FARMS, type RandomFarm } from './farms/random-farm.ts';
import { differences, type Recording, readRecording, writeRecording } from './recorded-answers.ts';

/** Records the answers of the program; returns what differs from those recorded before. */
export async function recordAnswers(): Promise<string[]> {
  const before = await readRecording('answers').catch((): Recording => ({}));
  const recording: Record<string, FarmAnswers> = {};
  for (const farm of RANDOM_FARMS) recording[farm.name] = await answersFromNewStore(farm);
  await writeRecording('answers', recording);

  return Object.entries(recording).flatMap(([farm, answers]) =>
    differences(farm, before[farm] ?? answers, answers),
  );
}

async function answersFromNewStore(farm: RandomFarm): Promise<FarmAnswers> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-recorded-'));
  try {
    const db = join(folder, 'farm.db');
    await fillStore(db, farm);
    return await askFarm(farm, ['--db', db]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
