import { MIN_DRAINED_WETTINGS } from '../../domain/advice/field-capacity.ts';
import type { ThresholdSuggestionBody } from '../../schema/advice/advice.ts';
import { languageOf } from '../index.ts';
import { formatMoisture } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatTime } from '../time.ts';

const MAX_LISTED_WETTINGS = 6;

export async function summarizeThresholdSuggestion(
  suggestion: ThresholdSuggestionBody,
  context: SummaryContext,
): Promise<string> {
  const name = await moduleName(context.directory, suggestion.moduleId);
  if (suggestion.doubt === 'noMoisture')
    return languageOf(context.lang).suggestion.noSoilMoisture(name);
  const sentences =
    suggestion.fieldCapacity === null
      ? describeFewWettings(suggestion, name, context)
      : describeCapacity(suggestion, suggestion.fieldCapacity, name, context);
  return sentences.join(' ');
}

function describeCapacity(
  { doubt, least, most, stressPoint, inForce, wettings }: ThresholdSuggestionBody,
  fieldCapacity: number,
  name: string,
  context: SummaryContext,
): string[] {
  const { suggestion: phrases, format } = languageOf(context.lang);
  const percent = (value: number): string => formatMoisture(value, context.lang);

  const listed = wettings
    .slice(0, MAX_LISTED_WETTINGS)
    .map(({ time }) => formatTime(time, context));
  const value = percent(fieldCapacity);
  const current = inForce === null ? null : percent(inForce);
  const range = { least: percent(least!), most: percent(most!), isDoubtful: doubt !== null };
  const drained = phrases.drainedMoisture(name, value, wettings.length, range);
  const times = phrases.wettings(
    format.list(listed),
    wettings.length > listed.length,
    context.zone,
  );
  if (doubt !== null)
    return [drained, times, doubt === 'tooLow' ? phrases.tooLow(current!) : phrases.tooWide];

  return [
    drained,
    times,
    stressPoint === null ? phrases.noStressPoint : phrases.stressPoint(percent(stressPoint)),
    phrases.offer(value, fieldCapacity, current),
  ];
}

function describeFewWettings(
  { wettings, unused }: ThresholdSuggestionBody,
  name: string,
  { lang }: SummaryContext,
): string[] {
  const { suggestion: phrases, format } = languageOf(lang);
  const reasons = (['wateredAgain', 'tooRecent', 'gaps'] as const).flatMap((reason) =>
    unused[reason] > 0 ? [phrases.unusedReasons[reason](unused[reason])] : [],
  );
  return [
    phrases.tooFew(name, wettings.length, MIN_DRAINED_WETTINGS),
    ...(reasons.length === 0 ? [] : [phrases.unusedWettings(format.list(reasons))]),
    phrases.howToGetMore,
  ];
}
