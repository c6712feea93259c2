import { describe, it } from 'vitest';
import { expectSmallAnswers } from './answers-size.ts';
import { bringInLargeFarm, fillBooks, PARCEL, PROBE } from './answers-size-farm.ts';
import { connected, newDb } from './program.ts';

/** The farm is made first, maybe on a machine that has other things to do. */
const PATIENT = 240_000;

describe('the default answer of every tool is under 4,000 tokens in either rendering', () => {
  it('on a farm of 300 probes', { timeout: PATIENT }, async () => {
    const db = await newDb();
    await bringInLargeFarm(db);
    const { call } = await connected(db);
    await fillBooks(call);
    await expectSmallAnswers('a farm of 300 probes', call, PROBE, PARCEL);
  });
});
