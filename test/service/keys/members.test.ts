import { describe, expect } from 'vitest';
import { checkMembers } from '../../../src/cli/doctor/farm-checks.ts';
import type { SignInLinkBody } from '../../../src/schema/company/company.ts';
import type { CompanyAnswer } from '../../../src/schema/farm/farm-entry.ts';
import type { Role } from '../../../src/schema/scope.ts';
import { chooseCompanyByExactName } from '../../../src/service/company/company.ts';
import { importFarm } from '../../../src/service/farm/farm-import.ts';
import { createKey } from '../../../src/service/keys/key-administration.ts';
import { viewStore } from '../../../src/store/store.ts';
import { it, type TestFarm } from '../../farm.ts';

/** Stores the address as an earlier version may have. */
const addMember = (farm: TestFarm, email: string, role: Role = 'VIEWER'): Promise<number> =>
  farm.write(
    async (db) =>
      (
        await db
          .insertInto('users')
          .values({ email, name: 'Member', role })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
  );

const storedMembers = (farm: TestFarm) =>
  farm.store.readAll((db) =>
    db
      .selectFrom('users')
      .select(['id', 'email', 'role'])
      .where('email', '!=', 'ana@example.org')
      .orderBy('id')
      .execute(),
  );

async function newKey(farm: TestFarm, user: string) {
  const company = await chooseCompanyByExactName(farm.store, 'Mas Rouge');
  const request = { company, user, surface: 'api', expiresAt: null } as const;
  return (await createKey(farm.store, request, farm.now)).user;
}

const newLink = async (farm: TestFarm, email: string) =>
  (await farm.tool<SignInLinkBody>('create_sign_in_link', { email })).email;

const importUser = (farm: TestFarm, email: string, role: Role = 'VIEWER') =>
  importFarm(
    farm.store,
    JSON.stringify({ company: { name: 'Mas Rouge' }, users: [{ email, name: 'Member', role }] }),
    farm.now,
  );

/** The owner, then the address of somebody else that looks like it. */
const LOOK_ALIKES = [
  ['an accent', 'jose@farm.example', 'josé@farm.example'],
  ['an invisible character', 'karim@farm.example', 'k\u200barim@farm.example'],
  ['the Kelvin sign', 'karim@farm.example', '\u212aarim@farm.example'],
  ['accents in another form', 'josé@farm.example', 'jose\u0301@farm.example'],
] as const;

describe.for(LOOK_ALIKES)('an address that differs by %s', ([, owner, other]) => {
  it('gets no key and no link of the other member', async ({ farm }) => {
    await addMember(farm, owner, 'OWNER');
    for (const grant of [newKey, newLink])
      await expect(grant(farm, other)).rejects.toMatchObject({ code: 'not_found', status: 404 });

    await addMember(farm, other);
    for (const grant of [newKey, newLink])
      expect([await grant(farm, owner), await grant(farm, other)]).toEqual([owner, other]);
  });

  it('changes no role of the other member', async ({ farm }) => {
    await addMember(farm, other, 'OWNER');
    await importUser(farm, owner);
    expect(await storedMembers(farm)).toMatchObject([
      { email: other, role: 'OWNER' },
      { email: owner, role: 'VIEWER' },
    ]);
  });
});

describe('an address', () => {
  it('may be written with capitals, blanks around it, and its domain in either form', async ({
    farm,
  }) => {
    await addMember(farm, 'Vera@münchen.example');
    for (const spelling of [' vERA@MÜNCHEN.example\n', 'vera@xn--mnchen-3ya.example'])
      for (const grant of [newKey, newLink])
        expect(await grant(farm, spelling)).toBe('Vera@münchen.example');

    await importUser(farm, 'VERA@xn--mnchen-3ya.example', 'MANAGER');
    expect(await storedMembers(farm)).toMatchObject([{ role: 'MANAGER' }]);
  });

  it('of two members is refused with both ids, and each id still works', async ({ farm }) => {
    const one = await addMember(farm, 'vera@farm.example');
    const other = await addMember(farm, 'Vera@Farm.example', 'OWNER');
    const refusal = {
      code: 'AMBIGUOUS_NAME',
      message: expect.stringContaining(
        `Several members have the address "vera@farm.example": #${one}, #${other}.`,
      ),
    };
    for (const grant of [newKey, newLink, importUser])
      await expect(grant(farm, 'vera@farm.example')).rejects.toMatchObject(refusal);
    await expect(
      farm.tool<CompanyAnswer>('set_company', { ownerEmail: 'vera@farm.example' }),
    ).rejects.toMatchObject(refusal);

    expect(await newKey(farm, `#${one}`)).toBe('vera@farm.example');
    expect(await newLink(farm, String(other))).toBe('Vera@Farm.example');
  });

  it.for([
    'jose\u0301@farm.example',
    'k\u200barim@farm.example',
    'ka\u0007rim@farm.example',
    '\u212aarim@farm.example',
  ])('%j is refused where it is entered', async (email, { farm }) => {
    await expect(importUser(farm, email)).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'users[0].email',
    });
    await expect(farm.tool('set_company', { ownerEmail: email })).rejects.toMatchObject({
      field: 'ownerEmail',
    });
    expect(await storedMembers(farm)).toEqual([]);
  });

  it('that is stored and not accepted, or of two members, is named by the doctor', async ({
    farm,
  }) => {
    const findings = async () => {
      const view = await viewStore(farm.db);
      const found = await checkMembers(view);
      await view.close();
      return found.map(({ level, what }) => `${level}: ${what}`);
    };
    expect(await findings()).toEqual([]);

    const karim = await addMember(farm, 'k\u200barim@farm.example');
    const one = await addMember(farm, 'vera@farm.example');
    const other = await addMember(farm, 'Vera@farm.example');
    expect(await findings()).toEqual([
      `doubtful: the address of a member is not accepted any more: #${karim} of "Mas Rouge": "karim@farm.example" contains the invisible character U+200B`,
      `doubtful: the members #${one} and #${other} of "Mas Rouge" have the same address, "vera@farm.example"`,
    ]);
  });
});

describe('the company of a key', () => {
  it.for(['mas rouge', 'Mas Rougé', 'Mas\u200b Rouge', 'Mas'])(
    'is not %j, which looks like its name',
    async (name, { farm }) => {
      await expect(chooseCompanyByExactName(farm.store, name)).rejects.toMatchObject({
        code: 'not_found',
        hint: expect.stringContaining('"Mas Rouge" (#'),
      });
    },
  );

  it('is named by its exact name or its id', async ({ farm }) => {
    const { id } = await chooseCompanyByExactName(farm.store, ' Mas Rouge ');
    expect((await chooseCompanyByExactName(farm.store, `#${id}`)).name).toBe('Mas Rouge');
  });
});
