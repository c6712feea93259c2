import { roundAmountOrNull } from '../../decimal.ts';
import type { ModuleFacts } from '../../facts/probe-facts.ts';
import {
  isOnProbe,
  type ProbeWateringFacts,
  runPeriod,
  type WateringFacts,
} from '../../facts/watering-facts.ts';
import {
  type ConfirmationSettings,
  isConfirmedAutomatically,
} from '../../irrigation/confirmation.ts';
import { LocalDay } from '../../local-day.ts';
import { DAY_MS } from '../../periods.ts';

const LOOKBACK_MS = 14 * DAY_MS;
const LOOKAHEAD_MS = 2 * DAY_MS;

/** The period of the planned waterings that `farmPlan` divides. */
export const planPeriod = (now: number) => ({ from: now - LOOKBACK_MS, to: now + LOOKAHEAD_MS });

/** The planned waterings of a farm, on its probes or on parcels without one. */
export interface FarmPlan<Planned extends WateringFacts = ProbeWateringFacts> {
  /** They are over and wait for a person to say whether they ran. Newest first. */
  readonly toConfirm: readonly Planned[];
  /** Under way or ahead, oldest start first. */
  readonly upcoming: readonly Planned[];
  /**
   * Doses in mm of the waterings still planned for today, by module id; null for an unknown dose.
   */
  readonly dosesToday: ReadonlyMap<number, readonly (number | null)[]>;
}

/** `planned` has the oldest start first. */
export function farmPlan<Planned extends WateringFacts>(
  planned: readonly Planned[],
  schedules: ReadonlyMap<number, ConfirmationSettings>,
  { now, zone }: { readonly now: number; readonly zone: string },
): FarmPlan<Planned> {
  const isOver = (watering: WateringFacts): boolean => runPeriod(watering).end <= now;
  const upcoming = planned.filter((watering) => !isOver(watering));
  const endOfToday = LocalDay.at(now, zone).next().startIn(zone);

  return {
    toConfirm: planned
      .filter((watering) => isOver(watering) && awaitsConfirmation(watering, schedules))
      .reverse(),
    upcoming,
    dosesToday: dosesByModule(upcoming.filter(({ startedAt }) => startedAt < endOfToday)),
  };
}

/** False for those that housekeeping will confirm because of their schedule. */
function awaitsConfirmation(
  { startedAt, isDetached, scheduleId }: WateringFacts,
  schedules: ReadonlyMap<number, ConfirmationSettings>,
): boolean {
  const schedule = scheduleId === null ? undefined : schedules.get(scheduleId);
  return !isConfirmedAutomatically(startedAt, isDetached, schedule);
}

/** With the decimals with which answers show them. */
function dosesByModule(waterings: readonly WateringFacts[]): Map<number, (number | null)[]> {
  const doses = new Map<number, (number | null)[]>();
  for (const { moduleId, waterMm } of waterings.filter(isOnProbe)) {
    const ofModule = doses.get(moduleId) ?? [];
    ofModule.push(roundAmountOrNull(waterMm));
    doses.set(moduleId, ofModule);
  }
  return doses;
}

/**
 * Parcels with a probe that is still to be watered today. `modules` are those of the whole farm.
 */
export const parcelsWateredToday = (
  { dosesToday }: Pick<FarmPlan, 'dosesToday'>,
  modules: readonly ModuleFacts[],
): ReadonlySet<number> =>
  new Set(modules.flatMap(({ id, parcelId }) => (dosesToday.has(id) ? (parcelId ?? []) : [])));
