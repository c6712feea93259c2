import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { BacktestBody } from '../schema/alert.ts';
import { alertWords } from './say-alert.ts';
import { sayNumber } from './say-figures.ts';
import { sayMissing } from './say-series.ts';

/** How often it would have fired and for how long, the latest time, and the same of the alert in force. */
export async function sayBacktest(
  { episodes, missingShare, inForce, hoursBelow, reminders }: BacktestBody,
  call: Saying,
  { moduleId, threshold, mostEpisodes }: { moduleId: number; threshold?: number; mostEpisodes?: number },
): Promise<string> {
  const words = alertWords(call);
  const figure = (value: number | string): string => sayNumber(value, call.lang);
  const at = (time: string): string => sayInstant(Date.parse(time), call.zone, call.now, call.lang);
  const last = episodes.at(-1);
  const isCut = episodes.length === mostEpisodes;
  const tried = { times: episodes.length, isCut, hoursBelow: figure(hoursBelow), reminders };
  const name = await moduleName(call.directory, moduleId);
  return [
    words.tried(figure(threshold ?? inForce?.threshold ?? ''), name, tried),
    ...(last
      ? [
          words.lastEpisode(
            episodes.length === 1,
            at(last.start),
            last.end === null ? null : at(last.end),
            call.zone,
            figure(last.lowest),
          ),
        ]
      : []),
    inForce === null ? words.noneInForce : sayInForce(inForce, call),
    `${sayMissing(missingShare, call)}.`,
    ...call.remarks,
  ].join(' ');
}

function sayInForce(
  { threshold, hysteresis, reminderTime, episodes, hoursBelow, reminders }: NonNullable<BacktestBody['inForce']>,
  call: Saying,
): string {
  const figure = (value: number | string): string => sayNumber(value, call.lang);
  return alertWords(call).inForce(
    { threshold: figure(threshold), hysteresis: figure(hysteresis), reminderTime },
    { times: episodes, isCut: false, hoursBelow: figure(hoursBelow), reminders },
  );
}
