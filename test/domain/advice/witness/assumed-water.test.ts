import { expect, it } from 'vitest';
import { FarmConditions } from '../../../../src/domain/advice/probe/farm-conditions.ts';
import {
  assumedSince,
  withoutWaterings,
} from '../../../../src/domain/advice/witness/assumed-water.ts';
import type { ProbeFacts } from '../../../../src/domain/facts/probe-facts.ts';
import { DAY } from '../../../time.ts';
import { wateringOf } from '../farm/farm-probes.ts';

const NOW = Date.parse('2026-07-01T12:00:00Z');
const doneOn = (id: number, daysAgo: number, isConfirmed = false) =>
  wateringOf({ id, startedAt: NOW - daysAgo * DAY, status: 'done', isConfirmed });

const waterings = [doneOn(3, 4, true), doneOn(4, 3), doneOn(5, 2), doneOn(6, 1)];
const planned = wateringOf({ id: 7, startedAt: NOW + DAY });
const risenAt = NOW - 2 * DAY;
const evidence = [
  {
    wateringIds: [4],
    rises: [],
    gainMm: null,
    isConclusive: true,
    settledAt: NOW - 2 * DAY,
    newestAt: NOW,
  },
  {
    wateringIds: [5],
    rises: [[risenAt]],
    gainMm: 9,
    isConclusive: true,
    settledAt: NOW - DAY,
    newestAt: NOW,
  },
];
const facts = {
  module: { parcelId: 1 },
  waterings: [...waterings, planned],
  earlierWaterings: [doneOn(1, 20), doneOn(2, 10), doneOn(3, 4, true)],
  wateringsOnValve: waterings,
  evidence,
} as unknown as ProbeFacts;

const farm = new FarmConditions({
  now: NOW,
  zone: 'UTC',
  rain: { from: 0, to: NOW, records: [] },
  weather: {} as never,
  coverByParcel: new Map(),
});
const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

it('the assumed water of a balance is what neither a person nor the probe saw since its first day', () => {
  expect(idsOf(assumedSince('2026-06-21', facts, farm))).toEqual([2, 4, 6]);
  expect(idsOf(assumedSince('2026-06-29', facts, farm))).toEqual([6]);
});

it('without the assumed water a balance keeps what was seen, what is planned and what came before', () => {
  const left = withoutWaterings(facts, assumedSince('2026-06-21', facts, farm));
  expect(idsOf(left.waterings)).toEqual([3, 5, 7]);
  expect(idsOf(left.earlierWaterings)).toEqual([1, 3]);
  expect(idsOf(left.wateringsOnValve)).toEqual([3, 5]);
});
