import { describe, expect, it } from 'vitest';
import { refuse } from '../../../src/schema/error.ts';
import { CommitUnknown, databaseFailure, isLost, isRepeatable } from '../../../src/store/postgres/failures.ts';

const PLACE = 'postgres://ana@db/farm';

/** A failure as the server tells it. */
const told = (code: string, more: object = {}) =>
  Object.assign(new Error('in words'), { code, severity: 'ERROR', ...more });
/** A failure as the system or the driver tells it. */
const met = (message: string, code?: string) => Object.assign(new Error(message), code && { code });

describe('a failure of the server', () => {
  it.each([
    ['28P01', /let this user in/],
    ['3D000', /no database/],
    ['25006', /takes no writes/],
    ['42501', /may not do/],
    ['53100', /no room/],
    ['53200', /not enough memory/],
    ['53300', /no more connections/],
    ['55P03', /more than 30 seconds/],
    ['57014', /took longer/],
    ['40P01', /too busy/],
    ['58030', /failed inside/],
    ['XX001', /failed inside/],
    ['57P01', /cannot be reached/],
    ['08006', /cannot be reached/],
    ['25P03', /cannot be reached/],
  ])('%s is told as the store being unavailable, with the way out', (code, says) => {
    expect(databaseFailure(told(code), PLACE)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      status: 503,
      message: expect.stringMatching(says),
      hint: expect.stringMatching(/\w/),
    });
  });

  it.each(['23505', '23503', '42601', '22003'])(
    '%s, a mistake of ours or a broken constraint, stays what it is',
    (code) => {
      const error = told(code);
      expect(databaseFailure(error, PLACE)).toBe(error);
    },
  );

  it('that is a refusal of our own stays what it is', () => {
    const refusal = refuse('invalid_body', 'no');
    expect(databaseFailure(refusal, PLACE)).toBe(refusal);
    expect([isLost(refusal), isRepeatable(refusal)]).toEqual([false, false]);
  });
});

describe('a transaction', () => {
  it.each([
    told('40001'),
    told('40P01'),
    told('53300'),
    told('0A000', { routine: 'RevalidateCachedQuery' }),
    told('57P01', { severity: 'FATAL' }),
    told('57P03', { severity: 'FATAL' }),
    told('23514', { routine: 'ExecFindPartition' }),
    met('Connection terminated unexpectedly'),
    met('Client has encountered a connection error and is not queryable'),
    met('read ECONNRESET', 'ECONNRESET'),
    met('connect ECONNREFUSED', 'ECONNREFUSED'),
  ])('is run again after: %s', (error) => {
    expect(isRepeatable(error)).toBe(true);
  });

  it.each([
    told('0A000'),
    told('23514'),
    told('55P03'),
    told('57014'),
    told('25P03'),
    // Each has had its time already.
    met('timeout exceeded when trying to connect'),
    met('Query read timeout'),
    new CommitUnknown(met('Connection terminated unexpectedly')),
    new TypeError('a mistake'),
  ])('is not run again after: %s', (error) => {
    expect(isRepeatable(error)).toBe(false);
  });
});
