import type { SetupFacts } from '../../facts/probe-facts.ts';
import type { WeatherFacts } from '../../facts/weather-facts.ts';
import { LocalDay } from '../../local-day.ts';
import { keepsRainOff, type MulchSettings } from '../../moisture/mulch.ts';
import { airTemperatures, meanAirTemperature } from '../../weather/air-temperature.ts';
import { type Cover, ParcelRain } from '../../weather/parcel-rain.ts';
import type { RainContribution, RecordedRain } from '../../weather/rain.ts';
import { isWinter, type SeasonSite } from '../../weather/winter.ts';
import { totalMm } from '../rain-effect.ts';
import { type Season, seasonOn } from '../watering-season.ts';

/** In mm: less rain, fallen or not, changes no advice. */
const MIN_RAIN_MM = 5;

export interface ConditionInputs {
  readonly now: number;
  readonly zone: string;
  /** The rain of the last `DRYING_RATE_DAYS` or more. */
  readonly rain: RecordedRain;
  readonly weather: WeatherFacts;
  /** A parcel of which nothing is known is left out. */
  readonly coverByParcel: ReadonlyMap<number, Cover>;
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
  readonly #coverByParcel: ReadonlyMap<number, Cover>;

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
    return seasonOn(this.today, settings, cropSeason, this.#site);
  }

  /** True where no thermometer is needed to tell that it is the cold season. */
  isWinter(): boolean {
    return isWinter(this.today, this.#site);
  }

  get #site(): SeasonSite {
    const { latitude = null } = this.weather;
    return { latitude, zone: this.zone };
  }

  /** None under a roof. */
  rainOn(parcelId: number | null): readonly RainContribution[] {
    return this.isUnderRoof(parcelId) ? [] : this.#rain.on(parcelId);
  }

  /** What of it gets into the soil: none under plastic, beside which some may still wet a sensor. */
  rainInto(parcelId: number | null, settings: MulchSettings | null): readonly RainContribution[] {
    return keepsRainOff(settings) ? [] : this.rainOn(parcelId);
  }

  /** Rain falls on its soil for certain. A probe without a parcel is taken to stand outdoors. */
  isOutdoors(parcelId: number | null): boolean {
    return parcelId === null || this.#coverByParcel.get(parcelId) === 'open';
  }

  isUnderRoof(parcelId: number | null): boolean {
    return parcelId !== null && this.#coverByParcel.get(parcelId) === 'roof';
  }

  /** Rain was recorded, and whether it fell on this parcel depends on what nobody has said. */
  isRainInQuestion(parcelId: number | null): boolean {
    return (
      parcelId !== null &&
      this.#coverByParcel.get(parcelId) === 'unknown' &&
      totalMm(this.#rain.on(parcelId)) >= MIN_RAIN_MM
    );
  }
}
