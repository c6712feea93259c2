import type { AdviceReason } from '../../domain/advice/probe-advice.ts';
import {
  effectiveRainMm,
  isNeedlessAfterRain,
  rainEnd,
  totalMm,
} from '../../domain/advice/rain-effect.ts';
import { QUALITY_FLAGS } from '../../domain/moisture/suspect-readings.ts';
import {
  type RecordedRain,
  rainByDayInPeriod,
  rainContributions,
} from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import type { LoadedProbe } from './brief-probes.ts';
import { lastWateringEnd, type PartReads, wateringsBetween } from './operation-reads.ts';

type NeedlessAdvisory = Extract<Advisory, { kind: 'needless_after_rain' }>;
type Proposal = Omit<NeedlessAdvisory, 'kind' | 'probes'> & { readonly probe: string };

const MAX_PROPOSALS = 3;

/** These reasons make the need too uncertain to skip a watering. */
const UNCERTAIN_NEED: readonly AdviceReason[] = [
  'NO_DATA',
  'STALE_DATA',
  'UNCONFIRMED_WATERING',
  ...QUALITY_FLAGS,
];

interface NeedlessInputs {
  readonly loadedProbes: readonly LoadedProbe[];
  readonly upcoming: readonly WateringBody[];
  /** The rain of the last days. */
  readonly rain: RecordedRain;
  nameOf(moduleId: number): string;
}

/**
 * Proposes waterings to skip; a person decides. A watering of several probes is proposed only if
 * none of them needs it.
 */
export async function adviseOfNeedlessWaterings(
  call: ComposedCall,
  operations: Pick<PartReads, 'listWaterings'>,
  inputs: NeedlessInputs,
): Promise<void> {
  if (inputs.rain.records.length === 0) return;

  const probes = new Map(inputs.loadedProbes.map((probe) => [probe.id, probe]));
  let proposedCount = 0;

  for (const group of nextWaterings(call.now, inputs.upcoming, probes)) {
    const proposals: Proposal[] = [];
    for (const watering of group) {
      const proposal = await proposeSkipping(
        call,
        operations,
        watering,
        probes.get(watering.moduleId),
        inputs,
      );
      if (proposal !== null) proposals.push(proposal);
    }

    const [first] = proposals;
    if (first === undefined || proposals.length < group.length) continue;

    const { probe: _, ...neediest } = proposals.reduce(
      (a, b) => (b.neededMm > a.neededMm ? b : a),
      first,
    );
    call.advise({
      kind: 'needless_after_rain',
      ...neediest,
      probes: proposals.map(({ probe }) => probe),
    });
    proposedCount++;
    if (proposedCount === MAX_PROPOSALS) return;
  }
}

/** The next planned watering of each probe, together with the others of the same valve and time. */
function nextWaterings(
  now: number,
  upcoming: readonly WateringBody[],
  probes: ReadonlyMap<number, LoadedProbe>,
): WateringBody[][] {
  const groups = new Map<string, { waterings: WateringBody[]; isNextForSomeProbe: boolean }>();
  const modulesWithEarlier = new Set<number>();

  for (const watering of upcoming) {
    if (Date.parse(watering.startedAt) <= now) continue;

    const setup = probes.get(watering.moduleId)?.setup;
    const valve =
      setup?.installation?.scope === 'parcel'
        ? `parcel ${setup.parcelId}`
        : `module ${watering.moduleId}`;
    const key = `${valve} ${watering.startedAt}`;
    const { waterings = [], isNextForSomeProbe = false } = groups.get(key) ?? {};

    groups.set(key, {
      waterings: [...waterings, watering],
      isNextForSomeProbe: isNextForSomeProbe || !modulesWithEarlier.has(watering.moduleId),
    });
    modulesWithEarlier.add(watering.moduleId);
  }

  return [...groups.values()]
    .filter(({ isNextForSomeProbe }) => isNextForSomeProbe)
    .map(({ waterings }) => waterings);
}

async function proposeSkipping(
  { now }: ComposedCall,
  operations: Pick<PartReads, 'listWaterings'>,
  watering: WateringBody,
  probe: LoadedProbe | undefined,
  { rain, nameOf }: NeedlessInputs,
): Promise<Proposal | null> {
  const { id: eventId, moduleId, waterMm: plannedMm } = watering;
  const at = Date.parse(watering.startedAt);
  const advice = probe?.advice ?? null;
  if (probe === undefined || advice === null || advice.waterMm === null || plannedMm === null)
    return null;
  if (UNCERTAIN_NEED.some((reason) => advice.reasons.includes(reason))) return null;

  const contributions = rainContributions(rainByDayInPeriod(rain, probe.setup.parcelId));
  if (contributions.length === 0) return null;

  const firstRainAt = Math.min(...contributions.map(({ record }) => record.startedAt));
  const done = await wateringsBetween(
    operations,
    { moduleId },
    { from: firstRainAt, to: now + 1, status: 'done' },
  );
  const wateredAt = lastWateringEnd(done);
  const rainMm = totalMm(
    contributions.filter((contribution) => wateredAt === null || rainEnd(contribution) > wateredAt),
  );

  const effectiveMm = effectiveRainMm(rainMm);
  const isNeedless = isNeedlessAfterRain({
    plannedMm,
    neededMm: advice.waterMm,
    daysToStress: advice.daysToStress,
    aheadMs: at - now,
    effectiveRainMm: effectiveMm * (probe.setup.installation?.fractionWetted ?? 1),
  });
  if (!isNeedless) return null;

  const amounts = { rainMm, effectiveMm, neededMm: advice.waterMm, plannedMm };
  return { eventId, at, ...amounts, since: wateredAt, probe: nameOf(moduleId) };
}
