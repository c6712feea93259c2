import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { QUALITY_FLAGS, type QualityFlag } from '../../domain/moisture/suspect-readings.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { SuspectReadingBody } from '../../schema/moisture/series.ts';
import { languageOf } from '../index.ts';
import { formatMoisture, formatPrecise } from '../number-format.ts';
import { formatAge } from '../time.ts';

interface SuspectReadingContext {
  readonly now: number;
  readonly lang?: Lang;
}

/** One sentence for each reason, with what to check. */
export const describeSuspectReadings = (
  doubts: readonly SuspectReadingBody[],
  context: SuspectReadingContext,
): string[] =>
  QUALITY_FLAGS.flatMap((reason) => {
    const ofReason = doubts.filter((doubt) => doubt.reason === reason);
    if (ofReason.length === 0) return [];

    const values = describeDoubtfulValues(ofReason, context);
    return [languageOf(context.lang ?? DEFAULT_LANG).doubts.check[reason](values)];
  });

interface DoubtGroup {
  readonly reason: QualityFlag;
  readonly figures: { readonly limit: string; readonly age: string };
  readonly readings: string[];
}

/** "62 % at 10 cm and 63 % at 30 cm, where its soil holds at most 46 %" */
export function describeDoubtfulValues(
  doubts: readonly SuspectReadingBody[],
  { lang = DEFAULT_LANG, now }: SuspectReadingContext,
): string {
  const { doubts: phrases, format } = languageOf(lang);
  const groups = new Map<string, DoubtGroup>();

  for (const { reason, depth, value_vwc: value, limit_vwc: limit, since } of doubts) {
    const figures = {
      limit: limit === null ? '' : formatMoisture(limit, lang),
      age: since === null ? '' : formatAge(Math.floor((now - Date.parse(since)) / MINUTE_MS), lang),
    };
    const key = `${reason} ${figures.limit} ${figures.age}`;
    const group = groups.get(key) ?? { reason, figures, readings: [] };
    const text =
      reason === 'SENSOR_STUCK' ? formatPrecise(value, lang) : formatMoisture(value, lang);

    group.readings.push(
      phrases.reading(text, depth === null ? phrases.unknownDepth : `${depth} cm`),
    );
    groups.set(key, group);
  }

  const texts = [...groups.values()].map(({ reason, figures, readings }) =>
    phrases.value[reason](format.list(readings), figures),
  );

  return texts.join(phrases.separator);
}
