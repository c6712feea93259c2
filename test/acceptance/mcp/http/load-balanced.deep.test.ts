import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../../base-farm.ts';
import { expectNoFaults, rowsOf } from '../../../stores/stores.ts';
import { bodyOf } from '../../mcp-session.ts';
import { CLOCK, type Json } from '../../program.ts';
import { nthWatering } from '../../rest/raw-requests.ts';
import { type RestService, serveStoreForTest } from '../../rest-service.ts';
import { loadBalancer } from './load-balancer.ts';
import { postMcp, toolCallRequest } from './mcp-http-client.ts';

const LONG_TIMEOUT_MS = 120_000;

async function twoServices(): Promise<{
  services: readonly [RestService, RestService];
  url: URL;
  db: string;
}> {
  const db = await newBaseFarm();
  const options = ['--clock', CLOCK, '--rate-limit', '0'];
  const services = await Promise.all([
    serveStoreForTest(db, ...options),
    serveStoreForTest(db, ...options),
  ]);
  const key = await services[0].newKey();
  return {
    db,
    services,
    url: await loadBalancer([services[0].port, services[1].port], { 'x-api-key': key }),
  };
}

async function callWithRetry(
  url: URL,
  name: string,
  args: object,
): Promise<{ result: Json; tries: number }> {
  for (let tries = 1; ; tries++) {
    const answer = await postMcp(url, { body: toolCallRequest(name, args) }).catch(() => null);
    if (answer?.status === 200) return { result: answer.body.result, tries };
    expect([undefined, 502]).toContain(answer?.status);
  }
}

describe('two processes behind one address', () => {
  it('lose no answered write and repeat none when one is killed under load', {
    timeout: LONG_TIMEOUT_MS,
  }, async () => {
    const { url, services, db } = await twoServices();
    const answered = new Map<string, Json>();
    const COUNT = 240;
    let next = 0;
    let repeated = 0;
    const work = async (): Promise<void> => {
      for (let n = next++; n < COUNT; n = next++) {
        const { note, ...rest } = nthWatering(n);
        const args = { ...rest, note, module: 'North 1', detail: 'full', idempotencyKey: note };
        const { result, tries } = await callWithRetry(url, 'log_watering', args);
        answered.set(note, bodyOf(result).event);
        if (tries > 1) repeated++;
        if (answered.size === COUNT / 3) services[0].child.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    expect((await services[0].ended).signal).toBe('SIGKILL');
    expect(repeated).toBeGreaterThan(0);
    const stored = await rowsOf<{ id: number; note: string }>(
      db,
      'select id, note from waterings order by id',
    );
    expect(stored).toHaveLength(COUNT);
    expect(Object.fromEntries(stored.map(({ note, id }) => [note, id]))).toEqual(
      Object.fromEntries([...answered].map(([note, { id }]) => [note, id])),
    );
    const { result } = await callWithRetry(url, 'list_waterings', {
      module: 'North 1',
      limit: 200,
      detail: 'full',
    });
    for (const event of bodyOf(result).data) expect(event).toEqual(answered.get(event.note));
    await expectNoFaults(db);
  });
});
