import type { IrrigationWarning } from '../../domain/irrigation/dose.ts';
import type { WateringStatus } from '../../schema/watering.ts';

/** A watering in parts that are said: figures, instants and names as text. */
export interface WateringFacts {
  /** "45 min of drip". */
  readonly amount: string;
  readonly name: string;
  /** When, with its zone. */
  readonly when: string;
  readonly dose: string;
}

/** What a warning needs to be told. */
export interface DoseWarningFacts {
  readonly name: string;
  /** The dose over the whole area is there, and only that of the wetted zone is missing. */
  readonly isPartial: boolean;
  readonly system: string;
  readonly fractionWetted: string;
}

/** What is said of waterings. */
export interface WateringPhrases {
  /** An amount with its unit and the equipment, or null where none is known: "45 min of drip". */
  amountOfSystem(amount: string, system: string | null): string;
  system(code: string): string;
  readonly noDose: string;
  /** mm over the whole area, and in the wetted zone. */
  dose(whole: string, wetted: string | null): string;
  logged(watering: WateringFacts, status: WateringStatus): string;
  corrected(watering: WateringFacts, status: WateringStatus, id: number): string;
  readonly warnings: Readonly<Record<IrrigationWarning, (said: DoseWarningFacts) => string>>;
  readonly noMatch: string;
  page(count: number, newest: Omit<WateringFacts, 'amount'> & { readonly status: WateringStatus }): string;
  /** How many there are of each status that occurs. */
  counts(counts: readonly { readonly status: WateringStatus; readonly count: number }[]): string;
  /** Another one starts at the same minute as the one just written. */
  loggedDuplicate(id: number, twinId: number): string;
  correctedDuplicate(twinId: number): string;
  readonly toConfirm: string;
  /** The dose before in mm, null where there was none. */
  previousDose(mm: string | null, isOtherEquipment: boolean): string;
  /** Of one probe: how many doses were completed, how many are missing, and these by reason. */
  recomputeResult(
    name: string,
    completed: number,
    missing: number,
    byReason: readonly (readonly [string, number])[],
  ): string;
}

/** Equipment in parts that are said; figures as text, null where nothing is known of it. */
export interface EquipmentFacts {
  readonly system: string;
  readonly mmPerH: string | null;
  readonly fractionWetted: string;
  readonly isDefaultFraction: boolean;
  readonly areaM2: string | null;
}

/** What is said of irrigation setups and of what a change of them does. */
export interface SetupPhrases {
  /** "drip, 3.2 mm/h, wetted fraction 0.35 (default), no irrigated area". */
  equipment(said: EquipmentFacts): string;
  readonly sinceBeginning: string;
  since(instant: string, zone: string): string;
  /** The setup in force, of a parcel where that is named. */
  inForce(name: string, equipment: string, parcel: string | null, since: string): string;
  noSetup(name: string): string;
  /** Waterings without a dose, and how many of them for want of a setup. */
  missingDoses(count: number, withoutSetup: number): string;
  placement(name: string, distanceCm: string | null): string;
  version(id: number, equipment: string, since: string): string;
  declaredForParcel(parcel: string, system: string): string;
  /** A setup pushed up to its parcel, or how it would be. */
  generalizeResult(name: string, changed: number, probes: number, isTried: boolean): string;
  readonly nothingWritten: string;
  /** How many of its modules are listed, where not all are. */
  listedModules(count: number): string;
  /** A declaration that lies in the past; `from` is null for the beginning. */
  validityPeriod(from: string | null, to: string): string;
  overridingModules(count: number, probes: number): string;
  completedDoses(count: number): string;
  updatedPlannedDoses(count: number): string;
  unchangedDoses(count: number): string;
}

/** A day of the year, month from 1. */
export interface CalendarDay {
  /** "2026-07-01". */
  readonly text: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** A schedule in parts that are said. */
export interface ScheduleFacts {
  readonly id: number;
  readonly target: string;
  readonly frequency: string;
  /** Local times: "05:00 and 18:00". */
  readonly times: string;
  /** Where it is to be named. */
  readonly zone: string | null;
  /** What each watering is given. */
  readonly amount: string;
  readonly isActive: boolean;
}

/** What a change made of the waterings ahead. */
export interface ScheduleChangeFacts {
  readonly moved: number;
  /** Start times as they were and as they are, where a watering can move. */
  readonly from: string;
  readonly to: string;
  readonly updated: number;
  readonly added: number;
  readonly removed: number;
  /** Corrected by hand, and left alone. */
  readonly keptManual: number;
}

/** What is said of schedules. */
export interface SchedulePhrases {
  everyDays(days: number): string;
  /** Days from 1 (Monday) to 7 (Sunday). */
  weekly(weekdays: readonly number[]): string;
  schedule(said: ScheduleFacts, from: CalendarDay, until: CalendarDay | null, countsByItself: boolean): string;
  row(said: ScheduleFacts): string;
  readonly noMatch: string;
  /** The zone of all, where they share one. */
  page(rows: readonly string[], zone: string | null): string;
  readonly nothingPlanned: string;
  planned(count: number, next: string): string;
  withoutDose(count: number): string;
  changes(said: ScheduleChangeFacts): string;
  stillWatersToday(times: string): string;
  removedToday(times: string): string;
  duplicate(id: number): string;
  readonly differentAreas: string;
}
