import { exact, totalHours } from '../../domain/text/figures.ts';
import { counted, list, say, sentences } from '../../domain/text/say.ts';
import type { Figures, Text } from '../../domain/text/text.ts';
import { period, timeOf, zone } from '../../domain/text/times.ts';
import type { BacktestBody } from '../../schema/alerts/alert.ts';
import { describeMissingShare } from '../moisture/moisture-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';

interface BacktestInput {
  readonly moduleId: number;
  readonly threshold?: number | undefined;
  readonly maxEpisodes?: number | undefined;
}

export async function summarizeBacktest(
  { episodes, missingShare, gaps, inForce, hoursBelow, reminders }: BacktestBody,
  { directory }: SummaryContext,
  { moduleId, threshold, maxEpisodes }: BacktestInput,
): Promise<Text> {
  const isTruncated = episodes.length === maxEpisodes;
  const times = describeTimes({ episodes: episodes.length, hoursBelow, reminders, isTruncated });
  const level = percent(threshold ?? inForce?.threshold ?? 0);

  return sentences([
    say`${level} on ${await moduleText(directory, moduleId)} would ${times ? say`have fired ${times}` : say`never have fired`}.`,
    ...describeLastEpisode(episodes),
    inForce === null ? say`It has no active alert.` : describeAlertInForce(inForce),
    say`${describeMissingShare(missingShare)}.`,
    ...describeGaps(gaps),
  ]);
}

const percent = (value: number | string): Figures => exact(Number(value), '%');

interface BacktestTotals {
  readonly episodes: number;
  readonly hoursBelow: number;
  readonly reminders: number;
  /** True if the answer lists only some of the episodes. */
  readonly isTruncated?: boolean;
}

/** "once, 4 h below it, no reminders"; null for never. */
function describeTimes({
  episodes,
  hoursBelow,
  reminders,
  isTruncated = false,
}: BacktestTotals): Text | null {
  if (episodes === 0) return null;
  const several = say`${isTruncated ? say`at least ` : null}${episodes} times`;
  const often = episodes === 1 && !isTruncated ? say`once` : several;
  const reminded = reminders === 0 ? say`no reminders` : counted(reminders, 'reminder');
  return say`${often}, ${totalHours(hoursBelow)} below it, ${reminded}`;
}

function describeLastEpisode(episodes: BacktestBody['episodes']): Text[] {
  const last = episodes.at(-1);
  if (last === undefined) return [];
  const which = episodes.length === 1 ? say`It` : say`The last`;
  const span =
    last.end === null
      ? say`${timeOf(last.start)} (${zone}) and has not ended`
      : say`${timeOf(last.start)} and ended ${timeOf(last.end)} (${zone})`;
  return [say`${which} began ${span}, lowest ${percent(last.lowest)}.`];
}

function describeAlertInForce(inForce: NonNullable<BacktestBody['inForce']>): Text {
  const times = describeTimes(inForce);
  return say`The active alert at ${percent(inForce.threshold)} ${times ? say`fired there ${times}` : say`never fired there`}.`;
}

const MAX_NAMED_GAPS = 3;

/** The newest first: without the last hours, what the threshold would do now is unknown. */
function describeGaps({ newest, older }: NonNullable<BacktestBody['gaps']>): Text[] {
  if (newest.length === 0) return [];
  const named = newest.slice(0, MAX_NAMED_GAPS).map(({ start, end, hours }) => {
    if (end === null) return say`for the last ${totalHours(hours)}`;
    if (start === null) return say`until ${timeOf(end)} (${totalHours(hours)})`;
    return say`from ${period(start, end)} (${totalHours(hours)})`;
  });
  const others = older + newest.length - named.length;
  const rest = others === 0 ? null : say`, and in ${counted(others, 'older gap')}`;
  return [say`Data are missing ${list(named)}${rest}.`];
}
