import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { civilAt, resolveCivil } from '../../../src/domain/time-zone.ts';
import { afterTest } from '../../cleanup.ts';

const ZONE = 'Europe/Paris';
export const INTERVAL_MS = 30 * 60_000;

const two = (value: number): string => String(value).padStart(2, '0');

/** Writes an instant as IrriMAX does, in local time of the site. */
function localTime(at: number): string {
  const { year, month, day, hour, minute } = civilAt(at, ZONE);
  return `${year}/${two(month)}/${two(day)} ${two(hour)}:${two(minute)}:00`;
}

function fromCompact(text: string | null): number {
  const [, year, month, day, hour, minute, second] = (
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text ?? '') ?? []
  ).map(Number);
  return resolveCivil(
    {
      year: year!,
      month: month!,
      day: day!,
      hour: hour!,
      minute: minute!,
      second: second!,
      millisecond: 0,
    },
    ZONE,
  ).at;
}

const instants = (from: number, to: number, newest: number): number[] => {
  const first = Math.ceil(from / INTERVAL_MS) * INTERVAL_MS;
  const last = Math.min(to, newest);
  return Array.from(
    { length: Math.max(0, Math.floor((last - first) / INTERVAL_MS) + 1) },
    (_, n) => first + n * INTERVAL_MS,
  );
};

/** Moisture in % of an instant, the same whoever asks. */
const moistureAt = (at: number): number => 20 + ((at / INTERVAL_MS) % 100) / 10;

/** Returns what the cloud has of a period, as it is stored: to three decimals. */
export function expectedMoisture(from: number, to: number): [number, number][] {
  return instants(from, to, to).map((at) => [at, Math.round(moistureAt(at) * 1000) / 1000]);
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function irrimax(url: URL, newest: number): Answer {
  const { key, cmd, from, to } = Object.fromEntries(url.searchParams);
  if (key !== 'secret-key') return { status: 403 };
  if (cmd !== 'getreadings' || url.searchParams.get('name') !== '8A_8') return { status: 404 };
  const rows = instants(fromCompact(from!), fromCompact(to!), newest).map(
    (at) =>
      `${localTime(at)},13.7,-1.000,${moistureAt(at).toFixed(3)},379.66,18.25,-1.000,412.1,-1.000`,
  );
  return {
    body: ['Date Time,V1,V2,A1(10),S1(10),T1(10),A2(20),S2(20),T2(20)', ...rows, ''].join('\r\n'),
  };
}

function davis(url: URL, headers: IncomingMessage['headers'], newest: number): Answer {
  const {
    'api-key': key,
    'start-timestamp': start,
    'end-timestamp': end,
  } = Object.fromEntries(url.searchParams);
  if (key !== 'public' || headers['x-api-secret'] !== 'secret-key') return { status: 401 };
  if (url.pathname !== '/v2/historic/96230') return { status: 404 };
  if (Number(end) - Number(start) > 86_400) return { status: 400 };
  const data = instants(Number(start) * 1000, Number(end) * 1000, newest).map((at) => ({
    ts: at / 1000,
    arch_int: 1800,
    temp_last_1: 64.4,
    moist_soil_last_1: moistureAt(at),
    moist_soil_last_2: null,
  }));
  const sensors = [{ lsid: 420911, sensor_type: 56, data_structure_type: 13, data }];
  return { body: JSON.stringify({ station_id: 96230, sensors, generated_at: 0 }) };
}

function zentra(url: URL, headers: IncomingMessage['headers'], newest: number): Answer {
  if (headers.authorization !== 'Token secret-key')
    return { status: 401, body: '{"detail":"Invalid token."}' };
  const { device_sn, start_date, end_date, per_page, page_num } = Object.fromEntries(
    url.searchParams,
  );
  if (device_sn !== 'z6-30302') return { status: 404 };
  const read = (text: string | undefined): number => Date.parse(`${text!.replace(' ', 'T')}Z`);
  const all = instants(read(start_date), read(end_date), newest);
  const page = all.slice(
    (Number(page_num) - 1) * Number(per_page),
    Number(page_num) * Number(per_page),
  );
  const readings = page.map((at) => ({
    timestamp_utc: at / 1000,
    datetime: new Date(at).toISOString().replace('T', ' ').replace('.000Z', '+0000'),
    value: moistureAt(at) / 100,
    precision: 3,
    mrid: at / INTERVAL_MS,
    error_flag: false,
  }));
  const metadata = { device_sn, port_number: 1, sensor_name: 'TEROS 12', units: ' m³/m³' };
  const pagination = {
    page_num: Number(page_num),
    per_page: Number(per_page),
    page_num_readings: page.length,
  };
  return {
    body: JSON.stringify({ pagination, data: { 'Water Content': [{ metadata, readings }] } }),
  };
}

export interface Cloud {
  /** The last reading that reached it. */
  newest: number;
  readonly requests: URL[];
  /** In place of the next answers, one after the other; an empty one lets the cloud answer. */
  readonly faults: Answer[];
  answer(url: URL, headers: IncomingMessage['headers']): Answer;
}

/** Answers the parts of the three APIs that are pulled. */
export function newCloud(newest: number): Cloud {
  const answerOf = (url: URL, headers: IncomingMessage['headers']): Answer => {
    if (url.pathname === '/api/') return irrimax(url, cloud.newest);
    if (url.pathname.startsWith('/v2/')) return davis(url, headers, cloud.newest);
    return zentra(url, headers, cloud.newest);
  };
  const cloud: Cloud = {
    newest,
    requests: [],
    faults: [],
    answer(url, headers) {
      cloud.requests.push(url);
      const fault = cloud.faults.shift() ?? {};
      return fault.status === undefined && fault.body === undefined
        ? answerOf(url, headers)
        : fault;
    },
  };
  return cloud;
}

/** A cloud at a port. */
export async function startCloud(newest: number) {
  const served = {
    origin: '',
    cloud: newCloud(newest),
    /** Requests after this many wait for ever. */
    answers: Number.POSITIVE_INFINITY,
  };
  const { cloud } = served;
  const server = createServer((request, response) => {
    const {
      status = 200,
      headers = {},
      body = '',
    } = cloud.answer(new URL(request.url!, served.origin), request.headers);
    if (cloud.requests.length <= served.answers) response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  served.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterTest(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return served;
}
