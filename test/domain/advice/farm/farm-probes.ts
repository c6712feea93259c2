import fc from 'fast-check';
import type { ProbeAdvice } from '../../../../src/domain/advice/advice.ts';
import type { FarmProbe } from '../../../../src/domain/advice/farm/farm-probe.ts';
import { reasonWith } from '../../../../src/domain/advice/reason.ts';
import { REASON_KINDS } from '../../../../src/domain/advice/reason-kinds.ts';
import type { SetupFacts, StateFacts } from '../../../../src/domain/facts/probe-facts.ts';
import type { ProbeWateringFacts } from '../../../../src/domain/facts/watering-facts.ts';
import { FARM_NOW } from '../../../farm.ts';

export const wateringOf = (fields: Partial<ProbeWateringFacts> = {}): ProbeWateringFacts => ({
  id: 1,
  moduleId: 1,
  scheduleId: null,
  isDetached: false,
  startedAt: FARM_NOW,
  durationMin: 30,
  inputMode: 'duration',
  waterMm: 4,
  waterMmWetted: null,
  scope: 'parcel',
  status: 'planned',
  isConfirmed: false,
  ...fields,
});

export const adviceOf = (fields: Partial<ProbeAdvice> = {}): ProbeAdvice => ({
  moduleId: 1,
  at: FARM_NOW,
  settings: { refillPercent: 100, efficiencyPercent: 100, leachingPercent: 0, hoursPerDay: 24 },
  deficitMm: 12,
  netMm: 12,
  waterMm: 12,
  durationMin: 120,
  fractionWetted: 1,
  daily: null,
  volumeM3: null,
  daysToStress: 0,
  planned: { until: FARM_NOW, count: 0, waterMm: 0, nextAt: null },
  confidence: 'complete',
  reasons: [],
  meanwhile: null,
  ...fields,
});

export const stateOf = (fields: Partial<StateFacts> = {}): StateFacts => ({
  state: 'comfort',
  moisture: 20,
  at: FARM_NOW,
  fieldCapacity: 27,
  wiltingPoint: 13,
  stressPoint: 18,
  allowedDepletion: 0.5,
  basis: {
    fieldCapacity: 'soil_profile',
    wiltingPoint: 'soil_profile',
    stressPoint: 'soil_profile',
    allowedDepletion: 'default',
  },
  doubts: [],
  ...fields,
});

export const setupOf = (scope: 'module' | 'parcel' | null, parcelId: number | null): SetupFacts => {
  const installation = scope && {
    scope,
    system: 'sprinkler' as const,
    validFrom: 0,
    validTo: null,
    flowMmPerH: 6,
    irrigatedAreaM2: null,
    fractionWetted: 1,
    fractionWettedIsDefault: false,
    emitterSpacingM: null,
    lineSpacingM: null,
  };
  return {
    parcelId,
    cropSeason: null,
    commissioning: null,
    installation,
    versions: installation ? [installation] : [],
    settings: null,
    settingsVersions: [],
    missingDoses: { count: 0, withoutInstallation: 0 },
  };
};

interface ProbePlan extends Partial<Omit<FarmProbe, 'module' | 'setup'>> {
  readonly id?: number;
  readonly parcelId?: number | null;
  readonly category?: string;
  /** The scope of its equipment; null without equipment. */
  readonly scope?: 'module' | 'parcel' | null;
}

/** A probe under stress, with equipment of its own. */
export function probeOf({
  id = 1,
  parcelId = null,
  category = 'SOIL_PROBE',
  scope = 'module',
  ...fields
}: ProbePlan = {}): FarmProbe {
  const advice = fields.advice === undefined ? adviceOf() : fields.advice;
  const state = fields.state === undefined ? stateOf() : fields.state;
  return {
    module: { id, uid: `P${id}`, name: `Probe ${id}`, category, parcelId },
    daysToStress: advice?.daysToStress ?? null,
    unfrozenState: state,
    trustedState: state?.state ?? null,
    setup: setupOf(scope, parcelId),
    usdaClass: null,
    waterings: [],
    witnesses: new Map(),
    lastAt: FARM_NOW,
    isSilent: false,
    ...fields,
    state,
    advice: advice && { ...advice, moduleId: id },
  };
}

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const tenths = (most: number) =>
  nullable(fc.integer({ min: 0, max: 10 * most }).map((n) => n / 10));

const anyAdvice = fc
  .record({
    waterMm: tenths(40),
    durationMin: tenths(900),
    daysToStress: tenths(15),
    days: fc.integer({ min: 1, max: 5 }),
    reasons: fc.uniqueArray(fc.constantFrom(...REASON_KINDS), { maxLength: 3 }),
  })
  .map(({ days, reasons, ...fields }) =>
    adviceOf({
      ...fields,
      reasons: reasons.map((kind) => reasonWith(kind, {})),
      daily: { days, minutesPerDay: 1 },
    }),
  );

const anyProbe = fc.record({
  parcelId: nullable(fc.integer({ min: 1, max: 4 })),
  category: fc.constantFrom('SOIL_PROBE', 'TENSIOMETER'),
  scope: fc.constantFrom('module' as const, 'parcel' as const, null),
  advice: nullable(anyAdvice),
  state: tenths(40).map((moisture) => stateOf({ moisture })),
  isSilent: fc.boolean(),
});

/** Probes with ids from 1 on. */
export const anyProbes = (maxLength = 12): fc.Arbitrary<FarmProbe[]> =>
  fc
    .array(anyProbe, { maxLength })
    .map((plans) => plans.map((plan, index) => probeOf({ id: index + 1, ...plan })));
