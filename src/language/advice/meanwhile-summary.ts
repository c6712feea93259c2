import { canWait } from '../../domain/advice/meanwhile.ts';
import { withoutNulls } from '../../domain/items.ts';
import type { MeanwhileBody } from '../../schema/advice/advice.ts';
import { formatAdvisedMinutes, formatDaysAhead, formatEstimate } from '../number-format.ts';
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
  const phrases = advicePhrases.meanwhile;
  const amount = amountOf(meanwhile);
  const days = daysItCanWait(meanwhile);
  switch (basis) {
    case 'probe': {
      const name = await moduleName(directory, moduleId ?? 0);
      return [
        amount === null || days === null
          ? phrases.byProbe(name, amount)
          : phrases.byProbeLater(name, days, amount),
      ];
    }
    case 'balance':
      return [
        amount === null || days === null
          ? phrases.byBalance(amount)
          : phrases.byBalanceLater(days, amount),
      ];
    case 'recent':
    case 'unconfirmed':
      return [phrases.asBefore(amount ?? '', basis === 'unconfirmed')];
  }
}

/** Null where it is due now, or where no day of stress is known. */
const daysItCanWait = (meanwhile: MeanwhileBody): string | null =>
  meanwhile.daysToStress !== null && canWait(meanwhile)
    ? formatDaysAhead(meanwhile.daysToStress)
    : null;

/** The same in the brief: "until then 2 h 30 min, 12 mm, as by another probe on its valve". */
export function meanwhileInBrief(meanwhile: MeanwhileBody): string {
  const { byProbe, byBalance, asBefore } = briefPhrases.meanwhile;
  const amount = canWait(meanwhile) ? null : amountOf(meanwhile);
  switch (meanwhile.basis) {
    case 'probe':
      return byProbe(amount);
    case 'balance':
      return byBalance(amount);
    case 'recent':
    case 'unconfirmed':
      return asBefore(amount ?? '', meanwhile.basis === 'unconfirmed');
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
