import type { IrrigationWarning } from '../../domain/irrigation/dose.ts';
import type { WateringStatus } from '../../schema/watering.ts';

export interface WateringFacts {
  /** "45 min of drip". */
  readonly amount: string;
  readonly name: string;
  readonly when: string;
  readonly dose: string;
}

export interface DoseWarningFacts {
  readonly name: string;
  /** Only the dose in the wetted zone is missing. */
  readonly isPartial: boolean;
  readonly system: string;
  readonly fractionWetted: string;
}

export interface WateringPhrases {
  amountOfSystem(amount: string, system: string | null): string;
  system(code: string): string;
  readonly noDose: string;
  /** mm over the whole area, and in the wetted zone. */
  dose(whole: string, wetted: string | null): string;
  logged(watering: WateringFacts, status: WateringStatus): string;
  corrected(watering: WateringFacts, status: WateringStatus, id: number): string;
  readonly warnings: Readonly<Record<IrrigationWarning, (facts: DoseWarningFacts) => string>>;
  readonly noMatch: string;
  page(count: number, newest: Omit<WateringFacts, 'amount'> & { readonly status: WateringStatus }): string;
  counts(counts: readonly { readonly status: WateringStatus; readonly count: number }[]): string;
  loggedDuplicate(id: number, duplicateId: number): string;
  correctedDuplicate(duplicateId: number): string;
  readonly toConfirm: string;
  previousDose(mm: string | null, isOtherEquipment: boolean): string;
  /** Of one probe: how many doses were completed, how many are missing, and these by reason. */
  recomputeResult(
    name: string,
    completed: number,
    missing: number,
    byReason: readonly (readonly [string, number])[],
  ): string;
}

export interface EquipmentFacts {
  readonly system: string;
  readonly mmPerH: string | null;
  readonly fractionWetted: string;
  readonly isDefaultFraction: boolean;
  readonly areaM2: string | null;
}

export interface SetupPhrases {
  /** "drip, 3.2 mm/h, wetted fraction 0.35 (default), no irrigated area". */
  equipment(facts: EquipmentFacts): string;
  readonly sinceBeginning: string;
  since(instant: string, zone: string): string;
  /** `parcel` is null for a setup of the probe itself. */
  inForce(name: string, equipment: string, parcel: string | null, since: string): string;
  noSetup(name: string): string;
  /** `withoutSetup` of them have no dose because no setup covers their date. */
  missingDoses(count: number, withoutSetup: number): string;
  placement(name: string, distanceCm: string | null): string;
  version(id: number, equipment: string, since: string): string;
  declaredForParcel(parcel: string, system: string): string;
  generalizeResult(name: string, changed: number, probes: number, isTried: boolean): string;
  readonly nothingWritten: string;
  listedModules(count: number): string;
  validityPeriod(from: string | null, to: string): string;
  overridingModules(count: number, probes: number): string;
  completedDoses(count: number): string;
  updatedPlannedDoses(count: number): string;
  unchangedDoses(count: number): string;
}

/** Month from 1. */
export interface CalendarDay {
  readonly text: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface ScheduleFacts {
  readonly id: number;
  readonly target: string;
  readonly frequency: string;
  /** Local times: "05:00 and 18:00". */
  readonly times: string;
  readonly zone: string | null;
  readonly amount: string;
  readonly isActive: boolean;
}

export interface ScheduleChangeFacts {
  readonly moved: number;
  /** Start times before and after, for moved waterings. */
  readonly from: string;
  readonly to: string;
  readonly updated: number;
  readonly added: number;
  readonly removed: number;
  readonly keptManual: number;
}

export interface SchedulePhrases {
  everyDays(days: number): string;
  /** Days from 1 (Monday) to 7 (Sunday). */
  weekly(weekdays: readonly number[]): string;
  schedule(facts: ScheduleFacts, from: CalendarDay, until: CalendarDay | null, countsByItself: boolean): string;
  row(facts: ScheduleFacts): string;
  readonly noMatch: string;
  page(rows: readonly string[], zone: string | null): string;
  readonly nothingPlanned: string;
  planned(count: number, next: string): string;
  withoutDose(count: number): string;
  changes(facts: ScheduleChangeFacts): string;
  stillWatersToday(times: string): string;
  removedToday(times: string): string;
  duplicate(id: number): string;
  readonly differentAreas: string;
}
