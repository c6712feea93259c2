import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { SENSOR_DOUBTS, type SensorDoubtReason } from '../../domain/moisture/sensor-doubts.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { SensorDoubtBody } from '../../schema/moisture/series.ts';
import { languageOf } from '../index.ts';
import { formatMoisture, formatPrecise } from '../number-format.ts';
import { formatAge } from '../time.ts';

interface DoubtContext {
  readonly now: number;
  readonly lang?: Lang;
}

/** One sentence for each reason, with what to check. */
export const describeSensorDoubts = (
  doubts: readonly SensorDoubtBody[],
  context: DoubtContext,
): string[] =>
  SENSOR_DOUBTS.flatMap((reason) => {
    const ofReason = doubts.filter((doubt) => doubt.reason === reason);
    if (ofReason.length === 0) return [];

    const values = describeDoubtfulValues(ofReason, context);
    return [languageOf(context.lang ?? DEFAULT_LANG).doubts.check[reason](values)];
  });

/** "62 % at 10 cm and 63 % at 30 cm, where its soil holds at most 46 %" */
export function describeDoubtfulValues(
  doubts: readonly SensorDoubtBody[],
  { lang = DEFAULT_LANG, now }: DoubtContext,
): string {
  const { doubts: phrases, format } = languageOf(lang);
  const groups = new Map<
    string,
    { reason: SensorDoubtReason; qualifier: string; readings: string[] }
  >();

  for (const { reason, depth, value_vwc: value, limit_vwc: limit, since } of doubts) {
    const qualifier =
      since !== null
        ? formatAge(Math.floor((now - Date.parse(since)) / MINUTE_MS), lang)
        : formatMoisture(limit ?? 0, lang);
    const group = groups.get(`${reason} ${qualifier}`) ?? { reason, qualifier, readings: [] };
    const text =
      reason === 'SENSOR_STUCK' ? formatPrecise(value, lang) : formatMoisture(value, lang);

    group.readings.push(
      phrases.reading(text, depth === null ? phrases.unknownDepth : `${depth} cm`),
    );
    groups.set(`${reason} ${qualifier}`, group);
  }

  const texts = [...groups.values()].map(({ reason, qualifier, readings }) =>
    phrases.value[reason](format.list(readings), qualifier),
  );

  return texts.join(phrases.separator);
}
