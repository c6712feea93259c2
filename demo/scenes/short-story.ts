import { writeFile } from 'node:fs/promises';
import { MINUTE_MS } from '../../src/domain/periods.ts';
import type { AdviceBody } from '../../src/schema/advice/advice.ts';
import type { BriefBody } from '../../src/schema/advice/brief.ts';
import type { AlertWithRecipientsBody, BacktestBody } from '../../src/schema/alerts/alert.ts';
import type {
  WateringAnswer,
  WateringBody,
  WateringWitnessBody,
} from '../../src/schema/irrigation/watering.ts';
import { atLocalTime, dateAgo } from '../farm/calendar.ts';
import { NORTH_DRIP } from '../farm/demo-farm.ts';
import { type DemoPast, unreportedWatering } from '../farm/waterings.ts';
import { type DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import { HYSTERESIS, WATCHED_MODULE } from './threshold.ts';

/** A Tuesday, 06:45 and 12:30 in the zone of the farm. */
export const STORY_BEGINS_AT = Date.parse('2026-07-14T04:45:00Z');
export const STORY_ENDS_AT = Date.parse('2026-07-14T10:30:00Z');

const PUMP = { module: 'North 2', hour: 6, minutes: 40 };
const WATERED_AT_HOUR = 7;
const WATERED_MIN = 315;
const THRESHOLD = 24;

/** Nobody has watered the watched probe for a week, and the pump of North 2 runs by its schedule. */
export const STORY_PAST: DemoPast = {
  latestDaysAgo: { 'North 1': 6, 'North 2': 3, 'South 1': 4 },
  unreported: (now) => [
    unreportedWatering(PUMP.module, atLocalTime(now, 0, PUMP.hour), PUMP.minutes, NORTH_DRIP),
    unreportedWatering(
      WATCHED_MODULE,
      atLocalTime(now, 0, WATERED_AT_HOUR),
      WATERED_MIN,
      NORTH_DRIP,
    ),
  ],
};

/** Made the evening before. */
export const STORY_SCHEDULE = {
  at: atLocalTime(STORY_BEGINS_AT, 1, 19),
  tool: 'create_schedule',
  args: {
    module: PUMP.module,
    freq: 'daily',
    startTimes: [`0${PUMP.hour}:00`],
    durationMin: PUMP.minutes,
    startsOn: dateAgo(STORY_BEGINS_AT, 0),
  },
};

/** At the beginning: who is thirsty, and did what was planned run? */
export async function playThirstyMorning(conversation: DemoConversation): Promise<void> {
  transcript.person('Good morning. Which probe is thirsty, and for how long should I water it?');
  const { modules } = await conversation.ask<BriefBody>('morning_brief', {});
  expectThat(modules === 5, 'the brief covers the whole farm');
  const advice = await conversation.ask<AdviceBody>('advise_watering', { module: WATCHED_MODULE });
  expectThat(
    Math.abs(advice.durationMin! - WATERED_MIN) < 5,
    `the person will water as long as advised, ${WATERED_MIN} minutes`,
  );

  transcript.person(`And ${PUMP.module}: did its pump run this morning?`);
  const { data, witness } = await conversation.ask<WateringsOfToday>('list_waterings', {
    module: PUMP.module,
    from: 'today',
    to: 'now',
  });
  const eventId = data[0]!.id;
  expectThat(
    data.length === 1 && witness[0]!.witness === 'assumed',
    'one watering was planned for this morning, and nobody has seen it yet',
  );
  transcript.person('Yes, I heard it.');
  const { event } = await conversation.ask<WateringAnswer>('correct_watering', {
    eventId,
    status: 'done',
    detail: 'full',
  });
  expectThat(event.verifiedAt !== null, 'the watering is confirmed now');
}

interface WateringsOfToday {
  readonly data: readonly Pick<WateringBody, 'id'>[];
  readonly witness: readonly WateringWitnessBody[];
}

/** At the end: what ran, and what to watch. */
export async function playNoon(conversation: DemoConversation, pictureFile: string): Promise<void> {
  transcript.event('The pump of North 1 runs, and the readings of the morning arrive.');
  transcript.person(`It is done: ${WATCHED_MODULE} ran for five hours, from seven on.`);
  const entry = { startedAt: 'today 7:00', inputMode: 'duration' };
  const { event } = await conversation.askDose('log_watering', {
    module: WATCHED_MODULE,
    ...entry,
    durationMin: 300,
  });
  expectThat(
    Date.parse(event.startedAt) === atLocalTime(STORY_ENDS_AT, 0, WATERED_AT_HOUR),
    'it began at seven, local time',
  );
  transcript.person('Sorry, until a quarter past twelve.');
  const corrected = await conversation.askDose('correct_watering', {
    eventId: event.id,
    ...entry,
    durationMin: WATERED_MIN,
  });
  expectThat(
    Date.parse(corrected.event.endedAt!) - Date.parse(event.startedAt) === WATERED_MIN * MINUTE_MS,
    'it ended at a quarter past twelve',
  );

  transcript.person(`Tell me when ${WATCHED_MODULE} falls below ${THRESHOLD} %.`);
  const limits = { module: WATCHED_MODULE, threshold: THRESHOLD, hysteresis: HYSTERESIS };
  await conversation.ask<BacktestBody>('backtest_alert', limits);
  const { recipients } = await conversation.ask<AlertWithRecipientsBody>('create_alert', limits);
  expectThat(recipients.length === 1, 'the alert goes to the person who asked for it');

  transcript.person('Show me the last ten days.');
  const { picture } = await conversation.askPicture('chart_moisture', {
    module: WATCHED_MODULE,
    start: '10 days ago',
  });
  await writeFile(pictureFile, picture);
  transcript.figures([`the picture: ${pictureFile}`]);
}
