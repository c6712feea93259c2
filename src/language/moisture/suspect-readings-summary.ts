import type { SuspectReading } from '../../domain/facts/probe-facts.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { QUALITY_FLAGS, type QualityFlag } from '../../domain/moisture/quality-flags.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { age, exact, moisture, precise } from '../../domain/text/figures.ts';
import { join, list, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { languageOf } from '../index.ts';
import { sensibleMoisture } from '../number-format.ts';
import { formatAge } from '../time.ts';

interface SuspectReadingContext {
  readonly now: number;
  readonly lang?: Lang;
}

/** One sentence for each reason, with what to check. */
export const describeSuspectReadings = (
  doubts: readonly SuspectReading[],
  context: SuspectReadingContext,
): Text[] =>
  QUALITY_FLAGS.flatMap((reason) => {
    const ofReason = doubts.filter((doubt) => doubt.reason === reason);
    if (ofReason.length === 0) return [];

    const values = describeDoubtfulValues(ofReason, context);
    return [languageOf(context.lang ?? DEFAULT_LANG).reasons[reason].steps(values)];
  });

/** Readings of which the same is said. */
interface DoubtGroup {
  readonly reason: QualityFlag;
  readonly limit: number | null;
  readonly ageMin: number | null;
  readonly readings: Text[];
}

/** "62 % at 10 cm and 63 % at 30 cm, where its soil holds at most 46 %" */
export function describeDoubtfulValues(
  doubts: readonly SuspectReading[],
  { lang = DEFAULT_LANG, now }: SuspectReadingContext,
): Text {
  const { reasons, suspectReadings: phrases } = languageOf(lang);
  const groups = new Map<string, DoubtGroup>();

  for (const { reason, depthCm, value, limit, since } of doubts) {
    const ageMin = since === null ? null : Math.floor((now - since) / MINUTE_MS);
    const shownLimit = limit === null ? null : sensibleMoisture(limit);
    const key = `${reason} ${shownLimit} ${ageMin === null ? null : formatAge(ageMin)}`;
    const group = groups.get(key) ?? { reason, limit, ageMin, readings: [] };
    group.readings.push(
      phrases.reading(
        reason === 'SENSOR_STUCK' ? precise(value, '%') : moisture(value, '%'),
        depthCm === null ? phrases.unknownDepth : say`${exact(depthCm, 'cm')}`,
      ),
    );
    groups.set(key, group);
  }

  const texts = [...groups.values()].map(({ reason, limit, ageMin, readings }) =>
    reasons[reason].readings(list(readings), {
      limit: limit === null ? null : moisture(limit),
      age: ageMin === null ? null : age(ageMin),
    }),
  );
  return join(texts, phrases.separator);
}
