import { WITNESSES, type WitnessKind } from '../../domain/advice/witness/witness.ts';
import { roundedParts } from '../../domain/decimal.ts';
import { itemAt } from '../../domain/items.ts';
import type { WateringTotalsBody } from '../../schema/irrigation/watering.ts';
import { decimalsOfAmount, formatNumber, sensibleAmount } from '../number-format.ts';
import { type WitnessOfWatering, type WitnessParts, witnessPhrases } from './witness-phrases.ts';

type WitnessRow = NonNullable<WateringTotalsBody['witness']>[number];

/** The waterings of one probe, by who saw them. */
export const sumByWitness = (
  waterings: readonly { readonly witness: WitnessKind; readonly waterMm: number | null }[],
): WitnessRow[] =>
  WITNESSES.map((witness) => {
    const seen = waterings.filter((watering) => watering.witness === witness);
    const waterMm = seen.reduce((sum, watering) => sum + (watering.waterMm ?? 0), 0);
    return { witness, waterings: seen.length, waterMm };
  }).filter(({ waterings }) => waterings > 0);

/** "40 mm confirmed, 28 mm assumed", and a question; null where persons confirmed all. */
export function describeWitnesses(
  rows: readonly WitnessRow[],
  totalMm: number | null,
  waterings: readonly WitnessOfWatering[],
): WitnessParts | null {
  const parts = listWitnesses(rows, totalMm, waterings);
  if (parts === null) return null;
  const isAsked = rows.some(({ witness }) => witness === 'assumed');
  return { text: isAsked ? witnessPhrases.ask(parts) : parts, isOneKind: rows.length === 1 };
}

/** Null where persons confirmed all. `waterings` are those of the sums, or some of them. */
export function listWitnesses(
  rows: readonly WitnessRow[],
  totalMm: number | null,
  waterings: readonly WitnessOfWatering[],
): string | null {
  if (rows.every(({ witness }) => witness === 'confirmed')) return null;

  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0)
    return witnessPhrases.all(totalMm !== null, witnessPhrases.kindOf(only.witness, waterings));

  const amounts = totalMm === null ? null : amountsOf(rows, totalMm);
  const parts = rows.map(({ witness, waterings: count }, index) => {
    const amount = amounts === null ? String(count) : `${formatNumber(itemAt(amounts, index))} mm`;
    return `${amount} ${witnessPhrases.kindOf(witness, waterings)}`;
  });
  return parts.join(', ');
}

/** They add up to the total as it is shown. */
function amountsOf(rows: readonly WitnessRow[], totalMm: number): number[] {
  const parts = rows.map(({ waterMm }) => waterMm ?? 0);
  return roundedParts(parts, sensibleAmount(totalMm), decimalsOfAmount(totalMm));
}
