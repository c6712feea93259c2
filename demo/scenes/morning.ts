import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/periods.ts';
import { atLocalTime, dateAgo, weekdayAgo } from '../farm/calendar.ts';
import { DEMO_COMPANY, demoFarm, NEW_DRIP, NORTH_DRIP } from '../farm/demo-farm.ts';
import {
  type FarmMeasurements,
  type FutureFarm,
  type ProbeMoisture,
  probeMoisture,
  readingsCsv,
  simulateFarm,
} from '../farm/future-readings.ts';
import type { DemoHistory } from '../farm/history.ts';
import type { DemoWatering } from '../farm/waterings.ts';
import { weightedReadings } from '../hand-calculations/alert-firings.ts';
import { DemoError } from '../output/conversation.ts';
import { type MorningFiles, writeMorning } from '../output/morning-file.ts';
import { transcript } from '../output/transcript.ts';
import { type FarmCopy, withFarmCopy } from '../servers/farm-copy.ts';
import { openMailbox } from '../servers/mailbox.ts';
import { SENDER } from './dry-spell-steps.ts';
import {
  askMorningQuestions,
  type Morning,
  type MorningAnswers,
  reportWatering,
} from './morning-conversation.ts';
import {
  type DemoPlan,
  LONGER_DAY,
  LONGER_MIN,
  PLANNED_MIN,
  planDays,
  SKIPPED_DAY,
} from './schedule-plan.ts';
import { type DemoAlert, WATCHED_MODULE } from './threshold.ts';
import { tuneThreshold } from './threshold-tuning.ts';
import { askWithoutReadings } from './without-readings.ts';

const SEED = 13;
const MOST_DAYS = 10;
const WAKES_AT = { hour: 6, minute: 45 };
const WATERED_AT_HOUR = 7;

interface MorningContext {
  readonly file: string;
  readonly history: DemoHistory;
  readonly alert: DemoAlert;
  readonly plan: DemoPlan;
  readonly now: number;
}

export async function playMorning(
  program: string,
  before: MorningContext,
  files: MorningFiles,
): Promise<void> {
  const { at, future, measured } = dryMorning(before);
  const { file, alert, history } = before;
  transcript.section('A morning');
  transcript.takeParts();
  transcript.text(
    `It is a quarter to seven on ${weekdayAgo(at, 0)}, ${dateAgo(at, 0)}, on a copy of ${DEMO_COMPANY}. Since ${weekdayAgo(before.now, 0)} nobody has watered but the pump of North 2, which runs by itself.`,
  );
  const mail = await mkdtemp(join(tmpdir(), 'acequia-demo-'));
  const mailbox = await openMailbox(join(mail, 'mail'));
  const settings = { ACEQUIA_SMTP_URL: mailbox.url, ACEQUIA_MAIL_FROM: SENDER };
  try {
    await withFarmCopy({ program, file, settings }, async (copy) => {
      const morning = {
        ...history,
        at,
        alert,
        moisture: joinMoisture(probeMoisture(history, WATCHED_MODULE), measured),
      };
      await importMeasurements(copy, measured, before, at);
      const answers = await copy.converse(at, (conversation) =>
        askMorningQuestions(conversation, morning),
      );
      await waterAndTune(copy, before, { future, morning, answers });
      await writeMorning(files, transcript.takeParts(), answers.picture);
    });
  } finally {
    await mailbox.close();
    await rm(mail, { recursive: true, force: true });
  }
  transcript.lines([
    '',
    'The morning is written down, with its picture, until the next demo:',
    `  ${files.text}`,
  ]);
}

async function waterAndTune(
  copy: FarmCopy,
  before: MorningContext,
  { future, morning, answers }: { future: FutureFarm; morning: Morning; answers: MorningAnswers },
): Promise<void> {
  const watering: DemoWatering = {
    module: WATCHED_MODULE,
    startedAt: atLocalTime(morning.at, 0, WATERED_AT_HOUR),
    durationMin: answers.minutes,
    equipment: NORTH_DRIP,
    isRecorded: true,
  };
  const at = watering.startedAt + answers.minutes * MINUTE_MS + HOUR_MS;
  const measured = future.measureUntil(at, [...pumpRuns(before, at), watering]);
  transcript.event('The pump runs, and the water soaks in.');
  await importMeasurements(copy, measured, before, at);
  await copy.converse(at, async (conversation) => {
    await reportWatering(conversation, watering);
    const moisture = joinMoisture(morning.moisture, measured);
    await tuneThreshold(conversation, { ...morning, at, moisture }, answers.stressPoint);
  });
  const { company } = demoFarm(before.history.instants[0]!, at);
  await askWithoutReadings(copy, company, at);
}

function dryMorning(before: MorningContext): {
  at: number;
  future: FutureFarm;
  measured: FarmMeasurements;
} {
  for (let day = 1; day <= MOST_DAYS; day++) {
    const at = atLocalTime(before.now, -day, WAKES_AT.hour, WAKES_AT.minute);
    const future = simulateFarm(before.history, SEED);
    const measured = future.measureUntil(at, pumpRuns(before, at));
    if (
      weightedReadings(probeMoisture(measured, WATCHED_MODULE)).at(-1)!.value <
      before.alert.threshold
    )
      return { at, future, measured };
  }
  throw new DemoError(
    `${WATCHED_MODULE} does not fall below ${before.alert.threshold} % within ${MOST_DAYS} days`,
  );
}

const pumpRuns = ({ plan, now }: MorningContext, until: number): DemoWatering[] =>
  planDays(plan, now, [now, until])
    .filter((day) => day !== SKIPPED_DAY)
    .map((day) => ({
      module: 'North 2',
      startedAt: day === LONGER_DAY ? atLocalTime(now, -day, 5) : atLocalTime(now, -day, 4, 30),
      durationMin: day === LONGER_DAY ? LONGER_MIN : PLANNED_MIN,
      equipment: NEW_DRIP,
      isRecorded: true,
    }));

async function importMeasurements(
  copy: FarmCopy,
  measured: FarmMeasurements,
  { history }: MorningContext,
  at: number,
): Promise<void> {
  const { company, gateways } = demoFarm(history.instants[0]!, at);
  await copy.writeFile('gateways.json', JSON.stringify({ company, gateways }));
  await copy.writeFile('readings.csv', readingsCsv(measured));
  await copy.run(['import', 'gateways.json', 'readings.csv'], at);
  await copy.run(['tick'], at);
}

function joinMoisture(before: ProbeMoisture, measured: FarmMeasurements): ProbeMoisture {
  const after = probeMoisture(measured, WATCHED_MODULE);
  return {
    instants: Float64Array.from([...before.instants, ...after.instants]),
    values: before.values.map((values, index) =>
      Float64Array.from([...values, ...after.values[index]!]),
    ),
  };
}
