import { describe, expect, it } from 'vitest';
import { isDeepRun } from '../../../property-runs.ts';
import { differences } from '../../../recorded/differences.ts';
import { newStorePlace } from '../../../temporary-places.ts';
import { askFarm } from './farm-questions.ts';
import { fillStore } from './farm-store.ts';
import { RANDOM_FARMS } from './farms/random-farm.ts';
import { expectedAnswers, readRecording } from './recorded-answers.ts';

/** It has a tensiometer, and its clocks have just changed. */
const QUICK_FARM = 11;

const recording = await readRecording();

describe('the recorded answers', () => {
  it.each(RANDOM_FARMS.filter((_, index) => isDeepRun || index === QUICK_FARM))(
    'are those of the program: $name',
    async (farm) => {
      const db = await newStorePlace();
      await fillStore(db, farm);
      const answers = await askFarm(farm, ['--db', db]);
      expect(differences(farm.name, expectedAnswers(recording, farm), answers)).toEqual([]);
    },
  );

  it('are of every farm, and most questions have an answer', () => {
    expect(Object.keys(recording)).toEqual(RANDOM_FARMS.map(({ name }) => name));
    const answers = Object.values(recording).flatMap(({ local }) => Object.values(local));
    expect(answers.filter(({ code }) => code === undefined).length).toBeGreaterThan(
      0.9 * answers.length,
    );
  });

  it('differ as soon as one figure does: farm, question, field, before and after are named', () => {
    const farm = RANDOM_FARMS[0]!;
    const question = 'get_agronomic_state {"module":"#1"}';
    const before = expectedAnswers(recording, farm);
    const after = structuredClone(before);
    const { body } = after[question]!;
    const fieldCapacity = body.fieldCapacity;
    body.fieldCapacity += 0.01;
    expect(differences(farm.name, before, after)).toEqual([
      `${farm.name}, ${question}, body.fieldCapacity: was ${fieldCapacity}, is ${body.fieldCapacity}`,
    ]);
  });

  it('differ in a text by its words, in a list by its length, and in a question without an answer', () => {
    const before = {
      brief: { text: 'Water  North 1\ntoday.', body: { data: [{ mm: 2 }, { mm: 3 }], rain: null } },
      state: { text: 'Dry.' },
    };
    expect(
      differences('Farm', before, {
        brief: { text: 'Water North 1 today.', body: { data: [{ mm: 2 }], rain: [] } },
      }),
    ).toEqual([
      'Farm, brief, body.data[1]: was {"mm":3}, is missing',
      'Farm, brief, body.rain: was null, is []',
      'Farm, state, answer: was {"text":"Dry."}, is missing',
    ]);
    expect(
      differences('Farm', { state: { text: 'Dry.' } }, { state: { text: 'Not dry.' } }),
    ).toEqual(['Farm, state, text: was "Dry.", is "Not dry."']);
  });
});
