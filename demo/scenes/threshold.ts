import { LocalDay } from '../../src/domain/local-day.ts';
import { DAY_MS } from '../../src/domain/periods.ts';
import type {
  AlertWithRecipientsBody,
  BacktestBody,
  ListedAlertBody,
} from '../../src/schema/alerts/alert.ts';
import type { AgronomicStateBody, MoistureSeriesBody } from '../../src/schema/moisture/series.ts';
import { DEMO_ZONE } from '../farm/demo-farm.ts';
import type { ProbeMoisture } from '../farm/future-readings.ts';
import {
  type AlertLimits,
  firingsByHand,
  hasExpectedWeights,
  hoursBelowByHand,
  newestByHand,
  remindersByHand,
  weightedReadings,
} from '../hand-calculations/alert-firings.ts';
import { type DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';

export interface DemoAlert extends AlertLimits {
  readonly id: string;
}

export const WATCHED_MODULE = 'North 1';
export const HYSTERESIS = 2;
const CANDIDATES: readonly AlertLimits[] = [24, 23].map((threshold) => ({
  threshold,
  resolvesAt: threshold + HYSTERESIS,
}));
export const BACKTEST_DAYS = 90;

export async function playThreshold(
  conversation: DemoConversation,
  moisture: ProbeMoisture,
  now: number,
): Promise<DemoAlert> {
  await showSoilState(conversation, moisture);
  const times = (await tryCandidates(conversation, CANDIDATES, moisture, now)).map(formatTimes);
  transcript.says(
    `With your usual waterings ${CANDIDATES[0]!.threshold} % would have fired ${times[0]}, ${CANDIDATES[1]!.threshold} % ${times[1]}. Which shall it be?`,
  );
  const chosen = CANDIDATES.at(-1)!;
  transcript.person(`Then ${chosen.threshold}.`);
  const { id, recipients } = await conversation.ask<AlertWithRecipientsBody>('create_alert', {
    module: WATCHED_MODULE,
    threshold: chosen.threshold,
    hysteresis: HYSTERESIS,
  });
  expectThat(recipients.length === 1, 'the alert has one recipient, who asked for it');
  const { data } = await conversation.ask<{ data: ListedAlertBody[] }>('list_alerts', {});
  const newest = weightedReadings(moisture).at(-1)!;
  const { status, time, value_vwc: value } = data[0]!.state!;
  expectThat(
    data.length === 1 && data[0]!.id === id && status === 'quiet',
    'there is one alert, and it is quiet',
  );
  expectThat(
    value === newest.value && Date.parse(time!) === newest.at,
    'its value is the newest moisture',
  );
  return { ...chosen, id };
}

async function showSoilState(
  conversation: DemoConversation,
  moisture: ProbeMoisture,
): Promise<void> {
  transcript.person(`Tell me when ${WATCHED_MODULE} gets too dry.`);
  const state = await conversation.ask<AgronomicStateBody>('get_agronomic_state', {
    module: WATCHED_MODULE,
  });
  const { weights } = await conversation.ask<MoistureSeriesBody>('get_moisture_series', {
    module: WATCHED_MODULE,
    detail: 'full',
  });
  transcript.byHand([newestByHand(moisture)]);
  expectThat(hasExpectedWeights(weights), 'the depths are weighted by what roots take up there');
  expectThat(
    state.value_vwc === weightedReadings(moisture).at(-1)!.value,
    'the moisture calculated by hand is that of the answer',
  );
  transcript.says(
    `Plants begin to suffer there at ${state.stressPoint} %. Let me try two thresholds above that on the last ${BACKTEST_DAYS} days.`,
  );
}

export async function tryCandidates(
  conversation: DemoConversation,
  candidates: readonly AlertLimits[],
  moisture: ProbeMoisture,
  now: number,
): Promise<BacktestBody[]> {
  const start = LocalDay.at(now - BACKTEST_DAYS * DAY_MS, DEMO_ZONE).startIn(DEMO_ZONE);
  const readings = weightedReadings(moisture).filter(({ at }) => at >= start);
  const backtests: BacktestBody[] = [];
  for (const limits of candidates) {
    const answer = await conversation.ask<BacktestBody>('backtest_alert', {
      module: WATCHED_MODULE,
      threshold: limits.threshold,
      hysteresis: HYSTERESIS,
    });
    backtests.push(answer);
    const firings = firingsByHand(readings, limits);
    const answered = answer.episodes.map(({ start, end, lowest }) => ({
      start: Date.parse(start),
      end: end && Date.parse(end),
      lowest,
    }));
    expectThat(
      JSON.stringify(answered) === JSON.stringify(firings),
      'it fires exactly when single readings do',
    );
    expectThat(
      answer.hoursBelow === hoursBelowByHand(readings, limits),
      'the hours below it are those of the readings',
    );
    expectThat(
      answer.reminders === remindersByHand(firings, now),
      'there is a reminder for each morning but the first day’s',
    );
  }
  transcript.table([
    ['threshold', 'resolves at', 'fired', 'hours below', 'reminders'],
    ...candidates.map(({ threshold, resolvesAt }, index) => [
      `${threshold} %`,
      `${resolvesAt} %`,
      String(backtests[index]!.episodes.length),
      String(backtests[index]!.hoursBelow),
      String(backtests[index]!.reminders),
    ]),
  ]);
  transcript.checked(
    `the same by hand, from the ${readings.length.toLocaleString('en')} readings of these ${BACKTEST_DAYS} days one by one.`,
  );
  return backtests;
}

export const formatTimes = ({ episodes: { length } }: Pick<BacktestBody, 'episodes'>): string =>
  ['never', 'once', 'twice'][length] ?? `${length} times`;
