import type { MeasurementType } from '../moisture/measurement.ts';

/** The quantities that alerts can watch. */
export const ALERT_KIND_NAMES = ['moisture'] as const;
export type AlertKind = (typeof ALERT_KIND_NAMES)[number];

/**
 * The kind of every alert that names none: of the specification, and of the store. Source: spec,
 * "Alert (threshold)".
 */
export const UNNAMED_KIND: AlertKind = 'moisture';

interface AlertKindRule {
  /** The unit of its values and thresholds, as people write it. */
  readonly symbol: '%';
  /** The highest value that it can have. */
  readonly max: number;
  /** The readings on which its state depends. */
  readonly measurement: MeasurementType;
}

/**
 * src/service/alerts/kinds/watched-values.ts has how alerts of a kind are evaluated,
 * src/language/alerts/alert-kind-words.ts their words, and `mail.ts` of each language those of mail.
 */
export const ALERT_KINDS: Readonly<Record<AlertKind, AlertKindRule>> = {
  moisture: { symbol: '%', max: 100, measurement: 'humidity' },
};
