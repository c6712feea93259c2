import {
  advance,
  type Column,
  columnAt,
  type Layer,
  moistureOf,
  type Soil,
  suctionKpa,
} from '../../domain/soil-water.ts';
import { DAY, DAYS_OF_READINGS, HOUR, MINUTE, READING_EVERY } from './calendar.ts';
import { NORTH_SOIL, PROBE_DEPTHS, SOUTH_SOIL, TENSIOMETER_DEPTHS } from './farm.ts';
import { type Random, seededRandom } from './random.ts';
import { atProbeMm, type DemoWatering, demoWaterings } from './waterings.ts';
import { type DemoWeather, demoWeather } from './weather.ts';

/** What one sensor measured: `values[i]` at the i-th instant of the demo, in the sensor's unit. */
export interface DemoSeries {
  readonly module: string;
  readonly type: 'humidity' | 'temperature' | 'tensio';
  /** cm, null for a sensor in the air. */
  readonly depth: number | null;
  readonly values: Float64Array;
}

/** What happened on the farm in the days up to `now`. */
export interface DemoHistory {
  /** Instants of the readings, ms, oldest first. */
  readonly instants: Float64Array;
  readonly waterings: readonly DemoWatering[];
  readonly series: readonly DemoSeries[];
}

/** When the east gateway was silent, ms: [from, to). What its modules measured then never came. */
export const silenceBefore = (now: number): { from: number; to: number } => ({
  from: now - 52 * DAY,
  to: now - 50 * DAY,
});

const LAYER_CM = 10;
const STEP = 5 * MINUTE;
/** Share of the demand that the sun takes from bare ground; plants take the rest. */
const BARE_SHARE = 0.2;
const ROOT_DEPTH_CM = 60;
/** Uptake by quarter of the root depth, from the top. */
const UPTAKE = [0.4, 0.3, 0.2, 0.1];

/** Where a column of soil stands and what it drinks; `thirst` tells two places in one parcel apart. */
interface Site {
  readonly module: string;
  /** The module whose waterings reach it. */
  readonly wateredAs: string;
  readonly horizons: readonly { bottomCm: number; soil: Soil }[];
  readonly thirst: number;
}

const SITES: readonly Site[] = [
  { module: 'North 1', wateredAs: 'North 1', horizons: NORTH_SOIL, thirst: 1 },
  { module: 'North 2', wateredAs: 'North 2', horizons: NORTH_SOIL, thirst: 0.92 },
  { module: 'South 1', wateredAs: 'South 1', horizons: SOUTH_SOIL, thirst: 0.96 },
  { module: 'South tension', wateredAs: 'South 1', horizons: SOUTH_SOIL, thirst: 0.82 },
];

/** The farm's history: the same for the same `now` (ms, a quarter of an hour) and seed. */
export function demoHistory(now: number, seed: number): DemoHistory {
  const weather = demoWeather(now, seededRandom(seed));
  const waterings = demoWaterings(now, weather, seededRandom(seed + 1));
  const count = (DAYS_OF_READINGS * DAY) / READING_EVERY + 1;
  const instants = Float64Array.from({ length: count }, (_, index) => now - (count - 1 - index) * READING_EVERY);
  const noise = seededRandom(seed + 2);
  const series = [
    ...SITES.flatMap((site) => seriesOf(site, moistures(site, instants, weather, waterings), instants, weather, noise)),
    inAir('temperature', instants, (at) => weather.airAt(at) + 0.15 * noise.normal(), 1),
    inAir('humidity', instants, (at) => Math.min(100, Math.max(15, weather.humidityAt(at) + noise.normal())), 1),
  ];
  return { instants, waterings, series };
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

const inAir = (
  type: DemoSeries['type'],
  instants: Float64Array,
  measured: (at: number) => number,
  decimals: number,
): DemoSeries => ({
  module: 'Weather mast',
  type,
  depth: null,
  values: instants.map((at) => rounded(measured(at), decimals)),
});

/** Moisture at the boundaries of layers, m3/m3: [boundary - 1][instant]. A sensor feels the layer above and the one below. */
type Moistures = readonly Float64Array[];

function moistures(
  { wateredAs, horizons, thirst }: Site,
  instants: Float64Array,
  weather: DemoWeather,
  waterings: readonly DemoWatering[],
): Moistures {
  const layers = layersOf(horizons);
  const roots = rootShare(layers.length);
  const watered = waterings.filter(({ module }) => module === wateredAs);
  const felt = layers.slice(1).map(() => new Float64Array(instants.length));
  let column: Column = columnAt(layers, 0.85);
  for (const [index, at] of instants.entries()) {
    for (let from = at - READING_EVERY; from < at; from += STEP) {
      const demand = thirst * weather.demandMm(from, from + STEP);
      const step = {
        hours: STEP / HOUR,
        waterMm: weather.rainMm(from, from + STEP) + irrigationMm(watered, from, from + STEP),
        evaporationMm: BARE_SHARE * demand,
        transpirationMm: (1 - BARE_SHARE) * demand,
      };
      column = advance(column, step, roots).column;
    }
    for (const [boundary, values] of felt.entries())
      values[index] = (moistureOf(column, boundary) + moistureOf(column, boundary + 1)) / 2;
  }
  return felt;
}

function layersOf(horizons: Site['horizons']): Layer[] {
  const deepest = horizons.at(-1)!.bottomCm;
  return Array.from({ length: deepest / LAYER_CM }, (_, index) => ({
    ...horizons.find(({ bottomCm }) => (index + 1) * LAYER_CM <= bottomCm)!.soil,
    thicknessMm: LAYER_CM * 10,
  }));
}

/** Each layer's share of the uptake; the quarters of the root depth need not end where layers do. */
const rootShare = (layers: number): number[] =>
  Array.from({ length: layers }, (_, layer) =>
    UPTAKE.reduce((sum, share, quarter) => {
      const top = Math.max(layer * LAYER_CM, (quarter * ROOT_DEPTH_CM) / 4);
      const bottom = Math.min((layer + 1) * LAYER_CM, ((quarter + 1) * ROOT_DEPTH_CM) / 4);
      return sum + (share * Math.max(0, bottom - top)) / (ROOT_DEPTH_CM / 4);
    }, 0),
  );

/** What waterings bring to the probe in [from, to), mm. */
function irrigationMm(waterings: readonly DemoWatering[], from: number, to: number): number {
  let sum = 0;
  for (const watering of waterings) {
    const length = watering.durationMin * MINUTE;
    const shared = Math.min(watering.startedAt + length, to) - Math.max(watering.startedAt, from);
    if (shared > 0) sum += (atProbeMm(watering) * shared) / length;
  }
  return sum;
}

function seriesOf(
  { module, horizons }: Site,
  felt: Moistures,
  instants: Float64Array,
  weather: DemoWeather,
  noise: Random,
): DemoSeries[] {
  const at = (depth: number): Float64Array => felt[depth / LAYER_CM - 1]!;
  if (module === 'South tension')
    return TENSIOMETER_DEPTHS.map((depth) => {
      const { soil } = horizons.find(({ bottomCm }) => depth <= bottomCm)!;
      const measured = (moisture: number): number => suctionKpa(soil, moisture) * (1 + 0.004 * noise.normal());
      return {
        module,
        type: 'tensio',
        depth,
        values: at(depth).map((each) => rounded(Math.min(200, measured(each)), 1)),
      };
    });
  return PROBE_DEPTHS.flatMap((depth): DemoSeries[] => [
    {
      module,
      type: 'humidity',
      depth,
      values: at(depth).map((moisture) => rounded(100 * moisture + 0.02 * noise.normal(), 2)),
    },
    {
      module,
      type: 'temperature',
      depth,
      values: instants.map((instant) => rounded(weather.soilAt(instant, depth) + 0.04 * noise.normal(), 2)),
    },
  ]);
}
