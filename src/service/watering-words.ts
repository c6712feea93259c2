import type { IrrigationWarning } from '../domain/dose.ts';
import type { WateringStatus } from '../schema/watering.ts';

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
  counts(total: number, byStatus: readonly (readonly [WateringStatus, number])[]): string;
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
