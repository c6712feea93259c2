/** Equipment in parts that are said; figures as text, null where nothing is known of it. */
export interface SaidEquipment {
  readonly system: string;
  readonly mmPerH: string | null;
  readonly fractionWetted: string;
  readonly isDefaultFraction: boolean;
  readonly areaM2: string | null;
}

/** What is said of irrigation setups and of what a change of them does. */
export interface SetupWords {
  /** "drip, 3.2 mm/h, wetted fraction 0.35 (default), no irrigated area". */
  equipment(said: SaidEquipment): string;
  readonly sinceAlways: string;
  since(instant: string, zone: string): string;
  /** The setup in force, of a parcel where that is named. */
  inForce(name: string, equipment: string, parcel: string | null, since: string): string;
  none(name: string): string;
  /** Waterings without a dose, and how many of them for want of a setup. */
  missing(count: number, withoutSetup: number): string;
  placed(name: string, distanceCm: string | null): string;
  version(id: number, equipment: string, since: string): string;
  declaredForParcel(parcel: string, system: string): string;
  /** A setup pushed up to its parcel, or how it would be. */
  generalized(name: string, changed: number, probes: number, isTried: boolean): string;
  readonly nothingWritten: string;
  /** How many of its modules are listed, where not all are. */
  listed(count: number): string;
  /** A declaration that lies in the past; `from` is null for the beginning. */
  span(from: string | null, to: string): string;
  overriding(count: number, probes: number): string;
  completed(count: number): string;
  renewed(count: number): string;
  kept(count: number): string;
}
