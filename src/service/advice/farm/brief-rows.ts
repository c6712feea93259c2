import type { ProbeAdvice } from '../../../domain/advice/advice.ts';
import type { FarmBrief, PlannedWatering } from '../../../domain/advice/farm/brief.ts';
import { parcelWithSetup } from '../../../domain/advice/farm/differing-probes.ts';
import type { FarmProbe } from '../../../domain/advice/farm/farm-probe.ts';
import type { WateringNeed } from '../../../domain/advice/farm/needs.ts';
import { MINUTE_DECIMALS } from '../../../domain/advice/probe/water-amounts.ts';
import { reasonOf } from '../../../domain/advice/reason.ts';
import {
  formatPlainDecimal,
  roundAmount,
  roundAmountOrNull,
  roundTo,
} from '../../../domain/decimal.ts';
import type { GatewayFacts } from '../../../domain/facts/farm-facts.ts';
import type { ModuleFacts } from '../../../domain/facts/probe-facts.ts';
import { isOnProbe, type ProbeWateringFacts } from '../../../domain/facts/watering-facts.ts';
import type { MissingDoseReason } from '../../../domain/irrigation/dose.ts';
import { type RecordedRain, rainByDayInPeriod } from '../../../domain/weather/rain.ts';
import type { BriefBody } from '../../../schema/advice/brief.ts';
import { toBody } from '../../../schema/advice/reasons-of-body.ts';
import { toTurnBody } from '../../../schema/advice/turn-body.ts';
import { toIso, toIsoOrNull } from '../../../schema/wire-format.ts';

export type Names = ReadonlyMap<number, string | null>;

type Rows = Pick<
  BriefBody,
  | 'needsWater'
  | 'checkFirst'
  | 'unjudged'
  | 'restUnknown'
  | 'alerts'
  | 'silent'
  | 'toConfirm'
  | 'schedule'
  | 'assumed'
  | 'ifItRuns'
  | 'turns'
  | 'shortSources'
>;

export const briefRows = (brief: FarmBrief, names: Names, namesOfParcels: Names): Rows => ({
  needsWater: needRows(brief),
  checkFirst: brief.checkFirst.rows.map(({ moduleId, moisture, reasons, meanwhile, ...check }) => ({
    ...named(moduleId, names),
    value_vwc: moisture,
    ...check,
    doubts: toBody(reasons).body.doubts ?? [],
    meanwhile: meanwhile ?? undefined,
  })),
  unjudged: brief.unjudged.rows.map(toUnjudgedRow),
  restUnknown: brief.restUnknown.rows.map(({ module }) => module.id),
  alerts: brief.alerts.rows.map(({ id, moduleId, since, value, at, threshold }) => ({
    alertId: id,
    ...named(moduleId, names),
    since: toIsoOrNull(since),
    value_vwc: value,
    time: toIsoOrNull(at),
    threshold: formatPlainDecimal(threshold),
  })),
  silent: {
    modules: brief.silentModules.rows.map(({ module, lastAt }) => ({
      ...namedModule(module),
      lastAt: toIsoOrNull(lastAt),
    })),
    gateways: brief.silentGateways.rows.map(toGatewayRow),
  },
  toConfirm: brief.toConfirm.rows.map((watering) => toPlanned(watering, names, namesOfParcels)),
  schedule: brief.schedule.rows.map((watering) => ({
    ...toPlanned(watering, names, namesOfParcels),
    durationMin: watering.durationMin,
    waterMm: roundAmountOrNull(watering.waterMm),
  })),
  assumed: brief.assumed.rows.map(({ parcelId, count, newest }) => ({
    ...toEvent(newest, names),
    parcelId,
    count,
  })),
  turns: toTurnRows(brief),
  shortSources: toShortSources(brief, names, namesOfParcels),
  ifItRuns: brief.ifItRuns.rows.map(({ need: { probe, advice }, planned }) => ({
    ...toEvent(planned, names),
    ...namedModule(probe.module),
    parcelId: parcelWithSetup(probe),
    neededMin: advice.durationMin,
    durationMin: planned.durationMin,
  })),
});

/** Undefined for a farm without turns of which to know. */
const toTurnRows = ({ turns }: FarmBrief): Rows['turns'] =>
  turns.length === 0
    ? undefined
    : turns.map(({ probe, parcelId, turn }) => ({
        ...namedModule(probe.module),
        parcelId,
        turn: toTurnBody(turn),
      }));

/** Undefined for a farm whose sources suffice. */
const toShortSources = (
  { shortSources }: FarmBrief,
  names: Names,
  namesOfParcels: Names,
): Rows['shortSources'] =>
  shortSources.length === 0
    ? undefined
    : shortSources.map(({ name, from, givenMin, neededMin, shares }) => ({
        source: name,
        from: toIso(from),
        givenMin: roundTo(givenMin, MINUTE_DECIMALS),
        neededMin: roundTo(neededMin, MINUTE_DECIMALS),
        shares: shares.map(({ moduleId, parcelId, minutes, startsAt, isAfterStress }) => ({
          moduleId,
          parcelId,
          name: (moduleId === null ? namesOfParcels.get(parcelId) : names.get(moduleId)) ?? null,
          minutes: roundTo(minutes, MINUTE_DECIMALS),
          startsAt: toIso(startsAt),
          isAfterStress,
        })),
      }));

export interface MissingDoseRow {
  readonly moduleId: number;
  readonly count: number;
  readonly missing: MissingDoseReason;
}

export const missingDoseRows = (
  rows: readonly MissingDoseRow[],
  names: Names,
): BriefBody['missingDoses'] =>
  rows.map(({ moduleId, ...row }) => ({ ...named(moduleId, names), ...row }));

const named = (moduleId: number, names: Names) => ({ moduleId, name: names.get(moduleId) ?? null });

const namedModule = ({ id, name }: ModuleFacts) => ({ moduleId: id, name });

/** A row of probes with one setup names at most this many of them. */
const MAX_DRIEST = 3;
const MAX_DIFFERING = 3;
/** Of more rows, each names only its driest probe, so that every one can be listed. */
const MAX_WHOLE_NEEDS = 8;

function needRows({ needsWater: { rows } }: FarmBrief): Rows['needsWater'] {
  const maxDriest = rows.length > MAX_WHOLE_NEEDS ? 1 : MAX_DRIEST;
  return rows.map((need) => toNeedRow(need, maxDriest));
}

/** The row of a setup shows the figures of its driest probe. */
function toNeedRow(
  { dry, differing, probes, parcelId, runoff, ...need }: WateringNeed,
  maxDriest: number,
): Rows['needsWater'][number] {
  const [{ probe, advice }] = dry;
  return {
    ...namedModule(probe.module),
    parcelId,
    probes,
    dryProbes: dry.length,
    driest: dry.slice(0, maxDriest).map(({ probe: dryProbe }) => withMoisture(dryProbe)),
    ...need,
    runoff: runoff ?? undefined,
    waterMm: advice.waterMm,
    durationMin: advice.durationMin,
    daysToStress: advice.daysToStress,
    confidence: advice.confidence,
    differing:
      differing.length === 0
        ? undefined
        : differing.slice(0, MAX_DIFFERING).map(({ module }) => module.id),
    ...tensionAndDryLevel(advice),
  };
}

const withMoisture = ({ module, state }: FarmProbe) => ({
  ...namedModule(module),
  value_vwc: state?.moisture ?? null,
});

function tensionAndDryLevel({ tension }: ProbeAdvice) {
  if (!tension || tension.value === null || tension.dryLevel === null) return {};
  return { value_tensio: tension.value, dryLevel: tension.dryLevel };
}

const toUnjudgedRow = ({ module, state, advice }: FarmProbe): Rows['unjudged'][number] => ({
  ...namedModule(module),
  value_vwc: state?.moisture ?? null,
  ...whyUnjudged(advice),
});

function whyUnjudged(advice: ProbeAdvice | null) {
  if (advice === null) return {};
  if (reasonOf(advice.reasons, 'THRESHOLDS_CROSSED') !== undefined) return { isCrossed: true };

  const { value, typical } = advice.tension ?? { value: null };
  if (value === null) return {};
  if (!typical) return { value_tensio: value };
  return { value_tensio: value, dryFrom: typical.dryFrom, dryTo: typical.dryTo };
}

const MAX_NAMED_MODULES = 3;

const toGatewayRow = ({
  id,
  imei,
  lastSeenAt,
  modules,
}: GatewayFacts): Rows['silent']['gateways'][number] => ({
  gatewayId: id,
  imei,
  lastSeen: toIsoOrNull(lastSeenAt),
  modules: modules.length,
  names: modules
    .slice(0, MAX_NAMED_MODULES)
    .map(({ id: moduleId, name }) => name ?? `module ${moduleId}`),
});

const toPlanned = (
  watering: PlannedWatering,
  names: Names,
  namesOfParcels: Names,
): Rows['toConfirm'][number] => {
  if (isOnProbe(watering)) return toEvent(watering, names);
  const { id, parcelId, startedAt } = watering;
  const name = namesOfParcels.get(parcelId) ?? null;
  return { eventId: id, moduleId: null, parcelId, name, startedAt: toIso(startedAt) };
};

const toEvent = ({ id, moduleId, startedAt }: ProbeWateringFacts, names: Names) => ({
  eventId: id,
  ...named(moduleId, names),
  startedAt: toIso(startedAt),
});

/**
 * The rain of the last days, newest first: on the whole farm, and on each parcel with records of
 * its own.
 */
export function rainRows({ records, ...period }: RecordedRain): NonNullable<BriefBody['rain']> {
  const parcelIds = [...new Set(records.map(({ parcelId }) => parcelId))].sort(wholeFarmFirst);

  return parcelIds.flatMap((parcelId) =>
    rainByDayInPeriod(
      { ...period, records: records.filter((record) => record.parcelId === parcelId) },
      parcelId,
    )
      .map(({ localDay, mm }) => ({ parcelId, day: localDay, mm: roundAmount(mm) }))
      .reverse(),
  );
}

/** Compares the ids of parcels; null stands for the whole farm. */
function wholeFarmFirst(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  return b === null ? 1 : a - b;
}
