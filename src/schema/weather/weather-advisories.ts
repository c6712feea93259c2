import { z } from 'zod/v3';
import { count, fact, id, instantMs, isoDay, names } from '../advisory-values.ts';
import { DEMAND_RATIO_BASES, EVAPOTRANSPIRATION_METHODS, WEATHER_INPUTS } from './weather-days.ts';

const evapotranspirationMethod = {
  method: z.enum(EVAPOTRANSPIRATION_METHODS),
  /** Inputs that Penman-Monteith lacks. */
  missing: z.array(z.enum(WEATHER_INPUTS)).readonly(),
};

/** About rain and evapotranspiration. */
export const weatherAdvisories = [
  /** Other records have rain of the same day: `id`, and `others` more. */
  fact('rain_counted_once', {
    id,
    mm: z.number(),
    others: count,
    isNewCounted: z.boolean(),
    totalMm: z.number(),
  }),
  /** Listed rows that do not count, and how many more. */
  fact('rain_not_counted', { ids: z.array(id), others: count }),
  /**
   * Rain that sensors may not show yet, or, lost, never will. `effectiveMm`: subtracted from the
   * deficit; null if no amount is advised.
   */
  fact('recent_rain', {
    mm: z.number(),
    isShown: z.boolean(),
    isLost: z.boolean(),
    effectiveMm: z.number().nullable(),
  }),
  /** Rain since the last watering, which ended at `since`; null for none in two weeks. */
  fact('rain_in_readings', {
    mm: z.number(),
    effectiveMm: z.number(),
    since: instantMs.nullable(),
  }),
  /** Totals by parcel, null for the whole farm, over the period of the answer or the last days. */
  fact('rain_totals', {
    totals: z.array(z.object({ parcel: z.string().nullable(), mm: z.number(), days: count })),
    lastDays: count.nullable(),
  }),
  /** Recorded for the rises after waterings, newest first; `at`: when the watering started. */
  fact('rain_around_waterings', {
    rows: z.array(z.object({ eventId: count, at: instantMs, mm: z.number() })),
  }),
  /** `mm`: the amount before the correction. */
  fact('rain_corrected', { mm: z.number() }),

  /** `comingMm` and `lastMm`: reference evapotranspiration in mm a day. */
  fact('demand_ratio', {
    percent: count,
    basis: z.enum(DEMAND_RATIO_BASES),
    comingMm: z.number(),
    comingDays: count,
    lastMm: z.number(),
    lastDays: count,
    ...evapotranspirationMethod,
  }),
  fact('rain_kept_off', {}),
  /** `until`: local day. `isCounted`: true if it counts as rain that the caller expects. */
  fact('forecast_rain', {
    mm: z.number(),
    until: isoDay,
    probability: z.number().nullable(),
    isCounted: z.boolean(),
  }),
  /**
   * A planned watering (`eventId`, at `at`) of these probes. `since`: end of the last watering;
   * null for the last three days.
   */
  fact('needless_after_rain', {
    eventId: id,
    at: instantMs,
    probes: names,
    rainMm: z.number(),
    effectiveMm: z.number(),
    neededMm: z.number(),
    plannedMm: z.number(),
    since: instantMs.nullable(),
  }),
  fact('reference_evapotranspiration', {
    mm: z.number(),
    days: count,
    ...evapotranspirationMethod,
    pace: z.object({ percent: count, basis: z.enum(DEMAND_RATIO_BASES) }).nullable(),
  }),
] as const;
