import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { GrowingCrop } from '../../src/domain/balance/crop-growth.ts';
import type { BalanceDay, BalanceOptions } from '../../src/domain/balance/daily-balance.ts';
import { mmDownTo } from '../../src/domain/balance/root-zone-soil.ts';
import {
  type BalanceSubject,
  runBalance,
  stateAtStart,
  surfaceWithin,
} from '../../src/domain/balance/run-balance.ts';
import { evaporableMm } from '../../src/domain/balance/soil-evaporation.ts';
import { groupBy } from '../../src/domain/groups.ts';
import { DAY_MS } from '../../src/domain/periods.ts';
import { windAtTwoMetres } from '../../src/domain/weather/evapotranspiration.ts';
import { type Profile, parseProfiles, parseSoil, type SoilLayer } from './pyfao56.ts';
import { errorStatistics } from './statistics.ts';

/** The balance of a cotton plot, set right at one measured profile and compared with a later one. */
export interface BalanceCase {
  readonly plot: string;
  /** How many of the weekly profiles lie between, and one more. */
  readonly weeks: number;
  readonly measuredMm: number;
  readonly balanceMm: number;
  /** What was measured at the beginning. */
  readonly persistedMm: number;
}

export const BALANCE_WEEKS = [1, 2, 3] as const;
/** The profiles of a week lie at most this much further apart. */
const MAX_DAYS_MORE = 3;

/** Day 108 of 2018, on which the published simulation of these plots begins. */
const SEASON_START = Date.UTC(2018, 0, 108);

interface CottonPlot {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, number>;
  readonly soil: readonly SoilLayer[];
  readonly profiles: readonly Profile[];
}

export async function compareBalance(folder: string): Promise<BalanceCase[]> {
  const inTrial = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  const names = (await readdir(folder))
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => basename(file, '.sol'));
  const weather = parseWeather(await inTrial('cotton2018.wth'));
  const irrigation = parseIrrigation(await inTrial('irrigation.csv'));

  const cases: BalanceCase[] = [];
  for (const name of names) {
    const plot = {
      name,
      parameters: parseParameters(await inTrial(`${name}.par`)),
      soil: parseSoil(await inTrial(`${name}.sol`)),
      profiles: parseProfiles(await inTrial(`${name}.sws`)),
    };
    const given = irrigation.get(name.replace('cotton2018', '')) ?? new Map();
    cases.push(...casesOfPlot(plot, (day) => dayOf(weather, given, day)));
  }
  return cases;
}

function casesOfPlot(plot: CottonPlot, dayAt: (day: number) => BalanceDay): BalanceCase[] {
  const { profiles } = plot;
  const depthCm = rootDepthCm(plot);
  return profiles.flatMap((from, index) =>
    BALANCE_WEEKS.flatMap((weeks) => {
      const to = profiles[index + weeks];
      const days = to === undefined ? 0 : (to.day - from.day) / DAY_MS;
      if (to === undefined || days > 7 * weeks + MAX_DAYS_MORE) return [];
      const measuredMm = lackOf(plot, to, depthCm);
      const persistedMm = lackOf(plot, from, depthCm);
      const balanceMm = balanceFrom(plot, from, to.day, dayAt);
      return [{ plot: plot.name, weeks, measuredMm, balanceMm, persistedMm }];
    }),
  );
}

/** From the morning of one profile to that of another, as profiles are measured by day. */
function balanceFrom(
  plot: CottonPlot,
  from: Profile,
  until: number,
  dayAt: (day: number) => BalanceDay,
): number {
  const subject = subjectOf(plot, from);
  const rootZoneMm = lackOf(plot, from, rootDepthCm(plot));
  const days = Array.from({ length: (until - from.day) / DAY_MS }, (_, index) =>
    dayAt(from.day + index * DAY_MS),
  );
  const surfaceMm = surfaceWithin(rootZoneMm, subject.options.surface);
  const start = stateAtStart(subject, { rootZoneMm, belowMm: null }, surfaceMm);
  const results = runBalance(subject, start, days);
  return results.at(-1)?.state.rootZoneMm ?? rootZoneMm;
}

/** The deepest roots of the plot, as somebody would declare them: in advice they do not grow. */
const rootDepthCm = ({ parameters }: CottonPlot): number => 100 * parameters.get('Zrmax')!;

function subjectOf(plot: CottonPlot, from: Profile): BalanceSubject {
  const { parameters, soil } = plot;
  const value = (name: string): number => parameters.get(name)!;
  const crop: GrowingCrop = {
    basis: 'dual',
    coefficients: { initial: value('Kcbini'), mid: value('Kcbmid'), end: value('Kcbend') },
    height: { initial: value('hini'), max: value('hmax') },
    rootsCm: { initial: rootDepthCm(plot), max: rootDepthCm(plot) },
    allowedDepletion: value('pbase'),
  };
  const lengths = {
    initial: value('Lini'),
    development: value('Ldev'),
    mid: value('Lmid'),
    late: value('Lend'),
  };
  const age = (from.day - SEASON_START) / DAY_MS;
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

/** What each layer lacks on its own: a wet one makes up for no dry one, as in advice. */
function lackOf({ soil }: CottonPlot, { layers }: Profile, depthCm: number): number {
  const lacking = layers.map(({ bottomCm, water }, index) => ({
    topCm: layers[index - 1]?.bottomCm ?? 0,
    bottomCm,
    fieldCapacity: soil[index]!.fieldCapacity,
    wiltingPoint: water,
  }));
  return mmDownTo(lacking, depthCm, ({ fieldCapacity, wiltingPoint: water }) =>
    Math.max(0, fieldCapacity - water),
  );
}

const parseParameters = (text: string): Map<string, number> =>
  new Map(
    [...text.matchAll(/^\s*([\d.]+)\s+(\w+),/gm)].map(([, value, name]) => [name!, Number(value)]),
  );

interface WeatherRow {
  readonly et0Mm: number;
  readonly rainMm: number;
  readonly windMs: number;
  readonly humidityMin: number;
}

const WIND_HEIGHT_M = 3;

/** Columns: day, radiation, Tmax, Tmin, vapour, dew point, RHmax, RHmin, wind, rain, ETref. */
function parseWeather(text: string): Map<number, WeatherRow> {
  const rows = text.matchAll(/^(\d{4})-(\d{3})\s+(.*)$/gm);
  return new Map(
    [...rows].map(([, year, day, rest]) => {
      const cells = rest!.trim().split(/\s+/).map(Number);
      return [
        Date.UTC(Number(year), 0, Number(day)),
        {
          humidityMin: cells[6]!,
          windMs: windAtTwoMetres(cells[7]!, WIND_HEIGHT_M),
          rainMm: cells[8]!,
          et0Mm: cells[9]!,
        },
      ];
    }),
  );
}

function parseIrrigation(text: string): Map<string, Map<number, number>> {
  const [head, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return new Map(
    head!
      .slice(2)
      .map((plot, column) => [
        plot,
        new Map(
          rows.map((cells) => [
            Date.UTC(Number(cells[0]), 0, Number(cells[1])),
            Number(cells[column + 2]),
          ]),
        ),
      ]),
  );
}

function dayOf(
  weather: ReadonlyMap<number, WeatherRow>,
  given: ReadonlyMap<number, number>,
  day: number,
): BalanceDay {
  const row = weather.get(day);
  if (row === undefined) throw new Error(`No weather of ${new Date(day).toISOString()}.`);
  return { ...row, irrigationMm: given.get(day) ?? 0, wettedFraction: 1 };
}

export interface BalanceFigures {
  readonly weeks: number;
  readonly cases: number;
  readonly rmse: number;
  readonly bias: number;
  readonly persistedRmse: number;
  /** Plots in which the balance has the smaller RMSE, and all of them. */
  readonly betterPlots: number;
  readonly plots: number;
}

export const balanceFigures = (cases: readonly BalanceCase[]): BalanceFigures[] =>
  BALANCE_WEEKS.map((weeks) => {
    const ofLead = cases.filter((each) => each.weeks === weeks);
    const statisticsOf = (of: readonly BalanceCase[], estimate: 'balanceMm' | 'persistedMm') =>
      errorStatistics(of.map((each) => each[estimate] - each.measuredMm));
    const plots = [...groupBy(ofLead, ({ plot }) => plot).values()];
    const { rmse, bias } = statisticsOf(ofLead, 'balanceMm');
    return {
      weeks,
      cases: ofLead.length,
      rmse,
      bias,
      persistedRmse: statisticsOf(ofLead, 'persistedMm').rmse,
      betterPlots: plots.filter(
        (of) => statisticsOf(of, 'balanceMm').rmse < statisticsOf(of, 'persistedMm').rmse,
      ).length,
      plots: plots.length,
    };
  });
