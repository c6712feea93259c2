import { expect, it } from 'vitest';
import { differences } from '../../recorded/differences.ts';
import { newStorePlace } from '../../temporary-places.ts';
import { fillStore } from '../advice/recorded/farm-store.ts';
import { RANDOM_FARMS } from '../advice/recorded/farms/random-farm.ts';
import { expectedAnswers, readRecording } from '../advice/recorded/recorded-answers.ts';
import { askRemotely } from '../advice/recorded/remote-answers.ts';

const recording = await readRecording();

it.each(RANDOM_FARMS)('answers with --remote are those recorded: $name', async (farm) => {
  const db = await newStorePlace();
  await fillStore(db, farm);
  const answers = Object.entries(await askRemotely(db, farm));
  expect(
    answers.flatMap(([service, after]) =>
      differences(`${farm.name}, ${service}`, expectedAnswers(recording, farm, service), after),
    ),
  ).toEqual([]);
});
