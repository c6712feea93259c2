import type { EquipmentFacts } from '../../facts/probe-facts.ts';
import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import { isTooLongToRun } from '../../irrigation/run-length.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import { HOUR_MS } from '../../periods.ts';
import type { Finders } from '../advice-reason.ts';
import type { DailySplit } from '../probe/advised-amounts.ts';
import type { MoistureConditions } from '../probe/moisture-conditions.ts';
import { SOAKING_MS } from '../rain-effect.ts';
import type { AdvisedWater, WaterDeficit } from '../watering-advice.ts';

/** By what the soil shows of the last waterings. */
export const RESPONSE_REASONS: Finders<Pick<MoistureConditions, 'response' | 'tooWetSince'>> = {
  NO_RESPONSE: ({ response: { unseen, logShift } }) => unseen !== null && logShift === null,
  TOO_WET: ({ tooWetSince }) => tooWetSince !== null,
  LOG_SHIFTED: ({ response: { logShift } }) => logShift !== null,
};

/** Time after its end during which an unconfirmed watering can explain or change the moisture. */
const UNCONFIRMED_WINDOW_MS = 24 * HOUR_MS;

type TimelinessInputs = Pick<MoistureConditions, 'newestAt' | 'done' | 'startedPlanned' | 'now'> & {
  /** Over the whole area; null if unknown. */
  readonly neededMm: number | null;
};

/** By whether the newest reading is recent and shows the last watering. */
export const TIMELINESS_REASONS: Finders<TimelinessInputs> = {
  NO_DATA: ({ newestAt }) => newestAt === null,
  STALE_DATA: ({ newestAt, now }) => newestAt !== null && !isFreshAt(newestAt, now),
  UNCONFIRMED_WATERING: ({ startedPlanned, now }) =>
    startedPlanned.some((watering) => {
      const { end } = runPeriod(watering);
      return end > now - UNCONFIRMED_WINDOW_MS && end <= now;
    }),
  RECENT_WATERING: ({ newestAt, done, startedPlanned, neededMm, now }) =>
    newestAt !== null &&
    isFreshAt(newestAt, now) &&
    (mayMeetNeed(
      done.filter((watering) => runPeriod(watering).end > newestAt - SOAKING_MS),
      neededMm,
    ) ||
      startedPlanned.some((watering) => runPeriod(watering).end > now)),
};

/**
 * Of the water needed. The deficit is not known better than that, so less does not change the
 * advice: five minutes on a dry field do not put it off.
 */
const MIN_SHARE_OF_NEED = 0.1;

/** Over the whole area, as `neededMm` is. A watering of unknown dose may be large. */
function mayMeetNeed(waterings: readonly WateringFacts[], neededMm: number | null): boolean {
  if (waterings.length === 0) return false;
  const givenMm = sumDoses(waterings.map(({ waterMm }) => waterMm));
  return givenMm === null || neededMm === null || givenMm >= MIN_SHARE_OF_NEED * neededMm;
}

interface EquipmentInputs {
  readonly installation: EquipmentFacts | null;
  readonly done: readonly WateringFacts[];
  readonly deficit: Pick<WaterDeficit, 'deficitMm'> | null;
  readonly water: AdvisedWater;
  readonly daily: DailySplit | null;
}

/** By the equipment, and how long it takes to give the water. */
export const EQUIPMENT_REASONS: Finders<EquipmentInputs> = {
  FLOW_RATE_IN_DOUBT: ({ water, done, installation }) =>
    isTooLongToRun(water.durationMin, done, installation?.system),
  NO_INSTALLATION: ({ installation }) => installation === null,
  MISSING_FLOW_RATE: ({ installation, deficit, water }) =>
    installation !== null &&
    // So small a flow that the watering would take longer than any can last.
    (installation.flowMmPerH === null || (deficit !== null && water.durationMin === null)),
  MISSING_IRRIGATED_AREA: ({ installation, deficit }) =>
    installation !== null &&
    installation.irrigatedAreaM2 === null &&
    deficit !== null &&
    deficit.deficitMm > 0,
  // A default of 1 is not a guess: such equipment wets the whole area.
  DEFAULT_FRACTION_WETTED: ({ installation }) =>
    installation?.fractionWettedIsDefault === true &&
    installation.isFractionOfSpacing === undefined &&
    installation.fractionWetted < 1,
  FRACTION_OF_LINE_SPACING: ({ installation }) => installation?.isFractionOfSpacing === true,
  LONGER_THAN_A_DAY: ({ daily }) => daily !== null && daily.days > 1,
  DAILY_LIMIT_TOO_SHORT: ({ daily }) => daily !== null && !daily.canCatchUp,
};
