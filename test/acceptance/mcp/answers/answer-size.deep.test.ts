import { describe, it } from 'vitest';
import { newStorePlace } from '../../../temporary-places.ts';
import { connectStdio } from '../../mcp-session.ts';
import { expectSmallAnswers } from './answer-size.ts';
import {
  addLargeFarmRecords,
  importLargeFarm,
  LARGE_FARM_PARCEL,
  LARGE_FARM_PROBE,
} from './large-farm.ts';

const LONG_TIMEOUT_MS = 240_000;

describe('the default answer of every tool is under 4,000 tokens in either rendering', () => {
  it('on a farm of 300 probes', { timeout: LONG_TIMEOUT_MS }, async () => {
    const db = await newStorePlace();
    await importLargeFarm(db);
    const { call } = await connectStdio(db);
    await addLargeFarmRecords(call);
    await expectSmallAnswers('a farm of 300 probes', call, LARGE_FARM_PROBE, LARGE_FARM_PARCEL);
  });
});
