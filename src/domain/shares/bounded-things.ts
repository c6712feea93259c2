import type { ShareLimits } from './shares.ts';

/** Something scarce in one process. docs/reliability.md lists them all. */
export interface BoundedThing extends ShareLimits {
  readonly what: string;
  readonly unit: 'places' | 'bytes';
  /** The answer to a taker beyond its share, once it does not wait or has waited too long. */
  readonly refusal: string;
}

const MEBIBYTE = 1_048_576;

/** A body that is no longer takes no place of batches and is never ended for want of memory. */
export const SMALL_BODY_BYTES = 65_536;

/** An answer that is no longer is sent without being counted. */
export const SMALL_ANSWER_BYTES = 65_536;

/** A stream whose client leaves more unread is ended, and so is an answer that nobody reads. */
export const MAX_UNREAD_BYTES = MEBIBYTE;

/**
 * The one place where sizes and shares stand. Imports no values, because the documentation is
 * generated from this file alone.
 */
export const BOUNDED_THINGS = {
  connections: {
    what: 'connections; before a request with a valid key, those of an address (IPv6: of a /64)',
    unit: 'places',
    size: 4_096,
    ofCompany: 3_072,
    ofKey: 3_072,
    lasts: true,
    waiting: null,
    refusal: 'closed',
  },
  begunRequests: {
    what: 'requests that begin in one turn of the event loop; without a known key, those of an address',
    unit: 'places',
    size: 4,
    ofCompany: 2,
    ofKey: 2,
    lasts: false,
    waiting: { size: 8_192, ofCompany: 6_144, ofKey: 4_096, ms: null },
    refusal: '429 rate_limited',
  },
  requests: {
    what: 'requests, from their arrival until their answer is sent',
    unit: 'places',
    size: 4_096,
    ofCompany: 3_072,
    ofKey: 1_024,
    lasts: true,
    waiting: null,
    refusal: '429 rate_limited',
  },
  unknownRequests: {
    what: 'requests of an address whose key is not known to be valid yet',
    unit: 'places',
    size: 1_024,
    ofCompany: 768,
    ofKey: 768,
    lasts: true,
    waiting: null,
    refusal: '429 rate_limited',
  },
  calls: {
    what: 'calls in progress',
    unit: 'places',
    size: 256,
    ofCompany: 64,
    ofKey: 2,
    lasts: false,
    waiting: { size: 4_096, ofCompany: 3_072, ofKey: 600, ms: 10_000 },
    refusal: '429 rate_limited',
  },
  smallBodies: {
    what: 'bodies of requests, while each has at most 64 kB',
    unit: 'bytes',
    size: 32 * MEBIBYTE,
    ofCompany: 24 * MEBIBYTE,
    ofKey: 16 * MEBIBYTE,
    lasts: true,
    waiting: null,
    refusal: '503 server_busy',
  },
  bodies: {
    what: 'longer bodies of requests, from their arrival until their answer',
    unit: 'bytes',
    size: 64 * MEBIBYTE,
    ofCompany: 48 * MEBIBYTE,
    ofKey: 32 * MEBIBYTE,
    lasts: true,
    waiting: null,
    refusal: '408 request_timeout for the slowest unfinished one, else 503 server_busy',
  },
  loopTurns: {
    what: 'turns of the event loop, each for about 10 ms of computing',
    unit: 'places',
    size: 1,
    ofCompany: 1,
    ofKey: 1,
    lasts: false,
    waiting: { size: 8_192, ofCompany: 6_144, ofKey: 4_096, ms: null },
    refusal: 'none, since fewer calls and bodies are in progress',
  },
  batches: {
    what: 'batches, and other bodies of more than 64 kB, that are read and stored',
    unit: 'places',
    size: 4,
    ofCompany: 2,
    ofKey: 1,
    lasts: true,
    waiting: { size: 512, ofCompany: 256, ofKey: 64, ms: 60_000 },
    refusal: '503 server_busy',
  },
  shortReads: {
    what: 'short reads',
    unit: 'places',
    size: 4,
    ofCompany: 2,
    ofKey: 2,
    lasts: false,
    waiting: { size: 1_000, ofCompany: 200, ofKey: 200, ms: 15_000 },
    refusal: '503 BUSY',
  },
  longReads: {
    what: 'long reads (2 to 4, by the number of processors)',
    unit: 'places',
    size: 4,
    ofCompany: 2,
    ofKey: 2,
    lasts: true,
    waiting: { size: 200, ofCompany: 32, ofKey: 32, ms: 15_000 },
    refusal: '503 BUSY',
  },
  writeLock: {
    what: 'transactions that write to a store on SQLite',
    unit: 'places',
    size: 1,
    ofCompany: 1,
    ofKey: 1,
    lasts: false,
    waiting: { size: 8_192, ofCompany: 6_144, ofKey: 4_096, ms: null },
    refusal: '503 BUSY',
  },
  storeWriters: {
    what: 'connections that write to PostgreSQL',
    unit: 'places',
    size: 4,
    ofCompany: 1,
    ofKey: 1,
    lasts: false,
    waiting: { size: 8_192, ofCompany: 6_144, ofKey: 4_096, ms: null },
    refusal: '503 BUSY',
  },
  storeReaders: {
    what: 'connections that read a store (PostgreSQL: 6)',
    unit: 'places',
    size: 8,
    ofCompany: 6,
    ofKey: 6,
    lasts: false,
    waiting: { size: 8_192, ofCompany: 6_144, ofKey: 4_096, ms: null },
    refusal: '503 BUSY',
  },
  jobs: {
    what: 'steps of background jobs, each for the company whose rows it writes',
    unit: 'places',
    size: 2,
    ofCompany: 1,
    ofKey: 1,
    lasts: false,
    waiting: { size: 100_000, ofCompany: 64, ofKey: 32, ms: null },
    refusal: 'left to the next round',
  },
  pageStreams: {
    what: 'open pages',
    unit: 'places',
    size: 256,
    ofCompany: 192,
    ofKey: 16,
    lasts: true,
    waiting: null,
    refusal: '429 rate_limited',
  },
  listenStreams: {
    what: 'streams of subscriptions/listen',
    unit: 'places',
    size: 256,
    ofCompany: 192,
    ofKey: 16,
    lasts: true,
    waiting: null,
    refusal: '429 rate_limited',
  },
  answers: {
    what: 'answers of more than 64 kB that are being sent',
    unit: 'bytes',
    size: 128 * MEBIBYTE,
    ofCompany: 96 * MEBIBYTE,
    ofKey: 64 * MEBIBYTE,
    lasts: true,
    waiting: null,
    refusal: '503 server_busy',
  },
} as const satisfies Record<string, BoundedThing>;

export const DAILY_ROWS_PER_MODULE = 3_000;
export const MIN_DAILY_ROWS = 10_000;

/** A write on a parcel writes a row of each of its modules. */
export const MAX_MODULES_OF_PARCEL = 2_000;

/** About how many bytes a page of a list has at most. A row that has more is a page by itself. */
export const MAX_PAGE_BYTES = 2 * MEBIBYTE;

/** Further messages to a person within an hour are gathered, unless they are urgent. */
export const MESSAGES_PER_HOUR = 6;

/** The limits of a company in all processes together, as docs/reliability.md lists them. */
export const BOUNDED_IN_STORE = [
  {
    what: 'devices that wait to be assigned',
    ofCompany: '200; of a key, network or preset an equal part',
    given: 'to the first',
    wait: 'until assigned or forgotten',
    refusal: 'counted as refused, with the reason',
  },
  {
    what: 'rows added in a day, planned waterings too',
    ofCompany: `${DAILY_ROWS_PER_MODULE} for each module, at least ${MIN_DAILY_ROWS}`,
    given: 'from 00:00 UTC',
    wait: 'none',
    refusal: '429 daily_limit, but never for readings and the undo of a write',
  },
  {
    what: 'stored answers, compressed',
    ofCompany: 'counted among the rows of the day',
    given: 'for 24 hours',
    wait: 'none',
    refusal: '429 daily_limit',
  },
  {
    what: 'modules of a parcel',
    ofCompany: `${MAX_MODULES_OF_PARCEL} in each`,
    given: 'to the first',
    wait: 'none',
    refusal: '400 invalid_body; to undo 409 CHANGE_NOT_UNDOABLE',
  },
  {
    what: 'bytes of a page of a list',
    ofCompany: `${MAX_PAGE_BYTES / MEBIBYTE} MiB, or one row`,
    given: 'for each answer',
    wait: 'none',
    refusal: 'the next page',
  },
  {
    what: 'mails to a person, and push messages to a device',
    ofCompany: '1 in a minute',
    given: 'in turn',
    wait: `1 minute; beyond ${MESSAGES_PER_HOUR} in an hour 10 minutes, but never the first alert of a day`,
    refusal: 'gathered into one',
  },
] as const;

/** The limits for a thing whose size is set otherwise: shares stay in proportion. */
export function withSize<L extends ShareLimits>(limits: L, size: number): ShareLimits {
  const scale = (share: number): number => Math.max(1, Math.floor((share * size) / limits.size));
  const { ofCompany, ofKey } = limits;
  return { ...limits, size, ofCompany: scale(ofCompany), ofKey: scale(ofKey) };
}
