import { roundAmountOrNull, roundTo } from '../../decimal.ts';
import type { ModuleFacts } from '../../facts/probe-facts.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import type { Runs } from '../../irrigation/runs.ts';
import type { Meanwhile, ProbeAdvice } from '../advice.ts';
import { runsWithin } from '../probe/runoff-advice.ts';
import { MINUTE_DECIMALS } from '../probe/water-amounts.ts';
import { type Reason, reasonOf } from '../reason.ts';
import { attributesOf, type CheckReason } from '../reason-kinds.ts';
import { groupByShared, type Span, spanOf } from './brief-lists.ts';
import { parcelWithSetup } from './differing-probes.ts';
import { type FarmPlan, parcelsWateredToday } from './farm-plan.ts';
import { checkBeforeWatering, type FarmProbe } from './farm-probe.ts';
import { compareByNeed, needsWaterToday, remainingNeed } from './water-need.ts';

export interface ProbeInNeed {
  readonly probe: FarmProbe;
  readonly advice: ProbeAdvice;
  /** The doses planned for today in mm, null for an unknown one. */
  readonly doses: readonly (number | null)[];
}

/** `modules` are those of the whole farm, also if only some of its probes are asked for. */
export function probesNeedingWater(
  probes: readonly FarmProbe[],
  plan: Pick<FarmPlan, 'dosesToday'>,
  modules: readonly ModuleFacts[],
): ProbeInNeed[] {
  const wateredToday = parcelsWateredToday(plan, modules);

  return probes.flatMap((probe) => {
    const { module, advice } = probe;
    if (advice === null) return [];
    // A tensiometer cannot tell how much is enough: any watering of its parcel today will do.
    if (advice.tension && module.parcelId !== null && wateredToday.has(module.parcelId)) return [];
    const doses = plan.dosesToday.get(module.id) ?? [];
    return needsWaterToday(advice, doses, daysOfWatering(advice)) ? [{ probe, advice, doses }] : [];
  });
}

/** They need water today, and what is planned for today is enough if it runs. */
export const probesCoveredIfItRuns = (
  probes: readonly FarmProbe[],
  needingWater: readonly ProbeInNeed[],
): ProbeInNeed[] => {
  const inNeed = new Set(needingWater.map(({ probe }) => probe));
  return probes.flatMap((probe) => {
    const { advice } = probe;
    if (advice === null || inNeed.has(probe)) return [];
    if (!needsWaterToday(advice, [], daysOfWatering(advice))) return [];
    return checkBeforeWatering(probe, true) === null ? [{ probe, advice, doses: [] }] : [];
  });
};

const daysOfWatering = ({ daily }: ProbeAdvice): number => daily?.days ?? 1;

/** The water that the probes of one setup need. */
export interface WateringNeed {
  /** The parcel whose setup waters them; null for a probe with a setup of its own. */
  readonly parcelId: number | null;
  /** How many probes the setup waters, dry or not. */
  readonly probes: number;
  /** In need of water, the driest first. */
  readonly dry: readonly [ProbeInNeed, ...ProbeInNeed[]];
  /** The probes of its setup that differ much from the driest. */
  readonly differing: readonly FarmProbe[];
  /** Over the dry ones, beyond what is planned; the middle one is today's share of the first. */
  readonly remainingMin: Span | null;
  readonly todayMin: Span | null;
  readonly remainingMm: Span | null;
  /** In which today's minutes are given; null where one run does. */
  readonly runoff: Runs | null;
  /** The planned depth at the driest probe; null where a dose is missing. */
  readonly plannedMm: number | null;
}

/** Leaves out probes that are to be checked first. */
export function wateringNeeds(
  probes: readonly FarmProbe[],
  needingWater: readonly ProbeInNeed[],
): WateringNeed[] {
  const certain = needingWater
    .filter(({ probe }) => checkBeforeWatering(probe, true) === null)
    .sort((a, b) => compareByNeed(a.advice, b.advice));
  const countOfParcel = countBySetup(probes);

  return groupByShared(certain, ({ probe }) => parcelWithSetup(probe)).map((dry) => {
    const [driest] = dry;
    const parcelId = parcelWithSetup(driest.probe);
    const spans = remainingSpans(dry);
    return {
      parcelId,
      probes: parcelId === null ? 1 : (countOfParcel.get(parcelId) ?? 0),
      dry,
      differing: probes.filter(({ module }) => differingFrom(driest).includes(module.id)),
      ...spans,
      runoff: runoffOf(driest.probe, spans.todayMin),
      plannedMm: roundAmountOrNull(sumDoses(driest.doses)),
    };
  });
}

const runoffOf = ({ setup, usdaClass }: FarmProbe, todayMin: Span | null): Runs | null =>
  setup && todayMin && runsWithin(todayMin.most, setup, usdaClass);

/** Ids of modules on the same valve. */
const differingFrom = ({ advice }: ProbeInNeed): readonly number[] =>
  reasonOf(advice.reasons, 'PROBES_DIFFER')?.moduleIds ?? [];

function countBySetup(probes: readonly FarmProbe[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const probe of probes) {
    const parcelId = probe.advice === null ? null : parcelWithSetup(probe);
    if (parcelId !== null) counts.set(parcelId, (counts.get(parcelId) ?? 0) + 1);
  }
  return counts;
}

function remainingSpans(
  dry: readonly ProbeInNeed[],
): Pick<WateringNeed, 'remainingMin' | 'todayMin' | 'remainingMm'> {
  const remaining = dry.map(({ advice, doses }) =>
    remainingNeed(advice, doses, daysOfWatering(advice)),
  );
  const spanOfMinutes = (values: readonly (number | null)[]): Span | null =>
    spanOf(values.map((minutes) => minutes && roundTo(minutes, MINUTE_DECIMALS)));

  return {
    remainingMin: spanOfMinutes(remaining.map(({ minutes }) => minutes)),
    todayMin: spanOfMinutes(remaining.map(({ todayMin }) => todayMin)),
    remainingMm: spanOf(remaining.map(({ mm }) => roundAmountOrNull(mm))),
  };
}

export interface ProbeToCheck {
  readonly moduleId: number;
  /** In %. */
  readonly moisture: number | null;
  readonly daysToStress: number | null;
  readonly reason: CheckReason;
  /** All of its advice. */
  readonly reasons: readonly Reason[];
  readonly meanwhile: Meanwhile | null;
}

export function probesToCheck(
  probes: readonly FarmProbe[],
  needingWater: readonly ProbeInNeed[],
): ProbeToCheck[] {
  const inNeed = new Set(needingWater.map(({ probe }) => probe));
  return probes.flatMap((probe) => {
    const reason = checkBeforeWatering(probe, inNeed.has(probe));
    if (probe.advice === null || reason === null) return [];
    const { moduleId, daysToStress, reasons, meanwhile } = probe.advice;
    const moisture = probe.state?.moisture ?? null;
    return [{ moduleId, moisture, daysToStress, reason, reasons, meanwhile }];
  });
}

/** Nothing can be said of the need either where the amount is withheld. */
function mayHideStress(reason: CheckReason): boolean {
  const { withholds, hidesStress } = attributesOf(reason);
  return withholds !== undefined || hidesStress === true;
}

export const compareChecks = (
  a: Pick<ProbeToCheck, 'reason' | 'daysToStress'>,
  b: Pick<ProbeToCheck, 'reason' | 'daysToStress'>,
): number =>
  Number(mayHideStress(b.reason)) - Number(mayHideStress(a.reason)) ||
  (a.daysToStress ?? Number.MAX_VALUE) - (b.daysToStress ?? Number.MAX_VALUE);
