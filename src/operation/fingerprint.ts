import { createHash } from 'node:crypto';

/** JSON text with the keys of every object in order, so that equal arguments give equal text. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}

/** Tells whether two calls under one idempotency key ask for the same, by the arguments as given. */
export const fingerprintArguments = (rawArguments: unknown): string =>
  createHash('sha256').update(canonicalJson(rawArguments)).digest('base64url');
