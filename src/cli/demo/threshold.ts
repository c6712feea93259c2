import type { BacktestBody, ToldAlertBody, WatchedAlertBody } from '../../schema/alert.ts';
import type { AgronomicStateBody, MoistureSeriesBody } from '../../schema/series.ts';
import type { Moisture } from './ahead.ts';
import { DAY } from './calendar.ts';
import { type Conversation, must } from './conversation.ts';
import { transcript } from './transcript.ts';
import {
  firingsOf,
  hoursBelow,
  type Limits,
  morningsWithin,
  newestByHand,
  weighed,
  weighsAlike,
} from './watch-by-hand.ts';

/** The alert of the demo. */
export interface DemoAlert extends Limits {
  readonly id: string;
}

export const WATCHED = 'North 1';
export const HYSTERESIS = 2;
const CANDIDATES: readonly Limits[] = [24, 23].map((threshold) => ({ threshold, resolvesAt: threshold + HYSTERESIS }));
/** How far back a threshold is tried where nothing is said. */
export const DAYS_TRIED = 90;

/** Finds a threshold with the past on the table, and has it watched. `moisture` is what the probe measured up to `now` (ms). */
export async function setThreshold(conversation: Conversation, moisture: Moisture, now: number): Promise<DemoAlert> {
  await lookAtSoil(conversation, moisture);
  const times = (await tryCandidates(conversation, CANDIDATES, moisture, now)).map(sayTimes);
  transcript.says(
    `With your usual waterings ${CANDIDATES[0]!.threshold} % would have fired ${times[0]}, ${CANDIDATES[1]!.threshold} % ${times[1]}. Which shall it be?`,
  );
  const chosen = CANDIDATES.at(-1)!;
  transcript.person(`Then ${chosen.threshold}.`);
  const { id, recipients } = await conversation.ask<ToldAlertBody>('create_alert', {
    module: WATCHED,
    threshold: chosen.threshold,
    hysteresis: HYSTERESIS,
  });
  must(recipients.length === 1, 'the alert has one recipient, who asked for it');
  const { data } = await conversation.ask<{ data: WatchedAlertBody[] }>('list_alerts', {});
  const newest = weighed(moisture).at(-1)!;
  const { status, time, value_vwc: value } = data[0]!.state!;
  must(data.length === 1 && data[0]!.id === id && status === 'quiet', 'there is one alert, and it is quiet');
  must(value === newest.value && Date.parse(time!) === newest.at, 'it stands at the newest moisture');
  return { ...chosen, id };
}

/** How the probe stands, and the newest figure worked out from its sensors. */
async function lookAtSoil(conversation: Conversation, moisture: Moisture): Promise<void> {
  transcript.person(`Tell me when ${WATCHED} gets too dry.`);
  const state = await conversation.ask<AgronomicStateBody>('get_agronomic_state', { module: WATCHED });
  const { weights } = await conversation.ask<MoistureSeriesBody>('get_moisture_series', { module: WATCHED });
  transcript.byHand([newestByHand(moisture)]);
  must(weighsAlike(weights), 'the depths are weighted by what roots take up there');
  must(state.value_vwc === weighed(moisture).at(-1)!.value, 'the moisture by hand is that of the answer');
  transcript.says(
    `Plants begin to suffer there at ${state.stressPoint} %. Let me try two thresholds above that on the last ${DAYS_TRIED} days.`,
  );
}

/** Tries each candidate on the past, and goes through the readings of that time by hand. */
export async function tryCandidates(
  conversation: Conversation,
  candidates: readonly Limits[],
  moisture: Moisture,
  now: number,
): Promise<BacktestBody[]> {
  const readings = weighed(moisture).filter(({ at }) => at > now - DAYS_TRIED * DAY);
  const tried: BacktestBody[] = [];
  for (const limits of candidates) {
    const answer = await conversation.ask<BacktestBody>('backtest_alert', {
      module: WATCHED,
      threshold: limits.threshold,
      hysteresis: HYSTERESIS,
    });
    tried.push(answer);
    const firings = firingsOf(readings, limits);
    const said = answer.episodes.map(({ start, end, lowest }) => ({
      start: Date.parse(start),
      end: end && Date.parse(end),
      lowest,
    }));
    must(JSON.stringify(said) === JSON.stringify(firings), 'it fired when the readings, one by one, say so');
    must(answer.hoursBelow === hoursBelow(readings, limits), 'the hours below it are those of the readings');
    must(answer.reminders === morningsWithin(firings, now), 'there is a reminder for each morning but the first day’s');
  }
  transcript.table([
    ['threshold', 'resolves at', 'fired', 'hours below', 'reminders'],
    ...candidates.map(({ threshold, resolvesAt }, place) => [
      `${threshold} %`,
      `${resolvesAt} %`,
      String(tried[place]!.episodes.length),
      String(tried[place]!.hoursBelow),
      String(tried[place]!.reminders),
    ]),
  ]);
  transcript.checked(
    `the same by hand, from the ${readings.length.toLocaleString('en')} readings of these ${DAYS_TRIED} days one by one.`,
  );
  return tried;
}

/** How often a threshold would have fired, in words. */
export const sayTimes = ({ episodes: { length } }: Pick<BacktestBody, 'episodes'>): string =>
  ['never', 'once', 'twice'][length] ?? `${length} times`;
