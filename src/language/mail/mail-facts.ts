import type { AlertKind } from '../../domain/alerts/alert-kinds.ts';
import type { SuspectReading } from '../../domain/facts/probe-facts.ts';
import type { ThresholdBasis } from '../../domain/moisture/agronomic-state.ts';
import { singleLine } from '../../domain/strings.ts';
import type { UnitSystem } from '../../domain/units.ts';
import type { AlertMailKind } from '../../schema/alerts/alert.ts';

const MAX_NAME_LENGTH = 80;

export function sanitizeName(name: string): string {
  const line = singleLine(name);
  const characters = [...line];
  return characters.length <= MAX_NAME_LENGTH
    ? line
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}

/**
 * Moisture reached the resolving level, the threshold or hysteresis changed, or readings came late
 * or were corrected.
 */
export type EpisodeEnding = 'reached' | 'rule_changed' | 'corrected';

/** Instants in ms, values in the unit of the alert. */
export interface AlertMailState {
  readonly newestAt: number | null;
  readonly newestValue: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly lowestValue: number | null;
  readonly isFiring: boolean;
  readonly ending: EpisodeEnding;
}

/** The facts of each mail about a probe. Names are already cleaned and on one line. */
export interface ProbeMailFacts {
  readonly now: number;
  readonly zone: string;
  readonly units: UnitSystem;
  readonly company: string;
  readonly module: string;
  readonly parcel: string | null;
}

export interface AlertMailFacts extends ProbeMailFacts {
  readonly kind: AlertMailKind;
  readonly alertKind: AlertKind;
  readonly threshold: string;
  readonly hysteresis: string;
  readonly state: AlertMailState;
  /** The last ones done, newest first; `waterMm` is over the whole area. */
  readonly waterings: readonly MailedWatering[];
  /** Null if the alert does not depend on the soil. */
  readonly soil: SoilFigures | null;
  readonly doubts: readonly SuspectReading[];
}

interface MailedWatering {
  readonly startedAt: number;
  readonly waterMm: number | null;
  /** By a person. */
  readonly isConfirmed: boolean;
}

/** In % of volume. */
export interface SoilFigures {
  readonly fieldCapacity: SoilFigure | null;
  readonly wiltingPoint: SoilFigure | null;
  /** Plants begin to suffer at it. */
  readonly stressPoint: number | null;
}

export interface SoilFigure {
  readonly value: number;
  readonly basis: ThresholdBasis;
}
