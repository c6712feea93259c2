import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { ServiceShares } from '../../../src/http/admission/service-shares.ts';
import { httpLimits } from '../../../src/http/http-limits.ts';
import { acceptInTurns } from '../../domain/accepted-connections.ts';

afterEach(() => vi.restoreAllMocks());

const requestBy = (headers: object, url = '/v1/company') =>
  ({ headers, url, socket: { remoteAddress: '192.0.2.1' } }) as unknown as IncomingMessage;

const GREEDY = Array.from({ length: 16 }, (_, n) => requestBy({ 'x-api-key': `greedy ${n}` }));
const QUIET = requestBy({ 'x-api-key': 'quiet' });
const PAGE = requestBy({}, '/');
const HEALTH = requestBy({}, '/health');

/** The turns of a service that knows the keys of two companies. */
function newTurns() {
  const { turns, callers } = new ServiceShares(httpLimits((setting) => setting.default));
  for (const [n, greedy] of GREEDY.entries())
    callers.remember(greedy, { company: 1, key: `key:${n}` });
  callers.remember(QUIET, { company: 2, key: 'key:quiet' });

  const begun: IncomingMessage[] = [];
  const arrive = (incoming: IncomingMessage): void =>
    void turns.wait(incoming).then(() => begun.push(incoming));
  return { begun, arrive };
}

it('begins at most four requests in a turn of the event loop, and two of a company', async () => {
  const { begun, arrive } = newTurns();
  for (let n = 0; n < 100; n++) arrive(GREEDY[n % 16]!);
  await nextTurn();
  expect(begun).toHaveLength(2);

  for (let n = 0; n < 100; n++) arrive(PAGE);
  for (let turn = 0; turn < 10; turn++) {
    const before = begun.length;
    await nextTurn();
    expect(begun.length - before).toBeLessThanOrEqual(4);
  }
});

it('begins requests of another company, and of monitors, before those that arrived earlier', async () => {
  const { begun, arrive } = newTurns();
  for (let n = 0; n < 1_000; n++) for (const each of [GREEDY[n % 16]!, PAGE]) arrive(each);
  await nextTurn();
  const before = begun.length;
  for (const each of [QUIET, HEALTH]) arrive(each);
  for (let turn = 0; turn < 3; turn++) await nextTurn();

  expect(begun).toEqual(expect.arrayContaining([QUIET, HEALTH]));
  expect(begun.length - before).toBeLessThanOrEqual(12);
});

it('begins all in the end, those without a valid key too', async () => {
  const { begun, arrive } = newTurns();
  for (let n = 0; n < 300; n++) arrive(requestBy({ 'x-api-key': `unknown ${n}` }));
  await expect.poll(() => begun.length).toBe(300);
});

it('lets connections that wait be accepted before further requests begin', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const { begun, arrive } = newTurns();
  const state = acceptInTurns(20);
  for (let n = 0; n < 100; n++) arrive(GREEDY[n % 16]!);
  while (state.accepted < 20) await nextTurn();
  expect(begun).toHaveLength(2);
  await expect.poll(() => begun.length).toBe(100);
});
