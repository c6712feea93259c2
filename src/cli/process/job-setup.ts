import { MINUTE_MS } from '../../domain/periods.ts';
import { AcequiaError, invalidInputError } from '../../schema/error.ts';
import type { MailTransport } from '../../service/mail/outbox.ts';
import type { ForecastProvider } from '../../service/weather/open-meteo.ts';
import { isMissingFile } from '../../store/store-location.ts';
import { readMailSettings } from '../mail/mail-settings.ts';
import type { Environment } from './environment.ts';
import type { Log } from './log.ts';

/** After the first calls have been answered, then every minute. */
const FIRST_DELAY_MS = 2_000;
const INTERVAL_MS = MINUTE_MS;

export function startJobTimer(
  db: string,
  runJobs: (signal: AbortSignal) => Promise<unknown>,
  report: (error: unknown) => Promise<unknown>,
) {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let timer = setTimeout(run, FIRST_DELAY_MS);

  function run(): void {
    running = (isMissingFile(db) ? Promise.resolve() : runJobs(stopping.signal).catch(report)).then(
      () => {
        if (!stopping.signal.aborted) timer = setTimeout(run, INTERVAL_MS);
      },
    );
  }

  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * Malformed settings are logged, and jobs run without what they name; calls must be answered all
 * the same.
 */
function unlessMalformed<T>(
  read: () => T | undefined,
  consequence: string,
  log: Pick<Log, 'warn'>,
): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    void log.warn({ hint: error.hint }, `${consequence}: ${error.message}`);
    return undefined;
  }
}

type OpenTransport = () => Promise<MailTransport>;

function readMailTransport(): OpenTransport | undefined {
  const mail = readMailSettings(process.env);
  return mail ? async () => (await import('../mail/mailer.ts')).openMailer(mail) : undefined;
}

export const mailTransportOpener = (log: Pick<Log, 'warn'>): OpenTransport | undefined =>
  unlessMalformed(readMailTransport, 'No mail is sent', log);

const PUBLIC_SERVICE = 'https://api.open-meteo.com';

/** Null if no forecast is to be fetched. Only the named host is ever contacted. */
export function readForecastAddress({ ACEQUIA_FORECAST: text = '' }: Environment): URL | null {
  const value = text.trim();
  if (value === '') return null;
  if (value === 'open-meteo') return new URL(PUBLIC_SERVICE);

  const url = URL.canParse(value) ? new URL(value) : null;
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash
  )
    return url;

  throw invalidInputError(
    'invalid_parameter',
    'ACEQUIA_FORECAST is neither open-meteo nor an http address.',
    {
      hint: 'Write open-meteo, or the address of your own Open-Meteo, such as http://127.0.0.1:8080; unset it for no forecast.',
      field: 'ACEQUIA_FORECAST',
    },
  );
}

type OpenForecast = () => Promise<ForecastProvider>;

export function forecastProviderOf(env: Environment): OpenForecast | undefined {
  const address = readForecastAddress(env);
  return address
    ? async () => (await import('../../service/weather/open-meteo.ts')).openMeteo(address)
    : undefined;
}

export const forecastOpener = (log: Pick<Log, 'warn'>): OpenForecast | undefined =>
  unlessMalformed(() => forecastProviderOf(process.env), 'No forecast is fetched', log);
