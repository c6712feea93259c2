import { roundTo } from '../decimal.ts';
import { HOUR_MS } from '../periods.ts';

/** Voltage in mV, charge in %. */
const CHARGE_BY_MILLIVOLTS = [
  [3300, 0],
  [3600, 15],
  [3700, 40],
  [3800, 60],
  [3950, 80],
  [4200, 100],
] as const;

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

export const FAULTY_AFTER_MS = 25 * HOUR_MS;

export const GATEWAY_STATUSES = ['active', 'faulty'] as const;
export type GatewayStatus = (typeof GATEWAY_STATUSES)[number];

export const gatewayStatus = (lastSeenAt: number | null, now: number): GatewayStatus =>
  lastSeenAt === null || now - lastSeenAt > FAULTY_AFTER_MS ? 'faulty' : 'active';
