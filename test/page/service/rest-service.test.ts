import { expect, it } from 'vitest';
import { hrefOf, parseRoute } from '../../../src/page/route.ts';
import { toRequest } from '../../../src/page/service/rest-service.ts';

const ENDPOINTS = {
  log_watering: 'POST /modules/{moduleId}/irrigation/events',
  list_waterings: 'GET /irrigation/events',
  get_farm_page: 'GET /page',
};

it('puts arguments into path, query and body', () => {
  expect(
    toRequest('log_watering', { moduleId: 7, inputMode: 'duration', durationMin: 40 }, ENDPOINTS),
  ).toEqual({
    method: 'POST',
    path: '/modules/7/irrigation/events',
    body: { inputMode: 'duration', durationMin: 40 },
  });
  const from = '2026-07-01T00:00:00+02:00';
  expect(toRequest('list_waterings', { moduleId: 7, from, to: undefined }, ENDPOINTS)).toEqual({
    method: 'GET',
    path: '/irrigation/events?moduleId=7&from=2026-07-01T00%3A00%3A00%2B02%3A00',
    body: null,
  });
  expect(toRequest('get_farm_page', {}, ENDPOINTS)).toEqual({
    method: 'GET',
    path: '/page',
    body: null,
  });
  expect(() => toRequest('drop_everything', {}, ENDPOINTS)).toThrow('no operation');
});

it.each([
  ['', { view: 'farm' }],
  ['#/', { view: 'farm' }],
  ['#/probe/7', { view: 'probe', moduleId: 7 }],
  ['#/review/12', { view: 'review', moduleId: 12 }],
  ['#/log', { view: 'log', moduleId: null }],
  ['#/log/7', { view: 'log', moduleId: 7 }],
  ['#/probe/x', { view: 'farm' }],
  ['#/probe/7%2F', { view: 'farm' }],
  ['#/nothing', { view: 'farm' }],
] as const)('opens %j as %j', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
  expect(parseRoute(hrefOf(route))).toEqual(route);
});
