import { roundAmountOrNull } from '../decimal.ts';
import { doneWaterings, type WateringFacts } from '../facts/watering-facts.ts';
import { sumDoses } from '../irrigation/dose.ts';
import type { Meanwhile, ProbeAdvice } from './advice.ts';
import { compareByNeed, needsWaterToday } from './farm/water-need.ts';
import {
  attributesOf,
  checkFor,
  isOutOfSeason,
  isSilence,
  withholdsAmount,
} from './reason-kinds.ts';

interface MeanwhileInputs {
  /** The advice for the other probes on the same valve. */
  readonly sameValve: readonly ProbeAdvice[];
  /** The amount by the water balance; null if it cannot be computed. */
  readonly balance: Pick<Meanwhile, 'waterMm' | 'durationMin' | 'daysToStress'> | null;
  /** The waterings of the probe from two weeks before now on. */
  readonly waterings: readonly WateringFacts[];
  readonly now: number;
}

const WEEKS = 2;

/** Null where nothing is in doubt, out of season, or where nothing better is known. */
export function meanwhileOf(
  { reasons }: Pick<ProbeAdvice, 'reasons'>,
  { sameValve, balance, waterings, now }: MeanwhileInputs,
): Meanwhile | null {
  if (!reasons.some(withholdsAmount) || reasons.some(isOutOfSeason)) return null;

  // Where the soil may be too wet, more water is what it must not get.
  const wetness = reasons.map(({ kind }) => attributesOf(kind).tooWet);
  const staysWet = wetness.some((tooWet) => tooWet !== undefined);
  const isHarmless = (amount: NonNullable<MeanwhileInputs['balance']>): boolean =>
    !staysWet || canWait(amount);
  const [best] = sameValve.filter(isUndoubted).filter(isHarmless).sort(compareByNeed);
  if (best !== undefined) {
    const { moduleId, waterMm, durationMin, daysToStress } = best;
    return { basis: 'probe', moduleId, waterMm, durationMin, daysToStress };
  }
  if (balance !== null && isHarmless(balance))
    return { basis: 'balance', moduleId: null, ...balance };
  return wetness.includes('certain') ? null : asBefore(doneWaterings(waterings, now));
}

/** True if it needs no water yet: it holds enough, or is not near its stress point. */
export const canWait = ({
  waterMm,
  daysToStress,
}: Pick<Meanwhile, 'waterMm' | 'daysToStress'>): boolean =>
  waterMm === 0 || (daysToStress !== null && !needsWaterToday({ waterMm, daysToStress }, []));

const isUndoubted = ({ reasons, waterMm }: ProbeAdvice): boolean =>
  waterMm !== null &&
  !reasons.some(withholdsAmount) &&
  !reasons.some(isSilence) &&
  checkFor(reasons, true) === null;

function asBefore(done: readonly WateringFacts[]): Meanwhile | null {
  const perWeek = (amounts: readonly (number | null)[]): number | null => {
    const sum = sumDoses(amounts);
    return sum && sum / WEEKS;
  };
  const waterMm = roundAmountOrNull(perWeek(done.map((watering) => watering.waterMm)));
  const durationMin = perWeek(done.map((watering) => watering.durationMin));
  if (done.length === 0 || (waterMm === null && durationMin === null)) return null;
  const basis = done.every(({ isConfirmed }) => isConfirmed) ? 'recent' : 'unconfirmed';
  return { basis, moduleId: null, waterMm, durationMin, daysToStress: null };
}
