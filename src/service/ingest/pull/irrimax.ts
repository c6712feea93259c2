import { padTwo } from '../../../domain/calendar.ts';
import { DAY_MS, SECOND_MS } from '../../../domain/periods.ts';
import { civilAt } from '../../../domain/time-zone.ts';
import { parseCsvAnswer } from './csv-answer.ts';
import type { PullProvider } from './provider.ts';

/** In characters: enough for the person to recognize the probe. */
const MAX_SHOWN_PAYLOAD = 500;

/** "20260610003000". */
function compactLocalTime(at: number, zone: string): string {
  const { year, month, day, hour, minute, second } = civilAt(at, zone);
  return `${year}${[month, day, hour, minute, second].map(padTwo).join('')}`;
}

/**
 * Source: IrriMAX Live API 1.9. The times of a request are assumed to be local time of the site,
 * like those of its answer.
 */
export const irrimax: PullProvider<'key'> = {
  hosts: ['www.irrimaxlive.com'],
  windowMs: 30 * DAY_MS,
  pauseMs: SECOND_MS,
  request(device, { from, to }, { key }, zone) {
    const period = { from: compactLocalTime(from, zone), to: compactLocalTime(to, zone) };
    return {
      path: `/api/?${new URLSearchParams({ cmd: 'getreadings', name: device, ...period, key })}`,
      headers: {},
    };
  },
  read(body, device, context) {
    const text = new TextDecoder().decode(body);
    const { readings, failedMeasurements } = parseCsvAnswer(text, device, context);
    const headerAndFirstRow = text.split('\n', 2).join(' ');
    const devices = [{ device, payload: headerAndFirstRow.slice(0, MAX_SHOWN_PAYLOAD) }];
    return {
      readings,
      rain: [],
      weather: [],
      devices,
      failedMeasurements,
      rejectedValues: [],
      hasNextPage: false,
    };
  },
};
