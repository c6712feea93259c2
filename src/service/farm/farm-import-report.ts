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
  readonly moduleResults: readonly {
    readonly id: number;
    readonly uid: string;
    readonly name: string | null;
    readonly outcome: ImportOutcome;
  }[];
  readonly completedDoses: number;
  readonly plans: { readonly added: number; readonly changed: number; readonly removed: number };
}

export const newImportCounts = (): ImportCounts => ({ created: 0, changed: 0, unchanged: 0 });
