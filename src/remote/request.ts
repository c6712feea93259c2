import { createHash } from 'node:crypto';
import type { Lang } from '../domain/lang.ts';
import { type AnyOperation, argumentLocation } from '../operation/operation.ts';
import type { RemoteRequest } from './connection.ts';

/** The request for an operation: every argument where its endpoint takes it, and what its remarks are to be said in. */
export function buildRequest(
  { endpoint }: Pick<AnyOperation, 'endpoint'>,
  wire: Readonly<Record<string, unknown>>,
  idempotencyKey: string | null,
  noteLang: Lang | null,
): RemoteRequest {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let path = endpoint.path;
  for (const [name, value] of Object.entries(wire)) {
    if (value === undefined) continue;
    const location = argumentLocation(endpoint, name);
    if (location === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (location === 'body') body[name] = value;
    else for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  const takesBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
  return {
    method: endpoint.method,
    path: query.size === 0 ? path : `${path}?${query}`,
    body: takesBody ? JSON.stringify(body) : null,
    idempotencyKey: idempotencyKey === null ? null : headerSafeKey(idempotencyKey),
    noteLang,
  };
}

/** A key as a header carries it: a text that no header takes travels as its hash, which is the same for the same text. */
const headerSafeKey = (key: string): string =>
  /^[!-~]([ -~]*[!-~])?$/.test(key) ? key : createHash('sha256').update(key).digest('base64url');
