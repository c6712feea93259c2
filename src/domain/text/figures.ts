import { DAY_MIN, MINUTE_MS } from '../periods.ts';
import type { Area, Duration, EmitterDensity, Figures, Joiner, Limit, Precision } from './text.ts';
import type { UnitOfText } from './units-of-text.ts';

const quantityOf =
  (precision: Precision) =>
  (
    value: number | readonly number[],
    unit: UnitOfText | null = null,
    joiner?: Joiner,
  ): Figures => ({
    kind: 'quantity',
    values: typeof value === 'number' ? [value] : value,
    unit,
    precision,
    joiner,
  });

/** A recorded amount: one decimal, two below 1, none from 100 on. */
export const amount = quantityOf('amount');
/** Computed from the soil: two digits, whole units from 10 on. */
export const estimate = quantityOf('estimate');
/** One decimal. */
export const moisture = quantityOf('moisture');
/** Three digits, whole from 100 on. */
export const asEntered = quantityOf('entered');
/** Three digits. */
export const rate = quantityOf('rate');
/** Up to six digits. */
export const precise = quantityOf('precise');
/** All digits of a figure that is round already, or is a count. */
export const exact = quantityOf('exact');

/** A value that is rounded in metric units already, such as one of several that add up. */
export const roundedTo = (rounded: number, value: number, unit: UnitOfText): Figures => ({
  ...exact(value, unit),
  metric: [rounded],
});

/** "35 %" for 0.35. */
export const share = (fraction: number): Figures => rate(100 * fraction, '%');

/** A figure that follows "about" or the like. */
export const rough = (quantity: Figures): Figures => ({ ...quantity, isRough: true });

/** A rise or fall, of a temperature. */
export const changeOf = (quantity: Figures): Figures => ({ ...quantity, isChange: true });

export const asLimit = <F extends Figures | Area>(figures: F, limit: Limit): F => ({
  ...figures,
  limit,
});

/** The most that a field accepts. */
export const maximum = (value: number, unit: UnitOfText): Figures =>
  asLimit(exact(value, unit), 'max');

/** The range that a field accepts: "5 to 500 cm". */
export const acceptedRange = (range: readonly [min: number, max: number], unit: UnitOfText) =>
  asLimit(exact(range, unit, 'to'), 'range');

export const area = (m2: number): Area => ({ kind: 'area', m2 });

export const emitters = (perM2: number, precision?: Precision): EmitterDensity => ({
  kind: 'density',
  perM2,
  precision,
});

const durationOf =
  (style: Duration['style'], unitMin = 1) =>
  (value: number): Duration => ({ kind: 'duration', minutes: value * unitMin, style });

/** "45 min", "2 h", "5 h 15 min"; in minutes. */
export const minutes = durationOf('minutes');
/** Computed minutes: in steps of 5 min from an hour on, of an hour from a day on. */
export const advisedMinutes = durationOf('advised');
/** "25 minutes", "26 hours", "3 days"; in minutes. */
export const age = durationOf('age');
/** "15 min", "37 h", from two days on "13 days"; in hours. */
export const totalHours = durationOf('total', 60);
/** "less than a day", "about 4 days", "more than two weeks". */
export const daysUntil = durationOf('ahead', DAY_MIN);
/** "2 days 4 h", "26 h 20 min"; in ms. */
export const longDuration = durationOf('long', 1 / MINUTE_MS);
