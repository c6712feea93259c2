import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startMailServer } from '../../mail-server.ts';
import { expectSound } from '../../stores/stores.ts';
import { startCommand } from '../program.ts';
import { expirePauses, outboxRows, runTick, storeWithWaitingMail } from './outbox-store.ts';

const ROUNDS = 200;
/** Stores that senders work on at the same time; they share the rounds. */
const STORES = 4;
/** Messages a round, more than a sender usually gets to send before it is killed. */
const MESSAGES = 4;
/** A sender is killed at most this long after its last message: about as long as it takes to record the answer. */
const LIFETIME_MS = 10;
/** A sender that should send nothing is killed at most this long after its start; it may send something all the same. */
const STARTUP_MS = 400;

/** Kills the sender of one store this many times; returns how often it was still running. */
async function killInRounds(rounds: number): Promise<number> {
  const db = await storeWithWaitingMail(rounds * MESSAGES);
  const server = await startMailServer({ acceptDelayMs: 2 });
  const env = { ACEQUIA_SMTP_URL: server.url };
  const recorded = async (): Promise<Set<string>> =>
    new Set((await outboxRows(db)).flatMap(({ state, message_id }) => (state === 'sent' ? [message_id!] : [])));
  let killed = 0;
  let repeats = 0;

  for (let round = 0; round < rounds; round++) {
    const before = await recorded();
    const from = server.received.length;
    const { child, ended } = startCommand(['tick', '--db', db], { env });
    // At a random moment after this many messages, or of its start.
    const sends = Math.floor(Math.random() * MESSAGES);
    while (server.received.length < from + sends && child.exitCode === null) await pause(1);
    await pause(Math.random() * (sends === 0 ? STARTUP_MS : LIFETIME_MS));
    child.kill('SIGKILL');
    if ((await ended).signal === 'SIGKILL') killed++;
    await server.quiet();

    const arrived = server.received.slice(from).map(({ mail }) => mail.messageId!);
    // What was recorded as sent is not sent again, and no sender repeats itself.
    expect(arrived.filter((id) => before.has(id))).toEqual([]);
    expect(new Set(arrived).size).toBe(arrived.length);
    const after = await recorded();
    // Only the answer to the last message may be lost with the sender: that message will come again.
    const unrecorded = arrived.filter((id) => !after.has(id));
    expect(unrecorded.length).toBeLessThanOrEqual(1);
    repeats += unrecorded.length;
    await expirePauses(db);
  }

  await runTick(db, env);
  const rows = await outboxRows(db);
  expect(rows.filter(({ state }) => state !== 'sent')).toEqual([]);
  // Every message arrived under an id of its own, and more than once only if its answer was lost.
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
