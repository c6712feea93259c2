import { expect, it } from 'vitest';
import { importBaseFarm } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import {
  type EmbeddedPostgresServer,
  queryOnce,
  startEmbeddedServer,
} from '../../stores/postgres-server.ts';
import { connectOverHttp, mcpUrl } from '../mcp/http/mcp-http-client.ts';
import { connectStdio, refusalOf } from '../mcp-session.ts';
import { CLOCK, waitUntil } from '../program.ts';
import { createTestKey, type RestService, startServing } from '../rest-service.ts';

const WATERING = { startedAt: '2026-07-01T06:00:00Z', inputMode: 'duration', durationMin: 40 };
const OPERATORS_HINT = 'Name the primary server with --db';

interface StandbyService {
  readonly server: EmbeddedPostgresServer;
  readonly service: RestService;
  readonly db: string;
  readonly key: string;
}

/** The base farm on a server in recovery, as after a failover that went to the wrong server. */
async function serveOnStandby(server: EmbeddedPostgresServer): Promise<StandbyService> {
  await queryOnce(server.maintenanceUrl, "create database farm encoding 'UTF8' template template0");
  const db = server.url('farm');
  await importBaseFarm(db);
  const { key } = await createTestKey(db);

  await server.restartAsStandby();
  const service = await startServing(db, ['--clock', CLOCK], { after: afterTest });
  return { server, service, db, key };
}

const log = ({ service, key }: StandbyService, moduleId: number) =>
  service.request('POST', `/modules/${moduleId}/irrigation/events`, { key, body: WATERING });

async function expectRefusalsOnStandby(standby: StandbyService): Promise<void> {
  const { service, key, db } = standby;
  const notReady = await service.request('GET', '/../ready');
  const refused = await log(standby, 1);
  for (const { status, headers, body } of [notReady, refused]) {
    expect([status, headers.get('retry-after'), body.hint]).toEqual([
      503,
      '5',
      'Try again in 5 s.',
    ]);
    expect(JSON.stringify(body)).not.toMatch(/standby|127\.0\.0\.1|--db/);
  }
  expect((await service.request('GET', '/irrigation/events', { key })).body.data).toEqual([]);

  const { call } = await connectOverHttp(mcpUrl(service.base), { authorization: `Bearer ${key}` });
  const overMcp = refusalOf(await call('log_watering', { module: 'North 1', ...WATERING }));
  expect(overMcp).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    hint: 'Try again in 5 s.',
    retryAfterS: 5,
  });

  const stdio = await connectStdio(db);
  const forOperator = refusalOf(
    await stdio.call('log_watering', { module: 'North 1', ...WATERING }),
  );
  expect(forOperator.hint).toContain(OPERATORS_HINT);
  expect(service.stderr()).toContain(OPERATORS_HINT);
}

it('a service on a standby reads, is not ready, and writes once the standby is promoted', async (context) => {
  const server = await startEmbeddedServer({ wal_level: 'replica' }).catch(() => undefined);
  if (server === undefined) return context.skip();
  try {
    const standby = await serveOnStandby(server);
    await expectRefusalsOnStandby(standby);

    await queryOnce(server.adminUrl, 'select pg_promote()');

    const isReady = async () => (await standby.service.request('GET', '/../ready')).status === 200;
    await waitUntil(isReady);
    expect((await log(standby, 1)).status).toBe(201);
    await standby.service.stop();
  } finally {
    await server.stop();
  }
});
