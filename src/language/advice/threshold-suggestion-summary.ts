import { MIN_DRAINED_WETTINGS } from '../../domain/advice/field-capacity.ts';
import { withoutNulls } from '../../domain/items.ts';
import type { ThresholdSuggestionBody } from '../../schema/advice/threshold-suggestion.ts';
import { englishFormat } from '../en/grammar.ts';
import { formatMoisture } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatTime } from '../time.ts';
import { suggestionPhrases } from './threshold-suggestion-phrases.ts';

const MAX_LISTED_WETTINGS = 6;

export async function summarizeThresholdSuggestion(
  suggestion: ThresholdSuggestionBody,
  context: SummaryContext,
): Promise<string> {
  const name = await moduleName(context.directory, suggestion.moduleId);
  if (suggestion.doubt === 'noMoisture') return suggestionPhrases.noSoilMoisture(name);
  const sentences = isFound(suggestion)
    ? describeCapacity(suggestion, name, context)
    : describeFewWettings(suggestion, name);
  return sentences.join(' ');
}

type FoundCapacity = ThresholdSuggestionBody & {
  readonly fieldCapacity: number;
  readonly least: number;
  readonly most: number;
};

const isFound = (suggestion: ThresholdSuggestionBody): suggestion is FoundCapacity =>
  suggestion.fieldCapacity !== null && suggestion.least !== null && suggestion.most !== null;

function describeCapacity(
  { fieldCapacity, doubt, least, most, stressPoint, inForce, wettings }: FoundCapacity,
  name: string,
  context: SummaryContext,
): string[] {
  const percent = (value: number): string => formatMoisture(value);

  const listed = wettings
    .slice(0, MAX_LISTED_WETTINGS)
    .map(({ time }) => formatTime(time, context));
  const value = percent(fieldCapacity);
  const current = inForce === null ? null : percent(inForce);
  const range = { least: percent(least), most: percent(most), isDoubtful: doubt !== null };
  const drained = suggestionPhrases.drainedMoisture(name, value, wettings.length, range);
  const times = suggestionPhrases.wettings(
    englishFormat.list(listed),
    wettings.length > listed.length,
    context.zone,
  );
  if (doubt !== null)
    return [
      drained,
      times,
      doubt === 'tooLow' && current !== null
        ? suggestionPhrases.tooLow(current)
        : suggestionPhrases.tooWide,
    ];

  return [
    drained,
    times,
    stressPoint === null
      ? suggestionPhrases.noStressPoint
      : suggestionPhrases.stressPoint(percent(stressPoint)),
    suggestionPhrases.offer(value, fieldCapacity, current),
  ];
}

function describeFewWettings(
  { wettings, unused }: ThresholdSuggestionBody,
  name: string,
): string[] {
  const reasons = (['wateredAgain', 'tooRecent', 'gaps'] as const).flatMap((reason) =>
    unused[reason] > 0 ? [suggestionPhrases.unusedReasons[reason](unused[reason])] : [],
  );
  return withoutNulls([
    suggestionPhrases.tooFew(name, wettings.length, MIN_DRAINED_WETTINGS),
    reasons.length === 0 ? null : suggestionPhrases.unusedWettings(englishFormat.list(reasons)),
    suggestionPhrases.howToGetMore,
  ]);
}
