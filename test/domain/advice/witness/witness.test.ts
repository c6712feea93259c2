import { describe, expect, it } from 'vitest';
import {
  type WaterHours,
  wateringEvidence,
} from '../../../../src/domain/advice/witness/watering-evidence.ts';
import {
  irrigationWitnesses,
  ownWitnesses,
  type Witness,
} from '../../../../src/domain/advice/witness/witness.ts';
import type {
  ProbeWateringFacts,
  WateringFacts,
} from '../../../../src/domain/facts/watering-facts.ts';
import type { RainContribution } from '../../../../src/domain/weather/rain.ts';
import { DAY, HOUR } from '../../../time.ts';
import { wateringOf } from '../farm/farm-probes.ts';

const NOW = 20 * DAY;
const WATERED = 17 * DAY + 6 * HOUR;

const done = (
  id: number,
  startedAt: number,
  fields: Partial<ProbeWateringFacts> = {},
): WateringFacts =>
  wateringOf({ id, startedAt, durationMin: 60, status: 'done', scheduleId: 7, ...fields });

interface Curve {
  readonly jumpsAt?: readonly number[];
  readonly until?: number;
  readonly from?: number;
}

/** At 10 cm, drying by a fifth of a point a day; each jump is 5 points high and gone in two days. */
function hoursOf({ jumpsAt = [], until = NOW, from = NOW - 10 * DAY }: Curve = {}): WaterHours {
  const valueAt = (at: number): number =>
    jumpsAt.reduce(
      (value, jump) => {
        const age = (at - jump) / (2 * DAY);
        return age < 0 || age > 1 ? value : value + 5 * (1 - age);
      },
      20 + ((NOW - at) / DAY) * 0.2,
    );
  const points = [];
  for (let at = from; at < until; at += HOUR) points.push({ at, value: valueAt(at) });
  const soil = { fieldCapacity: 0.3, wiltingPoint: 0.1, saturation: 0.45 };
  const depth = { depthCm: 10, slice: { topCm: 0, bottomCm: 20 }, weight: 1, ...soil, points };
  return { isTension: false, depths: [depth], thermometers: [], steps: new Map() };
}

const withDepths = (upper: WaterHours, lower: WaterHours): WaterHours => ({
  ...upper,
  depths: [...upper.depths, ...lower.depths.map((depth) => ({ ...depth, depthCm: 30 }))],
});

const rainAt = (startedAt: number, mm: number): RainContribution => ({
  mm,
  record: {
    id: 1,
    parcelId: null,
    moduleId: null,
    localDay: '1970-01-18',
    mm,
    isWholeDay: false,
    startedAt,
    endedAt: startedAt + HOUR,
  },
});

interface Situation {
  readonly waterings: readonly WateringFacts[];
  readonly hours: WaterHours | null;
  readonly rain?: readonly RainContribution[];
  readonly now?: number;
}

const textOf = ({ kind, reason }: Witness): string =>
  reason === null ? kind : `${kind}: ${reason}`;

const witnesses = ({ waterings, hours, rain = [], now = NOW }: Situation): string[] => {
  const evidence = hours && wateringEvidence(hours, waterings);
  return [...ownWitnesses(waterings, { evidence, rain, now }).values()].map(textOf);
};

describe('who saw a watering', () => {
  const rise = hoursOf({ jumpsAt: [WATERED + HOUR] });
  const flat = hoursOf();
  const assumed = done(1, WATERED);
  const confirmed = done(1, WATERED, { isConfirmed: true });

  it.each<[situation: string, expected: readonly string[], Situation]>([
    ['a person', ['confirmed'], { waterings: [confirmed], hours: flat }],
    ['the probe, which rose within the hour', ['probe'], { waterings: [assumed], hours: rise }],
    ['nobody: the probe saw nothing', ['assumed: no_rise'], { waterings: [assumed], hours: flat }],
    [
      'nobody: no probe measures the soil',
      ['assumed: no_probe'],
      { waterings: [assumed], hours: null },
    ],
    [
      'nobody yet: it has just begun',
      ['assumed: too_early'],
      { waterings: [done(1, NOW - HOUR)], hours: flat },
    ],
    [
      'nobody: its probe never sent',
      ['assumed: no_readings'],
      { waterings: [done(1, NOW - HOUR)], hours: hoursOf({ until: 0 }) },
    ],
    [
      'nobody: its probe stopped sending two days before',
      ['assumed: no_readings'],
      { waterings: [done(1, NOW - HOUR)], hours: hoursOf({ until: NOW - 2 * DAY }) },
    ],
    [
      'nobody: the probe was silent then',
      ['assumed: no_readings'],
      { waterings: [assumed], hours: hoursOf({ until: WATERED - 2 * DAY }) },
    ],
    [
      'nobody: it rained two hours before the rise',
      ['assumed: rain'],
      { waterings: [assumed], hours: rise, rain: [rainAt(WATERED - 2 * HOUR, 12)] },
    ],
    [
      'nobody: rain reached the depths one after the other',
      ['assumed: rain'],
      {
        waterings: [assumed],
        hours: withDepths(rise, hoursOf({ jumpsAt: [WATERED + 7 * HOUR] })),
        rain: [rainAt(WATERED - 2 * HOUR, 12)],
      },
    ],
    [
      'the probe: it rained the day before',
      ['probe'],
      { waterings: [assumed], hours: rise, rain: [rainAt(WATERED - DAY, 12)] },
    ],
    [
      'the probe: what rained is far too little for the rise',
      ['probe'],
      { waterings: [assumed], hours: rise, rain: [rainAt(WATERED - 2 * HOUR, 0.4)] },
    ],
    [
      'a person saw one, and its rise shows no other',
      ['confirmed', 'assumed: other_watering'],
      {
        waterings: [confirmed, done(2, WATERED + 3 * HOUR)],
        hours: rise,
      },
    ],
    [
      'a person saw one, and a second rise shows the other',
      ['confirmed', 'probe'],
      {
        waterings: [confirmed, done(2, WATERED + 3 * HOUR)],
        hours: hoursOf({ jumpsAt: [WATERED + HOUR, WATERED + 20 * HOUR] }),
      },
    ],
    [
      'the probe: pulses that nobody confirmed have one rise',
      ['probe', 'probe'],
      { waterings: [assumed, done(2, WATERED + 2 * HOUR)], hours: rise },
    ],
    [
      'the probe saw one of two days',
      ['probe', 'assumed: no_rise'],
      { waterings: [assumed, done(2, WATERED + DAY)], hours: rise },
    ],
    [
      'nobody: the rise came two days too late',
      ['assumed: no_rise'],
      { waterings: [assumed], hours: hoursOf({ jumpsAt: [WATERED + 2 * DAY + 2 * HOUR] }) },
    ],
  ])('was %s', (_, expected, situation) => {
    expect(witnesses(situation)).toEqual(expected);
  });

  it('is the probe once late readings arrive', () => {
    const until = WATERED + 2 * HOUR;
    const early = { waterings: [assumed], now: WATERED + 3 * HOUR };
    expect(witnesses({ ...early, hours: hoursOf({ until: WATERED }) })).toEqual([
      'assumed: too_early',
    ]);
    expect(
      witnesses({ ...early, hours: hoursOf({ until: until + 2 * HOUR, jumpsAt: [until] }) }),
    ).toEqual(['probe']);
  });

  it('depends on no hours but those around the watering', () => {
    const ofFortnight = hoursOf({ jumpsAt: [WATERED + HOUR], from: NOW - 14 * DAY });
    const ofQuarter = hoursOf({ jumpsAt: [WATERED + HOUR], from: NOW - 92 * DAY });
    expect(wateringEvidence(ofQuarter, [assumed])).toEqual(
      wateringEvidence(ofFortnight, [assumed]),
    );
  });

  it('is not looked for where a person confirmed all', () => {
    expect(wateringEvidence(rise, [confirmed])).toEqual([]);
  });
});

describe('an irrigation of several probes', () => {
  const rows = [done(1, WATERED), done(2, WATERED, { moduleId: 2 }), done(3, WATERED + DAY)];
  const own = (entries: readonly (readonly [number, Witness])[]) => new Map(entries);

  it('takes the strongest witness, and names why another probe saw nothing', () => {
    const found = irrigationWitnesses(
      rows,
      own([
        [1, { kind: 'probe', reason: null }],
        [2, { kind: 'assumed', reason: 'no_rise' }],
        [3, { kind: 'assumed', reason: 'too_early' }],
      ]),
    );
    expect([...found.values()].map(textOf)).toEqual([
      'probe',
      'probe: no_rise',
      'assumed: too_early',
    ]);
  });

  it('is confirmed where a person confirmed one of its waterings', () => {
    const found = irrigationWitnesses(
      rows,
      own([
        [1, { kind: 'confirmed', reason: null }],
        [2, { kind: 'assumed', reason: 'no_rise' }],
      ]),
    );
    expect([...found.values()].map(textOf)).toEqual(['confirmed', 'confirmed: no_rise']);
  });

  it('is not shared by waterings that no schedule started', () => {
    const alone = rows.map((row) => ({ ...row, scheduleId: null }));
    const found = irrigationWitnesses(
      alone,
      own([
        [1, { kind: 'probe', reason: null }],
        [2, { kind: 'assumed', reason: 'no_rise' }],
      ]),
    );
    expect([...found.values()].map(textOf)).toEqual(['probe', 'assumed: no_rise']);
  });
});
