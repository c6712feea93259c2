import type { SummaryContext } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { formatInstant } from '../operation/say-time.ts';
import type { BacktestBody } from '../schema/alert.ts';
import { alertPhrases } from './say-alert.ts';
import { formatNumber } from './say-figures.ts';
import { describeMissingShare } from './say-series.ts';

/** How often it would have fired and for how long, the latest time, and the same of the alert in force. */
export async function summarizeBacktest(
  { episodes, missingShare, inForce, hoursBelow, reminders }: BacktestBody,
  context: SummaryContext,
  { moduleId, threshold, mostEpisodes }: { moduleId: number; threshold?: number; mostEpisodes?: number },
): Promise<string> {
  const words = alertPhrases(context);
  const format = (value: number | string): string => formatNumber(value, context.lang);
  const at = (time: string): string => formatInstant(Date.parse(time), context.zone, context.now, context.lang);
  const last = episodes.at(-1);
  const isCut = episodes.length === mostEpisodes;
  const totals = { times: episodes.length, isCut, hoursBelow: format(hoursBelow), reminders };
  const name = await moduleName(context.directory, moduleId);
  return [
    words.wouldHaveFired(format(threshold ?? inForce?.threshold ?? ''), name, totals),
    ...(last
      ? [
          words.lastEpisode(
            episodes.length === 1,
            at(last.start),
            last.end === null ? null : at(last.end),
            context.zone,
            format(last.lowest),
          ),
        ]
      : []),
    inForce === null ? words.noneInForce : describeAlertInForce(inForce, context),
    `${describeMissingShare(missingShare, context)}.`,
    ...context.notes,
  ].join(' ');
}

function describeAlertInForce(
  { threshold, hysteresis, reminderTime, episodes, hoursBelow, reminders }: NonNullable<BacktestBody['inForce']>,
  context: SummaryContext,
): string {
  const format = (value: number | string): string => formatNumber(value, context.lang);
  return alertPhrases(context).inForce(
    { threshold: format(threshold), hysteresis: format(hysteresis), reminderTime },
    { times: episodes, isCut: false, hoursBelow: format(hoursBelow), reminders },
  );
}
