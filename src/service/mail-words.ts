import type { ThresholdBasis } from '../domain/agronomic-state.ts';
import type { MailKind } from '../store/outbox.ts';

/**
 * How an episode ends: moisture reached the level that resolves it; the threshold or the hysteresis was changed; or readings
 * came late or were corrected, after which it never was.
 */
export type EpisodeEnding = 'reached' | 'rule_changed' | 'corrected';

/** How the alert stands when a message is written; instants in ms, values in % of volume. */
export interface AlertMailState {
  /** Instant of the newest value that counts, and that value; null without one. */
  readonly newestAt: number | null;
  readonly newestValue: number | null;
  /** Start of the episode that lasts or has just ended; null where none is told of. */
  readonly startedAt: number | null;
  /** End of that episode; null while it lasts. */
  readonly endedAt: number | null;
  /** Least value of that episode. */
  readonly lowestValue: number | null;
  readonly isFiring: boolean;
  /** How an episode that is told to have ended did. */
  readonly ending: EpisodeEnding;
}

/** All that a message tells. Names are data: they come cleaned of what is no text on one line. */
export interface AlertMailFacts {
  readonly kind: MailKind;
  readonly now: number;
  readonly zone: string;
  readonly company: string;
  readonly module: string;
  readonly parcel: string | null;
  /** Decimals, % of volume and percentage points. */
  readonly threshold: string;
  readonly hysteresis: string;
  readonly state: AlertMailState;
  /** The last ones that are done, newest first; the dose over the whole area. */
  readonly waterings: readonly { readonly startedAt: number; readonly waterMm: number | null }[];
  /** % of volume; null where nothing tells it. */
  readonly fieldCapacity: SoilFigure | null;
  readonly wiltingPoint: SoilFigure | null;
}

export interface SoilFigure {
  readonly value: number;
  readonly basis: ThresholdBasis;
}

/** A message in words, before it is laid out. */
export interface MailDraft {
  /** Also the title of the page. */
  readonly subject: string;
  /** Between a label and what it names, in plain text. */
  readonly colon: string;
  /** What has happened, in sentences. */
  readonly lead: readonly string[];
  readonly figures: readonly (readonly [label: string, value: string])[];
  readonly waterings: { readonly title: string; readonly lines: readonly string[] };
  /** What to do next, in one sentence. */
  readonly advice: string;
  /** Whom it is for, and in which zone its times are. */
  readonly footer: string;
}

/** What the words of a language make of the facts. */
export type MailDrafter = (facts: AlertMailFacts) => MailDraft;
