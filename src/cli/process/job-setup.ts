import { AcequiaError, plainInputError } from '../../schema/error.ts';
import type { MailTransport } from '../../service/mail/transport.ts';
import type { ForecastProvider } from '../../service/weather/open-meteo.ts';
import { readMailSettings } from '../mail/mail-settings.ts';
import type { Environment } from './environment.ts';
import type { Log } from './log.ts';
import { parseBareUrl } from './option-parsers.ts';

/**
 * Malformed settings are logged, and jobs run without what they name; calls must be answered all
 * the same.
 */
function unlessMalformed<Opener>(
  read: () => Opener | undefined,
  consequence: string,
  log: Pick<Log, 'warn'>,
): Opener | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    void log.warn({ hint: error.hint }, `${consequence}: ${error.message}`);
    return undefined;
  }
}

type OpenTransport = () => Promise<MailTransport>;

function readMailOpener(): OpenTransport | undefined {
  const mail = readMailSettings(process.env);
  return mail ? async () => (await import('../mail/mailer.ts')).openMailer(mail) : undefined;
}

export const mailTransportOpener = (log: Pick<Log, 'warn'>): OpenTransport | undefined =>
  unlessMalformed(readMailOpener, 'No mail is sent', log);

const PUBLIC_SERVICE = 'https://api.open-meteo.com';

/** Null if no forecast is to be fetched. Only the named host is ever contacted. */
export function readForecastAddress({ ACEQUIA_FORECAST: text = '' }: Environment): URL | null {
  const value = text.trim();
  if (value === '') return null;
  if (value === 'open-meteo') return new URL(PUBLIC_SERVICE);

  const url = parseBareUrl(value);
  if (url && /^https?:$/.test(url.protocol)) return url;

  throw plainInputError(
    'invalid_parameter',
    'ACEQUIA_FORECAST is neither open-meteo nor an http address.',
    {
      hint: 'Write open-meteo, or the address of your own Open-Meteo, such as http://127.0.0.1:8080; unset it for no forecast.',
      field: 'ACEQUIA_FORECAST',
    },
  );
}

export type OpenForecast = () => Promise<ForecastProvider>;

/** Undefined if no forecast is to be fetched. Throws for malformed settings. */
export function readForecastOpener(env: Environment): OpenForecast | undefined {
  const address = readForecastAddress(env);
  return address
    ? async () => (await import('../../service/weather/open-meteo.ts')).openMeteo(address)
    : undefined;
}

export const forecastOpener = (log: Pick<Log, 'warn'>): OpenForecast | undefined =>
  unlessMalformed(() => readForecastOpener(process.env), 'No forecast is fetched', log);
