import type { WeatherFacts } from '../../facts/weather-facts.ts';
import {
  type RainContribution,
  type RecordedRain,
  rainByDayInPeriod,
  rainContributions,
} from '../../weather/rain.ts';

/** What all probes of a farm have in common. */
export class FarmConditions {
  /** In ms. */
  readonly now: number;
  readonly zone: string;
  readonly weather: WeatherFacts;
  readonly #rain: RecordedRain;
  readonly #rainOfParcels = new Map<number | null, readonly RainContribution[]>();

  /** `rain` is that of the last `DRYING_RATE_DAYS`. */
  constructor(facts: {
    readonly now: number;
    readonly zone: string;
    readonly rain: RecordedRain;
    readonly weather: WeatherFacts;
  }) {
    this.now = facts.now;
    this.zone = facts.zone;
    this.weather = facts.weather;
    this.#rain = facts.rain;
  }

  rainOn(parcelId: number | null): readonly RainContribution[] {
    const known = this.#rainOfParcels.get(parcelId);
    if (known !== undefined) return known;
    const rain = rainContributions(rainByDayInPeriod(this.#rain, parcelId));
    this.#rainOfParcels.set(parcelId, rain);
    return rain;
  }
}
