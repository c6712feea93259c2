import { roundAmountOrNull } from '../../decimal.ts';
import { lastWateringEnd, type ProbeWateringFacts } from '../../facts/watering-facts.ts';
import { keepsRainOff } from '../../moisture/mulch.ts';
import { isRestricted, NO_WATER_TIMES, nextOpenings } from '../../moisture/water-times.ts';
import type { ParcelRain } from '../../weather/parcel-rain.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { effectiveRainMm, fellAfter, isNeedlessAfterRain, totalMm } from '../rain-effect.ts';
import { attributesOf } from '../reason-kinds.ts';
import { parcelWithSetup } from './differing-probes.ts';
import type { FarmProbe } from './farm-probe.ts';

const MAX_PROPOSALS = 3;

/** A planned watering that the rain made needless, with the figures of its neediest probe. */
export interface NeedlessWatering {
  readonly eventId: number;
  readonly at: number;
  readonly moduleIds: readonly number[];
  readonly rainMm: number;
  readonly effectiveMm: number;
  readonly neededMm: number;
  readonly plannedMm: number;
  /** The end of the watering after which rain counts; null if all of it counts. */
  readonly since: number | null;
}

type Proposal = Omit<NeedlessWatering, 'moduleIds'> & { readonly moduleId: number };

interface NeedlessInputs {
  readonly now: number;
  readonly zone: string;
  readonly probes: readonly FarmProbe[];
  /** Oldest start first. */
  readonly upcoming: readonly ProbeWateringFacts[];
  /** The rain of the last days. */
  readonly rain: ParcelRain;
}

/**
 * Waterings to skip; a person decides. A watering of several probes is proposed only if none of
 * them needs it.
 */
export function needlessWaterings({
  now,
  zone,
  probes,
  upcoming,
  rain,
}: NeedlessInputs): NeedlessWatering[] {
  const probeById = new Map(probes.map((probe) => [probe.module.id, probe]));
  const needless: NeedlessWatering[] = [];

  for (const group of nextWaterings(now, upcoming, probeById)) {
    const proposals = group.flatMap((watering) => {
      const probe = probeById.get(watering.moduleId);
      return (probe && skippingProposal({ now, zone }, watering, probe, rain)) ?? [];
    });
    const [first] = proposals;
    if (first === undefined || proposals.length < group.length) continue;

    const { moduleId: _, ...neediest } = proposals.reduce(
      (a, b) => (b.neededMm > a.neededMm ? b : a),
      first,
    );
    needless.push({ ...neediest, moduleIds: proposals.map(({ moduleId }) => moduleId) });
    if (needless.length === MAX_PROPOSALS) break;
  }

  return needless;
}

/** The next planned watering of each probe, together with the others of the same valve and time. */
function nextWaterings(
  now: number,
  upcoming: readonly ProbeWateringFacts[],
  probeById: ReadonlyMap<number, FarmProbe>,
): ProbeWateringFacts[][] {
  const groups = new Map<
    string,
    { waterings: ProbeWateringFacts[]; isNextForSomeProbe: boolean }
  >();
  const modulesWithEarlier = new Set<number>();

  for (const watering of upcoming) {
    const { moduleId, startedAt } = watering;
    if (startedAt <= now) continue;

    const key = `${valveOf(moduleId, probeById.get(moduleId))} ${startedAt}`;
    const group = groups.get(key) ?? { waterings: [], isNextForSomeProbe: false };
    group.waterings.push(watering);
    group.isNextForSomeProbe ||= !modulesWithEarlier.has(moduleId);
    groups.set(key, group);
    modulesWithEarlier.add(moduleId);
  }

  return [...groups.values()]
    .filter(({ isNextForSomeProbe }) => isNextForSomeProbe)
    .map(({ waterings }) => waterings);
}

function valveOf(moduleId: number, probe: FarmProbe | undefined): string {
  const parcelId = probe === undefined ? null : parcelWithSetup(probe);
  return parcelId === null ? `module ${moduleId}` : `parcel ${parcelId}`;
}

function skippingProposal(
  { now, zone }: Pick<NeedlessInputs, 'now' | 'zone'>,
  { id: eventId, moduleId, startedAt: at, waterMm }: ProbeWateringFacts,
  probe: FarmProbe,
  rain: ParcelRain,
): Proposal | null {
  const { advice, module, setup } = probe;
  const plannedMm = roundAmountOrNull(waterMm);
  if (advice === null || advice.waterMm === null || plannedMm === null) return null;
  if (advice.reasons.some(({ kind }) => attributesOf(kind).keepsPlan)) return null;

  const fallen = rain.on(module.parcelId);
  if (fallen.length === 0 || keepsRainOff(setup?.settings ?? null)) return null;
  const since = lastWateringSince(fallen, probe, now);
  const rainMm = totalMm(
    fallen.filter((contribution) => since === null || fellAfter(contribution, since)),
  );

  const effectiveMm = effectiveRainMm(rainMm);
  const times = setup?.settings?.waterTimes ?? NO_WATER_TIMES;
  const nextTurn = nextOpenings(times, { now: at, zone, count: 2 }).find(({ start }) => start > at);
  const nextAt = nextTurn?.start ?? probe.waterings.find(isPlannedAfter(at))?.startedAt ?? null;
  const isNeedless = isNeedlessAfterRain({
    plannedMm,
    neededMm: advice.waterMm,
    daysToStress: advice.daysToStress,
    aheadMs: at - now,
    nextAheadMs: nextAt === null ? null : nextAt - now,
    waitsForTurn: isRestricted(times),
    effectiveRainMm: effectiveMm * (setup?.installation?.fractionWetted ?? 1),
  });
  if (!isNeedless) return null;

  const amounts = { rainMm, effectiveMm, neededMm: advice.waterMm, plannedMm };
  return { eventId, at, ...amounts, since, moduleId };
}

const isPlannedAfter =
  (at: number) =>
  ({ status, startedAt }: ProbeWateringFacts): boolean =>
    status === 'planned' && startedAt > at;

/** When the last watering ended of those that began since the rain began; null without one. */
function lastWateringSince(
  rain: readonly RainContribution[],
  { waterings }: FarmProbe,
  now: number,
): number | null {
  const from = Math.min(...rain.map(({ record }) => record.startedAt));
  return lastWateringEnd(
    waterings.filter(
      ({ status, startedAt }) => status === 'done' && startedAt >= from && startedAt <= now,
    ),
  );
}
