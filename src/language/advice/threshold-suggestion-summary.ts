import { MIN_DRAINED_WETTINGS } from '../../domain/advice/field-capacity.ts';
import { moisture } from '../../domain/text/figures.ts';
import { call, list, say, sentences } from '../../domain/text/say.ts';
import type { Figures, Text } from '../../domain/text/text.ts';
import { timeOf, zone } from '../../domain/text/times.ts';
import type { ThresholdSuggestionBody } from '../../schema/advice/threshold-suggestion.ts';
import { formatMoisture } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { lineCall } from '../text/line-call.ts';
import { moduleText } from '../text/names-of-farm.ts';

const MAX_LISTED_WETTINGS = 6;

export async function summarizeThresholdSuggestion(
  suggestion: ThresholdSuggestionBody,
  { directory }: SummaryContext,
): Promise<Text> {
  const probe = await moduleText(directory, suggestion.moduleId);
  if (suggestion.doubt === 'noMoisture')
    return say`${probe} has no soil moisture sensor, so it shows no field capacity.`;
  return sentences(
    isFound(suggestion)
      ? describeCapacity(suggestion, probe)
      : describeFewWettings(suggestion, probe),
  );
}

type FoundCapacity = ThresholdSuggestionBody & {
  readonly fieldCapacity: number;
  readonly least: number;
  readonly most: number;
};

const isFound = (suggestion: ThresholdSuggestionBody): suggestion is FoundCapacity =>
  suggestion.fieldCapacity !== null && suggestion.least !== null && suggestion.most !== null;

const percent = (value: number): Figures => moisture(value, '%');

function describeCapacity(suggestion: FoundCapacity, probe: Text): Text[] {
  const { fieldCapacity, doubt, stressPoint, inForce, wettings } = suggestion;
  const listed = wettings.slice(0, MAX_LISTED_WETTINGS).map(({ time }) => timeOf(time));
  const which = wettings.length > listed.length ? say`The latest reached` : say`They reached`;
  const found = [
    say`Once drained, ${probe} holds ${percent(fieldCapacity)}${doubt === null ? say`, its field capacity` : null}: the median 24 to 48 hours after ${wettings.length} wettings that reached its deepest sensor, ${describeRange(suggestion)}.`,
    say`${which} it at these times: ${list(listed)} (${zone}).`,
  ];
  if (doubt !== null) return [...found, describeDoubt(suggestion), THOROUGH_WATERING];

  const current =
    inForce === null ? say`No field capacity is in force` : say`${percent(inForce)} is in force`;
  return [
    ...found,
    stressPoint === null
      ? say`The stress point needs a wilting point below it as well: declare the soil of its parcel.${call('set_soil_profile')}`
      : say`With it, plants begin to suffer at ${percent(stressPoint)}.`,
    say`${current}: ask whether ${percent(fieldCapacity)} should be used, then draw it.${lineCall('threshold1', fieldCapacity)}`,
  ];
}

/** As they are shown, they may be equal. */
const describeRange = ({ least, most }: FoundCapacity): Text =>
  formatMoisture(least) === formatMoisture(most)
    ? say`all at ${percent(least)}`
    : say`between ${moisture([least, most], '%', 'and')}`;

const describeDoubt = ({ doubt, inForce }: FoundCapacity): Text =>
  doubt === 'tooLow' && inForce !== null
    ? say`That is below the ${percent(inForce)} in force, and not each of these waterings is known to have given what the soil lacked: they were probably too small to fill it, or its texture is declared wrong.`
    : say`They differ too much for one field capacity: some of these waterings were probably too small to fill the soil.`;

const THOROUGH_WATERING = say`Water once until no sensor rises any more, and draw what it holds two days later.${lineCall('threshold1')}`;

const UNUSED_WETTINGS = {
  wateredAgain: say`followed by more water within two days`,
  tooRecent: say`less than two days ago`,
  gaps: say`with too few readings afterwards`,
};

function describeFewWettings(
  { wettings, unused }: ThresholdSuggestionBody,
  probe: Text,
): (Text | null)[] {
  const reasons = (['wateredAgain', 'tooRecent', 'gaps'] as const)
    .filter((reason) => unused[reason] > 0)
    .map((reason) => say`${unused[reason]} ${UNUSED_WETTINGS[reason]}`);
  return [
    say`The field capacity of ${probe} cannot be determined from its readings: in the last year ${countWettings(wettings.length)} reached its deepest sensor from above and then drained for two days without more water, and ${MIN_DRAINED_WETTINGS} are needed.`,
    reasons.length === 0 ? null : say`Not counted: ${list(reasons)}.`,
    say`Water until the deepest sensor rises, wait two days, and ask again; or draw a field capacity that the person knows.`,
  ];
}

function countWettings(count: number): Text {
  if (count === 0) return say`no wetting`;
  return count === 1 ? say`only one wetting` : say`only ${count} wettings`;
}
