import { amountOfFields } from '../domain/irrigation/watering-amount.ts';
import type { Lang } from '../domain/lang.ts';
import { formatAmount, formatMinutes, formatPrecise } from '../language/number-format.ts';
import type { FarmPageBody } from '../schema/farm-page.ts';
import { wordsOf } from './words.ts';

export type ListedWatering = FarmPageBody['toConfirm'][number];

/** "5.4 mm · 1 h 40 min", "12 m³ · dose unknown". */
export function describeAmounts(watering: ListedWatering, lang: Lang): string {
  const { waterMm, durationMin } = watering;
  const { mode, value } = amountOfFields(watering);
  const entered = mode === 'volume_m3' ? `${formatPrecise(value, lang)} m³` : null;
  return [
    waterMm === null ? wordsOf(lang).unknownDose : `${formatAmount(waterMm, lang)} mm`,
    ...(entered === null ? [] : [entered]),
    ...(durationMin === null ? [] : [formatMinutes(durationMin)]),
  ].join(' · ');
}
