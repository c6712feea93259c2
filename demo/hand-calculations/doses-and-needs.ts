import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/periods.ts';
import type { AdviceBody } from '../../src/schema/advice/advice.ts';
import type { InstallationVersionBody } from '../../src/schema/irrigation/installation.ts';
import type { WateringBody } from '../../src/schema/irrigation/watering.ts';
import type { SoilHorizonBody } from '../../src/schema/soil/soil.ts';
import { equipmentFlowMmPerH, NORTH_DRIP, NORTH_SOIL, PROBE_DEPTHS_CM } from '../farm/demo-farm.ts';
import type { ProbeMoisture } from '../farm/future-readings.ts';
import type { DemoWatering } from '../farm/waterings.ts';
import type { DemoWeather } from '../farm/weather.ts';
import { WEIGHT_THIRTIETHS, weightedReadings } from './alert-firings.ts';

/**
 * The soil that each sensor represents, cm: half way to its neighbours, and down to the end of the
 * roots.
 */
const SLICES = [
  [0, 15],
  [15, 25],
  [25, 35],
  [35, 50],
  [50, 60],
] as const;

/** Share of the available water that peaches use before they suffer. Source: FAO-56, Table 22. */
const STRESS_DEPLETION = 0.5;

const DRYING_RATE_DAYS = 14;
/** After a watering the curve falls for this long because the water soaks in. */
const SOAKING_MS = 6 * HOUR_MS;

export type HorizonsByClass = ReadonlyMap<string, Pick<SoilHorizonBody, 'theta_fc' | 'theta_pwp'>>;

const formatTwoDecimals = (value: number): string => value.toFixed(2);

function meanOverDepth(
  top: number,
  bottom: number,
  horizons: HorizonsByClass,
  figure: 'theta_fc' | 'theta_pwp',
): number {
  let sum = 0;
  let above = 0;
  for (const { usdaClass, bottomCm } of NORTH_SOIL) {
    const shared = Math.max(0, Math.min(bottom, bottomCm) - Math.max(top, above));
    sum += shared * 100 * horizons.get(usdaClass)![figure];
    above = bottomCm;
  }
  return sum / (bottom - top);
}

export function needByHand(moisture: ProbeMoisture, horizons: HorizonsByClass, advice: AdviceBody) {
  const slices = SLICES.map(([top, bottom], index) => {
    const capacity = meanOverDepth(top, bottom, horizons, 'theta_fc');
    const value = moisture.values[index]!.at(-1)!;
    const mm = Math.max(0, capacity - value) * ((bottom - top) / 10);
    const line = `${top} to ${bottom} cm: ${10 * (bottom - top)} mm x (${formatTwoDecimals(capacity)} % - ${formatTwoDecimals(value)} %) = ${formatTwoDecimals(mm)} mm`;
    return { mm, line: value > capacity ? `${line}, which has enough` : line };
  });
  const deficit = slices.reduce((sum, { mm }) => sum + mm, 0);
  const { fractionWetted } = NORTH_DRIP;
  const flow = Number(equipmentFlowMmPerH(NORTH_DRIP).toFixed(3));
  const water = deficit * fractionWetted;
  const minutes = (water / flow) * 60;
  return {
    lines: [
      ...slices.map(({ line }) => line),
      `in all ${formatTwoDecimals(deficit)} mm; x ${fractionWetted} = ${formatTwoDecimals(water)} mm over the whole area`,
      `${formatTwoDecimals(water)} mm / ${flow} mm/h x 60 = ${minutes.toFixed(1)} min`,
    ],
    agrees:
      Math.abs(deficit - advice.deficitMm!) < 0.001 &&
      Math.abs(water - advice.waterMm!) < 0.001 &&
      Math.abs(minutes - advice.durationMin!) < 0.1,
  };
}

export function stressByHand(horizons: HorizonsByClass): number {
  const total = PROBE_DEPTHS_CM.reduce((sum, depth, index) => {
    const { usdaClass } = NORTH_SOIL.find(({ bottomCm }) => depth < bottomCm)!;
    const { theta_fc, theta_pwp } = horizons.get(usdaClass)!;
    return (
      sum + WEIGHT_THIRTIETHS[index]! * 100 * (theta_fc - STRESS_DEPLETION * (theta_fc - theta_pwp))
    );
  }, 0);
  return Number((total / 30).toFixed(2));
}

/** Points a day without water: the mean of the newest fall within a day and the median of all. */
export function dryingRateByHand(
  moisture: ProbeMoisture,
  { waterings, weather }: { waterings: readonly DemoWatering[]; weather: DemoWeather },
): number {
  const readings = weightedReadings(moisture);
  const valueAt = new Map(readings.map(({ at, value }) => [at, value]));
  const last = readings.at(-1)!.at;
  const isDry = (from: number, to: number): boolean =>
    weather.rainMm(from, to) === 0 &&
    waterings.every(
      ({ startedAt, durationMin }) =>
        startedAt >= to || startedAt + durationMin * MINUTE_MS <= from,
    );
  const falls = readings
    .filter(
      ({ at }) =>
        at >= last - DRYING_RATE_DAYS * DAY_MS &&
        valueAt.has(at + DAY_MS) &&
        isDry(at - SOAKING_MS, at + DAY_MS),
    )
    .map(({ at, value }) => value - valueAt.get(at + DAY_MS)!);
  return (falls.at(-1)! + falls.toSorted((a, b) => a - b)[Math.floor(falls.length / 2)]!) / 2;
}

export interface HandCalculation {
  readonly lines: readonly string[];
  readonly agrees: boolean;
}

const roundToThousandths = (value: number): number => Number(value.toFixed(3));

/** Computed from the frozen parameters, without rounding in between. */
export function doseByHand({
  durationMin,
  waterMm,
  waterMmWetted,
  configSnapshot,
}: WateringBody): HandCalculation {
  const flow = configSnapshot?.flowMmPerH ?? null;
  const fraction = configSnapshot?.fractionWetted ?? null;
  if (flow === null || fraction === null || durationMin === null)
    return { lines: [], agrees: waterMm === null };
  const total = roundToThousandths((flow * durationMin) / 60);
  const wetted = roundToThousandths((flow * durationMin) / 60 / fraction);
  return {
    lines: [
      `${flow} mm/h x ${durationMin} min / 60 = ${total} mm over the whole area`,
      `${flow} mm/h x ${durationMin} min / 60 / ${fraction} = ${wetted} mm in the wetted zone`,
    ],
    agrees: waterMm === total && waterMmWetted === wetted,
  };
}

export function flowByHand(
  version: Pick<InstallationVersionBody, 'emitterFlowLph' | 'emittersPerM2' | 'flowMmPerH'>,
): HandCalculation {
  const { emitterFlowLph, emittersPerM2, flowMmPerH } = version;
  if (emitterFlowLph === null || emittersPerM2 === null) return { lines: [], agrees: false };
  const flow = roundToThousandths(emitterFlowLph * emittersPerM2);
  return {
    lines: [`${emitterFlowLph} L/h x ${emittersPerM2} per m2 = ${flow} mm/h (1 L on 1 m2 is 1 mm)`],
    agrees: flow === flowMmPerH,
  };
}
