import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { loadBalancer } from '../mcp/http/load-balancer.ts';
import { connectOverHttp } from '../mcp/http/mcp-http-client.ts';
import { bodyOf, firstText, type McpSession } from '../mcp-session.ts';
import { CLOCK } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';

async function twoAssistants(): Promise<readonly [McpSession, McpSession]> {
  const db = await newBaseFarm();
  const start = () => serveStoreForTest(db, '--clock', CLOCK);
  const services = await Promise.all([start(), start(), start(), start()]);
  const [north, south] = [await services[0]!.newKey('--surface', 'mcp'), await services[2]!.newKey('--surface', 'mcp')];
  const [a, b, c, d] = services.map(({ port }) => port) as [number, number, number, number];
  return Promise.all([
    connectOverHttp(await loadBalancer([a, b]), { authorization: `Bearer ${north}` }),
    connectOverHttp(await loadBalancer([c, d]), { authorization: `Bearer ${south}` }),
  ]);
}

const listedWaterings = async ({ call }: McpSession) =>
  bodyOf(await call('list_waterings', { module: 'North 1', detail: 'full' })).data;

describe('two assistants, each on its own machine', () => {
  it('immediately see what the other has logged or corrected', async () => {
    const [north, south] = await twoAssistants();
    // Three requests a round on each machine, so that its processes alternate between rounds.
    for (let hour = 0; hour < 6; hour++) {
      const startedAt = `2026-07-01 0${hour}:00`;
      const args = { module: 'North 1', startedAt, inputMode: 'duration', durationMin: 45, detail: 'full' };
      const { event } = bodyOf(await north.call('log_watering', args));
      for (let process = 0; process < 2; process++) {
        const answer = await south.call('list_waterings', { module: 'North 1', detail: 'full' });
        expect(bodyOf(answer).data[0]).toEqual(event);
        expect(firstText(answer)).toContain('2.4 mm');
      }

      const { id: eventId, startedAt: at, inputMode } = event;
      const corrected = await south.call('correct_watering', {
        eventId,
        startedAt: at,
        inputMode,
        durationMin: 60,
        detail: 'full',
      });
      for (let process = 0; process < 2; process++)
        expect((await listedWaterings(north))[0]).toEqual(bodyOf(corrected).event);
    }
    expect(await listedWaterings(north)).toHaveLength(6);
    expect(await listedWaterings(south)).toEqual(await listedWaterings(north));
  });

  it('write one row for two calls with one API key and one idempotency key', async () => {
    const db = await newBaseFarm();
    const services = await Promise.all([0, 1].map(() => serveStoreForTest(db, '--clock', CLOCK)));
    const key = await services[0]!.newKey('--surface', 'mcp');
    const both = await Promise.all(
      services.map(async ({ port }) => connectOverHttp(await loadBalancer([port]), { 'x-api-key': key })),
    );
    const args = {
      module: 'North 1',
      startedAt: '2026-07-01 06:00',
      inputMode: 'duration',
      durationMin: 45,
      detail: 'full',
    };
    const answers = await Promise.all(both.map(({ call }) => call('log_watering', { ...args, idempotencyKey: 'six' })));
    const [first, second] = answers.map((answer) => bodyOf(answer).event);
    expect(second).toEqual(first);
    expect(await listedWaterings(both[0]!)).toEqual([first]);
  });
});
