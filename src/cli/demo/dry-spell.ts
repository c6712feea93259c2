import type { BacktestBody, WatchedAlertBody } from '../../schema/alert.ts';
import type { MoistureSeriesBody } from '../../schema/series.ts';
import { aheadOf } from './ahead.ts';
import { atLocalTime, dateAgo, HOUR, localTime, weekdayAgo } from './calendar.ts';
import { type Conversation, must } from './conversation.ts';
import { onCopy } from './copy.ts';
import { blocksOf } from './curves.ts';
import { NORTH_DRIP } from './farm.ts';
import { mailboxOf, openMailbox } from './mailbox.ts';
import type { DemoHistory } from './readings.ts';
import { around, bring, clockTime, firingOf, SENDER, type Spell, send } from './spell.ts';
import { type DemoAlert, WATCHED } from './threshold.ts';
import { transcript } from './transcript.ts';
import { type Firing, firingsOf, hoursBelow, morningsWithin } from './watch-by-hand.ts';
import type { DemoWatering } from './waterings.ts';

const SEED = 11;
/** So many days without water are enough. */
const MOST_DAYS = 10;
const EVENING = 20;
/** When the watering that ends it begins, and how long it lasts. */
const WATERED_AT = { hour: 8, minute: 30 };
const WATERED_MIN = 120;

/** Lets the soil dry until the alert fires, and waters; what is mailed meanwhile arrives at a mail server of the demo's own. */
export async function drySpell(
  program: string,
  { file, history, alert, now }: { file: string; history: DemoHistory; alert: DemoAlert; now: number },
): Promise<void> {
  const box = mailboxOf(file);
  const mailbox = await openMailbox(box);
  const settings = {
    ACEQUIA_SMTP_URL: mailbox.url,
    ACEQUIA_MAIL_FROM: `Mas Rouge <${SENDER}>`,
  };
  try {
    transcript.section('A dry spell');
    transcript.text(
      'On a copy of the farm it is not watered any more, while the simulation of its soil goes on. A mail server runs on this machine, named in ACEQUIA_SMTP_URL, so that what is mailed arrives somewhere; it is in English because ACEQUIA_LANG says so.',
    );
    await onCopy({ program, file, settings }, async (copy) => {
      const ahead = aheadOf(history, WATCHED, SEED);
      const spell: Spell = { copy, mailbox, alert, ahead, now, readings: [], mails: [] };
      const days = await dryOut(spell);
      await remind(spell, days + 1);
      await water(spell, days + 1);
      await recover(spell, days + 1);
    });
    transcript.lines(['', 'The mail stays for mail programs to open, until the next demo:', `  ${box}`]);
  } finally {
    await mailbox.close();
  }
}

/** Evenings without water until the alert fires; returns how many days that takes. */
async function dryOut(spell: Spell): Promise<number> {
  const { alert, now } = spell;
  transcript.event(
    `The days go by without water. Each evening the readings of ${WATCHED} come in, until one is below ${alert.threshold} %.`,
  );
  let day = 0;
  while (firingOf(spell) === null) {
    day += 1;
    must(day <= MOST_DAYS, `${WATCHED} falls below ${alert.threshold} % within ${MOST_DAYS} days`);
    await bring(spell, `day-${day}.csv`, atLocalTime(now, -day, EVENING));
  }
  const evening = atLocalTime(now, -day, EVENING);
  const { start } = firingOf(spell)!;
  transcript.byHand(around(spell, start, [`not below ${alert.threshold} %`, `below ${alert.threshold} %`]));

  transcript.event('What the import has found waits in the outbox. The next housekeeping sends it.');
  await send(spell, evening, {
    subject: `Dry soil: ${WATCHED} at ${spell.readings.at(-1)!.value} %`,
    says: [`Firing since: `, clockTime(start)],
  });
  await spell.copy.talk(evening, async (conversation) => {
    transcript.person('Which alerts are firing?');
    const state = await stateOf(conversation, alert);
    must(state.status === 'firing' && Date.parse(state.since!) === start, 'it fires since the first reading below it');
    must(state.value_vwc === spell.readings.at(-1)!.value, 'it stands at the newest moisture');
  });
  transcript.checked(
    `it fires since ${localTime(start)}, the first reading below ${alert.threshold} %; nothing was mailed on the evenings before.`,
  );
  return day;
}

async function stateOf(conversation: Conversation, { id }: DemoAlert) {
  const { data } = await conversation.ask<{ data: WatchedAlertBody[] }>('list_alerts', { isActive: true });
  must(data.length === 1 && data[0]!.id === id, 'there is one alert');
  return data[0]!.state!;
}

async function remind(spell: Spell, day: number): Promise<void> {
  const at = atLocalTime(spell.now, -day, 8, 15);
  transcript.event(`${weekdayAgo(at, 0)} morning, past eight: nobody has watered yet.`);
  await bring(spell, 'morning.csv', at);
  const { start, end } = firingOf(spell)!;
  must(end === null, 'it fires through the night');
  const { value } = spell.readings.at(-1)!;
  await send(spell, at, {
    subject: `Still dry, day ${dayOf(start, at)}: ${WATCHED} at ${value} %`,
    says: [`Moisture: ${value} %`, `Firing since: `, clockTime(start)],
  });
}

/** Which day on the calendar an instant falls on, counted from that of another as the first. */
function dayOf(first: number, at: number): number {
  let day = 1;
  while (dateAgo(at, day - 1) !== dateAgo(first, 0)) day += 1;
  return day;
}

async function water({ copy, now }: Spell, day: number): Promise<void> {
  const at = atLocalTime(now, -day, 11);
  await copy.talk(at, async (conversation) => {
    transcript.person('I have read it. Two hours of water on North 1, since half past eight.');
    const { event, said } = await conversation.askDose('log_watering', {
      module: WATCHED,
      startedAt: `today ${WATERED_AT.hour}:${WATERED_AT.minute}`,
      inputMode: 'duration',
      durationMin: WATERED_MIN,
    });
    must(Date.parse(event.startedAt) === wateringOn(now, day).startedAt, 'it began at half past eight, local time');
    must(said.includes('Its alert is firing since '), 'the answer tells of the alert');
  });
}

const wateringOn = (now: number, day: number): DemoWatering => ({
  module: WATCHED,
  startedAt: atLocalTime(now, -day, WATERED_AT.hour, WATERED_AT.minute),
  durationMin: WATERED_MIN,
  equipment: NORTH_DRIP,
  isBooked: true,
});

async function recover(spell: Spell, day: number): Promise<void> {
  const { alert, now, readings } = spell;
  const evening = atLocalTime(now, -day, EVENING);
  transcript.event('The water soaks in. In the evening the readings come as on every day.');
  await bring(spell, `day-${day}.csv`, evening, [wateringOn(now, day)]);
  const { start, end, lowest } = firingOf(spell)!;
  must(end !== null && firingsOf(readings, alert).length === 1, 'the water ends it, and nothing fires again');
  transcript.byHand(around(spell, end!, [`not yet ${alert.resolvesAt} %`, `${alert.resolvesAt} % or above: resolved`]));
  await send(spell, evening, {
    subject: `Resolved: ${WATCHED} at ${readings.at(-1)!.value} %`,
    says: [`It fired for `, `${lowest} % at the lowest`],
  });
  await spell.copy.talk(evening, async (conversation) => {
    transcript.person('How did that go?');
    const state = await stateOf(conversation, alert);
    must(state.status === 'quiet' && state.since === null, 'it is quiet again');
    await showCurve(conversation, spell, { start, end });
    const { episodes, ...figures } = await conversation.ask<BacktestBody>('backtest_alert', {
      module: WATCHED,
      start: dateAgo(now, -1),
    });
    const [only] = episodes;
    must(
      episodes.length === 1 && Date.parse(only!.start) === start && Date.parse(only!.end!) === end,
      'played through once more, it fires and resolves at the same readings',
    );
    must(only!.lowest === lowest && figures.hoursBelow === hoursBelow(readings, alert), 'and was as low for as long');
    must(
      figures.reminders === morningsWithin([{ start, end, lowest }], evening) && figures.inForce?.episodes === 1,
      'with a reminder for each morning but the first day’s, as the alert in force has it',
    );
  });
  transcript.checked(
    `fired ${localTime(start)}, resolved ${localTime(end!)}; ${spell.mails.length} messages, each with an id of its own: fired, a reminder, resolved.`,
  );
}

/** Moisture since the last day before it became dry, four hours a block, as it was served. */
async function showCurve(
  conversation: Conversation,
  { now }: Spell,
  { start, end }: Pick<Firing, 'start' | 'end'>,
): Promise<void> {
  const { data, interval_seconds: interval } = await conversation.ask<MoistureSeriesBody>('get_moisture_series', {
    module: WATCHED,
    start: dateAgo(now, 0),
    interval: (4 * HOUR) / 1000,
  });
  must(interval !== null, 'the series has a point every four hours');
  const points = data.map(({ time, value_vwc: value }) => ({ at: Date.parse(time), value: value! }));
  const marks = points.map(() => ' ');
  for (const [at, mark] of [
    [start, '!'],
    [end!, '='],
  ] as const)
    marks[points.findLastIndex((point) => point.at <= at)] = mark;
  transcript.figures(['a block every four hours; ! it fires, = it resolves']);
  transcript.curve([blocksOf(points.map(({ value }) => value)), marks.join('').trimEnd()]);
}
