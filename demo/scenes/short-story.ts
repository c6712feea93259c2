import { writeFile } from 'node:fs/promises';
import type { BriefBody } from '../../src/schema/advice/brief.ts';
import type { AlertWithRecipientsBody, BacktestBody } from '../../src/schema/alerts/alert.ts';
import { atLocalTime } from '../farm/calendar.ts';
import type { DemoHistory } from '../farm/history.ts';
import { daysSinceMorning } from '../farm/waterings.ts';
import { type DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import { explainByRain, loneShower } from './rain.ts';
import { HYSTERESIS, WATCHED_MODULE } from './threshold.ts';

const THRESHOLD = 24;

export async function playShortStory(
  conversation: DemoConversation,
  {
    history,
    now,
    pictureFile,
  }: { readonly history: DemoHistory; readonly now: number; readonly pictureFile: string },
): Promise<void> {
  transcript.person('Good morning. What does the farm need today?');
  const { modules } = await conversation.ask<BriefBody>('morning_brief', {});
  expectThat(modules === 5, 'the brief covers the whole farm');

  const day = daysSinceMorning(now) === 0 ? 'today' : 'yesterday';
  transcript.person(
    `I watered ${WATCHED_MODULE} for 45 minutes ${day === 'today' ? 'this' : 'yesterday'} morning at six.`,
  );
  const entry = { startedAt: `${day} 6:00`, inputMode: 'duration' };
  const { event } = await conversation.askDose('log_watering', {
    module: WATCHED_MODULE,
    ...entry,
    durationMin: 45,
  });
  expectThat(
    Date.parse(event.startedAt) === atLocalTime(now, daysSinceMorning(now), 6),
    'it began at six, local time',
  );

  transcript.person('Sorry, it ran for 50 minutes.');
  await conversation.askDose('correct_watering', { eventId: event.id, ...entry, durationMin: 50 });

  transcript.person(`Tell me when ${WATCHED_MODULE} falls below ${THRESHOLD} %.`);
  const limits = { module: WATCHED_MODULE, threshold: THRESHOLD, hysteresis: HYSTERESIS };
  await conversation.ask<BacktestBody>('backtest_alert', limits);
  const { recipients } = await conversation.ask<AlertWithRecipientsBody>('create_alert', limits);
  expectThat(recipients.length === 1, 'the alert goes to the person who asked for it');

  const shower = loneShower(history);
  if (shower !== null) {
    transcript.person(`And the gauge had ${shower.mm} mm of rain on ${shower.day}.`);
    await explainByRain(conversation, shower);
  }
  transcript.person(
    shower === null ? 'Show me the last ten days.' : 'Show me the time since then.',
  );
  const start = shower?.period.start ?? '10 days ago';
  const { picture } = await conversation.askPicture('chart_moisture', {
    module: WATCHED_MODULE,
    start,
  });
  await writeFile(pictureFile, picture);
  transcript.figures([`the picture: ${pictureFile}`]);
}
