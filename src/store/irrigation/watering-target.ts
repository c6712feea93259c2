/** Probes, and parcels whose own waterings count too. */
export interface WateredTargets {
  readonly moduleIds: readonly number[];
  readonly parcelIds: readonly number[];
}

/** A probe, or a parcel that has none. */
export type WateringTarget = { readonly moduleId: number } | { readonly parcelId: number };

/** What is for the kind of the target, and its id. */
export const onTarget = <T>(
  target: WateringTarget,
  ofProbe: T,
  ofParcel: T,
): readonly [T, number] =>
  'moduleId' in target ? [ofProbe, target.moduleId] : [ofParcel, target.parcelId];
