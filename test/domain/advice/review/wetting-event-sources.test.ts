import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type OtherProbe,
  probesToCompare,
  type SourceContext,
  wettingEventSource,
} from '../../../../src/domain/advice/review/wetting-event-sources.ts';
import type { ModuleFacts, SetupFacts } from '../../../../src/domain/facts/probe-facts.ts';
import type { WateringFacts } from '../../../../src/domain/facts/watering-facts.ts';
import { DAY, HOUR } from '../../../time.ts';

const START = 100 * DAY;
const EVENT = { start: START, end: START + HOUR, depthsCm: [10], riseMm: 8 };

const SETUP: SetupFacts = {
  parcelId: 1,
  cropSeason: null,
  commissioning: null,
  installation: null,
  versions: [],
  settings: null,
  settingsVersions: [],
  missingDoses: { count: 0, withoutInstallation: 0 },
};

const planned = (startedAt: number): WateringFacts => ({
  id: 7,
  moduleId: 1,
  scheduleId: null,
  isDetached: false,
  startedAt,
  durationMin: 60,
  inputMode: 'duration',
  waterMm: 5,
  waterMmWetted: 5,
  scope: 'parcel',
  status: 'planned',
  isConfirmed: false,
});

const DRY: OtherProbe = { readAt: [START], roseAt: [] };
const RISEN: OtherProbe = { readAt: [START], roseAt: [START + HOUR] };

const rainOf = (mm: number): SourceContext['rain'] => [
  {
    mm,
    record: {
      id: 1,
      parcelId: null,
      moduleId: null,
      localDay: '1970-04-11',
      mm,
      startedAt: START - HOUR,
      endedAt: START,
      isWholeDay: false,
    },
  },
];

const sourceIn = (context: Partial<SourceContext>) =>
  wettingEventSource(EVENT, { waterings: [], rain: [], setup: SETUP, others: [], ...context });

describe('the source of a rise without a logged watering', () => {
  it('is a watering if at least two other probes have readings and none rose', () => {
    expect(sourceIn({ others: [DRY, DRY] })).toMatchObject({
      likely: 'watering',
      roseElsewhere: false,
    });
    expect(sourceIn({ others: [DRY] }).likely).toBe('unknown');
    expect(sourceIn({ others: [DRY, DRY, RISEN] }).likely).toBe('unknown');
  });

  it('rose elsewhere if most of the probes with readings did', () => {
    expect(sourceIn({ others: [RISEN, RISEN, DRY] }).roseElsewhere).toBe(true);
    expect(sourceIn({ others: [RISEN, DRY] }).roseElsewhere).toBe(false);
    expect(sourceIn({ others: [{ readAt: [START - DAY], roseAt: [] }] }).roseElsewhere).toBeNull();
  });

  it('is rain that is enough, unless a watering was planned for then', () => {
    expect(sourceIn({ rain: rainOf(10) })).toMatchObject({ likely: 'rain', rainMm: 10 });
    expect(sourceIn({ rain: rainOf(1), others: [DRY, DRY] })).toMatchObject({
      likely: 'watering',
      rainMm: 1,
    });
    const both = { rain: rainOf(10), waterings: [planned(START - HOUR)] };
    expect(sourceIn(both)).toMatchObject({ likely: 'unknown', plannedId: 7 });
  });

  it('is a planned watering from an hour after the rise to twelve hours before it', () => {
    const property = fc.property(fc.integer({ min: -24 * 60, max: 24 * 60 }), (minutes) => {
      const { plannedId } = sourceIn({ waterings: [planned(START - minutes * (HOUR / 60))] });
      expect(plannedId).toBe(minutes >= -60 && minutes <= 720 ? 7 : null);
    });
    fc.assert(property);
  });

  it('gives the water of the wetted part over the whole area, with what is lost on the way', () => {
    const setup: SetupFacts = {
      ...SETUP,
      versions: [
        {
          system: 'drip',
          emitterSpacingM: null,
          lineSpacingM: null,
          scope: 'module',
          validFrom: 0,
          validTo: null,
          flowMmPerH: 5,
          irrigatedAreaM2: null,
          fractionWetted: 0.5,
          fractionWettedIsDefault: false,
        },
      ],
      settingsVersions: [
        {
          validFrom: 0,
          rootDepthCm: null,
          allowedDepletion: null,
          refillPercent: null,
          efficiencyPercent: 80,
          leachingPercent: null,
          hoursPerDay: null,
          restFrom: null,
          restUntil: null,
        },
      ],
    };
    // 8 mm in half of the area, of which 80 % of the applied water arrived.
    expect(sourceIn({ setup }).waterMm).toBeCloseTo((8 * 0.5) / 0.8);
    expect(sourceIn({}).waterMm).toBeNull();
  });
});

it('compares at most four soil probes of other parcels', () => {
  const module = (id: number, parcelId: number | null, category = 'SOIL_PROBE'): ModuleFacts => ({
    id,
    uid: `U${id}`,
    name: null,
    category,
    parcelId,
  });
  const modules = [
    module(1, 1),
    module(2, 1),
    module(3, 2, 'TENSIOMETER'),
    ...[4, 5, 6, 7, 8].map((id) => module(id, id === 4 ? null : 2)),
  ];
  expect(probesToCompare(module(1, 1), modules).map(({ id }) => id)).toEqual([4, 5, 6, 7]);
});
