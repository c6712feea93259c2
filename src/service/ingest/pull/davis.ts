import { DAY_MS, SECOND_MS } from '../../../domain/periods.ts';
import { parseJsonAnswer } from './json-answer.ts';
import type { PullProvider } from './provider.ts';

/** Source: WeatherLink API v2, historic: at most 24 hours a request. The device is the station. */
export const davis: PullProvider<'key' | 'secret'> = {
  hosts: ['api.weatherlink.com'],
  // Rounding both ends outwards to seconds adds up to 2 s.
  windowMs: DAY_MS - 2 * SECOND_MS,
  pauseMs: SECOND_MS,
  request(device, { from, to }, { key, secret }) {
    const query = new URLSearchParams({
      'api-key': key,
      'start-timestamp': String(Math.floor(from / SECOND_MS)),
      'end-timestamp': String(Math.ceil(to / SECOND_MS)),
    });
    return {
      path: `/v2/historic/${encodeURIComponent(device)}?${query}`,
      headers: { 'x-api-secret': secret },
    };
  },
  read(body, _, { now }) {
    const { items } = parseJsonAnswer(['davis/soil-station', 'davis/drill-and-drop'], body, now);
    return { ...items, hasNextPage: false };
  },
};
