import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/periods.ts';
import { parseJsonAnswer } from './json-answer.ts';
import type { PullProvider } from './provider.ts';

const PAGE_SIZE = 2000;
/**
 * The zone of start_date and end_date is not documented, so the period is widened by the largest
 * offset of any zone.
 */
const WIDEST_OFFSET_MS = 14 * HOUR_MS;

const utcText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** Source: ZENTRA Cloud API v4, get_readings, which allows one request a minute for each device. */
export const zentra: PullProvider<'token'> = {
  hosts: ['zentracloud.com', 'zentracloud.eu', 'tahmo.zentracloud.com'],
  windowMs: 5 * DAY_MS,
  pauseMs: MINUTE_MS + SECOND_MS,
  request(device, { from, to, page }, { token }) {
    const query = new URLSearchParams({
      device_sn: device,
      start_date: utcText(from - WIDEST_OFFSET_MS),
      end_date: utcText(to + WIDEST_OFFSET_MS),
      output_format: 'json',
      sort_by: 'ascending',
      per_page: String(PAGE_SIZE),
      page_num: String(page),
    });

    const authorization = `Token ${token.replace(/^token\s+/i, '')}`;
    return {
      path: `/api/v4/get_readings/?${query}`,
      headers: { authorization, accept: 'application/json' },
    };
  },
  read(body, _, { now }) {
    const { answer, items } = parseJsonAnswer(['zentra/logger'], body, now);
    const { pagination } = answer as { pagination?: { page_num_readings?: unknown } | null };
    return { ...items, hasNextPage: Number(pagination?.page_num_readings) >= PAGE_SIZE };
  },
};
