import { roundedParts } from '../../domain/decimal.ts';
import { itemAt } from '../../domain/items.ts';
import type { WateringTotalsBody } from '../../schema/irrigation/watering.ts';
import { decimalsOfAmount, formatNumber, sensibleAmount } from '../number-format.ts';
import { witnessPhrases } from './witness-phrases.ts';

type WitnessRow = NonNullable<WateringTotalsBody['witness']>[number];

/** "40 mm confirmed, 28 mm assumed"; null where persons confirmed all. */
export function describeWitnesses(
  rows: readonly WitnessRow[],
  totalMm: number | null,
): string | null {
  if (rows.every(({ witness }) => witness === 'confirmed')) return null;

  const amounts = totalMm === null ? null : amountsOf(rows, totalMm);
  const parts = rows.map(({ witness, waterings }, index) => {
    const amount =
      amounts === null ? String(waterings) : `${formatNumber(itemAt(amounts, index))} mm`;
    return `${amount} ${witnessPhrases.kind(witness)}`;
  });
  const isAsked = rows.some(({ witness }) => witness === 'assumed');
  return isAsked ? witnessPhrases.ask(parts.join(', ')) : parts.join(', ');
}

/** They add up to the total as it is shown. */
function amountsOf(rows: readonly WitnessRow[], totalMm: number): number[] {
  const parts = rows.map(({ waterMm }) => waterMm ?? 0);
  return roundedParts(parts, sensibleAmount(totalMm), decimalsOfAmount(totalMm));
}
