import { MINUTE_MS } from '../../src/domain/periods.ts';
import { englishCount } from '../../src/language/en/grammar.ts';
import { formatDaysAhead } from '../../src/language/number-format.ts';
import type { AdviceBody } from '../../src/schema/advice/advice.ts';
import type { BriefBody } from '../../src/schema/advice/brief.ts';
import type { WateringAnswer } from '../../src/schema/irrigation/watering.ts';
import type { SoilHorizonBody } from '../../src/schema/soil/soil.ts';
import { atLocalTime, localTime, weekdayAgo } from '../farm/calendar.ts';
import { equipmentFlowMmPerH } from '../farm/demo-farm.ts';
import type { ProbeMoisture } from '../farm/future-readings.ts';
import type { DemoHistory } from '../farm/history.ts';
import type { DemoWatering } from '../farm/waterings.ts';
import {
  firingsByHand,
  newestByHand,
  weightedReadings,
} from '../hand-calculations/alert-firings.ts';
import {
  dryingRateByHand,
  needByHand,
  stressByHand,
} from '../hand-calculations/doses-and-needs.ts';
import { type DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import { clockTime } from './dry-spell-steps.ts';
import { type DemoAlert, WATCHED_MODULE } from './threshold.ts';

export interface Morning extends Pick<DemoHistory, 'waterings' | 'weather'> {
  readonly at: number;
  readonly alert: DemoAlert;
  readonly moisture: ProbeMoisture;
}

export interface MorningAnswers {
  readonly minutes: number;
  readonly stressPoint: number;
  readonly picture: Uint8Array;
}

const QUARTER_HOUR_MIN = 15;
/** Days calculated from single readings may differ this much from those of hourly means. */
const DAYS_TOLERANCE = 0.2;

export async function askMorningQuestions(
  conversation: DemoConversation,
  morning: Morning,
): Promise<MorningAnswers> {
  const brief = await askBrief(conversation, morning);
  const { advice, stressPoint } = await askAdvice(conversation, morning);
  const need = brief.needsWater.find(({ name }) => name === WATCHED_MODULE);
  expectThat(
    need?.durationMin === advice.durationMin && need?.daysToStress === advice.daysToStress,
    'the brief agrees with the advice',
  );
  return {
    minutes: roundToQuarterHours(advice),
    stressPoint,
    picture: await askForChart(conversation, morning),
  };
}

async function askBrief(
  conversation: DemoConversation,
  { moisture, alert }: Morning,
): Promise<BriefBody> {
  transcript.person('Good morning. What does the farm need today?');
  const brief = await conversation.ask<BriefBody>('morning_brief', {});
  const { start } = firingsByHand(weightedReadings(moisture), alert).at(-1)!;
  const [firing] = brief.alerts;
  expectThat(
    brief.alerts.length === 1 && firing!.name === WATCHED_MODULE,
    `the alert of ${WATCHED_MODULE} is firing`,
  );
  expectThat(
    Date.parse(firing!.since!) === start &&
      firing!.value_vwc === weightedReadings(moisture).at(-1)!.value,
    'moisture has been low since the first reading below the threshold, and its value is the newest moisture',
  );
  transcript.byHand([
    newestByHand(moisture),
    `the first reading below ${alert.threshold} %: ${localTime(start)}`,
  ]);
  const [waiting] = brief.toConfirm;
  expectThat(
    brief.toConfirm.length === 1 && waiting!.name === 'North 2',
    'the watering that was changed by hand awaits confirmation',
  );
  const names = brief.needsWater.map(({ name }) => name);
  expectThat(names.includes(WATCHED_MODULE), `${WATCHED_MODULE} needs water`);
  transcript.says(
    `${names.join(' and ')} ${names.length === 1 ? 'needs' : 'need'} water today. The alert of ${WATCHED_MODULE} is firing; moisture has been low since ${formatDayAndTime(start)}. And did North 2 get its water on ${formatDayAndTime(Date.parse(waiting!.startedAt))}?`,
  );
  transcript.person('It did.');
  const { event } = await conversation.ask<WateringAnswer>('correct_watering', {
    eventId: waiting!.eventId,
    startedAt: waiting!.startedAt,
    inputMode: 'duration',
    status: 'done',
  });
  expectThat(event.status === 'done' && event.verifiedAt !== null, 'it is done, and confirmed');
  return brief;
}

async function askAdvice(conversation: DemoConversation, morning: Morning) {
  const { moisture } = morning;
  transcript.person(
    `For how long should I water ${WATCHED_MODULE}, and can it wait until tonight?`,
  );
  const advice = await conversation.ask<AdviceBody>('advise_watering', { module: WATCHED_MODULE });
  const { data } = await conversation.lookUp<{ data: SoilHorizonBody[] }>('list_soil_horizons', {});
  const horizons = new Map(data.map((each) => [each.usda_class as string, each]));
  conversation.showByHand(needByHand(moisture, horizons, advice));
  const stressPoint = stressByHand(horizons);
  const days = daysByHand(morning, stressPoint);
  expectThat(
    Math.abs(days - advice.daysToStress!) <= DAYS_TOLERANCE,
    'the days to the stress point are about those by hand',
  );
  const urgency =
    advice.daysToStress === 0
      ? 'is at its stress point already'
      : `is ${formatDaysAhead(advice.daysToStress!, 'en')} from its stress point`;
  transcript.says(
    `About ${formatSpokenDuration(roundToQuarterHours(advice))} of drip would fill its root zone, not counting losses. It ${urgency}, so better this morning. This assumes the usual wetted fraction for drip; if you know yours, tell me.`,
  );
  return { advice, stressPoint };
}

function daysByHand(morning: Morning, stressPoint: number): number {
  const { value } = weightedReadings(morning.moisture).at(-1)!;
  if (value <= stressPoint) {
    transcript.byHand([`${value} % is not above the stress point, ${stressPoint} %: 0 days`]);
    return 0;
  }
  const dryingRate = dryingRateByHand(morning.moisture, morning);
  const days = (value - stressPoint) / dryingRate;
  transcript.byHand([
    `(${value} % - ${stressPoint} %) / ${dryingRate.toFixed(1)} points a day = about ${days.toFixed(1)} days to the stress point`,
  ]);
  return days;
}

async function askForChart(
  conversation: DemoConversation,
  { waterings, at, moisture }: Morning,
): Promise<Uint8Array> {
  transcript.person('Show me the last ten days.');
  const { picture, summary } = await conversation.askPicture('chart_moisture', {
    module: WATCHED_MODULE,
    start: '10 days ago',
  });
  const recent = waterings.filter(
    ({ module, startedAt }) => module === WATCHED_MODULE && startedAt >= atLocalTime(at, 10, 0),
  );
  const flow = Number(equipmentFlowMmPerH(recent[0]!.equipment).toFixed(3));
  const minutes = recent.reduce((sum, { durationMin }) => sum + durationMin, 0);
  const mm = Number(((flow * minutes) / 60).toFixed(1));
  const lengths = recent.map(({ durationMin }) => durationMin).join(' + ');
  transcript.byHand([
    `${lengths} min at ${flow} mm/h: ${mm} mm in ${englishCount(recent.length, 'watering')}`,
  ]);
  expectThat(
    summary.includes(`${recent.length} watering`) && summary.includes(`${mm} mm in all`),
    'it shows the waterings of these days',
  );
  expectThat(
    summary.includes(`${weightedReadings(moisture).at(-1)!.value} %`),
    'and the newest moisture',
  );
  return picture;
}

export const formatDayAndTime = (at: number): string => `${weekdayAgo(at, 0)} ${clockTime(at)}`;

const roundToQuarterHours = ({ durationMin }: AdviceBody): number =>
  QUARTER_HOUR_MIN * Math.round(durationMin! / QUARTER_HOUR_MIN);

function formatSpokenDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = hours === 0 ? [] : [hours === 1 ? 'an hour' : `${hours} hours`];
  return [...parts, ...(rest === 0 ? [] : [`${rest} minutes`])].join(' and ');
}

export async function reportWatering(
  conversation: DemoConversation,
  { startedAt, durationMin }: DemoWatering,
): Promise<void> {
  const [start, end] = [startedAt, startedAt + durationMin * MINUTE_MS].map(clockTime);
  transcript.person(`The pump ran on ${WATCHED_MODULE} from ${start} to ${end}.`);
  const { event } = await conversation.askDose('log_watering', {
    module: WATCHED_MODULE,
    startedAt: `today ${start}`,
    endedAt: `today ${end}`,
    inputMode: 'duration',
  });
  expectThat(
    event.durationMin === durationMin && Date.parse(event.startedAt) === startedAt,
    'it ran for as long as that',
  );
}
