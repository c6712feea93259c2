import { adviseParcel, type ParcelAdvice } from '../../../domain/advice/balance/balance-advice.ts';
import type { Draw } from '../../../domain/advice/farm/shared-water.ts';
import { isTurnToBeKnown } from '../../../domain/advice/farm/turns-today.ts';
import { compareByNeed } from '../../../domain/advice/farm/water-need.ts';
import { decisionByBalance } from '../../../domain/advice/watering-decision.ts';
import { newTimeSlice } from '../../../domain/event-loop.ts';
import { isProbe, visibleDirectory } from '../../../language/summary-context.ts';
import type { ComposedCall } from '../../../operation/call.ts';
import type { FactSource } from '../../../operation/fact-source.ts';
import type { BriefBody } from '../../../schema/advice/brief.ts';
import { toTurnBody } from '../../../schema/advice/turn-body.ts';
import { balanceInputs } from '../parcel-advice.ts';
import { loadLongPast } from '../probe-conditions.ts';

export async function parcelsWithoutProbe({
  directory,
}: Pick<ComposedCall, 'directory'>): Promise<{ parcelId: number; name: string }[]> {
  const visible = visibleDirectory(directory);
  const probes = (await visible.modules()).filter(isProbe);
  const measured = new Set(probes.map(({ parcelId }) => parcelId));
  return (await visible.parcels())
    .filter(({ id }) => !measured.has(id))
    .map(({ id, name }) => ({ parcelId: id, name }));
}

/** More are not computed for one brief; advice about one of them is. */
const MAX_PARCELS = 200;
const MAX_ROWS = 10;

type Needs = NonNullable<BriefBody['byBalance']>;

export type NamedParcelAdvice = ParcelAdvice & { readonly name: string };

/** The balance of each parcel without a probe. */
export async function adviseByBalance(
  call: ComposedCall,
  facts: FactSource,
): Promise<NamedParcelAdvice[]> {
  const parcels = (await parcelsWithoutProbe(call)).slice(0, MAX_PARCELS);
  if (parcels.length === 0) return [];

  const farm = await loadLongPast(call, facts);
  const slice = newTimeSlice(call.yieldOrCancel);
  const advised: NamedParcelAdvice[] = [];
  for (const { parcelId, name } of parcels) {
    const parcel = await facts.parcel(parcelId);
    const inputs = await balanceInputs(call.now, facts, {
      parcel,
      farm,
      request: { expectedRainMm: 0 },
    });
    advised.push({ ...adviseParcel(inputs), name });
    if (slice.isOver()) await slice.renew();
  }
  return advised;
}

/**
 * Parcels without a probe that need water today by their balance, or of whose next turn a person has
 * to know; the most urgent first. Undefined for a farm without such a parcel.
 */
export function needsByBalance(
  advised: readonly NamedParcelAdvice[],
  now: number,
): Needs | undefined {
  if (advised.length === 0) return undefined;
  const rows = [...advised].sort(compareByNeed).map((advice) => toRow(advice, now));
  return {
    parcels: rows.filter(({ isInNeed, turn }) => isInNeed || turn !== undefined).slice(0, MAX_ROWS),
    isUnknown: advised.every(({ balanceNeeds }) => balanceNeeds.length > 0),
  };
}

/** What it needs today of a source that parcels share; empty if nothing, or no time is known. */
export function drawByBalance(advice: NamedParcelAdvice): Draw[] {
  const { parcelId, daily, daysToStress } = advice;
  return daily !== null && decisionByBalance(advice) === 'water'
    ? [{ parcelId, moduleId: null, minutes: daily.minutesPerDay, daysToStress }]
    : [];
}

function toRow({ name, ...advice }: NamedParcelAdvice, now: number): Needs['parcels'][number] {
  const { parcelId, waterMm, durationMin, daily, daysToStress, turn } = advice;
  const isInNeed = decisionByBalance(advice) === 'water';
  return {
    parcelId,
    name,
    isInNeed,
    waterMm,
    durationMin,
    todayMin: daily?.minutesPerDay ?? null,
    daysToStress,
    turn: turn && isTurnToBeKnown(turn, isInNeed, now) ? toTurnBody(turn) : undefined,
  };
}
