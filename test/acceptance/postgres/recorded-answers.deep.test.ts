import { expect, it } from 'vitest';
import { differences } from '../../recorded/differences.ts';
import { newStorePlace } from '../../temporary-places.ts';
import { askFarm } from '../advice/recorded/farm-questions.ts';
import { fillStore } from '../advice/recorded/farm-store.ts';
import { RANDOM_FARMS } from '../advice/recorded/farms/random-farm.ts';
import { expectedAnswers, readRecording } from '../advice/recorded/recorded-answers.ts';

const recording = await readRecording();

it.each(RANDOM_FARMS)('answers from PostgreSQL are those recorded: $name', async (farm) => {
  const db = await newStorePlace();
  await fillStore(db, farm);
  const answers = await askFarm(farm, ['--db', db]);
  expect(differences(farm.name, expectedAnswers(recording, farm), answers)).toEqual([]);
});
