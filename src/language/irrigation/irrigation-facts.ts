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

export interface EquipmentFacts {
  readonly system: string;
  readonly mmPerH: string | null;
  readonly fractionWetted: string;
  readonly isDefaultFraction: boolean;
  readonly areaM2: string | null;
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
