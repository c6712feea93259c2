import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Moisture, moistureOf } from './ahead.ts';
import { atLocalTime, dateAgo, HOUR, MINUTE, weekdayAgo } from './calendar.ts';
import { DemoFault } from './conversation.ts';
import { type FarmCopy, onCopy } from './copy.ts';
import { DEMO_COMPANY, demoFarm, NEW_DRIP, NORTH_DRIP } from './farm.ts';
import { type FarmAhead, farmAheadOf, type Measured, readingsCsv } from './farm-ahead.ts';
import { openMailbox } from './mailbox.ts';
import { type Asked, ask, type Morning, tellWatering } from './morning-talk.ts';
import { type DemoPlan, daysOf, LONGER_IN, LONGER_MIN, PLANNED_MIN, SKIPPED_IN } from './plan.ts';
import type { DemoHistory } from './readings.ts';
import { SENDER } from './spell.ts';
import { type DemoAlert, WATCHED } from './threshold.ts';
import { transcript } from './transcript.ts';
import { tune } from './tuning.ts';
import { weighed } from './watch-by-hand.ts';
import type { DemoWatering } from './waterings.ts';
import { type MorningFiles, writeMorning } from './written-morning.ts';

const SEED = 13;
/** So many mornings without water are enough. */
const MOST_DAYS = 10;
const WAKES_AT = { hour: 6, minute: 45 };
const WATERED_AT_HOUR = 7;

/** What a morning begins with. Instants in ms. */
interface Before {
  readonly file: string;
  readonly history: DemoHistory;
  readonly alert: DemoAlert;
  readonly plan: DemoPlan;
  readonly now: number;
}

/**
 * A morning some days later, when North 1 has become dry: from the brief to the picture, the watering and the threshold.
 * It is written down beside the farm, with its picture.
 */
export async function morningTalk(program: string, before: Before, files: MorningFiles): Promise<void> {
  const { at, ahead, measured } = dryMorning(before);
  const { file, alert, history } = before;
  transcript.section('A morning');
  transcript.taken();
  transcript.text(
    `It is a quarter to seven on ${weekdayAgo(at, 0)}, ${dateAgo(at, 0)}, on a copy of ${DEMO_COMPANY}. Since ${weekdayAgo(before.now, 0)} nobody has watered but the pump of North 2, which runs by itself.`,
  );
  const mail = await mkdtemp(join(tmpdir(), 'acequia-demo-'));
  const mailbox = await openMailbox(join(mail, 'mail'));
  const settings = { ACEQUIA_SMTP_URL: mailbox.url, ACEQUIA_MAIL_FROM: SENDER };
  try {
    await onCopy({ program, file, settings }, async (copy) => {
      const morning = { ...history, at, alert, moisture: joined(moistureOf(history, WATCHED), measured) };
      await bring(copy, measured, before, at);
      const asked = await copy.talk(at, (conversation) => ask(conversation, morning));
      await water(copy, before, { ahead, morning, asked });
      await writeMorning(files, transcript.taken(), asked.picture);
    });
  } finally {
    await mailbox.close();
    await rm(mail, { recursive: true, force: true });
  }
  transcript.lines(['', 'The morning is written down, with its picture, until the next demo:', `  ${files.text}`]);
}

/** Gives the water, tells of it, and tunes the alert. */
async function water(
  copy: FarmCopy,
  before: Before,
  { ahead, morning, asked }: { ahead: FarmAhead; morning: Morning; asked: Asked },
): Promise<void> {
  const watering: DemoWatering = {
    module: WATCHED,
    startedAt: atLocalTime(morning.at, 0, WATERED_AT_HOUR),
    durationMin: asked.minutes,
    equipment: NORTH_DRIP,
    isBooked: true,
  };
  const at = watering.startedAt + asked.minutes * MINUTE + HOUR;
  const measured = ahead.until(at, [...runsOf(before, at), watering]);
  transcript.event('The pump runs, and the water soaks in.');
  await bring(copy, measured, before, at);
  await copy.talk(at, async (conversation) => {
    await tellWatering(conversation, watering);
    const moisture = joined(morning.moisture, measured);
    await tune(conversation, { ...morning, at, moisture }, asked.stressPoint);
  });
}

/** The first morning on which North 1 is below its threshold. */
function dryMorning(before: Before): { at: number; ahead: FarmAhead; measured: Measured } {
  for (let day = 1; day <= MOST_DAYS; day++) {
    const at = atLocalTime(before.now, -day, WAKES_AT.hour, WAKES_AT.minute);
    const ahead = farmAheadOf(before.history, SEED);
    const measured = ahead.until(at, runsOf(before, at));
    if (weighed(moistureOf(measured, WATCHED)).at(-1)!.value < before.alert.threshold) return { at, ahead, measured };
  }
  throw new DemoFault(`${WATCHED} does not fall below ${before.alert.threshold} % within ${MOST_DAYS} days`);
}

/** What the pump of North 2 gives by itself up to an instant. */
const runsOf = ({ plan, now }: Before, until: number): DemoWatering[] =>
  daysOf(plan, now, [now, until])
    .filter((day) => day !== SKIPPED_IN)
    .map((day) => ({
      module: 'North 2',
      startedAt: day === LONGER_IN ? atLocalTime(now, -day, 5) : atLocalTime(now, -day, 4, 30),
      durationMin: day === LONGER_IN ? LONGER_MIN : PLANNED_MIN,
      equipment: NEW_DRIP,
      isBooked: true,
    }));

/** Brings in what all sensors measured, and that the gateways are heard of; mail goes out as on every day. */
async function bring(copy: FarmCopy, measured: Measured, { history }: Before, at: number): Promise<void> {
  const { company, gateways } = demoFarm(history.instants[0]!, at);
  await copy.lay('gateways.json', JSON.stringify({ company, gateways }));
  await copy.lay('readings.csv', readingsCsv(measured));
  await copy.run(['import', 'gateways.json', 'readings.csv'], at);
  await copy.run(['tick'], at);
}

function joined(before: Moisture, measured: Measured): Moisture {
  const after = moistureOf(measured, WATCHED);
  return {
    instants: Float64Array.from([...before.instants, ...after.instants]),
    values: before.values.map((values, place) => Float64Array.from([...values, ...after.values[place]!])),
  };
}
