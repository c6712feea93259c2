import type { BalanceLayer } from '../balance/root-zone-soil.ts';
import type { CropSeasonFacts, EquipmentFacts, SettingsFacts } from './probe-facts.ts';

/** The facts of a parcel itself, with or without probes. */
export interface ParcelFacts {
  readonly id: number;
  readonly season: CropSeasonFacts;
  /** Null if unknown. */
  readonly rootDepthCm: number | null;
  /** The layers in force, as declared. */
  readonly layers: readonly BalanceLayer[];
  /** The equipment of the parcel that is now in force. */
  readonly installation: EquipmentFacts | null;
  readonly settings: SettingsFacts | null;
}
