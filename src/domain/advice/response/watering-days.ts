import { epochDay } from '../../calendar.ts';
import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { groupBy } from '../../groups.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import type { Period } from '../../periods.ts';
import { civilAt } from '../../time-zone.ts';
import type { DepthResponse } from '../watering-response.ts';

/** The waterings that began on one local day: pulses of a day act on the soil together. */
export interface WateringDay extends Period {
  /** In the wetted zone; null where a dose is unknown. */
  readonly mm: number | null;
  readonly isScheduled: boolean;
}

/**
 * In the wetted zone: less may stay above the sensors. With each day of so much rain taken for a
 * watering, a year of OpenAgri has no two in a row that its depths did not show.
 */
const MIN_DOSE_MM = 5;

/** Enough water to be seen in dry soil. */
export const isLarge = ({ mm }: WateringDay): boolean => mm !== null && mm >= MIN_DOSE_MM;

/** A day of waterings with what the depths showed of it. */
export interface JudgedDay {
  readonly day: WateringDay;
  readonly outcome: 'seen' | 'seen_early' | 'unseen' | 'unknown';
  readonly depths: readonly DepthResponse[];
}

/** `done` has the oldest start first, and so have the days. */
export const wateringDays = (done: readonly WateringFacts[], zone: string): WateringDay[] =>
  [...groupBy(done, ({ startedAt }) => epochDay(civilAt(startedAt, zone))).values()].map(
    (waterings) => ({
      start: Math.min(...waterings.map(({ startedAt }) => startedAt)),
      end: Math.max(...waterings.map((watering) => runPeriod(watering).end)),
      // Where the whole area is wetted, there is no other dose.
      mm: sumDoses(waterings.map(({ waterMm, waterMmWetted }) => waterMmWetted ?? waterMm)),
      isScheduled: waterings.every(({ isConfirmed }) => !isConfirmed),
    }),
  );
