import { groupBySharedEquipment, spanOf } from '../../domain/advice/farm/brief-lists.ts';
import { compareByNeed, remainingNeed } from '../../domain/advice/farm/water-need.ts';
import { roundAmountOrNull, roundTo } from '../../domain/decimal.ts';
import { sumDoses } from '../../domain/irrigation/dose.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { BriefBody } from '../../schema/advice/brief.ts';
import {
  checkBeforeWatering,
  daysOfWatering,
  type LoadedProbe,
  type ProbeNeedingWater,
} from './brief-probes.ts';
import { MINUTE_DECIMALS } from './watering-advice.ts';

/** A row of probes with one setup names at most this many of them. */
const MAX_DRIEST = 3;

export const moistureOf = (state: LoadedProbe['state']): number | null => state?.value_vwc ?? null;

/**
 * The parcel whose setup the probe uses: one valve waters all probes of a parcel without a setup of
 * their own.
 */
const parcelWithSetup = ({ setup: { installation, parcelId } }: LoadedProbe): number | null =>
  installation?.scope === 'parcel' ? parcelId : null;

export function wateringNeeds(
  loadedProbes: readonly LoadedProbe[],
  needingWater: readonly ProbeNeedingWater[],
) {
  const certain = needingWater
    .filter(({ probe }) => checkBeforeWatering(probe, true) === null)
    .sort((a, b) => compareByNeed(a.advice, b.advice));
  const countProbesWithSetup = (parcelId: number): number =>
    loadedProbes.filter((probe) => probe.advice !== null && parcelWithSetup(probe) === parcelId)
      .length;

  return groupBySharedEquipment(certain, ({ probe }) => parcelWithSetup(probe)).map((group) => {
    const [driest] = group;
    const parcelId = parcelWithSetup(driest.probe);
    const { moduleId, waterMm, durationMin, daysToStress, confidence } = driest.advice;

    return {
      moduleId,
      parcelId,
      probes: parcelId === null ? 1 : countProbesWithSetup(parcelId),
      dryProbes: group.length,
      driest: group
        .slice(0, MAX_DRIEST)
        .map(({ probe: { id, state } }) => ({ moduleId: id, value_vwc: moistureOf(state) })),
      ...remainingSpans(group),
      waterMm,
      durationMin,
      daysToStress,
      confidence,
      plannedMm: roundAmountOrNull(sumDoses(driest.doses)),
      ...tensionAndDryLevel(driest.advice),
    };
  });
}

function remainingSpans(group: readonly ProbeNeedingWater[]) {
  const remaining = group.map(({ advice, doses }) =>
    remainingNeed(advice, doses, daysOfWatering(advice)),
  );
  const spanOfMinutes = (values: readonly (number | null)[]) =>
    spanOf(values.map((minutes) => minutes && roundTo(minutes, MINUTE_DECIMALS)));

  return {
    remainingMin: spanOfMinutes(remaining.map(({ minutes }) => minutes)),
    todayMin: spanOfMinutes(remaining.map(({ todayMin }) => todayMin)),
    remainingMm: spanOf(remaining.map(({ mm }) => roundAmountOrNull(mm))),
  };
}

export function probesToCheck(
  loadedProbes: readonly LoadedProbe[],
  needingWater: readonly ProbeNeedingWater[],
) {
  const probesInNeed = new Set(needingWater.map(({ probe }) => probe));
  return loadedProbes.flatMap((probe) => {
    const reason = checkBeforeWatering(probe, probesInNeed.has(probe));
    if (probe.advice === null || reason === null) return [];
    const { moduleId, daysToStress, doubts = [] } = probe.advice;
    return [{ moduleId, value_vwc: moistureOf(probe.state), daysToStress, reason, doubts }];
  });
}

type Check = Pick<BriefBody['checkFirst'][number], 'reason' | 'daysToStress'>;

/** Such a sensor shows too much water, or always the same: its probe may be dry unnoticed. */
const mayHideStress = ({ reason }: Check): boolean =>
  reason === 'TOO_WET_FOR_SOIL' || reason === 'SENSOR_STUCK';

export const compareChecks = (a: Check, b: Check): number =>
  Number(mayHideStress(b)) - Number(mayHideStress(a)) ||
  (a.daysToStress ?? Number.MAX_VALUE) - (b.daysToStress ?? Number.MAX_VALUE);

function tensionAndDryLevel({ tension }: AdviceBody) {
  if (!tension || tension.value === null || tension.dryLevel === null) return {};
  return { value_tensio: tension.value, dryLevel: tension.dryLevel };
}

export function unjudgedFacts(advice: AdviceBody | null) {
  if (advice?.reasons.includes('THRESHOLDS_CROSSED')) return { isCrossed: true };

  const { value, typical } = advice?.tension ?? { value: null };
  if (value === null) return {};
  if (!typical) return { value_tensio: value };
  return { value_tensio: value, dryFrom: typical.dryFrom, dryTo: typical.dryTo };
}
