import { SENSOR_DOUBTS } from '../../domain/moisture/sensor-doubts.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { SensorDoubtBody } from '../../schema/series.ts';
import type { DoubtFacts } from '../en/moisture.ts';
import { languageOf } from '../index.ts';
import { formatMoisture, formatPrecise } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatAge } from './series-summary.ts';

type DoubtContext = Pick<SummaryContext, 'lang' | 'now'>;

/** One sentence for each reason, with what to check. */
export const describeSensorDoubts = (doubts: readonly SensorDoubtBody[], context: DoubtContext): string[] =>
  SENSOR_DOUBTS.flatMap((reason) => {
    const values = describeDoubtedValues(
      doubts.filter((each) => each.reason === reason),
      context,
    );
    return values === '' ? [] : [languageOf(context.lang).doubt.check[reason](values)];
  });

/** "62 % at 30 cm, where its soil holds at most 46 %" */
export function describeDoubtedValues(doubts: readonly SensorDoubtBody[], { lang, now }: DoubtContext): string {
  const { doubt, series } = languageOf(lang);
  return doubts
    .map(({ reason, depth, value_vwc: value, limit_vwc: limit, since }): string => {
      const facts: DoubtFacts = {
        value: reason === 'SENSOR_STUCK' ? formatPrecise(value, lang) : formatMoisture(value, lang),
        depth: depth === null ? series.unknownDepth : `${depth} cm`,
        limit: limit === null ? '' : formatMoisture(limit, lang),
        lasting: since === null ? '' : formatAge(Math.floor((now - Date.parse(since)) / MINUTE_MS), { lang }),
      };
      return doubt.value[reason](facts);
    })
    .join('; ');
}
