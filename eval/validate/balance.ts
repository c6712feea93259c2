import type { GrowingCrop } from '../../src/domain/balance/crop-growth.ts';
import type { BalanceDay, BalanceOptions } from '../../src/domain/balance/daily-balance.ts';
import {
  type BalanceSubject,
  runBalance,
  stateAtStart,
  surfaceWithin,
} from '../../src/domain/balance/run-balance.ts';
import { evaporableMm } from '../../src/domain/balance/soil-evaporation.ts';
import { DAY_MS } from '../../src/domain/periods.ts';
import { type BalanceCase, profilePairs } from './balance-cases.ts';
import type { CottonPlot, CottonTrial } from './cotton-trial.ts';

/** With the coefficients that were fitted to these plots. */
export const balanceOfTrial = (trial: CottonTrial): BalanceCase[] =>
  trial.treatments.flatMap((plot) =>
    profilePairs(plot).map((pair) => ({
      ...pair,
      balanceMm: balanceFrom(plot, pair.from.day, pair.to.day, pair.persistedMm, trial),
    })),
  );

/** From the evening of one profile to that of another. */
function balanceFrom(
  plot: CottonPlot,
  from: number,
  until: number,
  startMm: number,
  trial: CottonTrial,
): number {
  const first = from + DAY_MS;
  const subject = subjectOf(plot, (first - trial.plantedOn) / DAY_MS);
  const days = Array.from({ length: (until - from) / DAY_MS }, (_, index) =>
    dayOf(trial, plot, first + index * DAY_MS),
  );
  const surfaceMm = surfaceWithin(startMm, subject.options.surface);
  const start = stateAtStart(subject, { rootZoneMm: startMm, belowMm: null }, surfaceMm);
  return runBalance(subject, start, days).at(-1)?.state.rootZoneMm ?? startMm;
}

/** The deepest roots of the plot: in advice they do not grow. */
function subjectOf({ parameters, soil, rootDepthCm }: CottonPlot, age: number): BalanceSubject {
  const value = (name: string): number => parameters.get(name)!;
  const crop: GrowingCrop = {
    basis: 'dual',
    coefficients: { initial: value('Kcbini'), mid: value('Kcbmid'), end: value('Kcbend') },
    height: { initial: value('hini'), max: value('hmax') },
    rootsCm: { initial: rootDepthCm, max: rootDepthCm },
    allowedDepletion: value('pbase'),
  };
  const lengths = {
    initial: value('Lini'),
    development: value('Ldev'),
    mid: value('Lmid'),
    late: value('Lend'),
  };
  const top = soil[0]!;
  const options: BalanceOptions = {
    surface: {
      totalMm: evaporableMm(top.fieldCapacity, top.wiltingPoint, value('Ze')),
      readyMm: value('REW'),
    },
    reference: 'grass',
    adjustsDepletion: true,
    zoneFraction: 1,
    limitsEvaporation: true,
  };
  return {
    crop,
    clock: { lengths, dayOf: (index) => age + index },
    layers: soil.map((layer, index) => ({ ...layer, topCm: soil[index - 1]?.bottomCm ?? 0 })),
    options,
  };
}

function dayOf({ weather }: CottonTrial, { irrigation }: CottonPlot, day: number): BalanceDay {
  const row = weather.find((each) => each.day === day);
  if (row === undefined) throw new Error(`No weather of ${new Date(day).toISOString()}.`);
  return { ...row, irrigationMm: irrigation.get(day) ?? 0, wettedFraction: 1 };
}
