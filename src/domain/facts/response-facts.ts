import type { Period } from '../periods.ts';

/** Waterings of the last two weeks that the soil did not show when they were logged; in ms. */
export interface ResponseFacts {
  /** The newest in a row that were large enough to be seen, and that no depth showed. */
  readonly unseen: UnseenWaterings | null;
  /** Rises that would each follow a watering if the log were shifted. */
  readonly logShift: LogShift | null;
  /** Absent where none is. */
  readonly early?: EarlyRises;
  /** The module that shows these waterings, whose own ones this probe shows. */
  readonly exchangedWith?: number;
  /** Absent where the sensors show water and dry in the order of their depths, or nothing shows it. */
  readonly exchangedDepths?: ExchangedDepths;
}

/** The deepest sensor is the first to show water and to dry, as the uppermost one should be. */
export interface ExchangedDepths {
  readonly topCm: number;
  readonly deepestCm: number;
}

export interface UnseenWaterings {
  /** The first start of each local day, newest first. */
  readonly startedAt: readonly number[];
  /** Counted as done by a schedule, so that nobody has said that they ran. */
  readonly areScheduled: boolean;
}

export interface LogShift {
  /** Negative where the soil became wetter before the logged days. */
  readonly days: number;
  /** The waterings, as in `UnseenWaterings`. */
  readonly startedAt: readonly number[];
  /** One for each of those whose shifted start lies in the two weeks. */
  readonly roseAt: readonly number[];
  /** As many rises fit a shift by these days the other way, as they do in a regular cycle. */
  readonly isEitherWay: boolean;
  /** The starts of all rises in the readings. */
  readonly rises: readonly number[];
  /** Of the readings. */
  readonly record: Period;
}

/** Rises by like hours before logged starts; of a few waterings they may be chance. */
export interface EarlyRises {
  readonly hours: number;
  /** The waterings, newest first. */
  readonly startedAt: readonly number[];
  /** In their order. */
  readonly roseAt: readonly number[];
}

/** A rise of all depths at once. */
export interface CommonJump {
  /** The hour in which they rose, in ms. */
  readonly at: number;
  /** The rise of the depth that rose least, in % of volume. */
  readonly points: number;
}

/** The evidence in the depths of a probe of waterings that act on the soil as one. */
export interface WateringEvidence {
  /** Oldest first. */
  readonly wateringIds: readonly number[];
  /** The starts of the rises of each depth that rose, in ms. */
  readonly rises: readonly (readonly number[])[];
  /** Gained in the wetted zone; null without a slice that rose. */
  readonly gainMm: number | null;
  /** There are enough readings to tell that no depth rose. */
  readonly isConclusive: boolean;
  /** A rise would have shown by then. */
  readonly settledAt: number;
  /** The newest of the readings around them; null without any. */
  readonly newestAt: number | null;
}

export const NO_RESPONSE_FACTS: ResponseFacts = { unseen: null, logShift: null };
