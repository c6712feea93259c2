import { describe, expect, it } from 'vitest';
import type { ProbeAdvice } from '../../../../src/domain/advice/advice.ts';
import type { EquipmentFacts, ProbeFacts } from '../../../../src/domain/facts/probe-facts.ts';
import { type AdviceChange, adviceWith, COMPLETE_SETUP, withMoisture } from './probe-facts.ts';

const equippedWith = (fields: Partial<EquipmentFacts>): { facts: Partial<ProbeFacts> } => ({
  facts: {
    setup: { ...COMPLETE_SETUP, installation: { ...COMPLETE_SETUP.installation, ...fields } },
  },
});

// 7 points of 60 cm are 42 mm, 7 hours at 6 mm/h, and 42 m3 on 1,000 m2.
const AMOUNTS = { deficitMm: 42, waterMm: 42, durationMin: 420, volumeM3: 42 };

describe('an advice', () => {
  it.each<[string, AdviceChange, Partial<ProbeAdvice>]>([
    ['is complete where nothing is missing', {}, { ...AMOUNTS, confidence: 'complete' }],
    [
      'is partial where a reason leaves it in doubt',
      { request: { expectedRainMm: 10 } },
      { deficitMm: 42, waterMm: 34, confidence: 'partial' },
    ],
    [
      'is complete where a reason informs alone',
      { request: { demandPercent: 130 } },
      { ...AMOUNTS, confidence: 'complete' },
    ],
    [
      'lacks nothing after enough rain',
      { request: { expectedRainMm: 200 } },
      { deficitMm: 42, waterMm: 0, durationMin: 0 },
    ],
    [
      'lacks nothing in soil that is wet enough',
      { facts: withMoisture(30) },
      { deficitMm: 0, waterMm: 0, durationMin: 0, volumeM3: 0, confidence: 'complete' },
    ],
    [
      'has no volume without an area',
      equippedWith({ irrigatedAreaM2: null }),
      { ...AMOUNTS, volumeM3: null, confidence: 'complete' },
    ],
    [
      'has no duration without an application rate',
      equippedWith({ flowMmPerH: null }),
      { ...AMOUNTS, durationMin: null, confidence: 'partial' },
    ],
    [
      'has no duration of more than a month',
      equippedWith({ flowMmPerH: 0.05 }),
      { ...AMOUNTS, durationMin: null, daily: null, confidence: 'partial' },
    ],
    [
      'is insufficient with a depth alone',
      equippedWith({ flowMmPerH: null, irrigatedAreaM2: null }),
      { waterMm: 42, durationMin: null, volumeM3: null, confidence: 'insufficient' },
    ],
    [
      'has the deficit without equipment',
      { facts: { setup: { ...COMPLETE_SETUP, installation: null } } },
      { deficitMm: 42, waterMm: null, durationMin: null, confidence: 'insufficient' },
    ],
  ])('%s', (_, change, advice) => expect(adviceWith(change)).toMatchObject(advice));
});
