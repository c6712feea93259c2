import type { IrrigationWarning } from '../domain/dose.ts';
import type { WateringStatus } from '../schema/watering.ts';

/** A watering in parts that are said: figures, instants and names as text. */
export interface SaidWatering {
  /** "45 min of drip". */
  readonly given: string;
  readonly name: string;
  /** When, with its zone. */
  readonly when: string;
  readonly dose: string;
}

/** What a warning needs to be told. */
export interface SaidWarning {
  readonly name: string;
  /** The dose over the whole area is there, and only that of the wetted zone is missing. */
  readonly isPartial: boolean;
  readonly system: string;
  readonly fractionWetted: string;
}

/** What is said of waterings. */
export interface WateringWords {
  /** An amount with its unit and the equipment, or null where none is known: "45 min of drip". */
  given(amount: string, system: string | null): string;
  system(code: string): string;
  readonly noDose: string;
  /** mm over the whole area, and in the wetted zone. */
  dose(whole: string, wetted: string | null): string;
  written(watering: SaidWatering, status: WateringStatus): string;
  corrected(watering: SaidWatering, status: WateringStatus, id: number): string;
  readonly warnings: Readonly<Record<IrrigationWarning, (said: SaidWarning) => string>>;
  readonly noneMatches: string;
  page(count: number, newest: Omit<SaidWatering, 'given'> & { readonly status: WateringStatus }): string;
  /** How many there are of each status that occurs. */
  counts(total: number, byStatus: readonly (readonly [WateringStatus, number])[]): string;
  /** Another one starts at the same minute as the one just written. */
  loggedTwin(id: number, twinId: number): string;
  correctedTwin(twinId: number): string;
  readonly toConfirm: string;
  /** The dose before in mm, null where there was none. */
  doseBefore(mm: string | null, isOtherEquipment: boolean): string;
  /** Of one probe: how many doses were completed, how many are missing, and these by reason. */
  recomputed(
    name: string,
    completed: number,
    missing: number,
    byReason: readonly (readonly [string, number])[],
  ): string;
}
