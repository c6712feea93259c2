import { HOUR_MS } from '../../src/domain/periods.ts';
import type { BacktestBody, ListedAlertBody } from '../../src/schema/alerts/alert.ts';
import type { MoistureSeriesBody } from '../../src/schema/moisture/series.ts';
import { atLocalTime, dateAgo, localTime, weekdayAgo } from '../farm/calendar.ts';
import { NORTH_DRIP } from '../farm/demo-farm.ts';
import { simulateProbe } from '../farm/future-readings.ts';
import type { DemoHistory } from '../farm/history.ts';
import type { DemoWatering } from '../farm/waterings.ts';
import {
  type DemoFiring,
  firingsByHand,
  hoursBelowByHand,
  remindersByHand,
} from '../hand-calculations/alert-firings.ts';
import { toBlocks } from '../output/block-chart.ts';
import { type DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import { withFarmCopy } from '../servers/farm-copy.ts';
import { mailboxPath, openMailbox } from '../servers/mailbox.ts';
import {
  clockTime,
  currentFiring,
  type DrySpell,
  expectMail,
  importDrySpellReadings,
  readingsAround,
  SENDER,
} from './dry-spell-steps.ts';
import { type DemoAlert, WATCHED_MODULE } from './threshold.ts';

const SEED = 11;
const MAX_DAYS = 10;
const EVENING = 20;
const WATERED_AT = { hour: 8, minute: 30 };
const WATERED_MIN = 120;

export async function playDrySpell(
  program: string,
  {
    file,
    history,
    alert,
    now,
  }: { file: string; history: DemoHistory; alert: DemoAlert; now: number },
): Promise<void> {
  const box = mailboxPath(file);
  const mailbox = await openMailbox(box);
  const settings = {
    ACEQUIA_SMTP_URL: mailbox.url,
    ACEQUIA_MAIL_FROM: `Mas Rouge <${SENDER}>`,
  };
  try {
    transcript.section('A dry spell');
    transcript.text(
      'A copy of the farm is no longer watered, while the simulation of its soil continues. A mail server runs on this machine, named in ACEQUIA_SMTP_URL, so that mail arrives somewhere; it is in French, the language of the country of the farm.',
    );
    await withFarmCopy({ program, file, settings }, async (copy) => {
      const future = simulateProbe(history, WATCHED_MODULE, SEED);
      const spell: DrySpell = { copy, mailbox, alert, future, now, readings: [], mails: [] };
      const days = await dryOut(spell);
      await remind(spell, days + 1);
      await reportWateringLate(spell, days + 1);
      await recover(spell, days + 1);
    });
    transcript.lines([
      '',
      'The mail stays for mail programs to open, until the next demo:',
      `  ${box}`,
    ]);
  } finally {
    await mailbox.close();
  }
}

async function dryOut(spell: DrySpell): Promise<number> {
  const { alert, now } = spell;
  transcript.event(
    `The days go by without water. Each evening the readings of ${WATCHED_MODULE} come in, until one is below ${alert.threshold} %.`,
  );
  let day = 0;
  while (currentFiring(spell) === null) {
    day += 1;
    expectThat(
      day <= MAX_DAYS,
      `${WATCHED_MODULE} falls below ${alert.threshold} % within ${MAX_DAYS} days`,
    );
    await importDrySpellReadings(spell, `day-${day}.csv`, atLocalTime(now, -day, EVENING));
  }
  const evening = atLocalTime(now, -day, EVENING);
  const { start } = currentFiring(spell)!;
  transcript.byHand(
    readingsAround(spell, start, [`not below ${alert.threshold} %`, `below ${alert.threshold} %`]),
  );

  transcript.event('The message about it waits in the outbox. The next housekeeping run sends it.');
  await expectMail(spell, evening, {
    subject: `Sol sec : ${WATCHED_MODULE} à ${inFrench(spell.readings.at(-1)!.value)} %`,
    says: ['Humidité basse depuis : ', clockTime(start)],
  });
  await spell.copy.converse(evening, async (conversation) => {
    transcript.person('Which alerts are firing?');
    const state = await stateOf(conversation, alert);
    expectThat(
      state.status === 'firing' && Date.parse(state.since!) === start,
      'moisture has been low since the first reading below it',
    );
    expectThat(
      state.value_vwc === spell.readings.at(-1)!.value,
      'its value is the newest moisture',
    );
  });
  transcript.checked(
    `moisture has been low since ${localTime(start)}, the first reading below ${alert.threshold} %; nothing was mailed on earlier evenings.`,
  );
  return day;
}

async function stateOf(conversation: DemoConversation, { id }: DemoAlert) {
  const { data } = await conversation.ask<{ data: ListedAlertBody[] }>('list_alerts', {
    isActive: true,
  });
  expectThat(data.length === 1 && data[0]!.id === id, 'there is one alert');
  return data[0]!.state!;
}

async function remind(spell: DrySpell, day: number): Promise<void> {
  const at = atLocalTime(spell.now, -day, 8, 15);
  transcript.event(`${weekdayAgo(at, 0)} morning, past eight: nobody has watered yet.`);
  await importDrySpellReadings(spell, 'morning.csv', at);
  const { start, end } = currentFiring(spell)!;
  expectThat(end === null, 'it keeps firing through the night');
  const { value } = spell.readings.at(-1)!;
  await expectMail(spell, at, {
    subject: `Toujours sec, jour ${dayOf(start, at)} : ${WATCHED_MODULE} à ${inFrench(value)} %`,
    says: [`Humidité : ${inFrench(value)} %`, 'Humidité basse depuis : ', clockTime(start)],
  });
}

const inFrench = (value: number): string => String(value).replace('.', ',');

function dayOf(first: number, at: number): number {
  let day = 1;
  while (dateAgo(at, day - 1) !== dateAgo(first, 0)) day += 1;
  return day;
}

async function reportWateringLate({ copy, now }: DrySpell, day: number): Promise<void> {
  const at = atLocalTime(now, -day, 11);
  await copy.converse(at, async (conversation) => {
    transcript.person('I have read it. Two hours of water on North 1, since half past eight.');
    const { event, summaryText } = await conversation.askDose('log_watering', {
      module: WATCHED_MODULE,
      startedAt: `today ${WATERED_AT.hour}:${WATERED_AT.minute}`,
      inputMode: 'duration',
      durationMin: WATERED_MIN,
    });
    expectThat(
      Date.parse(event.startedAt) === wateringOn(now, day).startedAt,
      'it began at half past eight, local time',
    );
    expectThat(summaryText.includes('Its alert is firing: '), 'the answer mentions the alert');
  });
}

const wateringOn = (now: number, day: number): DemoWatering => ({
  module: WATCHED_MODULE,
  startedAt: atLocalTime(now, -day, WATERED_AT.hour, WATERED_AT.minute),
  durationMin: WATERED_MIN,
  equipment: NORTH_DRIP,
  isRecorded: true,
});

async function recover(spell: DrySpell, day: number): Promise<void> {
  const { alert, now, readings } = spell;
  const evening = atLocalTime(now, -day, EVENING);
  transcript.event('The water soaks in. In the evening the readings arrive as usual.');
  await importDrySpellReadings(spell, `day-${day}.csv`, evening, [wateringOn(now, day)]);
  const { start, end, lowest } = currentFiring(spell)!;
  expectThat(
    end !== null && firingsByHand(readings, alert).length === 1,
    'the water ends it, and nothing fires again',
  );
  transcript.byHand(
    readingsAround(spell, end!, [
      `not yet ${alert.resolvesAt} %`,
      `${alert.resolvesAt} % or above: resolved`,
    ]),
  );
  await expectMail(spell, evening, {
    subject: `Alerte terminée : ${WATCHED_MODULE} à ${inFrench(readings.at(-1)!.value)} %`,
    says: ['Elle a duré ', `${inFrench(lowest)} % au plus bas`],
  });
  await spell.copy.converse(evening, async (conversation) => {
    transcript.person('How did that go?');
    const state = await stateOf(conversation, alert);
    expectThat(state.status === 'quiet' && state.since === null, 'it is quiet again');
    await showMoistureCurve(conversation, spell, { start, end });
    const { episodes, ...figures } = await conversation.ask<BacktestBody>('backtest_alert', {
      module: WATCHED_MODULE,
      start: dateAgo(now, -1),
    });
    const [only] = episodes;
    expectThat(
      episodes.length === 1 && Date.parse(only!.start) === start && Date.parse(only!.end!) === end,
      'a backtest fires and resolves at the same readings',
    );
    expectThat(
      only!.lowest === lowest && figures.hoursBelow === hoursBelowByHand(readings, alert),
      'and is as low for as long',
    );
    expectThat(
      figures.reminders === remindersByHand([{ start, end, lowest }], evening) &&
        figures.inForce?.episodes === 1,
      'with a reminder for each morning but the first day’s, as the alert in force has it',
    );
  });
  transcript.checked(
    `fired ${localTime(start)}, resolved ${localTime(end!)}; ${spell.mails.length} messages, each with its own id: fired, a reminder, resolved.`,
  );
}

async function showMoistureCurve(
  conversation: DemoConversation,
  { now }: DrySpell,
  { start, end }: Pick<DemoFiring, 'start' | 'end'>,
): Promise<void> {
  const { data, interval_seconds: interval } = await conversation.ask<MoistureSeriesBody>(
    'get_moisture_series',
    {
      module: WATCHED_MODULE,
      start: dateAgo(now, 0),
      interval: (4 * HOUR_MS) / 1000,
    },
  );
  expectThat(interval !== null, 'the series has a point every four hours');
  const points = data.map(({ time, value_vwc: value }) => ({
    at: Date.parse(time),
    value: value!,
  }));
  const marks = points.map(() => ' ');
  for (const [at, mark] of [
    [start, '!'],
    [end!, '='],
  ] as const)
    marks[points.findLastIndex((point) => point.at <= at)] = mark;
  transcript.figures(['a block every four hours; ! it fires, = it resolves']);
  transcript.curve([toBlocks(points.map(({ value }) => value)), marks.join('').trimEnd()]);
}
