import { describe, expect } from 'vitest';
import { checkedArguments } from '../../../src/operation/arguments/operation-arguments.ts';
import { mayHold } from '../../../src/operation/authorization.ts';
import { LocalRunner } from '../../../src/operation/local/local-runner.ts';
import { isWrite } from '../../../src/operation/operation-kind.ts';
import { ROLES, type Role, SCOPES } from '../../../src/schema/scope.ts';
import {
  createUseRecorder,
  generateKey,
  hashKey,
  identifyByKey,
} from '../../../src/service/keys/api-keys.ts';
import {
  createKey,
  type KeyRequest,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../src/service/keys/key-administration.ts';
import { companyByName } from '../../../src/store/company/companies.ts';
import { operationsByName } from '../../../tools/index.ts';
import { DAY, FARM_NOW, HOUR, it, MINUTE, type TestFarm, withFarm } from '../../farm.ts';

async function make(farm: TestFarm, wanted: Partial<KeyRequest> & { companyName?: string } = {}) {
  const { companyName = 'Mas Rouge', ...rest } = wanted;
  const company = (await farm.store.readAll((all) => companyByName(all, companyName)))!;
  return createKey(
    farm.store,
    { company, preset: 'everything', surface: 'api', expiresAt: null, ...rest },
    farm.now,
  );
}

const identified = (farm: TestFarm, key: string | undefined, onUse?: (id: number) => void) =>
  farm.store.readAll(identifyByKey(key, () => farm.now, onUse));

const member = (farm: TestFarm, role: Role) =>
  farm.write((db) =>
    db
      .insertInto('users')
      .values({ email: `${role}@example.org`, name: role, role })
      .execute(),
  );

const unauthenticated = expect.objectContaining({
  code: 'unauthenticated',
  status: 401,
  message: 'No valid API key was given.',
});

describe('a key', () => {
  it('is 256 random bits', () => {
    const keys = Array.from({ length: 100 }, generateKey);
    expect(new Set(keys).size).toBe(100);
    for (const key of keys)
      expect(Buffer.from(key.replace('acequia_', ''), 'base64url')).toHaveLength(32);
  });

  it('identifies the caller, company and scopes', async ({ farm }) => {
    const { key } = await make(farm, {
      companyName: 'Mas Bleu',
      scopes: ['readings:read'],
      surface: 'mcp',
    });
    const { caller, company, source } = await identified(farm, key);
    expect(company.name).toBe('Mas Bleu');
    expect(source).toBe('mcp');
    expect(caller).toMatchObject({
      companyId: company.id,
      userId: 2,
      role: 'OWNER',
      scopes: ['readings:read'],
    });
  });

  it('acts as a MANAGER without a user', async ({ farm }) => {
    const { key } = await make(farm, { user: 'none' });
    const { caller } = await identified(farm, key);
    expect(caller).toMatchObject({ userId: null, role: 'MANAGER' });
    expect(caller.scopes).not.toContain('users:admin');
  });

  it('follows the current role of its user', async ({ farm }) => {
    const { key } = await make(farm);
    await farm.write((db) => db.updateTable('users').set({ role: 'VIEWER' }).execute());
    expect((await identified(farm, key)).caller.role).toBe('VIEWER');
  });

  it.for([
    undefined,
    '',
    'acequia_',
    `acequia_${'A'.repeat(43)}`,
    `acequia_${'A'.repeat(42)}`,
    "' or 1=1 --",
  ])('%j is not a key', async (input, { farm }) => {
    await make(farm);
    await expect(identified(farm, input)).rejects.toThrow(unauthenticated);
  });

  it('is not accepted as its hash, nor in other letters', async ({ farm }) => {
    const { key } = await make(farm);
    for (const other of [hashKey(key), key.toUpperCase(), `${key} `, key.slice(0, -1)])
      await expect(identified(farm, other)).rejects.toThrow(unauthenticated);
  });

  it('expires at its instant', async ({ farm }) => {
    const { key } = await make(farm, { expiresAt: FARM_NOW + HOUR });
    farm.now = FARM_NOW + HOUR - 1;
    await identified(farm, key);
    farm.now = FARM_NOW + HOUR;
    await expect(identified(farm, key)).rejects.toThrow(unauthenticated);
  });

  it('stays revoked since the first time', async ({ farm }) => {
    const { id, key } = await make(farm);
    await revokeKey(farm.store, id, farm.now);
    await expect(identified(farm, key)).rejects.toThrow(unauthenticated);
    await revokeKey(farm.store, id, farm.now + HOUR);
    const [listed] = await listKeys(farm.store, null, farm.now);
    expect(listed).toMatchObject({ state: 'revoked', revokedAt: FARM_NOW });
  });
});

describe('a key that is valid when a call begins', () => {
  const call = async (farm: TestFarm, name: string, during: (id: number) => Promise<unknown>) => {
    await member(farm, 'MANAGER');
    const { id, key } = await make(farm, { user: 'MANAGER@example.org' });
    const identify = identifyByKey(key, () => farm.now);
    const { store } = farm;
    const operations = operationsByName;
    const knownIdentity = await store.readAll(identify);
    const runner = new LocalRunner({ store, operations, clock: () => farm.now, knownIdentity });
    const operation = operationsByName.get(name)!;
    const wire = { moduleId: farm.idOf('North 1'), threshold: 20 };
    await during(id);
    const input = isWrite(operation) ? wire : {};
    return runner.run(operation, {
      rawArguments: input,
      readArguments: async (context) => checkedArguments(operation, input, context),
    });
  };
  const alerts = (farm: TestFarm) =>
    farm.write((db) => db.selectFrom('alerts').select('id').execute());

  it('writes', async ({ farm }) => {
    await call(farm, 'create_alert', async () => undefined);
    expect(await alerts(farm)).toHaveLength(1);
  });

  it.for(['create_alert', 'get_company'])(
    'has %s refused if it is revoked meanwhile',
    async (name, { farm }) => {
      const refused = call(farm, name, (id) => revokeKey(farm.store, id, farm.now));
      await expect(refused).rejects.toThrow(unauthenticated);
      expect(await alerts(farm)).toEqual([]);
    },
  );

  it('has a write refused if its user becomes a VIEWER meanwhile', async ({ farm }) => {
    const refused = call(farm, 'create_alert', () =>
      farm.write((db) =>
        db.updateTable('users').set({ role: 'VIEWER' }).where('role', '=', 'MANAGER').execute(),
      ),
    );
    await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'insufficient_role' }));
    expect(await alerts(farm)).toEqual([]);
  });
});

describe('the scopes of a key', () => {
  it.each(ROLES)('are by default all that a %s may have', (role) =>
    withFarm(async (farm) => {
      await member(farm, role);
      const { scopes } = await make(farm, { user: `${role}@example.org` });
      expect(scopes).toEqual(SCOPES.filter((scope) => mayHold(role, scope)));
    }),
  );

  it.for([
    ['VIEWER', 'irrigation:write'],
    ['VIEWER', 'annotations:write'],
    ['VIEWER', 'users:admin'],
    ['MANAGER', 'users:admin'],
  ] as const)('of a %s cannot be %s', async ([role, scope], { farm }) => {
    await member(farm, role);
    await expect(
      make(farm, { user: `${role}@example.org`, scopes: ['readings:read', scope] }),
    ).rejects.toThrow(
      expect.objectContaining({
        code: 'insufficient_role',
        message: expect.stringContaining(scope),
      }),
    );
  });

  it('never write for a VIEWER', () => {
    expect(
      SCOPES.filter((scope) => mayHold('VIEWER', scope)).every((scope) => scope.endsWith(':read')),
    ).toBe(true);
  });
});

describe('the user of a key', () => {
  it.for(['1', '#1', 'ana@example.org', 'ANA@example.org '])('is %j', async (user, { farm }) => {
    expect((await make(farm, { user })).user).toBe('ana@example.org');
  });

  it.for(['2', 'eve@example.org', ''])(
    'is refused from another company, or unknown: %j',
    async (user, { farm }) => {
      await expect(make(farm, { user })).rejects.toThrow(
        expect.objectContaining({ code: 'not_found', status: 404 }),
      );
    },
  );
});

describe('a rotated key', () => {
  it('is valid for the overlap, beside its successor of the same family', async ({ farm }) => {
    const old = await make(farm, { scopes: ['readings:read'], surface: 'mcp' });
    const fresh = await rotateKey(farm.store, { id: old.id, overlapMs: DAY }, farm.now);
    farm.now += DAY - 1;
    const [before, after] = [await identified(farm, old.key), await identified(farm, fresh.key)];
    expect(after.caller).toEqual(before.caller);
    farm.now += 1;
    await expect(identified(farm, old.key)).rejects.toThrow(unauthenticated);
    await identified(farm, fresh.key);
  });

  it('never expires later because of the rotation', async ({ farm }) => {
    const { id } = await make(farm, { expiresAt: FARM_NOW + HOUR });
    const { oldEndsAt, expiresAt } = await rotateKey(farm.store, { id, overlapMs: DAY }, farm.now);
    expect([oldEndsAt, expiresAt]).toEqual([FARM_NOW + HOUR, FARM_NOW + HOUR]);
  });

  it('can have a successor with another expiry', async ({ farm }) => {
    const { id } = await make(farm, { expiresAt: FARM_NOW + HOUR });
    const rotated = await rotateKey(
      farm.store,
      { id, overlapMs: 0, expiresAt: FARM_NOW + DAY },
      farm.now,
    );
    expect(rotated).toMatchObject({ oldEndsAt: FARM_NOW, expiresAt: FARM_NOW + DAY });
  });

  it('must be active', async ({ farm }) => {
    const { id } = await make(farm, { expiresAt: FARM_NOW + HOUR });
    farm.now += HOUR;
    await expect(rotateKey(farm.store, { id, overlapMs: 0 }, farm.now)).rejects.toThrow('expired');
    await expect(rotateKey(farm.store, { id: 99, overlapMs: 0 }, farm.now)).rejects.toThrow(
      'no key #99',
    );
  });
});

describe('the last use of a key', () => {
  const lastUse = async (farm: TestFarm) =>
    (await listKeys(farm.store, null, farm.now))[0]!.lastUsedAt;

  it('is written after the answer, and at most once a minute', async ({ farm }) => {
    const { key } = await make(farm);
    const use = async () => {
      const uses = createUseRecorder(
        'api_keys',
        farm.store,
        () => farm.now,
        async (error) => {
          throw error;
        },
      );
      const isWritten = await farm.isWrittenBy(() => identified(farm, key, uses.record));
      expect(isWritten).toBe(false);
      await uses.close();
      return lastUse(farm);
    };
    expect(await lastUse(farm)).toBeNull();
    expect(await use()).toBe(FARM_NOW);
    farm.now += MINUTE - 1;
    expect(await use()).toBe(FARM_NOW);
    farm.now += 1;
    expect(await use()).toBe(FARM_NOW + MINUTE);
  });

  it('is reported if it cannot be written', async ({ farm }) => {
    const { id } = await make(farm);
    const reported: unknown[] = [];
    const failing = { ...farm.store, writeUnlocked: () => Promise.reject(new Error('full')) };
    const uses = createUseRecorder(
      'api_keys',
      failing,
      () => farm.now,
      async (error) => reported.push(error),
    );
    uses.record(id);
    await uses.close();
    expect(reported).toEqual([new Error('full')]);
  });
});

it('lists the keys of every company, or of one', async ({ farm }) => {
  await make(farm);
  await make(farm, { companyName: 'Mas Bleu' });
  const bleu = (await farm.store.readAll((all) => companyByName(all, 'Mas Bleu')))!;
  const names = async (company: typeof bleu | null) =>
    (await listKeys(farm.store, company, farm.now)).map((key) => key.company.name);
  expect(await names(null)).toEqual(['Mas Rouge', 'Mas Bleu']);
  expect(await names(bleu)).toEqual(['Mas Bleu']);
});
