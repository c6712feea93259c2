import { roundTo } from './decimal.ts';

/** Voltage of a gateway's battery in mV and the charge in % that it tells of, from empty to full. */
const CHARGE_BY_MILLIVOLTS = [
  [3300, 0],
  [3600, 15],
  [3700, 40],
  [3800, 60],
  [3950, 80],
  [4200, 100],
] as const;

/** Estimated battery charge in whole %, linear between known points and never outside 0 to 100; null without a voltage. */
export function stateOfCharge(millivolts: number | null): number | null {
  if (millivolts === null) return null;
  let [lowMv, lowPct]: readonly [number, number] = CHARGE_BY_MILLIVOLTS[0];
  if (millivolts <= lowMv) return lowPct;
  for (const [highMv, highPct] of CHARGE_BY_MILLIVOLTS) {
    if (millivolts <= highMv)
      return roundTo(lowPct + ((highPct - lowPct) * (millivolts - lowMv)) / (highMv - lowMv), 0);
    [lowMv, lowPct] = [highMv, highPct];
  }
  return lowPct;
}
