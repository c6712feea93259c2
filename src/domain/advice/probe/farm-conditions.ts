import type { SetupFacts } from '../../facts/probe-facts.ts';
import type { WeatherFacts } from '../../facts/weather-facts.ts';
import { LocalDay } from '../../local-day.ts';
import { airTemperatures, meanAirTemperature } from '../../weather/air-temperature.ts';
import { ParcelRain } from '../../weather/parcel-rain.ts';
import type { RainContribution, RecordedRain } from '../../weather/rain.ts';
import { type Season, seasonOn } from '../watering-season.ts';

export interface ConditionInputs {
  readonly now: number;
  readonly zone: string;
  /** The rain of the last `DRYING_RATE_DAYS` or more. */
  readonly rain: RecordedRain;
  readonly weather: WeatherFacts;
  /**
   * Whether a parcel is in a greenhouse or tunnel; a parcel of which nothing is known is left out.
   */
  readonly coverByParcel: ReadonlyMap<number, boolean>;
}

/** The conditions that all probes of a farm have in common. */
export class FarmConditions {
  /** In ms. */
  readonly now: number;
  readonly today: LocalDay;
  readonly zone: string;
  readonly weather: WeatherFacts;
  /**
   * The same over as many days as a balance may cover; null unless a probe has long been silent.
   */
  readonly longPast: FarmConditions | null;
  readonly #rain: ParcelRain;
  readonly #coverByParcel: ReadonlyMap<number, boolean>;

  constructor(facts: ConditionInputs, longPast: FarmConditions | null = null) {
    this.now = facts.now;
    this.today = LocalDay.at(facts.now, facts.zone);
    this.zone = facts.zone;
    this.weather = facts.weather;
    this.longPast = longPast;
    this.#rain = new ParcelRain(facts.rain);
    this.#coverByParcel = facts.coverByParcel;
  }

  /** In degrees Celsius, of the days before today; null where too few are known. */
  meanAirTemperature(days: number): number | null {
    return meanAirTemperature(airTemperatures(this.weather), this.today, days);
  }

  seasonOf({ settings, cropSeason }: Pick<SetupFacts, 'settings' | 'cropSeason'>): Season {
    return seasonOn(this.today, settings, cropSeason);
  }

  rainOn(parcelId: number | null): readonly RainContribution[] {
    return this.#rain.on(parcelId);
  }

  /** Rain falls on its soil. A probe without a parcel is taken to stand outdoors. */
  isOutdoors(parcelId: number | null): boolean {
    return parcelId === null || this.#coverByParcel.get(parcelId) === false;
  }
}
