import { createHash } from 'node:crypto';
import type { Lang } from '../domain/lang.ts';
import { type AnyOperation, placeOf } from '../operation/operation.ts';
import type { Sent } from './connection.ts';

/** The request for an operation: every argument where its endpoint takes it, and what its remarks are to be said in. */
export function requestFor(
  { endpoint }: Pick<AnyOperation, 'endpoint'>,
  wire: Readonly<Record<string, unknown>>,
  idempotencyKey: string | null,
  saidIn: Lang | null,
): Sent {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let path = endpoint.path;
  for (const [name, value] of Object.entries(wire)) {
    if (value === undefined) continue;
    const place = placeOf(endpoint, name);
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === 'body') body[name] = value;
    else for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  const takesBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
  return {
    method: endpoint.method,
    path: query.size === 0 ? path : `${path}?${query}`,
    body: takesBody ? JSON.stringify(body) : null,
    idempotencyKey: idempotencyKey === null ? null : headerOf(idempotencyKey),
    saidIn,
  };
}

/** A key as a header carries it: a text that no header takes travels as its hash, which is the same for the same text. */
const headerOf = (key: string): string =>
  /^[!-~]([ -~]*[!-~])?$/.test(key) ? key : createHash('sha256').update(key).digest('base64url');
