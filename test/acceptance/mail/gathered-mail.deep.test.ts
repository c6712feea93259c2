import { expect, it } from 'vitest';
import { startMailServer } from '../../mail-server.ts';
import { executeStatements } from '../../stores/stores.ts';
import { waitUntil } from '../program.ts';
import { createTestKey, startServing } from '../rest-service.ts';
import { outboxRows, storeWithWaitingMail } from './outbox-store.ts';

const MESSAGES = 900;

it('sends 900 messages for one person as a few mails, while it answers calls and holds no loop', async () => {
  const db = await storeWithWaitingMail(MESSAGES);
  await executeStatements(db, "update outbox set to_address = 'ana@example.org'");
  const server = await startMailServer();
  const { key } = await createTestKey(db);
  const service = await startServing(db, ['--log-level', 'info'], {
    env: { ACEQUIA_SMTP_URL: server.url },
  });

  let answers = 0;
  await waitUntil(async () => {
    const { status } = await service.request('GET', '/company', { key });
    if (status === 200) answers++;
    return (await outboxRows(db)).every(({ state }) => state === 'sent');
  });
  await server.quiet();

  expect(server.received.length).toBeLessThan(MESSAGES / 10);
  const named = server.received.flatMap(({ mail }) => mail.text?.match(/^- Message \d+$/gm) ?? []);
  expect(named).toHaveLength(MESSAGES);
  expect(new Set(named).size).toBe(MESSAGES);
  expect(answers).toBeGreaterThan(0);
  expect(service.stderr()).not.toContain('the event loop was held');
});
