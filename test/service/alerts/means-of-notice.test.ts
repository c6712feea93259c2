import { describe, expect } from 'vitest';
import { bodyOf, DAY, FARM_NOW, HOUR, it, type TestFarm } from '../../farm.ts';
import { addRound } from '../jobs/job-rounds.ts';
import { installProbe } from '../moisture/probe-farm.ts';
import {
  changeOakAlert,
  createOakAlert,
  listAlertsOf,
  sameValue,
  sendReadings,
} from './alert-farm.ts';

const NO_SERVER = 'No mail can leave this computer yet: no server is set.';
const IN_CHATS = 'Alerts are checked only while a chat is open.';
const PROMISE = 'Ana will be notified by e-mail as long as "acequia serve" runs.';

const installWetProbe = async (farm: TestFarm) => {
  const oak = await installProbe(farm);
  await sendReadings(farm, oak, sameValue(oak, FARM_NOW - HOUR, 30));
  return oak;
};

const addPushDevice = (farm: TestFarm) =>
  farm.write((db) =>
    db
      .insertInto('sessions')
      .values({
        user_id: 1,
        hash: 'a device',
        created_at: FARM_NOW,
        signed_in_at: FARM_NOW,
        expires_at: FARM_NOW + DAY,
        push_subscription: '{}',
      })
      .execute(),
  );

const outboxRow = (state: 'sent' | 'waiting' | 'refused', answer: string | null, to: string) =>
  ({
    id: `${state} ${answer} ${to}`,
    kind: 'doubt',
    user_id: 1,
    session_id: null,
    to_address: to,
    subject: 's',
    text: 't',
    html: 'h',
    created_at: FARM_NOW - 2 * DAY,
    state,
    attempts: answer === null ? 0 : 1,
    next_attempt_at: 0,
    last_response: answer,
    sent_at: state === 'sent' ? FARM_NOW : null,
  }) as const;

/** What a company has written, and what an alert on it says of messages. */
const CASES: readonly {
  readonly what: string;
  readonly arrange?: (farm: TestFarm) => Promise<unknown>;
  readonly begins: string;
  readonly next?: string;
}[] = [
  { what: 'nothing ran', begins: `${NO_SERVER} ${IN_CHATS}`, next: 'acequia service install' },
  {
    what: 'a chat without a server',
    arrange: ({ store }) => addRound(store, { runner: 'stdio', hasMailServer: false }),
    begins: `${NO_SERVER} ${IN_CHATS}`,
    next: 'ACEQUIA_SMTP_URL=',
  },
  {
    what: 'a chat with a server',
    arrange: ({ store }) => addRound(store, { runner: 'stdio' }),
    begins: `Mail leaves this computer only while a chat is open. ${IN_CHATS}`,
    next: 'acequia service install',
  },
  {
    what: 'serve without a server',
    arrange: ({ store }) => addRound(store, { hasMailServer: false }),
    begins: `${NO_SERVER} The new alert`,
    next: 'ACEQUIA_SMTP_URL=',
  },
  {
    what: 'serve without a server, for a device',
    async arrange(farm) {
      await addRound(farm.store, { hasMailServer: false });
      await addPushDevice(farm);
    },
    begins: `${NO_SERVER} Push messages go to 1 device.`,
  },
  {
    what: 'serve that ended',
    arrange: ({ store }) => addRound(store, { minutesAgo: 180 }),
    begins: `No mail leaves this computer any more: what sends it last ran 3 h ago. ${IN_CHATS}`,
    next: 'acequia service install',
  },
  {
    what: 'serve whose server failed',
    arrange: ({ store }) => addRound(store, { minutesAgo: 10, hasFailed: true }),
    begins:
      'No mail leaves this computer now: the mail server could not be used 10 min ago. The new',
    next: 'acequia doctor',
  },
  {
    what: 'serve without a server, beside a chat whose server failed',
    async arrange({ store }) {
      await addRound(store, { hasMailServer: false });
      await addRound(store, { runner: 'stdio', minutesAgo: 10, hasFailed: true });
    },
    begins:
      'No mail leaves this computer now: the mail server could not be used 10 min ago. The new',
    next: 'acequia service install --env-file acequia.env',
  },
  {
    what: 'serve whose server refused the last mail to the recipient',
    async arrange(farm) {
      await addRound(farm.store);
      await farm.write((db) =>
        db
          .insertInto('outbox')
          .values([
            outboxRow('sent', '250 ok', 'ana@example.org'),
            outboxRow('refused', '550 no such user', 'ana@example.org'),
          ])
          .execute(),
      );
    },
    begins:
      'The mail server has not accepted the last mail to Ana ("550 no such user"), so the next may not arrive either.',
    next: 'acequia doctor',
  },
];

/** The sentences that promise a message, whatever their words. */
const PROMISES = /notified|reminder|mail goes|will hear|be told/i;

describe('an answer about an alert', () => {
  it.for(CASES)('promises nothing: $what', async ({ arrange, begins, next = '' }, { farm }) => {
    await installWetProbe(farm);
    await arrange?.(farm);
    const created = await createOakAlert(farm);
    expect(created.summary.startsWith(begins)).toBe(true);
    expect(created.next ?? '').toContain(next);

    const updated = await changeOakAlert(farm, created, { threshold: 21 });
    expect(updated.summary.startsWith(begins.split(' The new')[0]!)).toBe(true);
    const { summary: list } = await listAlertsOf(farm);
    const line = await farm.tool('create_annotation', {
      module: 'Oak',
      type: 'h-line',
      value: 12,
      style: { fill: 'threshold2' },
    });
    for (const summary of [created.summary, updated.summary, list, line.summary])
      expect(summary).not.toMatch(PROMISES);
    expect(line.summary).toContain(begins.split('.')[0]);
  });

  it.for([
    ['serve', {}, PROMISE],
    [
      'tick',
      { runner: 'tick', minutesAgo: 14 },
      'Ana will be notified by e-mail as long as "acequia tick" runs regularly (it last ran 14 min ago).',
    ],
  ] as const)('promises mail while %s delivers it', async ([, round, promise], { farm }) => {
    await installWetProbe(farm);
    await addRound(farm.store, round);
    const created = await createOakAlert(farm);
    expect(created.summary).toContain(
      `The new alert on Oak fires below 20 % until 25 %, with a reminder each day at 08:00 (Europe/Paris). ${promise}`,
    );
    expect((await changeOakAlert(farm, created, { threshold: 21 })).summary).toContain(promise);
    expect((await changeOakAlert(farm, created, { isActive: false })).summary).not.toMatch(
      PROMISES,
    );
  });

  it('names the devices that get a push message, and the probes that send nothing', async ({
    farm,
  }) => {
    await installProbe(farm);
    await addRound(farm.store);
    await addPushDevice(farm);
    expect((await createOakAlert(farm)).summary).toContain(
      'Ana will be notified by e-mail and on 1 device as long as "acequia serve" runs, but not about Oak before it sends.',
    );
  });

  it('says the same of the alerts of a parcel, with the probes that send nothing', async ({
    farm,
  }) => {
    await installProbe(farm, { name: 'Oak', parcel: 'North block' });
    const elm = await installProbe(farm, { name: 'Elm', parcel: 'North block' });
    await sendReadings(farm, elm, sameValue(elm, FARM_NOW - HOUR, 30));
    const watch = async () =>
      (await farm.tool('create_alert', { parcel: 'North block', threshold: 20 })).summary;
    expect((await watch()).startsWith(`${NO_SERVER} ${IN_CHATS} 2 new alerts`)).toBe(true);
    await addRound(farm.store);
    expect(await watch()).toContain(
      'Ana will be notified by e-mail as long as "acequia serve" runs, but not about Oak before it sends.',
    );
  });

  it('takes an address that was corrected since for a new one', async ({ farm }) => {
    await installWetProbe(farm);
    await addRound(farm.store);
    const refused = outboxRow('refused', '550 no such user', 'anna@example.org');
    await farm.write((db) => db.insertInto('outbox').values(refused).execute());
    expect((await createOakAlert(farm)).summary).toContain(PROMISE);
  });

  it('does not repeat a promise under the same key, when it may have ceased to hold', async ({
    farm,
  }) => {
    await installWetProbe(farm);
    await addRound(farm.store);
    const create = () => createOakAlert(farm, {}, { idempotencyKey: 'once' });
    expect((await create()).summary).toContain(PROMISE);
    expect((await create()).summary).not.toMatch(PROMISES);
  });
});

describe('the brief', () => {
  const waiting = outboxRow('waiting', null, 'ana@example.org');

  it('names what waits unsent, how long, and why', async ({ farm }) => {
    await installWetProbe(farm);
    await farm.write((db) => db.insertInto('outbox').values(waiting).execute());
    expect((await farm.tool('morning_brief')).summary).toContain(
      'Not sent yet: 1 message, for 2 days (no mail server is set).',
    );
    const page = await farm.tool('get_farm_page', { lang: 'fr' });
    expect(bodyOf(page)).toMatchObject({ waiting: '1 message non envoyé depuis 2 jours' });
  });

  it('says nothing of messages that are on their way', async ({ farm }) => {
    await installWetProbe(farm);
    await addRound(farm.store);
    const sent = outboxRow('sent', '250 ok', 'ana@example.org');
    const fresh = { ...waiting, created_at: FARM_NOW - 60_000 };
    await farm.write((db) => db.insertInto('outbox').values([sent, fresh]).execute());
    expect((await farm.tool('morning_brief')).summary).not.toContain('Not sent');
  });
});
