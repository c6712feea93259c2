import type { AcequiaError } from '../../schema/error.ts';
import { usageError } from '../process/command.ts';

export interface BrokerAddress {
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
}

/**
 * User and password of the address precede those of the environment, which other users of the
 * machine cannot see.
 */
export function parseBrokerAddress(text: string | null): BrokerAddress {
  if (text === null) throw brokerError('No broker is named.');

  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^(mqtts?|wss?):$/.test(url.protocol) || url.hostname === '')
    throw brokerError('The address of the broker is not valid.');

  const { ACEQUIA_MQTT_USERNAME, ACEQUIA_MQTT_PASSWORD } = process.env;
  const username = decodeUriPart(url.username) || ACEQUIA_MQTT_USERNAME || null;
  const password = decodeUriPart(url.password) || ACEQUIA_MQTT_PASSWORD || null;

  url.username = '';
  url.password = '';
  return { url: url.href, username, password };
}

const brokerError = (message: string): AcequiaError =>
  usageError(
    message,
    'Give --broker an address such as mqtts://broker.example.org:8883.',
    '--broker',
  );

/** A name or password with a stray % is taken as written. */
function decodeUriPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
