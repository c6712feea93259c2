import { padTwo } from '../../../domain/calendar.ts';
import type { PullProviderName } from '../../../domain/ingest/import-options.ts';
import { toIsoText } from '../../../domain/ingest/payload-values.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/periods.ts';
import { civilAt } from '../../../domain/time-zone.ts';
import { AcequiaError } from '../../../schema/error.ts';
import { toIso } from '../../wire-format.ts';
import { readLayout } from '../csv/csv-layout.ts';
import { csvCells } from '../csv/csv-lines.ts';
import { missingCodes, timeTextOf } from '../csv/csv-rows.ts';
import {
  flushDeferred,
  newRowSequence,
  recordInstant,
  storeInOrder,
} from '../csv/repeated-hour-rows.ts';
import { findPreset, mapOfPresets } from '../payload/presets.ts';
import { type ReadMessage, readPayload } from '../payload/read-payload.ts';
import { measurementRange, parseMeasurement } from '../reading-parsers.ts';
import { createReadingTimeParser } from '../reading-times.ts';

/** In ms. */
interface PullWindow {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly page: number;
}

/** Keyed by the environment variables that hold them. */
export type Credentials = Readonly<Record<string, string>>;

interface PullRequest {
  /** Includes the query, which may hold a key, so it must not be logged. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface PulledRows extends Omit<ReadMessage, 'gateways'> {
  readonly hasNextPage: boolean;
}

const NO_ROWS = { readings: [], rain: [], weather: [], devices: [], missing: 0 };

export interface PullProvider {
  /** The hosts that may be contacted; the first is the default. */
  readonly hosts: readonly [string, ...string[]];
  readonly variables: readonly string[];
  /** The longest period of a request. */
  readonly windowMs: number;
  /** The pause between two requests for a device. */
  readonly pauseMs: number;
  request(device: string, window: PullWindow, credentials: Credentials, zone: string): PullRequest;
  read(body: Uint8Array, device: string, context: AnswerContext): PulledRows;
}

interface AnswerContext {
  /**
   * The start of the requested period, in ms. A local time that occurs twice is of the second pass
   * if the first is before the period.
   */
  readonly from: number;
  readonly zone: string;
  readonly now: number;
}

/** "20260610003000". */
function compactLocalTime(at: number, zone: string): string {
  const { year, month, day, hour, minute, second } = civilAt(at, zone);
  return `${year}${[month, day, hour, minute, second].map(padTwo).join('')}`;
}

/**
 * Source: IrriMAX Live API 1.9. The times of a request are assumed to be local time of the site,
 * like those of its answer.
 */
const irrimax: PullProvider = {
  hosts: ['www.irrimaxlive.com'],
  variables: ['ACEQUIA_IRRIMAX_KEY'],
  windowMs: 30 * DAY_MS,
  pauseMs: SECOND_MS,
  request(device, { from, to }, { ACEQUIA_IRRIMAX_KEY: key = '' }, zone) {
    const period = { from: compactLocalTime(from, zone), to: compactLocalTime(to, zone) };
    return {
      path: `/api/?${new URLSearchParams({ cmd: 'getreadings', name: device, ...period, key })}`,
      headers: {},
    };
  },
  read(body, device, context) {
    const text = new TextDecoder().decode(body);
    const { readings, missing } = parseExportAnswer(text, device, context);
    const devices = [{ device, payload: text.split('\n', 2).join(' ').slice(0, 500) }];
    return { ...NO_ROWS, readings, missing, devices, hasNextPage: false };
  },
};

/** The service answers a refused key with status 200. */
function parseExportAnswer(text: string, device: string, context: AnswerContext) {
  try {
    return parseExport(text, device, context);
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    const what = /^\s*</.test(text) ? 'a page' : 'a text';
    throw new UnreadableAnswerError(
      `the service answered ${what}, not readings; check the key and the name of the device`,
    );
  }
}

const ANSWER_LIMITS = { bytes: 16 * 1024 * 1024, readings: 150_000 };

function parseJsonAnswer(presets: readonly string[], body: Uint8Array, now: number) {
  const map = mapOfPresets(
    presets.map((name) => findPreset(name)),
    undefined,
  );
  const parsed = readPayload(map, { topic: null, payload: body, limits: ANSWER_LIMITS }, now);
  if ('refused' in parsed) throw new UnreadableAnswerError(parsed.refused);

  const answer: unknown = JSON.parse(new TextDecoder().decode(body));
  if (typeof answer !== 'object' || answer === null)
    throw new UnreadableAnswerError('it is not a JSON object');
  if (!('readings' in parsed)) return { answer, rows: NO_ROWS };

  const { gateways: _, ...rows } = parsed;
  return { answer, rows };
}

export class UnreadableAnswerError extends Error {}

const ZENTRA_PAGE = 2000;
/**
 * The zone of start_date and end_date is not documented, so the period is widened by the largest
 * offset of any zone.
 */
const WIDEST_OFFSET_MS = 14 * HOUR_MS;

const utcText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** Source: ZENTRA Cloud API v4, get_readings, which allows one request a minute for each device. */
const zentra: PullProvider = {
  hosts: ['zentracloud.com', 'zentracloud.eu', 'tahmo.zentracloud.com'],
  variables: ['ACEQUIA_ZENTRA_TOKEN'],
  windowMs: 5 * DAY_MS,
  pauseMs: MINUTE_MS + SECOND_MS,
  request(device, { from, to, page }, { ACEQUIA_ZENTRA_TOKEN: token = '' }) {
    const query = new URLSearchParams({
      device_sn: device,
      start_date: utcText(from - WIDEST_OFFSET_MS),
      end_date: utcText(to + WIDEST_OFFSET_MS),
      output_format: 'json',
      sort_by: 'ascending',
      per_page: String(ZENTRA_PAGE),
      page_num: String(page),
    });

    const authorization = `Token ${token.replace(/^token\s+/i, '')}`;
    return {
      path: `/api/v4/get_readings/?${query}`,
      headers: { authorization, accept: 'application/json' },
    };
  },
  read(body, _, { now }) {
    const { answer, rows } = parseJsonAnswer(['zentra/logger'], body, now);
    const { pagination } = answer as { pagination?: { page_num_readings?: unknown } | null };
    return { ...rows, hasNextPage: Number(pagination?.page_num_readings) >= ZENTRA_PAGE };
  },
};

/** Source: WeatherLink API v2, historic: at most 24 hours a request. The device is the station. */
const davis: PullProvider = {
  hosts: ['api.weatherlink.com'],
  variables: ['ACEQUIA_DAVIS_KEY', 'ACEQUIA_DAVIS_SECRET'],
  // Both ends are rounded to seconds.
  windowMs: DAY_MS - 2 * SECOND_MS,
  pauseMs: SECOND_MS,
  request(
    device,
    { from, to },
    { ACEQUIA_DAVIS_KEY: key = '', ACEQUIA_DAVIS_SECRET: secret = '' },
  ) {
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
  read: (body, _, { now }) => ({
    ...parseJsonAnswer(['davis/soil-station', 'davis/drill-and-drop'], body, now).rows,
    hasNextPage: false,
  }),
};

export const pullProviders: Readonly<Record<PullProviderName, PullProvider>> = {
  irrimax,
  zentra,
  davis,
};

interface ExportRows {
  readonly readings: readonly object[];
  /** Values that stand for a failed measurement, or that cannot be read. */
  readonly missing: number;
}

/** The rows of a CSV whose columns a profile describes, with the device in place of a module. */
function parseExport(text: string, device: string, { zone, now, from }: AnswerContext): ExportRows {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return { readings: [], missing: 0 };

  const layout = readLayout(lines, { map: new Map(), mapField: '--map', knownColumns: [] });
  const readings: object[] = [];
  let missing = 0;
  if (layout.kind !== 'wide') return { readings, missing };

  const columns = layout.sensors.map((sensor) => ({
    ...sensor,
    isMissing: missingCodes(sensor.missing),
    range: measurementRange(sensor.type),
  }));

  const times = createReadingTimeParser(zone, now);
  const sequence = newRowSequence();
  recordInstant(sequence, from);

  const addRow = (cells: readonly string[], time: string): void => {
    for (const { index, type, depth, unit, isMissing, range } of columns) {
      const cell = cells[index] ?? '';
      if (cell.trim() === '') continue;
      const value = isMissing(cell)
        ? Number.NaN
        : parseMeasurement(cell, range, unit, layout.delimiter);
      if (Number.isNaN(value)) missing++;
      else readings.push({ device, type, ...(depth !== null && { depth }), time, value });
    }
  };

  for (const line of lines.slice(layout.headerEnd)) {
    const cells = csvCells(line, layout.delimiter) ?? [];
    const time = toIsoText(timeTextOf(cells, layout), false);
    const at = times.parse(time);
    // The row keeps its unreadable time, so that it is refused when it is written.
    if (Number.isNaN(at)) addRow(cells, time);
    else storeInOrder(sequence, times, at, line, (instant) => addRow(cells, toIso(instant)));
  }

  flushDeferred(sequence);
  return { readings, missing };
}
