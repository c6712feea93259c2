import { withoutNulls } from '../../domain/items.ts';
import type { MeanwhileBody } from '../../schema/advice/advice.ts';
import { formatAdvisedMinutes, formatEstimate } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { advicePhrases } from './advice-phrases.ts';
import { briefPhrases } from './brief/brief-phrases.ts';

/** What to do until a doubt is cleared up, as a sentence of the advice for one probe. */
export async function describeMeanwhile(
  meanwhile: MeanwhileBody | undefined,
  { directory }: SummaryContext,
): Promise<string[]> {
  if (meanwhile === undefined) return [];

  const { basis, moduleId } = meanwhile;
  const { byProbe, byBalance, asBefore } = advicePhrases.meanwhile;
  switch (basis) {
    case 'probe':
      return [byProbe(await moduleName(directory, moduleId ?? 0), amountOf(meanwhile))];
    case 'balance':
      return [byBalance(amountOf(meanwhile))];
    case 'recent':
      return [asBefore(amountOf(meanwhile) ?? '')];
  }
}

/** The same in the brief: "until then 2 h 30 min, 12 mm, as by another probe on its valve". */
export function meanwhileInBrief(meanwhile: MeanwhileBody): string {
  const { byProbe, byBalance, asBefore } = briefPhrases.meanwhile;
  const amount = amountOf(meanwhile);
  switch (meanwhile.basis) {
    case 'probe':
      return byProbe(amount);
    case 'balance':
      return byBalance(amount);
    case 'recent':
      return asBefore(amount ?? '');
  }
}

/** Null for no water. */
function amountOf({ waterMm, durationMin }: MeanwhileBody): string | null {
  if (waterMm === 0) return null;
  return withoutNulls([
    durationMin === null ? null : formatAdvisedMinutes(durationMin),
    waterMm === null ? null : `${formatEstimate(waterMm)} mm`,
  ]).join(', ');
}
