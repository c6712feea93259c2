import { readingAge } from '../../domain/moisture/coverage.ts';
import { areLevelsCrossed } from '../../domain/moisture/tension.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { TensionBody } from '../../schema/series.ts';
import { languageOf } from '../index.ts';
import { formatAge } from '../moisture/series-summary.ts';
import { formatNumber } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatTimeWithZone } from '../time.ts';

/** The reading, how it compares with the levels, and the usual ones where one is missing. */
export function describeTension(
  name: string,
  tension: TensionBody,
  time: string | null,
  context: SummaryContext,
): string[] {
  const phrases = languageOf(context.lang).tension;
  const suggestion = describeTypicalTension(tension, context);
  if (tension.value === null || time === null) return [phrases.noReading(name), ...suggestion];
  const reading = phrases.reading(formatNumber(tension.value, context.lang), formatTimeWithZone(time, context));
  const { ageMs, isFresh } = readingAge(Date.parse(time), context.now);
  if (!isFresh) return [phrases.staleData(name, formatAge(Math.floor(ageMs / MINUTE_MS), context), reading)];
  return [
    phrases[comparisonOf(tension, tension.value)]({ name, reading, ...formatLevels(tension, context) }),
    ...suggestion,
  ];
}

const formatLevels = ({ wetLevel, dryLevel }: TensionBody, { lang }: Pick<SummaryContext, 'lang'>) => ({
  wet: wetLevel === null ? '' : formatNumber(wetLevel, lang),
  dry: dryLevel === null ? '' : formatNumber(dryLevel, lang),
});

function comparisonOf(tension: TensionBody, value: number) {
  const { wetLevel, dryLevel } = tension;
  if (areLevelsCrossed(tension)) return 'crossedLevels';
  if (dryLevel !== null && value > dryLevel) return 'tooDry';
  if (wetLevel !== null && value < wetLevel) return 'tooWet';
  if (wetLevel !== null && dryLevel !== null) return 'comfort';
  if (dryLevel !== null) return 'notDry';
  return wetLevel === null ? 'noLevels' : 'notWet';
}

export function describeTypicalTension(
  { typical, dryLevel }: TensionBody,
  { lang }: Pick<SummaryContext, 'lang'>,
): string[] {
  if (dryLevel !== null) return [];
  const { soil, tension } = languageOf(lang);
  if (typical === undefined) return [tension.drawLevels, tension.unknownSoil];
  const { usdaClass, wetLevel: wet, dryFrom: from, dryTo: to } = typical;
  return [tension.typical(soil.texture(usdaClass), { wet, from, to }), tension.drawLevels];
}
