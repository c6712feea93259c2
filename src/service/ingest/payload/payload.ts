import { createHash } from 'node:crypto';
import type { UnreadReason } from '../../../domain/ingest/unread-reason.ts';
import { isObject } from '../../../domain/records.ts';
import { failure, ok, type Result } from '../../../domain/result.ts';
import { unreadReasons } from '../../../language/ingest/unread-reasons.ts';
import { findNulPath } from '../../../operation/arguments/argument-validation.ts';
import type { ReadingsRule } from '../../../schema/ingest/payload-map.ts';

export interface PayloadLimits {
  readonly maxBytes: number;
  /**
   * The most fields of an object. Devices have a few dozen; each is looked for in the rules of all
   * presets.
   */
  readonly maxFields: number;
  /**
   * The most items of all lists together. Each may be a sample, which some rules look through many
   * times; the most readings have four items each at this limit.
   */
  readonly maxItems: number;
}

export const MESSAGE_PAYLOAD: PayloadLimits = {
  maxBytes: 262_144,
  maxFields: 2_000,
  maxItems: 20_000,
};

type PartLimits = Omit<PayloadLimits, 'maxBytes'>;

export class UnreadableMessageError extends Error {
  readonly reason: UnreadReason;

  /** `mapPath` names the entry of the map that could not be applied. */
  constructor(why: string | UnreadReason, mapPath?: string) {
    const reason = typeof why === 'string' ? unreadReasons.unreadable(why, mapPath) : why;
    super(reason.text);
    this.reason = reason;
  }
}

/** `lines`: a list of the values of which JSON has one in each line. */
type Format = NonNullable<ReadingsRule['format']> | 'lines';

interface Reading extends Pick<ReadingsRule, 'secrets' | 'texts'> {
  readonly format?: Format | undefined;
}

/** A payload that each rule reads in its own format; it is decoded once for each format. */
export interface Payload {
  /** Replaces the fields that `secrets` names by hashes, and parses the JSON in `texts`. */
  as(rule: Reading): unknown;
}

export function createPayload(
  bytes: Uint8Array,
  { maxBytes, ...limits }: PayloadLimits = MESSAGE_PAYLOAD,
): Payload {
  if (bytes.length > maxBytes)
    throw new UnreadableMessageError(`the payload is larger than ${maxBytes} bytes`);
  const decodedAs = new Map<Format, () => Payload>();
  return {
    as({ format = 'json', secrets = [], texts }) {
      const decoded =
        decodedAs.get(format) ??
        onlyOnce(() => partOfPayload(readable(DECODERS[format](bytes), limits), limits));
      decodedAs.set(format, decoded);
      return secrets.reduce(withoutSecret, decoded().as({ texts }));
    },
  };
}

/** The same value each time, or the same error: what takes long once is not tried for each rule. */
function onlyOnce<T>(read: () => T): () => T {
  let result: Result<T, unknown> | undefined;
  return () => {
    if (result === undefined)
      try {
        result = ok(read());
      } catch (error) {
        result = failure(error);
      }
    if (!result.ok) throw result.failure;
    return result.value;
  };
}

function readable(payload: unknown, limits: PartLimits): unknown {
  assertFewParts(payload, limits);
  if (findNulPath(payload) !== null)
    throw new UnreadableMessageError('the payload has the character U+0000');
  return payload;
}

function assertFewParts(payload: unknown, { maxFields, maxItems }: PartLimits): void {
  let itemCount = 0;
  const assertFew = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const isList = Array.isArray(value);
    const parts: readonly unknown[] = isList ? value : Object.values(value);
    if (isList) itemCount += parts.length;
    else if (parts.length > maxFields)
      throw new UnreadableMessageError(
        `an object in the payload has more than ${maxFields} fields`,
      );
    if (itemCount > maxItems)
      throw new UnreadableMessageError(`the lists in the payload have more than ${maxItems} items`);
    for (const part of parts) assertFew(part);
  };
  assertFew(payload);
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
  lines: (bytes) =>
    decodeText(bytes)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => parseJson(line, 'the payload')),
};

function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new UnreadableMessageError(`${subject} is not JSON`);
  }
}

type Texts = Readonly<Record<string, string>>;

/** A part of a payload, such as one uplink of several. Rules of one network share their `texts`. */
export function partOfPayload(part: unknown, limits: PartLimits = MESSAGE_PAYLOAD): Payload {
  let parsedBy: Map<Texts, () => unknown> | undefined;
  return {
    as({ texts }) {
      if (texts === undefined) return part;
      parsedBy ??= new Map();
      const parsed = parsedBy.get(texts) ?? onlyOnce(() => withParsedTexts(part, texts, limits));
      parsedBy.set(texts, parsed);
      return parsed();
    },
  };
}

const withParsedTexts = (payload: unknown, texts: Texts, limits: PartLimits): unknown =>
  Object.entries(texts).reduce((parsed, entry) => withParsedText(parsed, entry, limits), payload);

function withParsedText(
  payload: unknown,
  [name, nameOfParsed]: readonly [string, string],
  limits: PartLimits,
): unknown {
  if (!isObject(payload) || !Object.hasOwn(payload, name)) return payload;
  const text = payload[name];
  if (typeof text !== 'string' || text === '') return payload;
  return { ...payload, [nameOfParsed]: readable(parseJson(text, name), limits) };
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
  if (!isObject(payload) || !Object.hasOwn(payload, name)) return payload;
  const secret = payload[name];
  const text = typeof secret === 'string' ? secret : JSON.stringify(secret);
  const hash = createHash('sha256').update(text);
  return { ...payload, [name]: hash.digest('hex').slice(0, HASH_LENGTH) };
}
