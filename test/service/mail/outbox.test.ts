import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JobRunner } from '../../../src/domain/alerts/job-rounds.ts';
import { createOutboxWorker } from '../../../src/service/jobs/background-jobs.ts';
import { retryPauseMs, sendOutbox } from '../../../src/service/mail/outbox.ts';
import type { Delivery, MailTransport, OutgoingMail } from '../../../src/service/mail/transport.ts';
import { jobRounds, recordRound } from '../../../src/store/job-rounds.ts';
import { takeLease } from '../../../src/store/leases.ts';
import {
  addMail,
  outboxStatistics,
  retryRefused,
  undeliveredMail,
} from '../../../src/store/mail/outbox.ts';
import type { Store } from '../../../src/store/store.ts';
import { COMPOSED_AT, fillOutbox, outboxMessage } from '../../outbox-farm.ts';
import { withNewStore } from '../../stores/template-stores.ts';

const MINUTE = 60_000;
const OK: Delivery = { outcome: 'sent', answer: '250 taken' };

function transportAnswering(answer: (mail: OutgoingMail) => Delivery | Promise<Delivery>) {
  const input: OutgoingMail[] = [];
  const transport: MailTransport = {
    domain: 'example.net',
    async send(mail) {
      input.push(mail);
      return answer(mail);
    },
  };
  return {
    messages: input,
    transport,
    to: () => input.map(({ to }) => Number(/\d+/.exec(to)![0])),
  };
}

async function send(
  store: Store,
  transport: MailTransport,
  signal?: AbortSignal,
  holder = 'me',
): Promise<{ sent: number; refused: number }> {
  const openTransport = async () => transport;
  const { sent, refused } = await sendOutbox({ store, openTransport, holder, signal });
  return { sent, refused };
}

const outboxRows = (store: Store) =>
  store.readAll((all) => all.selectFrom('outbox').selectAll().orderBy('seq').execute());

const makeAllDue = (store: Store) =>
  store.writeAll((all) => all.updateTable('outbox').set({ next_attempt_at: 0 }).execute());

const it = test.extend<{ store: Store }>({
  // biome-ignore lint/correctness/noEmptyPattern: this fixture depends on no other
  store: async ({}, use) => withNewStore(use),
});

describe('the outbox', () => {
  it('sends waiting messages, oldest first, and records the server’s answer', async ({ store }) => {
    await fillOutbox(store, 3);
    const server = transportAnswering(() => OK);
    const before = Date.now();
    expect(await send(store, server.transport)).toEqual({ sent: 3, refused: 0 });
    expect(server.to()).toEqual([0, 1, 2]);
    for (const row of await outboxRows(store)) {
      expect(row).toMatchObject({ state: 'sent', last_response: '250 taken', attempts: 1 });
      expect(row.sent_at).toBeGreaterThanOrEqual(before);
    }
  });

  it('records for its process when a server accepted mail, and when none could be used', async ({
    store,
  }) => {
    await fillOutbox(store, 3);
    const round = { runner: 'serve', hasMailServer: true, ranAt: Date.now() } as const;
    await store.writeUnlocked((all) => recordRound(all, round));
    const attempt = async (outcome: Delivery['outcome'], runner?: JobRunner) => {
      const { transport } = transportAnswering(() => ({ outcome, answer: 'its answer' }));
      const stopping = new AbortController();
      await sendOutbox({
        store,
        openTransport: async () => transport,
        holder: 'me',
        runner,
        signal: stopping.signal,
        onDelivery: () => stopping.abort(),
      });
      await makeAllDue(store);
      return store.readAll(jobRounds);
    };

    const noAttempt = { triedAt: null, deliveredAt: null, failedAt: null };
    expect(await attempt('unreachable')).toEqual([{ ...round, ...noAttempt, stoppedAt: null }]);
    expect(await attempt('refused', 'serve')).toMatchObject([
      { deliveredAt: null, failedAt: null },
    ]);
    const failed = { deliveredAt: null, failedAt: expect.any(Number) };
    expect(await attempt('unreachable', 'serve')).toMatchObject([failed]);
    const delivered = { deliveredAt: expect.any(Number), failedAt: expect.any(Number) };
    expect(await attempt('sent', 'serve')).toMatchObject([delivered]);
  });

  it('gives each message an id in the sender’s domain, the same at every attempt', async ({
    store,
  }) => {
    await fillOutbox(store, 2);
    const failing = transportAnswering(() => ({ outcome: 'deferred', answer: '451 later' }));
    for (let n = 0; n < 3; n++) {
      await send(store, failing.transport);
      await makeAllDue(store);
    }
    const rows = await outboxRows(store);
    const ids = rows.map(({ id }) => `<${id}@example.net>`);
    expect(failing.messages.map(({ messageId }) => messageId)).toEqual([...ids, ...ids, ...ids]);
    expect(rows.map(({ message_id }) => message_id)).toEqual(ids);

    // Also when the sender's name has changed since.
    const moved = transportAnswering(() => OK);
    await send(store, { ...moved.transport, domain: 'elsewhere.org' });
    expect(moved.messages.map(({ messageId }) => messageId)).toEqual(ids);
  });

  it('never sends again what was sent or refused', async ({ store }) => {
    await fillOutbox(store, 2);
    const first = transportAnswering(({ to }) =>
      to.includes('+0') ? OK : { outcome: 'refused', answer: '550 no such user' },
    );
    expect(await send(store, first.transport)).toEqual({ sent: 1, refused: 1 });
    await makeAllDue(store);
    const secondTransport = transportAnswering(() => OK);
    expect(await send(store, secondTransport.transport)).toEqual({ sent: 0, refused: 0 });
    expect(secondTransport.messages).toEqual([]);
    expect(
      (await outboxRows(store)).map(({ state, last_response }) => [state, last_response]),
    ).toEqual([
      ['sent', '250 taken'],
      ['refused', '550 no such user'],
    ]);
  });

  it('retries refused messages on request, under their Message-ID, and none that was sent', async ({
    store,
  }) => {
    await fillOutbox(store, 3);
    const deny: Delivery = { outcome: 'refused', answer: '554 relay denied' };
    const denying = transportAnswering(({ to }) => (to.includes('+1') ? OK : deny));
    await send(store, denying.transport);
    const secondTransport = transportAnswering(() => OK);
    expect(await store.writeAll(retryRefused)).toBe(2);
    expect(await send(store, secondTransport.transport)).toEqual({ sent: 2, refused: 0 });
    expect(secondTransport.to()).toEqual([0, 2]);
    const ids = (await outboxRows(store)).map(({ message_id }) => message_id);
    expect(secondTransport.messages.map(({ messageId }) => messageId)).toEqual([ids[0], ids[2]]);
    expect(await store.writeAll(retryRefused)).toBe(0);
  });

  it('dates a message by when it was composed, however late it is sent', async ({ store }) => {
    await fillOutbox(store, 1);
    const failing = transportAnswering(() => ({ outcome: 'deferred', answer: '451 later' }));
    await send(store, failing.transport);
    await makeAllDue(store);
    await send(store, failing.transport);
    expect(failing.messages.map(({ createdAt }) => createdAt)).toEqual([COMPOSED_AT, COMPOSED_AT]);
  });

  it('does not connect to the server when nothing is due', async ({ store }) => {
    await fillOutbox(store, 0);
    const openTransport = () => Promise.reject(new Error('opened'));
    expect(await sendOutbox({ store, openTransport, holder: 'me' })).toEqual({
      sent: 0,
      refused: 0,
      nextDueAt: null,
    });
  });

  it('defers a message, and continues with the others', async ({ store }) => {
    await fillOutbox(store, 4);
    const server = transportAnswering(({ to }) =>
      to.includes('+1') ? { outcome: 'deferred', answer: '450 busy' } : OK,
    );
    const before = Date.now();
    expect(await send(store, server.transport)).toEqual({ sent: 3, refused: 0 });
    expect(server.to()).toEqual([0, 1, 2, 3]);
    const waiting = (await outboxRows(store))[1]!;
    expect(waiting).toMatchObject({ state: 'waiting', last_response: '450 busy', sent_at: null });
    // A minute, plus or minus a tenth.
    expect(waiting.next_attempt_at).toBeGreaterThanOrEqual(before + 54_000);
    expect(waiting.next_attempt_at).toBeLessThanOrEqual(Date.now() + 66_000);
    await send(store, server.transport);
    expect(server.to()).toHaveLength(4);
  });

  it('stops after three failures in a row, and tries the others the next time', async ({
    store,
  }) => {
    await fillOutbox(store, 8);
    const unreachable = transportAnswering(() => ({
      outcome: 'unreachable',
      answer: 'connect ECONNREFUSED',
    }));
    await send(store, unreachable.transport);
    await send(store, unreachable.transport);
    expect(unreachable.to()).toEqual([0, 1, 2, 3, 4, 5]);
    const back = transportAnswering(() => OK);
    await send(store, back.transport);
    expect(back.to()).toEqual([6, 7]);
    await makeAllDue(store);
    await send(store, back.transport);
    expect((await outboxRows(store)).map(({ state }) => state)).toEqual(Array(8).fill('sent'));
  });

  it('is not blocked by messages on which the connection breaks', async ({ store }) => {
    await fillOutbox(store, 5);
    const server = transportAnswering(({ to }) =>
      /\+[02]@/.test(to) ? { outcome: 'unreachable', answer: 'closed' } : OK,
    );
    expect(await send(store, server.transport)).toEqual({ sent: 3, refused: 0 });
  });

  it('is left to the process that is sending', async ({ store }) => {
    await fillOutbox(store, 2);
    await store.writeAll((all) =>
      takeLease(all, { name: 'outbox', holder: 'other', until: Date.now() + MINUTE }, 0),
    );
    const server = transportAnswering(() => OK);
    expect(await send(store, server.transport)).toEqual({ sent: 0, refused: 0 });
    expect(server.messages).toEqual([]);
    expect((await outboxRows(store)).map(({ attempts }) => attempts)).toEqual([0, 0]);
  });

  it('is taken over from a crashed process when its lease expires', async ({ store }) => {
    await fillOutbox(store, 2);
    await store.writeAll((all) =>
      takeLease(all, { name: 'outbox', holder: 'dead', until: Date.now() - 1 }, 0),
    );
    expect(await send(store, transportAnswering(() => OK).transport)).toEqual({
      sent: 2,
      refused: 0,
    });
    expect(await store.readAll((all) => all.selectFrom('leases').selectAll().execute())).toEqual(
      [],
    );
  });

  it('is sent although a process tried it, and took the lease, while its clock was a year ahead', async ({
    store,
  }) => {
    const nextYear = Date.now() + 365 * 24 * 60 * MINUTE;
    await fillOutbox(store, 2);
    await store.writeAll(async (all) => {
      await takeLease(all, { name: 'outbox', holder: 'ahead', until: nextYear }, 0);
      await all.updateTable('outbox').set({ next_attempt_at: nextYear }).execute();
    });
    expect(await send(store, transportAnswering(() => OK).transport)).toEqual({
      sent: 2,
      refused: 0,
    });
  });

  it('holds neither a transaction nor the lease of housekeeping while the server is contacted', async ({
    store,
  }) => {
    await fillOutbox(store, 1);
    let names: string[] = [];
    const server = transportAnswering(async () => {
      // Would never finish inside an open transaction.
      await store.writeAll((all) => all.updateTable('companies').set({ city: 'Arles' }).execute());
      names = (await store.readAll((all) => all.selectFrom('leases').select('name').execute())).map(
        ({ name }) => name,
      );
      return OK;
    });
    await send(store, server.transport);
    expect(names).toEqual(['outbox']);
  });

  it('marks a message as tried before it is sent, due again in case of a crash', async ({
    store,
  }) => {
    await fillOutbox(store, 1);
    const before = Date.now();
    const server = transportAnswering(async () => {
      const [row] = await outboxRows(store);
      expect(row).toMatchObject({
        state: 'waiting',
        attempts: 1,
        message_id: `<${row!.id}@example.net>`,
      });
      expect(row!.next_attempt_at).toBeGreaterThan(before);
      expect(row!.next_attempt_at).toBeLessThanOrEqual(Date.now() + MINUTE);
      return OK;
    });
    expect(await send(store, server.transport)).toEqual({ sent: 1, refused: 0 });
  });

  it('stops between two messages when aborted', async ({ store }) => {
    await fillOutbox(store, 3);
    const stopping = new AbortController();
    const server = transportAnswering(() => {
      stopping.abort();
      return OK;
    });
    expect(await send(store, server.transport, stopping.signal)).toEqual({ sent: 1, refused: 0 });
    expect((await outboxRows(store)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['sent', 1],
      ['waiting', 0],
      ['waiting', 0],
    ]);
  });

  it('sends the messages of every company', async ({ store }) => {
    await fillOutbox(store, 1);
    await fillOutbox(store, 1, 'Mas Bleu');
    expect(await send(store, transportAnswering(() => OK).transport)).toEqual({
      sent: 2,
      refused: 0,
    });
  });

  it('sends each message once when several processes send at the same time', async ({ store }) => {
    await fillOutbox(store, 20);
    const server = transportAnswering(
      () => new Promise((resolve) => setTimeout(() => resolve(OK), 1)),
    );
    await Promise.all(
      ['a', 'b', 'c'].map((holder) => send(store, server.transport, undefined, holder)),
    );
    await send(store, server.transport);
    expect(server.to()).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });
});

describe('the pauses between attempts', () => {
  it('grow: 1, 5, 15 and 60 minutes, 2 hours, then 4 hours', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map((tries) => retryPauseMs(tries, 0.5) / MINUTE)).toEqual([
      1, 5, 15, 60, 120, 240, 240, 240,
    ]);
  });

  it('vary by no more than a tenth', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, drawn) => {
          const middle = retryPauseMs(tries, 0.5);
          expect(Math.abs(retryPauseMs(tries, drawn) - middle)).toBeLessThanOrEqual(
            middle / 10 + 1,
          );
        },
      ),
    );
  });
});

describe('the counts of the outbox', () => {
  it('are those of waiting and refused messages, with the oldest waiting one and the newest answer', async ({
    store,
  }) => {
    const { companyId, alertId } = await fillOutbox(store, 4);
    expect(await store.readAll(outboxStatistics)).toEqual({
      waiting: 4,
      refused: 0,
      oldestWaitingAt: COMPOSED_AT,
      lastAnswer: null,
    });
    const answers = [
      OK,
      { outcome: 'refused', answer: '550 gone' },
      { outcome: 'deferred', answer: '451 later' },
    ];
    let n = 0;
    await send(store, transportAnswering(() => answers[n++ % 3] as Delivery).transport);
    const [{ userId }] = (await store.readAll((all) =>
      all.selectFrom('users').select('id as userId').execute(),
    )) as [{ userId: number }];
    await store.write(companyId, (db) =>
      addMail(db, [outboxMessage(9, { alertId, userId })], COMPOSED_AT + MINUTE),
    );
    expect(await store.readAll(outboxStatistics)).toEqual({
      waiting: 2,
      refused: 1,
      oldestWaitingAt: COMPOSED_AT,
      lastAnswer: '451 later',
    });
    expect(
      await store.read(companyId, (db) => undeliveredMail(db, [alertId, 'no such alert'])),
    ).toEqual({
      waiting: 2,
      refused: 1,
      oldestWaitingAt: COMPOSED_AT,
      lastAnswer: '451 later',
    });
  });

  it('are empty for an empty outbox, and for another company’s', async ({ store }) => {
    const { companyId } = await fillOutbox(store, 0);
    expect(await store.readAll(outboxStatistics)).toEqual({
      waiting: 0,
      refused: 0,
      oldestWaitingAt: null,
      lastAnswer: null,
    });
    const other = await fillOutbox(store, 1, 'Mas Bleu');
    for (const alertIds of [[other.alertId], [], undefined])
      expect(await store.read(companyId, (db) => undeliveredMail(db, alertIds))).toEqual({
        waiting: 0,
        refused: 0,
        oldestWaitingAt: null,
        lastAnswer: null,
      });
  });
});

describe('the outbox worker', () => {
  it('sends one round at a time', async ({ store }) => {
    await fillOutbox(store, 2);
    const server = transportAnswering(() => OK);
    const failures: unknown[] = [];
    const worker = createOutboxWorker(
      { store, openTransport: async () => server.transport, holder: 'me' },
      async (error) => failures.push(error),
    );
    const { signal } = new AbortController();
    worker.start(signal);
    worker.start(signal);
    await worker.whenIdle();
    expect([server.to(), failures]).toEqual([[0, 1], []]);
  });

  it('reports an error, and starts again the next time', async ({ store }) => {
    await fillOutbox(store, 1);
    const failures: unknown[] = [];
    const server = transportAnswering(() => OK);
    let opened = 0;
    const openTransport = async () => {
      if (opened++ === 0) throw new Error('no way');
      return server.transport;
    };
    const worker = createOutboxWorker({ store, openTransport, holder: 'me' }, async (error) =>
      failures.push(error),
    );
    worker.start(new AbortController().signal);
    await worker.whenIdle();
    worker.start(new AbortController().signal);
    await worker.whenIdle();
    expect(failures).toEqual([new Error('no way')]);
    expect(server.to()).toEqual([0]);
  });
});
