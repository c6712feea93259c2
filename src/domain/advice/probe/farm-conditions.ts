import type { WeatherFacts } from '../../facts/weather-facts.ts';
import { ParcelRain } from '../../weather/parcel-rain.ts';
import type { RainContribution, RecordedRain } from '../../weather/rain.ts';

/** What all probes of a farm have in common. */
export class FarmConditions {
  /** In ms. */
  readonly now: number;
  readonly weather: WeatherFacts;
  readonly #rain: ParcelRain;

  /** `rain` is that of the last `DRYING_RATE_DAYS`. */
  constructor(facts: {
    readonly now: number;
    readonly rain: RecordedRain;
    readonly weather: WeatherFacts;
  }) {
    this.now = facts.now;
    this.weather = facts.weather;
    this.#rain = new ParcelRain(facts.rain);
  }

  rainOn(parcelId: number | null): readonly RainContribution[] {
    return this.#rain.on(parcelId);
  }
}
