import { roundTo } from '../../src/domain/decimal.ts';
import { DAY_MS } from '../../src/domain/periods.ts';
import type { ReviewBody } from '../../src/schema/advice.ts';
import type { RainAnswer } from '../../src/schema/rain.ts';
import { dateAgo } from '../farm/calendar.ts';
import type { DemoHistory } from '../farm/history.ts';
import type { Shower } from '../farm/weather.ts';
import { DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import type { DemoClient } from '../servers/mcp-client.ts';

const MODULE = 'North 1';
/** Wets the soil down to the sensors. */
const MIN_MM = 8;

/** Moisture rose and nobody watered: the rain of that day, once it is entered, explains it. */
export async function playRain(client: DemoClient, { weather, waterings }: DemoHistory): Promise<void> {
  const isAlone = ({ from, to }: Shower): boolean =>
    !waterings.some(
      ({ module, startedAt }) => module === MODULE && startedAt > from - 2 * DAY_MS && startedAt < to + DAY_MS,
    );
  const shower = weather.showers.findLast((each) => each.mm >= MIN_MM && isAlone(each));
  if (shower === undefined) return;
  const conversation = new DemoConversation(client);
  const period = { module: MODULE, start: dateAgo(shower.from - DAY_MS, 0), end: dateAgo(shower.to + 2 * DAY_MS, 0) };
  transcript.person(`Did anybody water ${MODULE} around ${dateAgo(shower.from, 0)}?`);
  const before = await conversation.ask<ReviewBody>('review_waterings', period);
  expectThat(
    before.unlogged.some(({ likely }) => likely !== 'rain'),
    'the moisture rose, and no watering is recorded',
  );

  const mm = roundTo(shower.mm, 1);
  transcript.person(`No, that was rain: the gauge had ${mm} mm that day.`);
  await conversation.ask<RainAnswer>('log_rain', { mm, when: dateAgo(shower.from, 0) });
  const { unlogged } = await conversation.ask<ReviewBody>('review_waterings', period);
  expectThat(
    unlogged.some(({ likely, rainMm }) => likely === 'rain' && rainMm === mm),
    'the rain explains the rise, by its time and its amount',
  );
}
