import { roundedParts } from '../../decimal.ts';
import { itemAt } from '../../items.ts';
import { WITNESSES, type WitnessKind } from './witness.ts';

export interface WitnessSum {
  readonly witness: WitnessKind;
  readonly waterings: number;
  /** Null if no watering has a dose. */
  readonly waterMm: number | null;
}

/** The doses of several probes added up; 0 without any. */
export interface DoneSum {
  readonly waterings: number;
  readonly waterMm: number;
}

interface DoneWaterings {
  readonly confirmed: DoneSum;
  readonly unconfirmed: DoneSum;
  /** The unconfirmed waterings about which probes were asked. */
  readonly asked: readonly { readonly kind: WitnessKind; readonly waterMm: number | null }[];
  /** The mean of what each probe is counted with. */
  readonly meanMm: number | null;
}

const MM_DECIMALS = 3;

/**
 * The amounts by who saw them, without kinds that have no watering. Like the mean, the amounts are
 * shares of all its probes, and they add up to it.
 */
export function witnessSums({
  confirmed,
  unconfirmed,
  asked,
  meanMm,
}: DoneWaterings): WitnessSum[] {
  const sums = {
    confirmed: { ...confirmed },
    probe: { waterings: 0, waterMm: 0 },
    assumed: { waterings: 0, waterMm: 0 },
    unconfirmed: { ...unconfirmed },
  };
  for (const { kind, waterMm } of asked) {
    sums.unconfirmed.waterings -= 1;
    sums.unconfirmed.waterMm -= waterMm ?? 0;
    sums[kind].waterings += 1;
    sums[kind].waterMm += waterMm ?? 0;
  }

  const kinds = WITNESSES.filter((kind) => sums[kind].waterings > 0);
  const amounts = kinds.map((kind) => sums[kind].waterMm);
  const shares = meanMm === null ? null : roundedParts(amounts, meanMm, MM_DECIMALS);
  return kinds.map((witness, index) => ({
    witness,
    waterings: sums[witness].waterings,
    waterMm: shares && itemAt(shares, index),
  }));
}
