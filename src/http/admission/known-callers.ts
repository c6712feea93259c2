import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Taker } from '../../domain/shares/shares.ts';
import { COMPANY_HEADER } from '../../service/keys/token-caller.ts';
import { addressOf, addressTaker } from './addresses.ts';

/** Callers whose company is remembered, so that their next request is counted for it at once. */
const MAX_KNOWN_CALLERS = 10_000;

/** The companies of credentials that were valid lately. Shared by all requests. */
export class KnownCallers {
  /** By a hash of what the caller sent. */
  readonly #takers = new Map<string, Taker>();

  /** Its company if the credential was valid lately, else its address; nothing is verified. */
  takerOf(incoming: IncomingMessage): Taker {
    const credential = credentialIn(incoming);
    const known = this.#takers.get(credential);
    return known ?? { ...addressTaker(addressOf(incoming)), key: credential };
  }

  remember(incoming: IncomingMessage, taker: Taker): void {
    const credential = credentialIn(incoming);
    this.#takers.delete(credential);
    this.#takers.set(credential, taker);
    if (this.#takers.size <= MAX_KNOWN_CALLERS) return;
    const [oldest] = this.#takers.keys();
    if (oldest !== undefined) this.#takers.delete(oldest);
  }
}

/** A key stands in a header, or for a webhook, which has none there, in the path or query. */
const KEY = /acequia_[\w-]{43}/;

/** All that the request shows of its caller. */
function credentialIn({ headers, url = '' }: IncomingMessage): string {
  const { 'x-api-key': header, authorization, cookie } = headers;
  const company = headers[COMPANY_HEADER.toLowerCase()];
  const key = header?.toString().trim() || KEY.exec(url)?.[0];
  const shown = key ? [key] : [authorization, cookie, company];
  return hash('sha256', JSON.stringify(shown), 'base64url');
}
