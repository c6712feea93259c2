import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile } from '../../base-farm.ts';
import { loadBalancer } from '../mcp/http/load-balancer.ts';
import { answer, connectOverHttp, postRound, questionOf } from '../mcp/http/mcp-http-client.ts';
import { bodyOf, firstText, type McpSession } from '../mcp-session.ts';
import { CLOCK, type Json } from '../program.ts';
import { type RestService, serveStoreForFile } from '../rest-service.ts';

const WATERING = { inputMode: 'duration', durationMin: 45, detail: 'full' };

let services: readonly [RestService, RestService];
beforeAll(async () => {
  const db = await baseFarmForFile();
  services = await Promise.all([
    serveStoreForFile(db, '--clock', CLOCK),
    serveStoreForFile(db, '--clock', CLOCK),
  ]);
});

const newKey = () => services[0].newKey('--surface', 'mcp');

const listedWaterings = async ({ call }: McpSession, module: string) =>
  bodyOf(await call('list_waterings', { module, detail: 'full' })).data;

describe('assistants on two machines', () => {
  it('immediately see what the other has logged or corrected', async () => {
    const ports = services.map(({ port }) => port);
    const [north, south] = await Promise.all(
      [ports, ports.toReversed()].map(async (order) =>
        connectOverHttp(await loadBalancer(order), { authorization: `Bearer ${await newKey()}` }),
      ),
    );
    const module = 'North 1';
    // Three requests a round of each assistant, so that its machines alternate between rounds.
    for (let hour = 0; hour < 3; hour++) {
      const startedAt = `2026-07-01 0${hour}:00`;
      const { event } = bodyOf(
        await north!.call('log_watering', { ...WATERING, module, startedAt }),
      );
      for (let machine = 0; machine < 2; machine++) {
        const listed = await south!.call('list_waterings', { module, detail: 'full' });
        expect(bodyOf(listed).data[0]).toEqual(event);
        expect(firstText(listed)).toContain('2.4 mm');
      }

      const { id: eventId, startedAt: at } = event;
      const corrected = await south!.call('correct_watering', {
        ...WATERING,
        eventId,
        startedAt: at,
        durationMin: 60,
      });
      for (let machine = 0; machine < 2; machine++)
        expect((await listedWaterings(north!, module))[0]).toEqual(bodyOf(corrected).event);
    }
    expect(await listedWaterings(north!, module)).toHaveLength(3);
    expect(await listedWaterings(south!, module)).toEqual(await listedWaterings(north!, module));
  });

  it('write one row for two calls with one API key and one idempotency key', async () => {
    const headers = { 'x-api-key': await newKey() };
    const both = await Promise.all(
      services.map(async ({ port }) => connectOverHttp(await loadBalancer([port]), headers)),
    );
    const args = {
      ...WATERING,
      module: 'South 1',
      startedAt: '2026-07-01 06:00',
      idempotencyKey: 'six',
    };
    const answers = await Promise.all(both.map(({ call }) => call('log_watering', args)));
    const [first, second] = answers.map((each) => bodyOf(each).event);
    expect(second).toEqual(first);
    expect(await listedWaterings(both[0]!, 'South 1')).toEqual([first]);
  });

  it('record one watering for the answer to a question of one machine, sent to both at once', async () => {
    const key = await newKey();
    const ambiguous = { ...WATERING, module: 'North', startedAt: 'today 6:00' };
    const { requestState } = questionOf(
      await postRound(services[0], key, 'log_watering', ambiguous),
    );
    const chosen = { requestState, inputResponses: answer('module', 'North 2 (#2)') };
    const results = await Promise.all(
      services.map((each) => postRound(each, key, 'log_watering', ambiguous, chosen)),
    );
    const [first, second] = results.map(({ body }) => bodyOf(body.result).event);
    expect(second).toEqual(first);
    const { data } = (await services[0].request('GET', '/irrigation/events', { key })).body;
    expect(data.filter(({ moduleId }: Json) => moduleId === 2).map(({ id }: Json) => id)).toEqual([
      first.id,
    ]);
  });
});
