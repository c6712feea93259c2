import { roundTo } from '../../src/domain/decimal.ts';
import { DAY_MS } from '../../src/domain/periods.ts';
import type { ReviewBody } from '../../src/schema/advice/review.ts';
import type { RainAnswer } from '../../src/schema/weather/rain.ts';
import { dateAgo } from '../farm/calendar.ts';
import type { DemoHistory } from '../farm/history.ts';
import type { Shower } from '../farm/weather.ts';
import { DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import type { DemoClient } from '../servers/mcp-client.ts';

const MODULE = 'North 1';
/** Wets the soil down to the sensors. */
const MIN_MM = 8;

interface LoneShower extends Shower {
  readonly mm: number;
  readonly day: string;
  /** When the rain made moisture rise, and on which module. */
  readonly period: { readonly module: string; readonly start: string; readonly end: string };
}

/**
 * The newest shower that wetted the soil with no watering of the module near it; null if there is
 * none.
 */
export function loneShower({ weather, waterings }: DemoHistory): LoneShower | null {
  const isAlone = ({ from, to }: Shower): boolean =>
    !waterings.some(
      ({ module, startedAt }) =>
        module === MODULE && startedAt > from - 2 * DAY_MS && startedAt < to + DAY_MS,
    );
  const shower = weather.showers.findLast((each) => each.mm >= MIN_MM && isAlone(each));
  if (shower === undefined) return null;
  const period = {
    module: MODULE,
    start: dateAgo(shower.from - DAY_MS, 0),
    end: dateAgo(shower.to + 2 * DAY_MS, 0),
  };
  return { ...shower, mm: roundTo(shower.mm, 1), day: dateAgo(shower.from, 0), period };
}

/** Moisture rose and nobody watered: the rain of that day, once it is entered, explains it. */
export async function playRain(client: DemoClient, history: DemoHistory): Promise<void> {
  const shower = loneShower(history);
  if (shower === null) return;
  const conversation = new DemoConversation(client);
  transcript.person(`Did anybody water ${MODULE} around ${shower.day}?`);
  const before = await conversation.ask<ReviewBody>('review_waterings', shower.period);
  expectThat(
    before.unlogged.some(({ likely }) => likely !== 'rain'),
    'the moisture rose, and no watering is recorded',
  );
  transcript.person(`No, that was rain: the gauge had ${shower.mm} mm that day.`);
  await explainByRain(conversation, shower);
}

export async function explainByRain(
  conversation: DemoConversation,
  { mm, day, period }: LoneShower,
): Promise<void> {
  await conversation.ask<RainAnswer>('log_rain', { mm, when: day });
  const { unlogged } = await conversation.ask<ReviewBody>('review_waterings', period);
  expectThat(
    unlogged.some(({ likely, rainMm }) => likely === 'rain' && rainMm === mm),
    'the rain explains the rise, by its time and its amount',
  );
}
