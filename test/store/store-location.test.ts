import { describe, expect, it } from 'vitest';
import { AcequiaError } from '../../src/schema/error.ts';
import { openStore } from '../../src/store/store.ts';
import { isMissingFile, isServerUrl, redactedLocation } from '../../src/store/store-location.ts';
import { server } from './temporary-stores.ts';

const SECRET = 'hunter2%21';

describe('the location of a store', () => {
  it('is shown without a password, wherever it contains one', () => {
    expect(
      redactedLocation(`postgres://ana:${SECRET}@db.example.org:5433/farm?sslmode=require`),
    ).toBe('postgres://ana@db.example.org:5433/farm');
    expect(redactedLocation(`postgresql://db.example.org/farm?user=ana&password=${SECRET}`)).toBe(
      'postgres://db.example.org/farm',
    );
    expect(redactedLocation(`postgres://ana:${SECRET}@[broken/farm`)).not.toContain('hunter2');
    expect(redactedLocation('/data/acequia.db')).toBe('/data/acequia.db');
  });

  it('is a database if it is a URL, else a file', () => {
    expect(['postgres://h/d', 'postgresql://h/d', 'POSTGRES://h/d'].every(isServerUrl)).toBe(true);
    expect(['/postgres', 'postgres.db', 'C:\\postgres'].some(isServerUrl)).toBe(false);
  });

  it('is known to be missing only for a file', () => {
    expect(isMissingFile('/nowhere/acequia.db')).toBe(true);
    expect(isMissingFile('postgres://nowhere/farm')).toBe(false);
  });
});

describe.skipIf(server === null)('a database that cannot be opened', () => {
  const at = (change: Partial<URL>) => {
    const url = Object.assign(new URL(server!.url), change);
    url.password ||= SECRET;
    return url.href;
  };
  const refused: Record<string, [url: () => string, says: RegExp]> = {
    'with a wrong password': [
      () => at({ password: SECRET, username: 'nobody' }),
      /rejected the user|no database/,
    ],
    'where nothing listens': [() => at({ port: '1', password: SECRET }), /cannot be reached/],
    'on a host that does not exist': [
      () => at({ hostname: 'nowhere.invalid', password: SECRET }),
      /cannot be reached/,
    ],
    'that does not exist': [() => at({ pathname: '/no_such_farm' }), /no database/],
    'over an encryption that it does not have': [
      () => at({ search: '?sslmode=require' }),
      /could be made: .*SSL/,
    ],
    'at an address that is none': [() => `postgres://ana:${SECRET}@[broken/farm`, /is not valid/],
  };
  for (const [what, [url, says]] of Object.entries(refused))
    it(`${what} is refused with a hint and without the password`, async () => {
      const db = url();
      const error = await openStore({ db }).then(
        () => null,
        (reason: unknown) => reason as AcequiaError,
      );
      expect(error).toBeInstanceOf(AcequiaError);
      expect(error).toMatchObject({
        code: 'STORE_UNAVAILABLE',
        status: 503,
        message: expect.stringMatching(says),
      });
      const shown = JSON.stringify({
        ...error!,
        message: error!.message,
        stack: error!.stack,
        cause: error!.cause,
      });
      expect(shown).not.toContain('hunter2');
      const { password } = URL.canParse(db) ? new URL(db) : { password: SECRET };
      expect(shown).not.toContain(password);
      expect(error!.hint).toBeTruthy();
    });
});
