import { roundAmount, roundTo } from '../../decimal.ts';
import type { DayEnd } from '../../facts/day-ends.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import { type BalanceNeed, type Reason, reasonWith } from '../reason.ts';
import { errorOfSilent, errorZone, usualError, usualErrorMm } from './balance-error.ts';
import type { FullSoilAnswer } from './balance-from-full.ts';
import {
  type BalanceAnswer,
  type BalancedProbe,
  balanceLayers,
  balanceSince,
  deficitAt,
  fullSoilOfProbe,
} from './probe-balance.ts';
import type { BalanceEstimate } from './zone-balance.ts';

/** The water balance of a probe, in place of its readings or compared with them. */
export interface BalanceComparison {
  /** The balance in place of a probe that is silent. */
  readonly standIn: BalanceEstimate | null;
  /** The reason that the balance adds to the advice. */
  readonly balance: Reason | null;
  /** The inputs that a balance in place of a silent probe lacks. */
  readonly needs: readonly BalanceNeed[];
}

const NOTHING: BalanceComparison = { standIn: null, balance: null, needs: [] };

export function compareWithBalance(probe: BalancedProbe, farm: FarmConditions): BalanceComparison {
  if (probe.depths.length === 0) return NOTHING;
  if (isFreshAt(probe.facts.freshness.newestAt, farm.now))
    return { ...NOTHING, balance: differingBalance(probe, farm) };

  const answer = balanceOfSilent(probe, farm);
  if (!answer.ok) return { ...NOTHING, needs: answer.failure };

  const { since, deficitMm, from, deficitsMm, waterUse } = answer.value;
  const days = deficitsMm.length;
  const error =
    from === undefined ? errorOfSilent(probe, days, farm) : usualError(days, errorZone(probe));
  return {
    standIn: answer.value,
    balance: reasonWith('BY_BALANCE', {
      since,
      deficitMm: roundAmount(deficitMm),
      from,
      waterUse: shownShare(waterUse),
      ...error,
    }),
    needs: [],
  };
}

const shownShare = (share: number | null | undefined) => share && roundTo(share, 2);

/** The balance since its last readings if possible, else since its soil was full. */
function balanceOfSilent(
  probe: BalancedProbe,
  farm: FarmConditions,
): BalanceAnswer | FullSoilAnswer {
  const end = probe.facts.dayEnds.at(-1);
  const startMm = end && deficitAt(probe, end);
  const measured =
    end === undefined || startMm == null ? null : balanceSince(probe, startMm, end, farm);
  if (measured?.ok) return measured;

  const sinceFull = fullSoilOfProbe(probe.facts, balanceLayers(probe), farm);
  return measured === null || sinceFull.ok ? sinceFull : measured;
}

/**
 * The balance that is compared begins with what the probe measured this many days before yesterday.
 */
const COMPARED_DAYS = 7;
/** The day since which the difference must have grown. */
const MIDDLE_DAY = 4;

/** A difference below twice the usual error says nothing of the probe. */
const ERRORS_OF_DIFFERENCE = 2;

/**
 * Null where balance and probe agree, or a difference does not grow. A balance that is wetter asks
 * for no check before watering: on cotton fields it is so in 3 of 100 weeks with sound
 * measurements, and to water by a probe that reads too dry harms no crop.
 */
function differingBalance(probe: BalancedProbe, farm: FarmConditions): Reason | null {
  const { today } = farm;
  const endOn = (day: number): DayEnd | undefined => {
    const date = today.plus(day - COMPARED_DAYS - 1).iso;
    return probe.facts.dayEnds.find(({ day: of, at }) => of === date && at === undefined);
  };
  const measuredOn = (day: number): number | null => {
    const end = endOn(day);
    return end === undefined ? null : deficitAt(probe, end);
  };
  const [start, startMm] = [endOn(0), measuredOn(0)];
  const [middleMm, lastMm] = [measuredOn(MIDDLE_DAY), measuredOn(COMPARED_DAYS)];
  if (farm.isRainInQuestion(probe.facts.module.parcelId)) return null;
  if (start === undefined || startMm === null || middleMm === null || lastMm === null) return null;

  const answer = balanceSince(probe, startMm, start, farm);
  if (!answer.ok) return null;

  const { deficitsMm, deficitMm, since, daysToStress, waterUse } = answer.value;
  const differenceOn = (day: number, measuredMm: number): number =>
    (deficitsMm[day - 1] ?? measuredMm) - measuredMm;
  const middle = differenceOn(MIDDLE_DAY, middleMm);
  const last = differenceOn(COMPARED_DAYS, lastMm);
  const grows = Math.sign(middle) === Math.sign(last) && Math.abs(last) > Math.abs(middle);
  const limitMm = ERRORS_OF_DIFFERENCE * usualErrorMm(COMPARED_DAYS, errorZone(probe));
  if (!grows || Math.abs(last) < limitMm) return null;

  const isDry = daysToStress === 0 && probe.facts.state.state !== 'stress';
  const facts = { since, deficitMm: roundAmount(deficitMm), waterUse: shownShare(waterUse) };
  return reasonWith(isDry ? 'DRY_BY_BALANCE' : 'BALANCE_DIFFERS', facts);
}
