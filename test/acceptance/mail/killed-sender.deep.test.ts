import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startMailServer } from '../../mail-server.ts';
import { expectSound } from '../../stores/stores.ts';
import { expirePauses, outboxRows, runTickCommand, startCommand, storeWithWaitingMail } from './outbox-store.ts';

/** All of them once; fewer where the tests run again in another zone, which sending knows nothing of. */
const ROUNDS = (process.env.TZ ?? 'UTC') === 'UTC' ? 200 : 20;
/** Stores that are sent from side by side, which share the rounds. */
const STORES = 4;
/** Messages a round, more than a sender gets to send in its life as a rule. */
const MESSAGES = 4;
/** After its last message a sender lives at most this long, in ms: about as long as it takes to record the answer. */
const LIFETIME_MS = 10;
/** One that is to send nothing lives at most this long, in ms: it may send something all the same. */
const STARTUP_MS = 400;

/** Kills the sender of one store in so many rounds; returns how often it was still alive. */
async function killInRounds(rounds: number): Promise<number> {
  const db = await storeWithWaitingMail(rounds * MESSAGES);
  const server = await startMailServer({ acceptDelayMs: 2 });
  const said = { ACEQUIA_SMTP_URL: server.url };
  const recorded = async (): Promise<Set<string>> =>
    new Set((await outboxRows(db)).flatMap(({ state, message_id }) => (state === 'sent' ? [message_id!] : [])));
  let killed = 0;
  let repeats = 0;

  for (let round = 0; round < rounds; round++) {
    const before = await recorded();
    const from = server.received.length;
    const { child, ended } = startCommand('tick', db, said);
    // At some moment after so many messages, or of its start.
    const sends = Math.floor(Math.random() * MESSAGES);
    while (server.received.length < from + sends && child.exitCode === null) await pause(1);
    await pause(Math.random() * (sends === 0 ? STARTUP_MS : LIFETIME_MS));
    child.kill('SIGKILL');
    if ((await ended).signal === 'SIGKILL') killed++;
    await server.quiet();

    const arrived = server.received.slice(from).map(({ mail }) => mail.messageId!);
    // What was recorded as sent was not sent again, and within its life a sender repeats nothing.
    expect(arrived.filter((id) => before.has(id))).toEqual([]);
    expect(new Set(arrived).size).toBe(arrived.length);
    const after = await recorded();
    // The answer to one message alone may be lost with the sender: that one will come again.
    const unrecorded = arrived.filter((id) => !after.has(id));
    expect(unrecorded.length).toBeLessThanOrEqual(1);
    repeats += unrecorded.length;
    await expirePauses(db);
  }

  await runTickCommand(db, said);
  const rows = await outboxRows(db);
  expect(rows.filter(({ state }) => state !== 'sent')).toEqual([]);
  // Every message arrived, under one id of its own; more than once only where its answer was lost.
  const ids = server.received.map(({ to, mail }) => `${to} ${mail.messageId}`);
  expect(new Set(ids)).toEqual(new Set(rows.map(({ to_address, message_id }) => `${to_address} ${message_id}`)));
  expect(ids.length - rows.length).toBe(repeats);
  await expectSound(db);
  return killed;
}

it('loses no message and repeats none that was recorded as sent, however often the sender is killed', async () => {
  const killed = await Promise.all(Array.from({ length: STORES }, () => killInRounds(ROUNDS / STORES)));
  expect(killed.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(ROUNDS / 2);
}, 600_000);
