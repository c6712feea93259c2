/** What covers the bed. `none` at a probe stands against the mulch of its parcel. */
export const MULCHES = ['none', 'organic', 'plastic'] as const;
export type Mulch = (typeof MULCHES)[number];

/**
 * What still evaporates from a covered bed, as a share of what bare soil loses. FAO-56, chapter 10:
 * plastic takes 50 to 80 % off, of which this is the middle, organic mulch 5 % for each 10 % of the
 * ground, here all of it.
 */
const EVAPORATION_SHARES: Readonly<Record<Mulch, number>> = {
  none: 1,
  organic: 0.5,
  plastic: 0.35,
};

export interface MulchSettings {
  /** Undefined where a service knows none. */
  readonly mulch?: Mulch | null | undefined;
}

export const shareUnderMulch = (settings: MulchSettings | null | undefined): number =>
  EVAPORATION_SHARES[settings?.mulch ?? 'none'];

/** Some still seeps in from the paths, which only readings can tell. */
export const keepsRainOff = (settings: MulchSettings | null): boolean =>
  settings?.mulch === 'plastic';
