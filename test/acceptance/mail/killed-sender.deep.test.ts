import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startMailServer } from '../../mail-server.ts';
import { expectNoFaults } from '../../stores/stores.ts';
import { startCommand } from '../program.ts';
import { expirePauses, outboxRows, runTick, storeWithWaitingMail } from './outbox-store.ts';

const ROUNDS = 200;
const STORES = 4;
/** More than a sender usually sends before it is killed. */
const MESSAGES = 4;
/** About as long as it takes to record an answer. */
const LIFETIME_MS = 10;
const STARTUP_MS = 400;

async function killInRounds(rounds: number): Promise<number> {
  const db = await storeWithWaitingMail(rounds * MESSAGES);
  const server = await startMailServer({ acceptDelayMs: 2 });
  const env = { ACEQUIA_SMTP_URL: server.url };
  const recorded = async (): Promise<Set<string>> =>
    new Set(
      (await outboxRows(db)).flatMap(({ state, message_id }) =>
        state === 'sent' ? [message_id!] : [],
      ),
    );
  let killed = 0;
  let repeats = 0;

  for (let round = 0; round < rounds; round++) {
    const before = await recorded();
    const from = server.received.length;
    const { child, ended } = startCommand(['tick', '--db', db], { env });
    const sends = Math.floor(Math.random() * MESSAGES);
    while (server.received.length < from + sends && child.exitCode === null) await pause(1);
    await pause(Math.random() * (sends === 0 ? STARTUP_MS : LIFETIME_MS));
    child.kill('SIGKILL');
    if ((await ended).signal === 'SIGKILL') killed++;
    await server.quiet();

    const arrived = server.received.slice(from).map(({ mail }) => mail.messageId!);
    expect(arrived.filter((id) => before.has(id))).toEqual([]);
    expect(new Set(arrived).size).toBe(arrived.length);
    const after = await recorded();
    // Only the last answer may be lost with the sender; that message is sent again.
    const unrecorded = arrived.filter((id) => !after.has(id));
    expect(unrecorded.length).toBeLessThanOrEqual(1);
    repeats += unrecorded.length;
    await expirePauses(db);
  }

  await runTick(db, env);
  const rows = await outboxRows(db);
  expect(rows.filter(({ state }) => state !== 'sent')).toEqual([]);
  const ids = server.received.map(({ to, mail }) => `${to} ${mail.messageId}`);
  expect(new Set(ids)).toEqual(
    new Set(rows.map(({ to_address, message_id }) => `${to_address} ${message_id}`)),
  );
  expect(ids.length - rows.length).toBe(repeats);
  await expectNoFaults(db);
  return killed;
}

it('loses no message and repeats none that is recorded as sent, although the sender is killed', async () => {
  const killed = await Promise.all(
    Array.from({ length: STORES }, () => killInRounds(ROUNDS / STORES)),
  );
  expect(killed.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(ROUNDS / 2);
}, 600_000);
