import { SENSOR_DOUBTS, type SensorDoubtReason } from '../../domain/moisture/sensor-doubts.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { SensorDoubtBody } from '../../schema/series.ts';
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

/** "62 % at 10 cm and 63 % at 30 cm, where its soil holds at most 46 %" */
export function describeDoubtedValues(doubts: readonly SensorDoubtBody[], { lang, now }: DoubtContext): string {
  const { doubt, series, brief, format } = languageOf(lang);
  const groups = new Map<string, { reason: SensorDoubtReason; context: string; readings: string[] }>();
  for (const { reason, depth, value_vwc: value, limit_vwc: limit, since } of doubts) {
    const context =
      since !== null
        ? formatAge(Math.floor((now - Date.parse(since)) / MINUTE_MS), { lang })
        : formatMoisture(limit ?? 0, lang);
    const group = groups.get(`${reason} ${context}`) ?? { reason, context, readings: [] };
    const text = reason === 'SENSOR_STUCK' ? formatPrecise(value, lang) : formatMoisture(value, lang);
    group.readings.push(doubt.reading(text, depth === null ? series.unknownDepth : `${depth} cm`));
    groups.set(`${reason} ${context}`, group);
  }
  const texts = [...groups.values()].map(({ reason, context, readings }) =>
    doubt.value[reason](format.list(readings), context),
  );
  return brief.list(texts, 0);
}
