import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { MailKind } from '../../../src/schema/alerts/alert.ts';
import { sendOutbox } from '../../../src/service/mail/outbox.ts';
import { toStoredContent } from '../../../src/service/mail/stored-content.ts';
import type { MailTransport, OutgoingMail } from '../../../src/service/mail/transport.ts';
import { addMail, undeliveredMail } from '../../../src/store/mail/outbox.ts';
import type { Store } from '../../../src/store/store.ts';
import { fillOutbox } from '../../outbox-farm.ts';
import { withNewStore } from '../../stores/template-stores.ts';

const MINUTE = 60_000;
const it = test.extend<{ store: Store }>({
  // biome-ignore lint/correctness/noEmptyPattern: this fixture depends on no other
  store: async ({}, use) => withNewStore(use),
});

function postbox(outcome: 'sent' | 'refused' | 'deferred' = 'sent') {
  const sent: OutgoingMail[] = [];
  const transport: MailTransport = {
    domain: 'example.net',
    async send(mail) {
      sent.push(mail);
      return { outcome, answer: '250 taken' };
    },
  };
  const send = (store: Store) =>
    sendOutbox({ store, openTransport: async () => transport, holder: 'me' });
  return { sent, send };
}

interface Farm {
  readonly companyId: number;
  readonly alertId: string;
}

const queue = (
  store: Store,
  { companyId, alertId }: Farm,
  subjects: readonly string[],
  { at = Date.now(), kind = 'fired' as MailKind, to = 'ana@example.org' } = {},
): Promise<void> =>
  store.write(companyId, async (db) => {
    const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const messages = subjects.map((subject) => ({
      alertId,
      kind,
      userId,
      to,
      subject,
      text: toStoredContent({ paragraphs: [[`The text of ${subject}.`]], footer: 'The footer' }),
      html: `<p>${subject}</p>`,
    }));
    await addMail(db, messages, at);
  });

const states = (store: Store) =>
  store.readAll((all) =>
    all
      .selectFrom('outbox')
      .select(['subject', 'state', 'message_id', 'attempts'])
      .orderBy('seq')
      .execute(),
  );

/** Before the minute of now, so that no test depends on when in a minute it runs. */
const lastMinute = (): number => (Math.floor(Date.now() / MINUTE) - 1) * MINUTE;

describe('messages for one person that are due in the same minute', () => {
  it('go as one, with each of their texts, and each row is recorded as sent', async ({ store }) => {
    const farm = await fillOutbox(store, 0);
    await queue(store, farm, ['Dry soil: North 1', 'Dry soil: North 2', 'Dry soil: North 3']);
    const { sent, send } = postbox();
    expect(await send(store)).toMatchObject({ sent: 1 });

    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      subject: 'Dry soil: North 1, et 2 autres messages',
      to: 'ana@example.org',
    });
    for (const name of ['North 1', 'North 2', 'North 3']) {
      expect(sent[0]!.text).toContain(`The text of Dry soil: ${name}.`);
      expect(sent[0]!.html).toContain(`The text of Dry soil: ${name}.`);
    }
    expect(sent[0]!.text.match(/The footer/g)).toHaveLength(1);
    expect((await states(store)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  });

  it('are repeated together under one Message-ID, without those that came later', async ({
    store,
  }) => {
    const farm = await fillOutbox(store, 0);
    await queue(store, farm, ['A', 'B'], { at: lastMinute() });
    const failing = postbox('deferred');
    await failing.send(store);
    await queue(store, farm, ['C'], { at: lastMinute() });
    await store.writeAll((all) => all.updateTable('outbox').set({ next_attempt_at: 0 }).execute());

    const { sent, send } = postbox();
    await send(store);
    expect(sent.map(({ subject }) => subject)).toEqual(['A, et 1 autre message', 'C']);
    expect(sent[0]!.messageId).toBe(failing.sent[0]!.messageId);
    expect(sent[1]!.messageId).not.toBe(sent[0]!.messageId);
    expect((await states(store)).map(({ attempts }) => attempts)).toEqual([2, 2, 1]);
  });

  it('are all refused with it', async ({ store }) => {
    const farm = await fillOutbox(store, 0);
    await queue(store, farm, ['A', 'B']);
    await postbox('refused').send(store);
    const undelivered = await store.read(farm.companyId, (db) =>
      undeliveredMail(db, [farm.alertId]),
    );
    expect(undelivered).toMatchObject({ waiting: 0, refused: 2 });
  });

  it('wait for the end of the minute if one was sent in it', async ({ store }) => {
    const farm = await fillOutbox(store, 0);
    const now = Date.now();
    const { sent, send } = postbox();
    await queue(store, farm, ['A'], { at: now });
    await send(store);
    await queue(store, farm, ['B', 'C'], { at: now });
    const { nextDueAt } = await send(store);

    const endOfMinute = (Math.floor(now / MINUTE) + 1) * MINUTE;
    // The minute may end just then.
    if (Date.now() < endOfMinute) expect(nextDueAt).toBe(endOfMinute);
    expect(sent.map(({ subject }) => subject)).not.toContain('B');
  });
});

/** So that no day begins during the test. The names of these zones have the opposite sign. */
function zoneWhereItIsNoon(): string {
  const hoursAhead = 12 - new Date().getUTCHours();
  return `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`;
}

describe('beyond six messages an hour', () => {
  const withSixSent = async (store: Store) => {
    const farm = await fillOutbox(store, 0);
    await store.writeAll((all) =>
      all.updateTable('companies').set({ timezone: zoneWhereItIsNoon() }).execute(),
    );
    const { send } = postbox();
    for (let n = 6; n > 0; n--) {
      await queue(store, farm, [`Earlier ${n}`], { at: Date.now() - (4 * n + 1) * MINUTE });
      await send(store);
    }
    return farm;
  };

  it('recoveries, reminders and repeats are gathered', async ({ store }) => {
    const farm = await withSixSent(store);
    const at = Date.now();
    await queue(store, farm, ['resolved'], { at, kind: 'resolved' });
    await queue(store, farm, ['reminder'], { at: at + 1, kind: 'reminder' });
    await queue(store, farm, ['fired again'], { at: at + 2 });
    const { sent, send } = postbox();
    expect(await send(store)).toEqual({ sent: 0, refused: 0, nextDueAt: at + 9 * MINUTE });
    expect(sent).toEqual([]);
  });

  it('an alert that fires first on a day goes at once, and takes along what waits', async ({
    store,
  }) => {
    const farm = await withSixSent(store);
    const at = lastMinute();
    const another = await addAlert(store, farm);
    await queue(store, farm, ['resolved'], { at, kind: 'resolved' });
    await queue(store, another, ['Dry soil: South 1'], { at: at + 1 });
    const { sent, send } = postbox();
    await send(store);
    expect(sent).toMatchObject([{ subject: 'resolved, et 1 autre message' }]);
  });
});

describe('the outbox', () => {
  it('serves companies in turn, and the persons of each', async ({ store }) => {
    const busy = await fillOutbox(store, 0, 'Busy');
    const quiet = await fillOutbox(store, 0, 'Quiet');
    for (const person of ['a', 'b', 'c'])
      for (const hour of [3, 2])
        await queue(store, busy, [`Busy ${person}`], {
          at: Date.now() - hour * 60 * MINUTE,
          to: `${person}@busy.example`,
        });
    await queue(store, quiet, ['Quiet'], { at: lastMinute(), to: 'ana@quiet.example' });

    const { sent, send } = postbox();
    await send(store);
    expect(sent.map(({ to }) => to)).toEqual([
      'a@busy.example',
      'ana@quiet.example',
      'b@busy.example',
      'c@busy.example',
      'a@busy.example',
      'b@busy.example',
      'c@busy.example',
    ]);
  });
});

const addAlert = (store: Store, { companyId, alertId }: Farm): Promise<Farm> =>
  store.write(companyId, async (db) => {
    const { seq: _, ...alert } = await db
      .selectFrom('alerts')
      .selectAll()
      .where('id', '=', alertId)
      .executeTakeFirstOrThrow();
    const id = randomUUID();
    await db
      .insertInto('alerts')
      .values({ ...alert, id })
      .execute();
    return { companyId, alertId: id };
  });
