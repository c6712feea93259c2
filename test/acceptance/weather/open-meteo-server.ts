import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterTest } from '../../cleanup.ts';

interface ForecastServer {
  readonly base: string;
  /** Paths with their queries, in order. */
  readonly requests: readonly URL[];
}

export type ForecastAnswer =
  | object
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** Answers GET /v1/forecast, as a copy of Open-Meteo does, during the test. */
export async function startForecastServer(answer: () => ForecastAnswer): Promise<ForecastServer> {
  const requests: URL[] = [];
  const server = createServer((request, response) => {
    requests.push(new URL(request.url!, 'http://localhost'));
    const reply = answer();
    if (typeof reply === 'function') return reply(request, response);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(reply));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { requests, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const DAY_MS = 86_400_000;

interface Days {
  readonly et0?: (ahead: number) => number | null;
  /** The mean of the air in degrees Celsius. */
  readonly celsius?: number;
  readonly rain?: Readonly<Record<number, readonly [mm: number, percent: number | null]>>;
}

/**
 * Of the shape that open-meteo.com/en/docs documents, and that recorded answers have: 14 past days,
 * today and 6 more. `today` is a local day.
 */
export function openMeteoAnswer(
  today: string,
  { et0 = () => 4, rain = {}, celsius = 22 }: Days = {},
) {
  const ahead = Array.from({ length: 21 }, (_, index) => index - 14);
  return {
    latitude: 43.62,
    longitude: 3.8799996,
    generationtime_ms: 0.128,
    utc_offset_seconds: 7200,
    timezone: 'Europe/Paris',
    timezone_abbreviation: 'GMT+2',
    elevation: 58,
    daily_units: {
      time: 'iso8601',
      precipitation_sum: 'mm',
      precipitation_probability_max: '%',
      et0_fao_evapotranspiration: 'mm',
      temperature_2m_min: '°C',
      temperature_2m_max: '°C',
    } as Record<string, string>,
    daily: {
      time: ahead.map((days) =>
        new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10),
      ),
      precipitation_sum: ahead.map((days): number | null => rain[days]?.[0] ?? 0),
      precipitation_probability_max: ahead.map((days): number | null => rain[days]?.[1] ?? 3),
      et0_fao_evapotranspiration: ahead.map(et0),
      temperature_2m_min: ahead.map((): number | null => celsius - 6),
      temperature_2m_max: ahead.map((): number | null => celsius + 6),
    },
  };
}
