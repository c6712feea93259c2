import {
  type RainContribution,
  type RecordedRain,
  rainByDayInPeriod,
  rainContributions,
} from './rain.ts';

/** Whether a roof keeps the rain off: `unknown` where a name suggests one, and nobody has said. */
export type Cover = 'open' | 'roof' | 'unknown';

/** The rain of a period, computed once for each parcel that is asked for. */
export class ParcelRain {
  readonly #rain: RecordedRain;
  readonly #byParcel = new Map<number | null, readonly RainContribution[]>();

  constructor(rain: RecordedRain) {
    this.#rain = rain;
  }

  /** Null stands for the whole farm. */
  on(parcelId: number | null): readonly RainContribution[] {
    const known = this.#byParcel.get(parcelId);
    if (known !== undefined) return known;

    const rain = rainContributions(rainByDayInPeriod(this.#rain, parcelId));
    this.#byParcel.set(parcelId, rain);
    return rain;
  }
}
