import { DAY_MS } from '../../src/domain/periods.ts';
import { DAYS_OF_READINGS, READING_INTERVAL_MS } from './calendar.ts';
import { PROBE_DEPTHS_CM, TENSIOMETER_DEPTHS_CM } from './demo-farm.ts';
import { type Random, seededRandom } from './random.ts';
import { type SoilColumn, suctionKpa } from './soil-column.ts';
import {
  type BoundaryMoisture,
  initialSoil,
  moistureAtDepth,
  SITES,
  type Site,
  simulateSoil,
} from './soil-simulation.ts';
import { type DemoPast, type DemoWatering, demoWaterings } from './waterings.ts';
import { type DemoWeather, demoWeather } from './weather.ts';

/** `values[i]` at the i-th instant, in the sensor's unit. */
export interface DemoSeries {
  readonly module: string;
  readonly type: 'humidity' | 'temperature' | 'tensio';
  readonly depth: number | null;
  readonly values: Float64Array;
}

export interface DemoHistory {
  readonly instants: Float64Array;
  readonly waterings: readonly DemoWatering[];
  readonly series: readonly DemoSeries[];
  readonly weather: DemoWeather;
  readonly soils: ReadonlyMap<string, SoilColumn>;
}

/** ms, [from, to). Readings of its modules in this period are lost. */
export const gatewaySilence = (now: number): { from: number; to: number } => ({
  from: now - 52 * DAY_MS,
  to: now - 50 * DAY_MS,
});

/** The same for the same `now` (ms, a quarter of an hour), seed and past. */
export function demoHistory(now: number, seed: number, past?: DemoPast): DemoHistory {
  const weather = demoWeather(now, seededRandom(seed));
  const waterings = demoWaterings(now, weather, seededRandom(seed + 1), past);
  const count = (DAYS_OF_READINGS * DAY_MS) / READING_INTERVAL_MS + 1;
  const instants = Float64Array.from(
    { length: count },
    (_, index) => now - (count - 1 - index) * READING_INTERVAL_MS,
  );
  const noise = seededRandom(seed + 2);
  return {
    instants,
    waterings,
    weather,
    ...measureSensors(initialSoil, { instants, weather, waterings, noise }),
  };
}

export function measureSensors(
  before: (site: Site) => SoilColumn,
  {
    instants,
    weather,
    waterings,
    noise,
  }: Pick<DemoHistory, 'instants' | 'weather' | 'waterings'> & { noise: Random },
): Pick<DemoHistory, 'series' | 'soils'> {
  const soils = new Map<string, SoilColumn>();
  const series = [
    ...SITES.flatMap((site) => {
      const { boundaryMoisture, soil } = simulateSoil(site, before(site), {
        instants,
        weather,
        waterings,
      });
      soils.set(site.module, soil);
      return siteSeries(site, boundaryMoisture, { instants, weather, noise });
    }),
    airSeries('temperature', instants, (at) => weather.airAt(at) + 0.15 * noise.normal(), 1),
    airSeries(
      'humidity',
      instants,
      (at) => Math.min(100, Math.max(15, weather.humidityAt(at) + noise.normal())),
      1,
    ),
  ];
  return { series, soils };
}

/** Dry soil is beyond the range of the sensor. */
const MAX_TENSION_KPA = 200;

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

const airSeries = (
  type: DemoSeries['type'],
  instants: Float64Array,
  measure: (at: number) => number,
  decimals: number,
): DemoSeries => ({
  module: 'Weather mast',
  type,
  depth: null,
  values: instants.map((at) => rounded(measure(at), decimals)),
});

/** m3/m3 to %, with the noise of a sensor. */
export const measureHumidity = (moisture: number, noise: Random): number =>
  rounded(100 * moisture + 0.02 * noise.normal(), 2);

function siteSeries(
  { module, horizons }: Site,
  boundaryMoisture: BoundaryMoisture,
  { instants, weather, noise }: Pick<DemoHistory, 'instants' | 'weather'> & { noise: Random },
): DemoSeries[] {
  if (module === 'South tension')
    return TENSIOMETER_DEPTHS_CM.map((depth) => {
      const { soil } = horizons.find(({ bottomCm }) => depth <= bottomCm)!;
      const measureTension = (moisture: number): number =>
        suctionKpa(soil, moisture) * (1 + 0.004 * noise.normal());
      return {
        module,
        type: 'tensio',
        depth,
        values: moistureAtDepth(boundaryMoisture, depth).map((each) =>
          rounded(Math.min(MAX_TENSION_KPA, measureTension(each)), 1),
        ),
      };
    });
  return PROBE_DEPTHS_CM.flatMap((depth): DemoSeries[] => [
    {
      module,
      type: 'humidity',
      depth,
      values: moistureAtDepth(boundaryMoisture, depth).map((moisture) =>
        measureHumidity(moisture, noise),
      ),
    },
    {
      module,
      type: 'temperature',
      depth,
      values: instants.map((instant) =>
        rounded(weather.soilAt(instant, depth) + 0.04 * noise.normal(), 2),
      ),
    },
  ]);
}
