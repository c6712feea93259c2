import { describe, expect, it } from 'vitest';
import { EVENTS_PATH, nthWatering } from '../rest/raw-requests.ts';
import { type RestResponse, sharedRestService } from '../rest-service.ts';

const farm = sharedRestService();

describe('of two keys of a company', () => {
  it('each has its own idempotency keys', async () => {
    const [one, other] = [await farm().newKey(), await farm().newKey()];
    const log = (key: string, n: number): Promise<RestResponse> =>
      farm().request('POST', EVENTS_PATH, { key, body: nthWatering(n), headers: { 'idempotency-key': 'same' } });
    const first = await log(one, 1);
    // Were the record shared, this would be 422 or a replay.
    const second = await log(other, 2);
    expect([first.status, second.status]).toEqual([201, 201]);
    for (const [key, n, answer] of [
      [one, 1, first],
      [other, 2, second],
    ] as const) {
      const repeated = await log(key, n);
      expect(repeated.headers.get('idempotent-replayed')).toBe('true');
      expect(repeated.body).toEqual(answer.body);
    }
    expect((await log(other, 1)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('the cursors and ids of one give the other nothing beyond its scopes', async () => {
    const key = await farm().newKey();
    for (const n of [3, 4]) await farm().request('POST', EVENTS_PATH, { key, body: nthWatering(n) });
    const page = '/irrigation/events?limit=1';
    const { data, next_cursor: cursor } = (await farm().request('GET', page, { key })).body;
    const next = (holder: string) => farm().request('GET', `${page}&cursor=${cursor}`, { key: holder });
    const reader = await farm().newKey('--scopes', 'readings:read');
    const stranger = await farm().newKey('--scopes', 'company:read');
    expect((await next(reader)).body).toEqual((await next(key)).body);
    expect((await next(stranger)).body.code).toBe('insufficient_scope');
    const correction = { body: { ...nthWatering(4), note: 'corrected' } };
    const correct = (holder: string) =>
      farm().request('PATCH', `/irrigation/events/${data[0].id}`, { key: holder, ...correction });
    for (const holder of [reader, stranger]) expect((await correct(holder)).body.code).toBe('insufficient_scope');
    expect((await correct(key)).body).toMatchObject({ event: { note: 'corrected' } });
  });
});
