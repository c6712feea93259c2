import type { SummaryContext } from './call.ts';
import { corePhrases } from './say-time.ts';

const CLOCK_TIME = /\b\d{2}:\d{2}\b/;

/** A summary, with what it rests on where it says times in a zone that the company has not declared. */
export function withUndeclaredZoneNote(
  summary: string,
  { isZoneDeclared, zone, lang }: Pick<SummaryContext, 'isZoneDeclared' | 'zone' | 'lang'>,
): string {
  const hasTimes = CLOCK_TIME.test(summary) || summary.includes(zone);
  return isZoneDeclared || !hasTimes ? summary : `${summary} ${corePhrases(lang).undeclaredZone(zone)}`;
}
