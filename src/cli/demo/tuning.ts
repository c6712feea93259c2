import type { AlertBody, BacktestBody, WatchedAlertBody } from '../../schema/alert.ts';
import { HOUR, localTime } from './calendar.ts';
import { type Conversation, must } from './conversation.ts';
import { type Morning, sayAt } from './morning-talk.ts';
import { DAYS_TRIED, HYSTERESIS, sayTimes, tryCandidates, WATCHED } from './threshold.ts';
import { transcript } from './transcript.ts';
import { firingsOf, type Limits, weighed } from './watch-by-hand.ts';

/** So much earlier than before an alert is to call. */
const EARLIER = 12 * HOUR;

/** Moves the threshold of the alert up, with the past on the table. */
export async function tune(conversation: Conversation, morning: Morning, stressPoint: number): Promise<void> {
  const { moisture, alert, at } = morning;
  const readings = weighed(moisture);
  const { start } = firingsOf(readings, alert).at(-1)!;
  const stressed = readings.find((each) => each.at >= start && each.value <= stressPoint);
  transcript.person('That alert came late. I want to hear of it half a day earlier.');
  await lookAtAlert(conversation, morning);
  transcript.byHand([
    `${alert.threshold} %: first below it ${localTime(start)}`,
    ...(stressed ? [`${stressPoint} %, the stress point: reached ${localTime(stressed.at)}`] : []),
  ]);

  const candidates: Limits[] = [0.5, 1].map((more) => {
    const threshold = alert.threshold + more;
    return { threshold, resolvesAt: threshold + HYSTERESIS };
  });
  const tried = await tryCandidates(conversation, candidates, moisture, at);
  const said = tried.map((each, place) => {
    const { threshold } = candidates[place]!;
    return `${threshold} % would have called on ${sayAt(lastBegin(each))}, and fired ${sayTimes(each)} in these ${DAYS_TRIED} days`;
  });
  transcript.says(`${said.join('; ')}. Which shall it be?`);
  const place = tried.findIndex((each) => lastBegin(each) <= start - EARLIER);
  const chosen = candidates.at(place)!;
  transcript.person(`${chosen.threshold}.`);
  const changed = await conversation.ask<AlertBody>('update_alert', {
    alertId: alert.id,
    threshold: chosen.threshold,
  });
  must(Number(changed.threshold) === chosen.threshold && Number(changed.hysteresis) === HYSTERESIS, 'it is as chosen');
  transcript.says(
    `Done. Until now it was ${alert.threshold} % with a hysteresis of ${HYSTERESIS}; to go back, tell me, and I write these again.`,
  );
}

async function lookAtAlert(conversation: Conversation, { alert, moisture }: Morning): Promise<void> {
  const { data } = await conversation.ask<{ data: WatchedAlertBody[] }>('list_alerts', { module: WATCHED });
  const { value_vwc: value, status } = data[0]!.state!;
  const readings = weighed(moisture);
  const isFiring = firingsOf(readings, alert).at(-1)!.end === null;
  must(data.length === 1 && data[0]!.id === alert.id, 'there is one alert');
  must(value === readings.at(-1)!.value && status === (isFiring ? 'firing' : 'quiet'), 'it is as the readings say');
}

const lastBegin = ({ episodes }: BacktestBody): number => Date.parse(episodes.at(-1)!.start);
