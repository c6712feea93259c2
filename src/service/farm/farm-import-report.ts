export type ImportOutcome = 'created' | 'changed' | 'unchanged';
export type ImportCounts = Record<ImportOutcome, number>;

export interface FarmImportReport {
  readonly company: { readonly id: number; readonly name: string; readonly outcome: ImportOutcome };
  readonly users: ImportCounts;
  readonly parcels: ImportCounts;
  readonly gateways: ImportCounts;
  readonly modules: ImportCounts;
  readonly sensors: ImportCounts;
  readonly soilLayers: ImportCounts;
  readonly installations: ImportCounts;
  /** Every module of the file, in its order. */
  readonly moduleResults: readonly {
    readonly id: number;
    readonly uid: string;
    readonly name: string | null;
    readonly outcome: ImportOutcome;
  }[];
  /** Waterings whose missing dose a declared installation completed. */
  readonly completedDoses: number;
  /** Planned waterings of schedules that followed a change of parcel or equipment. */
  readonly plans: { readonly added: number; readonly changed: number; readonly removed: number };
}

export const newImportCounts = (): ImportCounts => ({ created: 0, changed: 0, unchanged: 0 });
