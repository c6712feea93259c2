import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { lazyLog, redactSecrets, toLoggableError } from '../../../src/cli/process/log.ts';
import { say, verbatimText } from '../../../src/domain/text/say.ts';
import {
  plainInputError,
  StoreClosedError,
  storeUnavailableError,
} from '../../../src/schema/error.ts';
import { generateKey } from '../../../src/service/keys/api-keys.ts';

describe('a failure', () => {
  it.each([
    ['is an error', new Error('x is no function'), 'warn', '50 unexpected failure'],
    ['is none as the process stops', new StoreClosedError('farm.db'), 'warn', null],
    [
      'is named as the process stops',
      new StoreClosedError('farm.db'),
      'info',
      '30 refused at the end',
    ],
  ] as const)('%s', async (_, error, level, logged) => {
    const write = vi.spyOn(fs, 'writeSync').mockReturnValue(10_000);
    await lazyLog(level).unexpectedError(error);
    const lines = write.mock.calls.map(([, line]) => JSON.parse(String(line)));
    vi.restoreAllMocks();
    expect(lines.map((line) => `${line.level} ${line.msg}`)).toEqual(
      logged === null ? [] : [logged],
    );
  });
});

describe('a logged error', () => {
  it('has its message, location and causes', () => {
    const logged = toLoggableError(
      new TypeError('x is no function', { cause: new RangeError('too deep') }),
    );
    expect(logged).toMatchObject({
      type: 'TypeError',
      message: 'x is no function',
      cause: { type: 'RangeError' },
    });
    expect(logged.stack).toMatch(/^ {4}at .*log\.test/);
    expect(logged.stack).not.toContain('x is no function');
  });

  it('contains no text quoted by a parser, even with quotes inside', () => {
    fc.assert(
      fc.property(fc.string(), (around) => {
        const text = `{"note": "${around}" secret "${around}`;
        try {
          JSON.parse(text);
        } catch (error) {
          expect(JSON.stringify(toLoggableError(error))).not.toContain('secret');
        }
      }),
    );
  });

  it('of the store has the hint for the operator, and no other has one', () => {
    const hint = 'Name the primary server, postgres://ana:secret@db/farm, with --db.';
    const [ofStore, other] = [
      storeUnavailableError(say`No.`, verbatimText(hint)),
      plainInputError('invalid_body', 'No.', { hint }),
    ];
    const shown = 'Name the primary server, postgres://…@db/farm, with --db.';
    expect(toLoggableError(ofStore)).toMatchObject({ code: 'STORE_UNAVAILABLE', hint: shown });
    expect(toLoggableError(other)).not.toHaveProperty('hint');
  });

  it('contains none of the fields that a database adds', () => {
    const error = Object.assign(
      new Error('duplicate key value violates unique constraint "users_email"'),
      {
        code: '23505',
        detail: 'Key (email)=(ana@example.org) already exists.',
        parameters: ['ana@example.org'],
      },
    );
    const logged = toLoggableError(error);
    expect(logged).toMatchObject({
      code: '23505',
      message: 'duplicate key value violates unique constraint "…"',
    });
    expect(JSON.stringify(logged)).not.toContain('ana@');
  });

  it.each([[undefined], [null], ['secret'], [{ secret: 'secret' }]])(
    '%j that was thrown is logged by its kind',
    (thrown) => {
      expect(JSON.stringify(toLoggableError(thrown))).not.toContain('secret');
    },
  );
});

describe('a text', () => {
  it.each([
    ['postgres://ana:secret@db.example.org/farm', 'postgres://…@db.example.org/farm'],
    ['postgres://ana:sec/ret?x=y@z@db/farm', 'postgres://…@db/farm'],
    ['ana:secret@db.example.org/farm', 'ana:…@db.example.org/farm'],
    ['smtp://secret@mail.example.org:587', 'smtp://…@mail.example.org:587'],
    [
      'postgres://db/farm?user=ana&password=secret&sslmode=require',
      'postgres://db/farm?user=ana&password=…&sslmode=require',
    ],
    ['/var/lib/acequia/farm.db', '/var/lib/acequia/farm.db'],
    ['https://water.example.org/v1', 'https://water.example.org/v1'],
  ])('%s loses its credentials', (text, plain) => {
    expect(redactSecrets(text)).toBe(plain);
  });

  it('loses a key', () => {
    const key = generateKey();
    expect(redactSecrets(`the key ${key}, again ${key}`)).toBe(
      'the key acequia_…, again acequia_…',
    );
  });
});
