import { effectiveRainMm, isNeedlessAfterRain, rainEnd, totalMm } from '../../domain/advice/rain-effect.ts';
import { SENSOR_DOUBTS } from '../../domain/moisture/sensor-doubts.ts';
import { fallenRain, type RainOfPeriod, rainOfPeriodByDay } from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceReason } from '../../schema/advice.ts';
import type { Note } from '../../schema/note.ts';
import type { WateringBody } from '../../schema/watering.ts';
import type { ProbeOverview } from './brief-probes.ts';
import { lastWateringEnd, type PerformedOperations, wateringsBetween } from './operation-reads.ts';

type NeedlessNote = Extract<Note, { kind: 'needless_after_rain' }>;
type Proposal = Omit<NeedlessNote, 'kind' | 'probes'> & { readonly probe: string };

const MAX_PROPOSALS = 3;

/** For these reasons the need is not known well enough to leave out a watering. */
const UNCERTAIN: readonly AdviceReason[] = ['NO_DATA', 'STALE_DATA', 'UNCONFIRMED_WATERING', ...SENSOR_DOUBTS];

interface NeedlessInputs {
  readonly overviews: readonly ProbeOverview[];
  readonly upcoming: readonly WateringBody[];
  /** The rain of the last days. */
  readonly rain: RainOfPeriod;
  nameOf(moduleId: number): string;
}

/**
 * Proposes waterings to skip: a person decides. One that waters several probes is proposed if none of them needs it.
 */
export async function noteNeedlessWaterings(
  call: ComposedCall,
  operations: Pick<PerformedOperations, 'listWaterings'>,
  inputs: NeedlessInputs,
): Promise<void> {
  if (inputs.rain.records.length === 0) return;
  const probes = new Map(inputs.overviews.map((probe) => [probe.id, probe]));
  let proposed = 0;
  for (const group of nextWaterings(call.now, inputs.upcoming, probes)) {
    const proposals: Proposal[] = [];
    for (const watering of group) {
      const proposal = await proposalOf(call, operations, watering, probes.get(watering.moduleId), inputs);
      if (proposal !== null) proposals.push(proposal);
    }
    const [first] = proposals;
    if (first === undefined || proposals.length < group.length) continue;
    const { probe: _, ...neediest } = proposals.reduce((a, b) => (b.neededMm > a.neededMm ? b : a), first);
    call.note({ kind: 'needless_after_rain', ...neediest, probes: proposals.map(({ probe }) => probe) });
    if (++proposed === MAX_PROPOSALS) return;
  }
}

/** The next planned watering of each probe, with all those that the same valve gives at the same time. */
function nextWaterings(
  now: number,
  upcoming: readonly WateringBody[],
  probes: ReadonlyMap<number, ProbeOverview>,
): WateringBody[][] {
  const groups = new Map<string, { waterings: WateringBody[]; isNextOfOne: boolean }>();
  const seen = new Set<number>();
  for (const watering of upcoming) {
    if (Date.parse(watering.startedAt) <= now) continue;
    const setup = probes.get(watering.moduleId)?.setup;
    const valve = setup?.installation?.scope === 'parcel' ? `parcel ${setup.parcelId}` : `module ${watering.moduleId}`;
    const key = `${valve} ${watering.startedAt}`;
    const { waterings = [], isNextOfOne = false } = groups.get(key) ?? {};
    groups.set(key, {
      waterings: [...waterings, watering],
      isNextOfOne: isNextOfOne || !seen.has(watering.moduleId),
    });
    seen.add(watering.moduleId);
  }
  return [...groups.values()].filter(({ isNextOfOne }) => isNextOfOne).map(({ waterings }) => waterings);
}

async function proposalOf(
  { now }: ComposedCall,
  operations: Pick<PerformedOperations, 'listWaterings'>,
  { id: eventId, moduleId, startedAt, waterMm: plannedMm }: WateringBody,
  probe: ProbeOverview | undefined,
  { rain, nameOf }: NeedlessInputs,
): Promise<Proposal | null> {
  const advice = probe?.advice ?? null;
  if (probe === undefined || advice === null || advice.waterMm === null || plannedMm === null) return null;
  if (UNCERTAIN.some((reason) => advice.reasons.includes(reason))) return null;
  const ofPeriod = fallenRain(rainOfPeriodByDay(rain, probe.setup.parcelId));
  if (ofPeriod.length === 0) return null;
  const firstRainAt = Math.min(...ofPeriod.map(({ record }) => record.startedAt));
  const done = await wateringsBetween(operations, { moduleId }, { from: firstRainAt, to: now + 1, status: 'done' });
  const wateredAt = lastWateringEnd(done);
  const rainMm = totalMm(ofPeriod.filter((rain) => rainEnd(rain) > (wateredAt ?? Number.NEGATIVE_INFINITY)));
  const effectiveMm = effectiveRainMm(rainMm);
  const isNeedless = isNeedlessAfterRain({
    plannedMm,
    neededMm: advice.waterMm,
    daysToStress: advice.daysToStress,
    aheadMs: Date.parse(startedAt) - now,
    effectiveRainMm: effectiveMm * (probe.setup.installation?.fractionWetted ?? 1),
  });
  if (!isNeedless) return null;
  const at = Date.parse(startedAt);
  const amounts = { rainMm, effectiveMm, neededMm: advice.waterMm, plannedMm };
  return { eventId, at, ...amounts, since: wateredAt, probe: nameOf(moduleId) };
}
