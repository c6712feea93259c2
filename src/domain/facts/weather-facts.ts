import type { DayOfTemperatures } from '../weather/air-temperature.ts';
import type { DemandRatio } from '../weather/demand-ratio.ts';

type EvapotranspirationMethod = 'penman_monteith' | 'hargreaves';
type WeatherInput = 'temperature' | 'humidity' | 'wind' | 'radiation';

/** Days are local dates; amounts are in mm. */
export interface WeatherFacts {
  /** Of the farm, in degrees north; null or absent where nothing of it has a position. */
  readonly latitude?: number | null;
  readonly data: readonly (DayOfTemperatures & {
    readonly et0Mm: number | null;
    readonly method: EvapotranspirationMethod | null;
    readonly missing: readonly WeatherInput[];
  })[];
  /** Demand of the coming days against that of the last ones; null where too little is known. */
  readonly pace:
    | (DemandRatio & {
        readonly method: EvapotranspirationMethod;
        readonly missing: readonly WeatherInput[];
      })
    | null;
  /** From today on; null without a forecast. */
  readonly forecast: {
    readonly days: readonly {
      readonly day: string;
      readonly rainMm: number | null;
      /** In %. */
      readonly rainProbability: number | null;
    }[];
    /** The two weeks before; absent where a service does not give them. */
    readonly lastDays?: readonly DayOfTemperatures[];
  } | null;
}
