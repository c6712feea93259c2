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
