import { setTimeout as pause } from 'node:timers/promises';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { executeStatements } from '../../stores/stores.ts';
import { importFarmFile } from '../imported-data.ts';
import { newBaseFarm, refusalOf } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { type StdioServer, startStdioServer } from '../stdio-server.ts';

const FIRING = 'acequia://alerts/firing';
const WATERING = { startedAt: 'today 6:00', inputMode: 'duration', durationMin: 40 };

const OTHER_FARM = {
  company: { name: 'Mas Bleu' },
  users: [{ email: 'eva@example.org', name: 'Eva', role: 'OWNER' }],
  modules: [{ uid: 'Z1', name: 'Blue 1', category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z' }],
};

/** A farm with a second company beside it. */
async function twoFarms(): Promise<string> {
  const db = await newBaseFarm();
  await importFarmFile(db, OTHER_FARM);
  return db;
}

async function servedWith(db: string, ...options: string[]): Promise<StdioServer> {
  const { key } = await createTestKey(db, ...options);
  return startStdioServer(['--db', db], { ACEQUIA_API_KEY: key });
}

/** Lets an alert of Mas Rouge fire, as another process does. */
function setFiring(db: string): Promise<void> {
  const id = '00000000-0000-4000-8000-000000000001';
  return executeStatements(
    db,
    `insert into alerts (id, company_id, module_id, threshold, hysteresis, reminder_time, source, is_active, created_by,
       created_at, updated_at) values ('${id}', 1, 1, '20', '5', '08:00:00', 'manual', 1, 1, 0, 0)`,
    `insert into alert_states (company_id, alert_id, evaluated_at, value, firing, since, touches, touches_seen,
       told_firing, told_stale) values (1, '${id}', 0, 18.4, 1, 0, 0, 0, 1, 0)`,
  );
}

/** Subscribes, and counts what comes. */
async function subscribedUpdates({ client }: StdioServer): Promise<string[]> {
  const told: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri));
  await client.subscribeResource({ uri: FIRING });
  return told;
}

describe('a subscription to the firing alerts', () => {
  it('tells of those of its own company alone', async () => {
    const db = await twoFarms();
    const [own, other] = await Promise.all([
      servedWith(db, '--company', 'Mas Rouge'),
      servedWith(db, '--company', 'Mas Bleu'),
    ]);
    const [toOwn, toOther] = [await subscribedUpdates(own), await subscribedUpdates(other)];
    await setFiring(db);
    for (let tries = 0; toOwn.length === 0 && tries < 200; tries++) await pause(50);
    await pause(2_500);
    expect([toOwn, toOther]).toEqual([[FIRING], []]);
  });

  it('is refused without the scope for them', async () => {
    const db = await newBaseFarm();
    const server = await servedWith(db, '--scopes', 'catalog:read');
    const refused = subscribedUpdates(server);
    await expect(refused).rejects.toThrow(/insufficient_scope: .*readings:read/);
    await expect(refused).rejects.toMatchObject({ data: { code: 'insufficient_scope', hint: expect.any(String) } });
  });

  it('is refused to a key that is none, and without one where nothing says which company is meant', async () => {
    const db = await twoFarms();
    const unknown = await startStdioServer(['--db', db], { ACEQUIA_API_KEY: 'acequia_no-such-key' });
    await expect(subscribedUpdates(unknown)).rejects.toMatchObject({ data: { code: 'unauthenticated' } });
    await expect(subscribedUpdates(await startStdioServer(['--db', db]))).rejects.toMatchObject({
      data: { code: 'unauthenticated' },
    });
  });
});

describe('a key that may not list', () => {
  const completed = async ({ client }: StdioServer, name: 'module' | 'parcel') => {
    const ref = { type: 'ref/resource', uri: `acequia://${name}s/{${name}}` } as const;
    return (await client.complete({ ref, argument: { name, value: '' } })).completion.values;
  };

  it('is given names of modules only with readings:read, and of parcels only with parcels:read', async () => {
    const db = await newBaseFarm();
    const modules = await servedWith(db, '--scopes', 'readings:read');
    expect(await completed(modules, 'module')).toContain('North 1');
    expect(await completed(modules, 'parcel')).toEqual([]);
    const parcels = await servedWith(db, '--scopes', 'parcels:read');
    expect(await completed(parcels, 'module')).toEqual([]);
    expect(await completed(parcels, 'parcel')).toContain('North block');
  });

  it.each([
    ['on the store', async (db: string, key: string) => startStdioServer(['--db', db], { ACEQUIA_API_KEY: key })],
    [
      'over a service',
      async (db: string, key: string) =>
        startStdioServer(['--remote', (await serveStoreForTest(db)).base], {
          ACEQUIA_API_KEY: key,
        }),
    ],
  ])('is told no candidates for a name it gives, %s', async (_, serve) => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db, '--scopes', 'irrigation:write,company:read');
    const server = await serve(db, key);
    for (const module of ['North', 'Nowhere']) {
      const answer = await server.call('log_watering', { module, ...WATERING });
      expect(refusalOf(answer).hint).toContain('#12');
      for (const name of ['North 1', 'North 2', 'South 1', 'North block'])
        expect(JSON.stringify(answer)).not.toContain(name);
    }
  });
});
