import { createHash } from 'node:crypto';
import { findNulPath } from '../../../operation/arguments/argument-validation.ts';
import type { ReadingsRule } from '../../../schema/ingest/payload-map.ts';

export interface PayloadLimits {
  readonly maxBytes: number;
  /** Of each object: devices have a few dozen, and each is looked for in the rules of all presets. */
  readonly maxFields: number;
}

export const MESSAGE_PAYLOAD: PayloadLimits = { maxBytes: 262_144, maxFields: 2_000 };

export class UnreadableMessageError extends Error {
  /** `mapPath` names the entry of the map that could not be applied. */
  constructor(reason: string, mapPath?: string) {
    super(mapPath === undefined ? reason : `${reason} (${mapPath})`);
  }
}

type Format = NonNullable<ReadingsRule['format']>;

/** A payload that each rule reads in its own format; it is decoded once for each format. */
export interface Payload {
  /** Replaces the fields that `secrets` names by hashes, and parses the JSON in `texts`. */
  as(rule: Pick<ReadingsRule, 'format' | 'secrets' | 'texts'>): unknown;
}

export function createPayload(
  bytes: Uint8Array,
  { maxBytes, maxFields }: PayloadLimits = MESSAGE_PAYLOAD,
): Payload {
  if (bytes.length > maxBytes)
    throw new UnreadableMessageError(`the payload is larger than ${maxBytes} bytes`);
  const decoded = new Map<Format, unknown>();
  return {
    as({ format = 'json', secrets = [], texts = {} }) {
      if (!decoded.has(format)) decoded.set(format, decode(bytes, format, maxFields));
      const payload = withParsedTexts(decoded.get(format), texts);
      return secrets.reduce(withoutSecret, payload);
    },
  };
}

function decode(bytes: Uint8Array, format: Format, maxFields: number): unknown {
  const payload = DECODERS[format](bytes);
  assertFewFields(payload, maxFields);
  if (findNulPath(payload) !== null)
    throw new UnreadableMessageError('the payload has the character U+0000');
  return payload;
}

function assertFewFields(value: unknown, maxFields: number): void {
  if (typeof value !== 'object' || value === null) return;
  const values = Object.values(value);
  if (!Array.isArray(value) && values.length > maxFields)
    throw new UnreadableMessageError(`an object in the payload has more than ${maxFields} fields`);
  for (const each of values) assertFewFields(each, maxFields);
}

const DECODERS: Readonly<Record<Format, (bytes: Uint8Array) => unknown>> = {
  json: (bytes) => parseJson(decodeText(bytes), 'the payload'),
  form(bytes) {
    const text = decodeText(bytes);
    if (!text.includes('='))
      throw new UnreadableMessageError('the payload is not a form (name=value&…)');
    return Object.fromEntries(new URLSearchParams(text.trim()));
  },
  text: (bytes) => decodeText(bytes).trim(),
};

function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new UnreadableMessageError(`${subject} is not JSON`);
  }
}

/** A part of a payload, such as one uplink of several. */
export const partOfPayload = (part: unknown): Payload => ({
  as: ({ texts = {} }) => withParsedTexts(part, texts),
});

const withParsedTexts = (payload: unknown, texts: Readonly<Record<string, string>>): unknown =>
  Object.entries(texts).reduce(withParsedText, payload);

function withParsedText(
  payload: unknown,
  [name, nameOfParsed]: readonly [string, string],
): unknown {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, name))
    return payload;
  const text = (payload as Record<string, unknown>)[name];
  if (typeof text !== 'string' || text === '') return payload;
  return { ...payload, [nameOfParsed]: parseJson(text, name) };
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableMessageError('the payload is not text in UTF-8');
  }
}

/**
 * A device may sign in with a secret that is also the only name it has; the hash still tells
 * devices apart.
 */
const HASH_LENGTH = 8;

function withoutSecret(payload: unknown, name: string): unknown {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, name))
    return payload;
  const hash = createHash('sha256').update(String((payload as Record<string, unknown>)[name]));
  return { ...payload, [name]: hash.digest('hex').slice(0, HASH_LENGTH) };
}
