import type { Saying } from './call.ts';
import { sayingWords } from './say-time.ts';

const CLOCK_TIME = /\b\d{2}:\d{2}\b/;

/** A summary, with what it rests on where it says times in a zone that the company has not declared. */
export function withZoneTold(
  summary: string,
  { isZoneDeclared, zone, lang }: Pick<Saying, 'isZoneDeclared' | 'zone' | 'lang'>,
): string {
  const hasTimes = CLOCK_TIME.test(summary) || summary.includes(zone);
  return isZoneDeclared || !hasTimes ? summary : `${summary} ${sayingWords(lang).noZone(zone)}`;
}
