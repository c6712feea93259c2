import { describe, expect, it } from 'vitest';
import { say } from '../../src/domain/text/say.ts';
import { authorize, type Caller, mayCall } from '../../src/operation/authorization.ts';
import { ROLES, SCOPES } from '../../src/schema/scope.ts';

const caller = (overrides: Partial<Caller> = {}): Caller => ({
  id: 'owner',
  companyId: 1,
  userId: 1,
  role: 'OWNER',
  scopes: SCOPES,
  ...overrides,
});
const readAccess = { name: 'list_waterings', scope: 'readings:read', effect: 'read' } as const;
const writeAccess = { name: 'log_watering', scope: 'irrigation:write', effect: 'create' } as const;
const adminAccess = { name: 'list_users', scope: 'users:admin', effect: 'read' } as const;

describe('scopes', () => {
  it.each([readAccess, writeAccess])(
    'that the caller lacks refuse $name: 403 insufficient_scope',
    (access) => {
      const others = SCOPES.filter((scope) => scope !== access.scope);
      expect(() => authorize(caller({ scopes: others }), access)).toThrow(
        expect.objectContaining({
          code: 'insufficient_scope',
          status: 403,
          message: expect.stringContaining(access.scope),
        }),
      );
    },
  );

  it.each([readAccess, writeAccess])('that the caller has allow $name', (access) => {
    expect(() => authorize(caller({ scopes: [access.scope] }), access)).not.toThrow();
  });
});

describe('roles', () => {
  it('allow a VIEWER to read', () => {
    expect(() => authorize(caller({ role: 'VIEWER' }), readAccess)).not.toThrow();
  });

  it.each(['create', 'update', 'delete'])(
    'refuse a VIEWER an operation of effect %s: 403 insufficient_role',
    (effect) => {
      expect(() => authorize(caller({ role: 'VIEWER' }), { ...writeAccess, effect })).toThrow(
        expect.objectContaining({ code: 'insufficient_role', status: 403 }),
      );
    },
  );

  it.each(['OWNER', 'MANAGER'] as const)('allow an %s to write', (role) => {
    expect(() => authorize(caller({ role }), writeAccess)).not.toThrow();
  });

  it.each(ROLES)('reserve users:admin for an OWNER (%s)', (role) => {
    const attempt = () => authorize(caller({ role }), adminAccess);
    if (role === 'OWNER') expect(attempt).not.toThrow();
    else expect(attempt).toThrow(expect.objectContaining({ code: 'insufficient_role' }));
  });

  it.each([
    ['after the scopes of a key', undefined, 'insufficient_scope'],
    [
      'before the scopes of an access token',
      { name: 'access token', scopeHint: () => say`Sign in again.` },
      'insufficient_role',
    ],
  ] as const)('are checked %s', (_, credential, code) => {
    expect(() =>
      authorize(caller({ role: 'VIEWER', scopes: [], credential }), writeAccess),
    ).toThrow(expect.objectContaining({ code }));
  });
});

it.each(ROLES)('offers a %s exactly the operations that are allowed', (role) => {
  for (const scopes of [
    [],
    [...SCOPES],
    ['readings:read'],
    ['irrigation:write'],
  ] as Caller['scopes'][])
    for (const access of [readAccess, writeAccess, adminAccess]) {
      const member = caller({ role, scopes });
      let isRefused = false;
      try {
        authorize(member, access);
      } catch {
        isRefused = true;
      }
      expect(mayCall(member, access)).toBe(!isRefused);
    }
});
