export type Outcome = 'created' | 'changed' | 'unchanged';
export type Tally = Record<Outcome, number>;

/** What a farm file did. */
export interface FarmReport {
  readonly company: { readonly id: number; readonly name: string; readonly outcome: Outcome };
  readonly users: Tally;
  readonly parcels: Tally;
  readonly gateways: Tally;
  readonly modules: Tally;
  readonly sensors: Tally;
  readonly soilLayers: Tally;
  readonly installations: Tally;
  /** Every module of the file, in its order. */
  readonly named: readonly {
    readonly id: number;
    readonly uid: string;
    readonly name: string | null;
    readonly outcome: Outcome;
  }[];
  /** Waterings that a declared installation gave the dose they lacked. */
  readonly completedDoses: number;
  /** Planned waterings of schedules that followed: a probe changed its parcel, or its equipment. */
  readonly plans: { readonly added: number; readonly changed: number; readonly removed: number };
}

export const newTally = (): Tally => ({ created: 0, changed: 0, unchanged: 0 });
