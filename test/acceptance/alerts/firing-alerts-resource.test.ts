import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { executeStatements } from '../../stores/stores.ts';
import { bodyOf, connectRaw, connectStdio, type Json, type McpSession, newBaseFarm, newFolder } from '../program.ts';

const FIRING = 'acequia://alerts/firing';

/** The alert of that number, as the store names it. */
const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const CREATED_AT = Date.UTC(2026, 5, 1);
const SINCE = Date.UTC(2026, 5, 30, 4);

/** Alerts on North 1 that are active and watched, of which those of some numbers are firing. */
const addAlerts = (db: string, count: number, firing: readonly number[]): Promise<void> =>
  executeStatements(
    db,
    ...Array.from({ length: count }, (_, index) => index + 1).flatMap((index) => {
      const isFiring = firing.includes(index);
      return [
        `insert into alerts (id, company_id, module_id, threshold, hysteresis, reminder_time, source, is_active, created_by,
           created_at, updated_at) values ('${idOf(index)}', 1, 1, '20', '5', '08:00:00', 'manual', 1, 1, ${CREATED_AT}, ${CREATED_AT})`,
        `insert into alert_states (company_id, alert_id, evaluated_at, value, firing, since, touches, touches_seen,
           told_firing, told_stale) values (1, '${idOf(index)}', ${SINCE}, 18.4, ${Number(isFiring)}, ${isFiring ? SINCE : null}, 0, 0, ${Number(isFiring)}, 0)`,
      ];
    }),
  );

const setFiring = (db: string, index: number, since: number | null): Promise<void> =>
  executeStatements(
    db,
    `update alert_states set firing = ${since === null ? 0 : 1}, since = ${since} where alert_id = '${idOf(index)}'`,
  );

async function read({ client }: McpSession): Promise<Json> {
  const [content] = (await client.readResource({ uri: FIRING })).contents;
  return JSON.parse((content as { text: string }).text);
}

/** Counts the updates that a client is told of. */
function resourceUpdates({ client }: McpSession): string[] {
  const told: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri));
  return told;
}

/** Waits for so many updates, then for one too many. */
async function expectUpdates(told: readonly string[], times: number): Promise<readonly string[]> {
  for (let tries = 0; told.length < times && tries < 200; tries++) await pause(50);
  await pause(2_500);
  return told;
}

describe('the firing alerts as a resource', () => {
  it('are those whose state says so, as list_alerts gives them', async () => {
    const db = await newBaseFarm();
    await addAlerts(db, 3, [2]);
    const server = await connectStdio(db);
    const listed = bodyOf(await server.call('list_alerts')).data as Json[];
    expect(listed).toHaveLength(3);
    const body = await read(server);
    expect(body).toEqual({ data: listed.filter(({ id }) => id === idOf(2)), next_cursor: null });
    expect(body.data[0].state).toMatchObject({ firing: true, since: new Date(SINCE).toISOString() });
  });

  it('are all there, on whatever page of the list they stand', async () => {
    const db = await newBaseFarm();
    await addAlerts(db, 450, [1, 225, 450]);
    const { data } = await read(await connectStdio(db));
    expect(data.map(({ id }: Json) => id).sort()).toEqual([idOf(1), idOf(225), idOf(450)]);
  });

  it('are none where all is quiet', async () => {
    expect(await read(await connectStdio(await newBaseFarm()))).toEqual({ data: [], next_cursor: null });
  });
});

describe('a subscription to the firing alerts', () => {
  it('is offered', async () => {
    const { client } = await connectStdio(await newBaseFarm());
    expect(client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true });
    const { resources } = await client.listResources();
    expect(resources.find(({ uri }) => uri === FIRING)).not.toHaveProperty('only');
  });

  it('is told when another process sets an alert firing, and when that ends: once each', async () => {
    const db = await newBaseFarm();
    await addAlerts(db, 2, []);
    const server = await connectStdio(db);
    const told = resourceUpdates(server);
    await server.client.subscribeResource({ uri: FIRING });
    await setFiring(db, 1, SINCE);
    expect(await expectUpdates(told, 1)).toEqual([FIRING]);
    await setFiring(db, 1, null);
    expect(await expectUpdates(told, 2)).toEqual([FIRING, FIRING]);
  });

  it('is told when the same alert fires anew between two looks', async () => {
    const db = await newBaseFarm();
    await addAlerts(db, 1, [1]);
    const server = await connectStdio(db);
    const told = resourceUpdates(server);
    await server.client.subscribeResource({ uri: FIRING });
    await setFiring(db, 1, SINCE + 3_600_000);
    expect(await expectUpdates(told, 1)).toEqual([FIRING]);
  });

  it('is told of what a call of its own server changes', async () => {
    const db = await newBaseFarm();
    await addAlerts(db, 1, [1]);
    const server = await connectStdio(db);
    const told = resourceUpdates(server);
    await server.client.subscribeResource({ uri: FIRING });
    bodyOf(await server.call('update_alert', { alertId: idOf(1), isActive: false }));
    expect(await expectUpdates(told, 1)).toEqual([FIRING]);
    expect((await read(server)).data).toEqual([]);
  });

  it('is not told of other writes, and of nothing once it was taken back', async () => {
    const db = await newBaseFarm();
    await addAlerts(db, 1, []);
    const server = await connectStdio(db);
    const told = resourceUpdates(server);
    await server.client.subscribeResource({ uri: FIRING });
    const watering = { module: 'North 1', startedAt: '2026-07-01 06:00', inputMode: 'duration', durationMin: 45 };
    bodyOf(await server.call('log_watering', watering));
    expect(await expectUpdates(told, 0)).toEqual([]);
    await server.client.unsubscribeResource({ uri: FIRING });
    await setFiring(db, 1, SINCE);
    expect(await expectUpdates(told, 0)).toEqual([]);
  });

  it.each(['acequia://company', 'acequia://alerts', 'not a uri', `${FIRING}?isActive=true`])(
    'is refused for %s, saying what can be subscribed to',
    async (uri) => {
      const { client } = await connectStdio(await newBaseFarm());
      const why = { code: -32602, message: expect.stringContaining(`only ${FIRING}`) };
      await expect(client.subscribeResource({ uri })).rejects.toMatchObject(why);
      await expect(client.unsubscribeResource({ uri })).rejects.toMatchObject(why);
    },
  );

  it('makes no store where there is none, and does not keep the process alive', async () => {
    const db = join(await newFolder(), 'none.db');
    const raw = await connectRaw(db);
    expect((await raw.answer(raw.send('resources/subscribe', { uri: FIRING }))).result).toEqual({});
    await pause(2_500);
    expect(existsSync(db)).toBe(false);
    raw.child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(existsSync(db)).toBe(false);
  });

  it('of a server with a store ends with its input', async () => {
    const raw = await connectRaw(await newBaseFarm());
    await raw.answer(raw.send('resources/subscribe', { uri: FIRING }));
    raw.child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });
});

describe('the prompt tune_threshold', () => {
  const text = async (args?: Record<string, string>): Promise<string> => {
    const { client } = await connectStdio(await newBaseFarm());
    const { messages } = await client.getPrompt({ name: 'tune_threshold', ...(args && { arguments: args }) });
    return (messages[0]!.content as { text: string }).text;
  };

  it('names the calls in the order in which they are made, the one that writes after the trials', async () => {
    const whole = await text();
    const order = ['list_alerts', 'get_moisture_series', 'get_agronomic_state', 'backtest_alert', 'create_alert'];
    const places = order.map((name) => whole.indexOf(name));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(whole).toContain('idempotencyKey');
    expect(whole).not.toContain('{{');
  });

  it('speaks of the probe that it was given', async () => {
    expect(await text({ module: 'North 1' })).toContain('It concerns "North 1".');
  });

  it('completes the probe by name', async () => {
    const { client } = await connectStdio(await newBaseFarm());
    const ref = { type: 'ref/prompt', name: 'tune_threshold' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'module', value: 'nor' } });
    expect(completion.values).toEqual(['North 1', 'North 2']);
  });
});
