import type { UnloggedRise } from '../domain/unlogged-rises.ts';
import type { Call } from '../operation/call.ts';
import type { UnloggedRiseBody } from '../schema/advice.ts';
import type { IrrigationConfigurationBody } from '../schema/installation.ts';
import type { ModuleBody } from '../schema/place.ts';
import type { WateringBody } from '../schema/watering.ts';
import { likelySources } from './likely-source.ts';
import { roundAmountOrNull, toIso } from './wire.ts';

const ONE_HOUR_MS = 3_600_000;
/** So long before a rise a watering that waits to be confirmed may have begun, and so long after its clocks may differ. */
const PLANNED_BEFORE_MS = 12 * ONE_HOUR_MS;
const PLANNED_AFTER_MS = ONE_HOUR_MS;

/** Rises as they are sent: with a rough amount by the wetted fraction of the time, and where they may come from. */
export async function toUnloggedRiseBodies(
  call: Call,
  module: ModuleBody,
  rises: readonly UnloggedRise[],
  waterings: readonly WateringBody[],
): Promise<UnloggedRiseBody[]> {
  if (rises.length === 0) return [];
  const setup = (await call.perform('get_irrigation_setup', { moduleId: module.id })) as IrrigationConfigurationBody;
  const sources = await likelySources(call, module, rises);
  return rises.map(({ start, end, depthsCm, riseMm }, index) => {
    const planned = unconfirmedWateringBefore(waterings, start);
    const likely = planned === null ? sources[index]! : 'watering';
    // Rain wets the whole area alike, a watering a part of it.
    const fraction = likely === 'rain' ? 1 : wettedFractionAt(setup, start);
    return {
      start: toIso(start),
      end: toIso(end),
      depths: [...depthsCm],
      riseMm: roundAmountOrNull(riseMm),
      waterMm: riseMm === null || fraction === null ? null : roundAmountOrNull(riseMm * fraction),
      likely,
      plannedEventId: planned,
    };
  });
}

/** The wetted fraction of the setup in force at an instant, the probe's own before its parcel's; null without one. */
function wettedFractionAt({ versions }: IrrigationConfigurationBody, at: number): number | null {
  const inForce = versions.filter(
    ({ validFrom, validTo }) => Date.parse(validFrom) <= at && (validTo === null || at < Date.parse(validTo)),
  );
  const effective = inForce.find(({ scope }) => scope === 'module') ?? inForce[0];
  return effective?.fractionWetted ?? null;
}

/** The last watering that was to begin shortly before a rise, and that nobody has confirmed. */
const unconfirmedWateringBefore = (waterings: readonly WateringBody[], start: number): number | null =>
  waterings.findLast(({ status, startedAt }) => {
    const before = start - Date.parse(startedAt);
    return status === 'planned' && before >= -PLANNED_AFTER_MS && before <= PLANNED_BEFORE_MS;
  })?.id ?? null;
