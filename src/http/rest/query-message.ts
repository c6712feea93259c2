import { keyNeededError } from '../../service/keys/api-keys.ts';

/** A key and what follows it: "acequia_…&PASSKEY=1&tempf=50.5". */
const KEY_WITH_FORM = /^(acequia_[\w-]{43})[&?/]?(.*)$/s;

interface QueryMessage {
  readonly key: string;
  readonly payload: Buffer;
}

/**
 * Reads a message that a console of Ambient Weather sends with GET: its measurements follow the
 * path after "?", or by its firmware after "&" or nothing. Sources: home-assistant/core, issues
 * 93308 and 110037; bachya/ecowitt2mqtt, issue 1292.
 */
export function readQueryMessage(parameter: string, url: string): QueryMessage {
  const [, key, form = ''] = KEY_WITH_FORM.exec(parameter) ?? [];
  if (key === undefined) throw keyNeededError();

  const query = new URL(url).search.slice(1);
  const payload = Buffer.from([form, query].filter((part) => part !== '').join('&'));
  return { key, payload };
}
