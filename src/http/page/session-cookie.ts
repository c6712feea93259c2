import type { IncomingMessage } from 'node:http';
import { SECOND_MS } from '../../domain/periods.ts';

/** Only a secure page can set it, for its own host alone. */
const SECURE_NAME = '__Host-acequia';

/** With the port, because two services on one machine share their cookies. */
const plainName = ({ socket }: IncomingMessage): string => `acequia_${socket.localPort}`;

export function sessionCookieOf(incoming: IncomingMessage, isSecure: boolean): string | undefined {
  const cookies = new Map(
    (incoming.headers.cookie ?? '').split('; ').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    }),
  );
  return cookies.get(SECURE_NAME) ?? (isSecure ? undefined : cookies.get(plainName(incoming)));
}

/** An empty value with no time left deletes it. */
export function sessionCookieHeader(
  incoming: IncomingMessage,
  { value, maxAgeMs, isSecure }: { value: string; maxAgeMs: number; isSecure: boolean },
): string {
  const cookie = `${isSecure ? SECURE_NAME : plainName(incoming)}=${value}`;
  const age = `Max-Age=${Math.floor(maxAgeMs / SECOND_MS)}`;
  return [cookie, 'Path=/', age, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ');
}
