import type { Meanwhile } from '../../domain/advice/advice.ts';
import { canWait } from '../../domain/advice/meanwhile.ts';
import { advisedMinutes, daysUntil, estimate } from '../../domain/text/figures.ts';
import { commaSeparated, say } from '../../domain/text/say.ts';
import type { Duration, Text } from '../../domain/text/text.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';

/** Says what to do until a doubt is cleared up, as a sentence of the advice for one probe. */
export async function describeMeanwhile(
  meanwhile: Meanwhile | null,
  { directory }: SummaryContext,
): Promise<Text[]> {
  if (meanwhile === null) return [];

  const { basis, moduleId } = meanwhile;
  const amount = amountOf(meanwhile);
  switch (basis) {
    case 'probe': {
      const probe = await moduleText(directory, moduleId ?? 0);
      return [
        say`Until it is checked, go by ${probe} in the same block${describeAmountBy(meanwhile, {
          none: say`, which needs no water.`,
          later: say`, which does not need water now: `,
        })}`,
      ];
    }
    case 'balance':
      return [
        say`Until it is checked, go by the water balance${describeAmountBy(meanwhile, {
          none: say`, which asks for no water.`,
          later: say`, which asks for no water now: `,
        })}`,
      ];
    case 'recent':
    case 'unconfirmed':
      return [
        say`Until it is checked, go on as in the last two weeks: ${amount} a week${basis === 'unconfirmed' ? say`, if all of that ran` : null}.`,
      ];
  }
}

function describeAmountBy(
  meanwhile: Meanwhile,
  { none, later }: { readonly none: Text; readonly later: Text },
): Text {
  const amount = amountOf(meanwhile);
  if (amount === null) return none;
  const days = daysItCanWait(meanwhile);
  return days === null
    ? say`: give ${amount}.`
    : say`${later}${days} until the stress point; to refill it would take ${amount}.`;
}

/** Null where it is due now, or where no day of stress is known. */
const daysItCanWait = (meanwhile: Meanwhile): Duration | null =>
  meanwhile.daysToStress !== null && canWait(meanwhile) ? daysUntil(meanwhile.daysToStress) : null;

/** The same in the brief: "until then 2 h 30 min, 12 mm, as another probe of its block needs". */
export function meanwhileInBrief(meanwhile: Meanwhile): Text {
  const amount = canWait(meanwhile) ? null : amountOf(meanwhile);
  switch (meanwhile.basis) {
    case 'probe':
      return amount === null
        ? say`no water: another probe of its block needs none now`
        : say`${amount}, as another probe of its block needs`;
    case 'balance':
      return say`${amount ?? say`no water now`} by the water balance`;
    case 'recent':
    case 'unconfirmed':
      return say`as in the last two weeks, ${amount} a week${meanwhile.basis === 'unconfirmed' ? say` if all of that ran` : null}`;
  }
}

/** Null for no water. */
const amountOf = ({ waterMm, durationMin }: Meanwhile): Text | null =>
  waterMm === 0
    ? null
    : commaSeparated([
        durationMin === null ? null : advisedMinutes(durationMin),
        waterMm === null ? null : estimate(waterMm, 'mm'),
      ]);
