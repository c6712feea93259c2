import type { FarmConditions } from '../../domain/advice/probe/farm-conditions.ts';
import { judgeResponse } from '../../domain/advice/probe/response-conditions.ts';
import {
  areHoursWrong,
  earlyRisesIn,
  judgedFrom,
  MAX_EARLY_DAYS,
} from '../../domain/advice/response/early-rises.ts';
import { probeWater } from '../../domain/advice/wetted-fraction.ts';
import { DRYING_RATE_DAYS, type ProbeFacts } from '../../domain/facts/probe-facts.ts';
import { type EarlyRises, NO_RESPONSE_FACTS } from '../../domain/facts/response-facts.ts';
import { doneWaterings } from '../../domain/facts/watering-facts.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { ParcelRain } from '../../domain/weather/parcel-rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import { loadShownWaterings } from './shown-waterings.ts';

/** How much of the curve before the first watering the height of a rise is judged by. */
const BEFORE_MS = 3 * DAY_MS;

interface Suspicion {
  /** In the days of the history. */
  readonly early: EarlyRises;
  readonly farm: FarmConditions;
}

/**
 * The waterings of which the hours are wrong; null where they may be right. Reads further back than
 * the history only where some of it were early, and it has fewer waterings than the rule needs.
 */
export async function wrongHoursOf(
  { now, zone }: Pick<ComposedCall, 'now' | 'zone'>,
  facts: Pick<FactSource, 'waterings' | 'waterHours' | 'rain'>,
  { module, setup, state, recent }: ProbeFacts,
  { early, farm }: Suspicion,
): Promise<EarlyRises | null> {
  if (areHoursWrong(early)) return early;

  const longest = { from: now - MAX_EARLY_DAYS * DAY_MS, to: now };
  const probe = { setup, isTension: state.tension !== undefined };
  const waterings = await loadShownWaterings(facts, module, probe, longest);
  const { done } = probeWater(setup, recent.depths, doneWaterings(waterings, now));
  const from = judgedFrom(done, zone);
  if (from === null || from >= now - DRYING_RATE_DAYS * DAY_MS) return null;

  const period = { start: from - BEFORE_MS, end: now };
  const hours = (await facts.waterHours(new Map([[module.id, period]]))).get(module.id);
  if (hours === undefined) return null;

  const judgedDone = done.filter(({ startedAt }) => startedAt >= from);
  const found = earlyRisesIn(hours, judgedDone, { ...state, zone });
  if (found === null || !areHoursWrong(found)) return null;

  const rain = farm.isUnderRoof(module.parcelId)
    ? []
    : new ParcelRain(await facts.rain({ from, to: now + 1 })).on(module.parcelId);
  return judgeResponse({ ...NO_RESPONSE_FACTS, early: found }, rain).early ?? null;
}
