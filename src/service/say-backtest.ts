import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { BacktestBody } from '../schema/alert.ts';
import { sayMissing } from './say-series.ts';

const count = (amount: number, one: string): string =>
  `${amount === 0 ? 'no' : amount} ${one}${amount === 1 ? '' : 's'}`;

/** "once, 3.5 h below it, no reminders", "at least 30 times, …" where more of them are left out. */
function sayTimes(times: number, isCut: boolean, figures: { hoursBelow: number; reminders: number }): string {
  const said = isCut ? `at least ${times} times` : times === 1 ? 'once' : `${times} times`;
  return `${said}, ${figures.hoursBelow} h below it, ${count(figures.reminders, 'reminder')}`;
}

/** How often it would have fired and for how long, the latest time, and the same of the alert in force. */
export async function sayBacktest(
  { episodes, missingShare, inForce, ...tried }: BacktestBody,
  call: Saying,
  { moduleId, threshold, mostEpisodes }: { moduleId: number; threshold?: number; mostEpisodes?: number },
): Promise<string> {
  const name = await moduleName(call.directory, moduleId);
  const at = (time: string): string => sayInstant(Date.parse(time), call.zone, call.now);
  const last = episodes.at(-1);
  const level = threshold ?? inForce?.threshold;
  return [
    episodes.length === 0
      ? `${level} % on ${name} would never have fired.`
      : `${level} % on ${name} would have fired ${sayTimes(episodes.length, episodes.length === mostEpisodes, tried)}.`,
    ...(last
      ? [
          `${episodes.length === 1 ? 'It' : 'The last'} began ${at(last.start)} and ${last.end === null ? 'is still open' : `ended ${at(last.end)}`} (${call.zone}), lowest ${last.lowest} %.`,
        ]
      : []),
    inForce === null
      ? 'No alert of it is in force.'
      : `The alert in force (${inForce.threshold} %, ${inForce.hysteresis} points, ${inForce.reminderTime}) ${inForce.episodes === 0 ? 'never fired there' : `fired there ${sayTimes(inForce.episodes, false, inForce)}`}.`,
    `${sayMissing(missingShare)}.`,
    ...call.remarks,
  ].join(' ');
}
