import { describe, expect, it } from 'vitest';
import { plainInputError } from '../../../src/schema/error.ts';
import {
  CommitOutcomeUnknown,
  isConnectionLost,
  isTransactionRetryable,
  postgresStoreError,
} from '../../../src/store/postgres/failures.ts';

const LOCATION = 'postgres://ana@db/farm';

const serverError = (code: string, more: object = {}) =>
  Object.assign(new Error('in words'), { code, severity: 'ERROR', ...more });
const connectionError = (message: string, code?: string) =>
  Object.assign(new Error(message), code && { code });

describe('an error of the server', () => {
  it.each([
    ['28P01', /rejected the user/],
    ['3D000', /no database/],
    ['25006', /accepts no writes/],
    ['42501', /lacks a privilege/],
    ['53100', /no space/],
    ['53200', /not enough memory/],
    ['53300', /no more connections/],
    ['55P03', /more than 30 seconds/],
    ['57014', /timed out/],
    ['40P01', /too busy/],
    ['58030', /internal error/],
    ['XX001', /internal error/],
    ['57P01', /cannot be reached/],
    ['08006', /cannot be reached/],
    ['25P03', /cannot be reached/],
  ])('%s becomes STORE_UNAVAILABLE with a hint', (code, says) => {
    expect(postgresStoreError(serverError(code), LOCATION)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      status: 503,
      message: expect.stringMatching(says),
      hint: expect.stringMatching(/\w/),
    });
  });

  it.each(['23505', '23503', '42601', '22003'])(
    '%s, a wrong query or a violated constraint, is left unchanged',
    (code) => {
      const error = serverError(code);
      expect(postgresStoreError(error, LOCATION)).toBe(error);
    },
  );

  it('leaves an AcequiaError unchanged', () => {
    const refusal = plainInputError('invalid_body', 'no');
    expect(postgresStoreError(refusal, LOCATION)).toBe(refusal);
    expect([isConnectionLost(refusal), isTransactionRetryable(refusal)]).toEqual([false, false]);
  });
});

describe('a transaction', () => {
  it.each([
    serverError('40001'),
    serverError('40P01'),
    serverError('25006'),
    serverError('53300'),
    serverError('0A000', { routine: 'RevalidateCachedQuery' }),
    serverError('57P01', { severity: 'FATAL' }),
    serverError('57P03', { severity: 'FATAL' }),
    serverError('23514', { routine: 'ExecFindPartition' }),
    connectionError('Connection terminated unexpectedly'),
    connectionError('Client has encountered a connection error and is not queryable'),
    connectionError('read ECONNRESET', 'ECONNRESET'),
    connectionError('connect ECONNREFUSED', 'ECONNREFUSED'),
  ])('is retried after: %s', (error) => {
    expect(isTransactionRetryable(error)).toBe(true);
  });

  it.each([
    serverError('0A000'),
    serverError('23514'),
    serverError('55P03'),
    serverError('57014'),
    serverError('25P03'),
    // Each has already taken its time-out.
    connectionError('timeout exceeded when trying to connect'),
    connectionError('Query read timeout'),
    new CommitOutcomeUnknown(connectionError('Connection terminated unexpectedly')),
    new TypeError('a mistake'),
  ])('is not retried after: %s', (error) => {
    expect(isTransactionRetryable(error)).toBe(false);
  });
});
