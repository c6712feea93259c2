import type { EquipmentFacts } from '../../facts/probe-facts.ts';
import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import { isTooLongToRun } from '../../irrigation/run-length.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import { HOUR_MS } from '../../periods.ts';
import type { MoistureConditions } from '../probe/moisture-conditions.ts';
import type { DailySplit } from '../probe/water-amounts.ts';
import { SOAKING_MS } from '../rain-effect.ts';
import { type BalanceNeed, type Finders, factsIf } from '../reason.ts';
import type { AdvisedWater, WaterDeficit } from '../watering-advice.ts';

/** By what the soil shows of the last waterings. */
export const RESPONSE_REASONS: Finders<Pick<MoistureConditions, 'response' | 'tooWetSince'>> = {
  NO_RESPONSE: ({ response: { unseen, logShift } }) => (logShift === null ? unseen : null),
  DEPTHS_EXCHANGED: ({ response: { exchangedDepths } }) => exchangedDepths ?? null,
  TOO_WET: ({ tooWetSince }) => (tooWetSince === null ? null : { since: tooWetSince }),
  PROBES_EXCHANGED: ({ response: { exchangedWith } }) =>
    exchangedWith === undefined ? null : { moduleId: exchangedWith },
  LOG_SHIFTED: ({ response: { logShift, exchangedWith } }) =>
    logShift && exchangedWith === undefined
      ? { days: logShift.days, startedAt: logShift.startedAt }
      : null,
};

/** Time after its end during which an unconfirmed watering can explain or change the moisture. */
const UNCONFIRMED_WINDOW_MS = 24 * HOUR_MS;

type TimelinessInputs = Pick<MoistureConditions, 'newestAt' | 'done' | 'startedPlanned' | 'now'> & {
  /** Over the whole area; null if unknown. */
  readonly neededMm: number | null;
  /** The inputs that a balance in place of a silent probe lacks. */
  readonly balanceNeeds: readonly BalanceNeed[];
};

/** By whether the newest reading is recent and shows the last watering. */
export const TIMELINESS_REASONS: Finders<TimelinessInputs> = {
  NO_DATA: ({ newestAt, balanceNeeds }) => (newestAt === null ? silence(balanceNeeds) : null),
  STALE_DATA: ({ newestAt, balanceNeeds, now }) =>
    newestAt === null || isFreshAt(newestAt, now) ? null : silence(balanceNeeds),
  UNCONFIRMED_WATERING: ({ startedPlanned, now }) =>
    factsIf(
      startedPlanned.some((watering) => {
        const { end } = runPeriod(watering);
        return end > now - UNCONFIRMED_WINDOW_MS && end <= now;
      }),
    ),
  RECENT_WATERING: ({ newestAt, done, startedPlanned, neededMm, now }) =>
    factsIf(
      newestAt !== null &&
        isFreshAt(newestAt, now) &&
        (mayMeetNeed(
          done.filter((watering) => runPeriod(watering).end > newestAt - SOAKING_MS),
          neededMm,
        ) ||
          startedPlanned.some((watering) => runPeriod(watering).end > now)),
    ),
};

const silence = (balanceNeeds: readonly BalanceNeed[]) =>
  balanceNeeds.length === 0 ? {} : { balanceNeeds };

/**
 * A share of the water needed. The deficit is not known better than that, so less does not change
 * the advice: five minutes on a dry field do not put it off.
 */
const MIN_SHARE_OF_NEED = 0.1;

/** Over the whole area, as `neededMm` is. A watering of unknown dose may be large. */
function mayMeetNeed(waterings: readonly WateringFacts[], neededMm: number | null): boolean {
  if (waterings.length === 0) return false;
  const appliedMm = sumDoses(waterings.map(({ waterMm }) => waterMm));
  return appliedMm === null || neededMm === null || appliedMm >= MIN_SHARE_OF_NEED * neededMm;
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
    factsIf(isTooLongToRun(water.durationMin, done, installation?.system)),
  NO_INSTALLATION: ({ installation }) => factsIf(installation === null),
  MISSING_FLOW_RATE: ({ installation, deficit, water }) =>
    factsIf(
      installation !== null &&
        // So small a flow that the watering would take longer than any can last.
        (installation.flowMmPerH === null || (deficit !== null && water.durationMin === null)),
    ),
  MISSING_IRRIGATED_AREA: ({ installation, deficit }) =>
    factsIf(
      installation !== null &&
        installation.irrigatedAreaM2 === null &&
        deficit !== null &&
        deficit.deficitMm > 0,
    ),
  // A default of 1 is not a guess: such equipment wets the whole area.
  DEFAULT_FRACTION_WETTED: ({ installation }) =>
    factsIf(
      installation?.fractionWettedIsDefault === true &&
        installation.isFractionOfSpacing === undefined &&
        installation.fractionWetted < 1,
    ),
  FRACTION_OF_LINE_SPACING: ({ installation }) =>
    factsIf(installation?.isFractionOfSpacing === true),
  LONGER_THAN_A_DAY: ({ daily }) => factsIf(daily !== null && daily.days > 1),
  DAILY_LIMIT_TOO_SHORT: ({ daily }) => factsIf(daily !== null && !daily.canCatchUp),
};
