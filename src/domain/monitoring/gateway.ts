import { roundTo } from '../decimal.ts';
import { firstOf, itemAt, lastOf } from '../items.ts';
import { MAX_FRESH_AGE_MS } from '../moisture/coverage.ts';

/** Pairs of voltage (mV) and state of charge (%). */
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

  const upper = CHARGE_BY_MILLIVOLTS.findIndex(([mv]) => millivolts <= mv);
  if (upper === 0) return firstOf(CHARGE_BY_MILLIVOLTS)[1];
  if (upper === -1) return lastOf(CHARGE_BY_MILLIVOLTS)[1];

  const [lowMv, lowPct] = itemAt(CHARGE_BY_MILLIVOLTS, upper - 1);
  const [highMv, highPct] = itemAt(CHARGE_BY_MILLIVOLTS, upper);
  return roundTo(lowPct + ((highPct - lowPct) * (millivolts - lowMv)) / (highMv - lowMv), 0);
}

export const GATEWAY_STATUSES = ['active', 'faulty'] as const;
type GatewayStatus = (typeof GATEWAY_STATUSES)[number];

export const gatewayStatus = (lastSeenAt: number | null, now: number): GatewayStatus =>
  lastSeenAt === null || now - lastSeenAt > MAX_FRESH_AGE_MS ? 'faulty' : 'active';

/** The strength from which each bar is shown, in dBm. */
const BARS_FROM_DBM = [-130, -120, -110, -95] as const;

/**
 * The bars of a LoRa signal, 0 to 4. Below the noise level its strength is the RSSI plus the
 * negative SNR (Semtech SX1276 datasheet, 5.5.5). A receiver needs about -123 dBm at the shortest
 * range and -137 dBm at the longest (table 10 there).
 */
export function signalBars(rssiDbm: number | null, snrDb: number | null): number | null {
  if (rssiDbm === null) return null;
  const strength = rssiDbm + Math.min(0, snrDb ?? 0);
  return BARS_FROM_DBM.filter((minDbm) => strength >= minDbm).length;
}
