import { HOUR_MS } from '../../src/domain/periods.ts';
import type { AlertBody, BacktestBody, ListedAlertBody } from '../../src/schema/alerts/alert.ts';
import { localTime } from '../farm/calendar.ts';
import {
  type AlertLimits,
  firingsByHand,
  weightedReadings,
} from '../hand-calculations/alert-firings.ts';
import { type DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import { formatDayAndTime, type Morning } from './morning-conversation.ts';
import {
  BACKTEST_DAYS,
  formatTimes,
  HYSTERESIS,
  tryCandidates,
  WATCHED_MODULE,
} from './threshold.ts';

const EARLIER_MS = 12 * HOUR_MS;

export async function tuneThreshold(
  conversation: DemoConversation,
  morning: Morning,
  stressPoint: number,
): Promise<void> {
  const { moisture, alert, at } = morning;
  const readings = weightedReadings(moisture);
  const { start } = firingsByHand(readings, alert).at(-1)!;
  const firstStressed = readings.find((each) => each.at >= start && each.value <= stressPoint);
  transcript.person('That alert came late. I want to hear of it half a day earlier.');
  await checkAlertState(conversation, morning);
  transcript.byHand([
    `${alert.threshold} %: first below it ${localTime(start)}`,
    ...(firstStressed
      ? [`${stressPoint} %, the stress point: reached ${localTime(firstStressed.at)}`]
      : []),
  ]);

  const candidates: AlertLimits[] = [0.5, 1].map((more) => {
    const threshold = alert.threshold + more;
    return { threshold, resolvesAt: threshold + HYSTERESIS };
  });
  const backtests = await tryCandidates(conversation, candidates, moisture, at);
  const summaries = backtests.map((each, index) => {
    const { threshold } = candidates[index]!;
    return `${threshold} % would have called on ${formatDayAndTime(lastStart(each))}, and fired ${formatTimes(each)} in these ${BACKTEST_DAYS} days`;
  });
  transcript.says(`${summaries.join('; ')}. Which shall it be?`);
  const chosenIndex = backtests.findIndex((each) => lastStart(each) <= start - EARLIER_MS);
  const chosen = candidates.at(chosenIndex)!;
  transcript.person(`${chosen.threshold}.`);
  const changed = await conversation.ask<AlertBody>('update_alert', {
    alertId: alert.id,
    threshold: chosen.threshold,
  });
  expectThat(
    Number(changed.threshold) === chosen.threshold && Number(changed.hysteresis) === HYSTERESIS,
    'the alert has the chosen threshold',
  );
  transcript.says(
    `Done. Until now it was ${alert.threshold} % with a hysteresis of ${HYSTERESIS}; to go back, tell me, and I write these again.`,
  );
}

async function checkAlertState(
  conversation: DemoConversation,
  { alert, moisture }: Morning,
): Promise<void> {
  const { data } = await conversation.ask<{ data: ListedAlertBody[] }>('list_alerts', {
    module: WATCHED_MODULE,
  });
  const { value_vwc: value, status } = data[0]!.state!;
  const readings = weightedReadings(moisture);
  const isFiring = firingsByHand(readings, alert).at(-1)!.end === null;
  expectThat(data.length === 1 && data[0]!.id === alert.id, 'there is one alert');
  expectThat(
    value === readings.at(-1)!.value && status === (isFiring ? 'firing' : 'quiet'),
    'its state matches the readings',
  );
}

const lastStart = ({ episodes }: BacktestBody): number => Date.parse(episodes.at(-1)!.start);
