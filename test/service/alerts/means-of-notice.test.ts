import { describe, expect } from 'vitest';
import type { Advisory } from '../../../src/schema/advisory.ts';
import {
  advisoriesOf,
  bodyOf,
  DAY,
  FARM_NOW,
  HOUR,
  it,
  type TestFarm,
  type ToolResult,
} from '../../farm.ts';
import { addRound } from '../jobs/job-rounds.ts';
import { installProbe } from '../moisture/probe-farm.ts';
import { changeOakAlert, createOakAlert, sameValue, sendReadings } from './alert-farm.ts';

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

type Means = Extract<Advisory, { kind: 'means_of_notice' }>;

const IN_CHATS: Partial<Means> = { areAlertsChecked: false, sender: null };

/** The rows that a company has written, and what an alert on it knows of messages. */
const CASES: readonly {
  readonly what: string;
  readonly arrange?: (farm: TestFarm) => Promise<unknown>;
  readonly means: Partial<Means>;
}[] = [
  { what: 'nothing ran', means: { mail: 'no_server', ...IN_CHATS } },
  {
    what: 'a chat without a server',
    arrange: ({ store }) => addRound(store, { runner: 'stdio', hasMailServer: false }),
    means: { mail: 'no_server', ...IN_CHATS },
  },
  {
    what: 'a chat with a server',
    arrange: ({ store }) => addRound(store, { runner: 'stdio' }),
    means: { mail: 'in_chats', ...IN_CHATS },
  },
  {
    what: 'serve without a server',
    arrange: ({ store }) => addRound(store, { hasMailServer: false }),
    means: { mail: 'no_server', areAlertsChecked: true, devices: 0 },
  },
  {
    what: 'serve without a server, for a device',
    async arrange(farm) {
      await addRound(farm.store, { hasMailServer: false });
      await addPushDevice(farm);
    },
    means: { mail: 'no_server', areAlertsChecked: true, devices: 1 },
  },
  {
    what: 'serve that ended',
    arrange: ({ store }) => addRound(store, { minutesAgo: 180 }),
    means: { mail: 'stopped', sinceMin: 180, areAlertsChecked: false },
  },
  {
    what: 'serve whose server failed',
    arrange: ({ store }) => addRound(store, { minutesAgo: 10, hasFailed: true }),
    means: { mail: 'fails', sinceMin: 10, areAlertsChecked: true, sender: 'serve' },
  },
  {
    what: 'serve without a server, beside a chat whose server failed',
    async arrange({ store }) {
      await addRound(store, { hasMailServer: false });
      await addRound(store, { runner: 'stdio', minutesAgo: 10, hasFailed: true });
    },
    means: { mail: 'fails', sinceMin: 10, areAlertsChecked: true, sender: null },
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
    means: { mail: 'rejected', lastAnswer: '"550 no such user"', recipients: ['Ana'] },
  },
];

const meansOf = (answer: ToolResult<unknown>): Means | undefined =>
  advisoriesOf(answer, 'means_of_notice')[0];

describe('an answer about an alert', () => {
  it.for(CASES)('knows what keeps messages: $what', async ({ arrange, means }, { farm }) => {
    await installWetProbe(farm);
    await arrange?.(farm);
    const created = await createOakAlert(farm);
    const updated = await changeOakAlert(farm, created, { threshold: 21 });
    const line = await farm.tool('create_annotation', {
      module: 'Oak',
      type: 'h-line',
      value: 12,
      style: { fill: 'threshold2' },
    });
    for (const answer of [created, updated, line]) expect(meansOf(answer)).toMatchObject(means);
  });

  it.for([
    ['serve', {}, { sender: 'serve', sinceMin: 1 }],
    ['tick', { runner: 'tick', minutesAgo: 14 }, { sender: 'tick', sinceMin: 14 }],
  ] as const)('knows that %s delivers it', async ([, round, sender], { farm }) => {
    await installWetProbe(farm);
    await addRound(farm.store, round);
    const leaves = { mail: 'leaves', ...sender, recipients: ['Ana'], silent: [] };
    const created = await createOakAlert(farm);
    expect(meansOf(created)).toMatchObject(leaves);
    const changed = await changeOakAlert(farm, created, { threshold: 21 });
    expect(meansOf(changed)).toMatchObject(leaves);
    expect(meansOf(await changeOakAlert(farm, created, { isActive: false }))).toBeUndefined();
  });

  it('knows the devices that get a push message, and the probes that send nothing', async ({
    farm,
  }) => {
    await installProbe(farm);
    await addRound(farm.store);
    await addPushDevice(farm);
    expect(meansOf(await createOakAlert(farm))).toMatchObject({
      mail: 'leaves',
      devices: 1,
      silent: ['Oak'],
      othersSilent: 0,
    });
  });

  it('knows the same of the alerts of a parcel, with the probes that send nothing', async ({
    farm,
  }) => {
    await installProbe(farm, { name: 'Oak', parcel: 'North block' });
    const elm = await installProbe(farm, { name: 'Elm', parcel: 'North block' });
    await sendReadings(farm, elm, sameValue(elm, FARM_NOW - HOUR, 30));
    const watch = async () =>
      meansOf(await farm.tool('create_alert', { parcel: 'North block', threshold: 20 }));
    expect(await watch()).toMatchObject({ mail: 'no_server', ...IN_CHATS });
    await addRound(farm.store);
    expect(await watch()).toMatchObject({ mail: 'leaves', silent: ['Oak'], othersSilent: 0 });
  });

  it('takes an address that was corrected since for a new one', async ({ farm }) => {
    await installWetProbe(farm);
    await addRound(farm.store);
    const refused = outboxRow('refused', '550 no such user', 'anna@example.org');
    await farm.write((db) => db.insertInto('outbox').values(refused).execute());
    expect(meansOf(await createOakAlert(farm))).toMatchObject({ mail: 'leaves', lastAnswer: null });
  });

  it('does not repeat a promise under the same key, when it may have ceased to hold', async ({
    farm,
  }) => {
    await installWetProbe(farm);
    await addRound(farm.store);
    const create = () => createOakAlert(farm, {}, { idempotencyKey: 'once' });
    expect(meansOf(await create())).toMatchObject({ mail: 'leaves' });
    expect(meansOf(await create())).toBeUndefined();
  });
});

describe('the brief', () => {
  const waiting = outboxRow('waiting', null, 'ana@example.org');

  it('names what waits unsent, how long, and why', async ({ farm }) => {
    await installWetProbe(farm);
    await farm.write((db) => db.insertInto('outbox').values(waiting).execute());
    expect(advisoriesOf(await farm.tool('morning_brief'), 'undelivered_mail')).toMatchObject([
      { waiting: 1, refused: 0, oldestAt: FARM_NOW - 2 * DAY, mail: 'no_server' },
    ]);
    const page = await farm.tool('get_farm_page', { lang: 'fr' });
    expect(bodyOf(page)).toMatchObject({ waiting: '1 message non envoyé depuis 2 jours' });
  });

  it('says nothing of messages that are on their way', async ({ farm }) => {
    await installWetProbe(farm);
    await addRound(farm.store);
    const sent = outboxRow('sent', '250 ok', 'ana@example.org');
    const fresh = { ...waiting, created_at: FARM_NOW - 60_000 };
    await farm.write((db) => db.insertInto('outbox').values([sent, fresh]).execute());
    expect(advisoriesOf(await farm.tool('morning_brief'), 'undelivered_mail')).toEqual([]);
  });
});
