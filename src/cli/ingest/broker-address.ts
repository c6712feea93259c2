import { invalidInputError } from '../../schema/error.ts';

export interface BrokerAddress {
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
}

/** User and password come from the address or from the environment, which others cannot see. */
export function parseBrokerAddress(text: string | null): BrokerAddress {
  if (text === null)
    throw invalidInputError('invalid_parameter', 'No broker is named.', {
      hint: 'Give --broker an address such as mqtts://broker.example.org:8883.',
      field: '--broker',
    });

  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^(mqtts?|wss?):$/.test(url.protocol) || url.hostname === '')
    throw invalidInputError('invalid_parameter', 'The address of the broker is not valid.', {
      hint: 'Give --broker an address such as mqtts://broker.example.org:8883.',
      field: '--broker',
    });

  const { ACEQUIA_MQTT_USERNAME: user, ACEQUIA_MQTT_PASSWORD: password } = process.env;
  const fromUrl = { username: decodeUriPart(url.username), password: decodeUriPart(url.password) };

  url.username = '';
  url.password = '';
  return {
    url: url.href,
    username: fromUrl.username || user || null,
    password: fromUrl.password || password || null,
  };
}

function decodeUriPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
