import { describe, expect } from 'vitest';
import { say } from '../../../src/domain/text/say.ts';
import { type AcequiaError, plainError } from '../../../src/schema/error.ts';
import type { Role } from '../../../src/schema/scope.ts';
import { identifyByToken, type TokenGrant } from '../../../src/service/keys/token-caller.ts';
import { companyById } from '../../../src/store/company/companies.ts';
import { it, MINUTE, type TestFarm } from '../../farm.ts';

const CREDENTIAL = { name: 'access token', scopeHint: () => say`Sign in again.` } as const;
const EXPIRED = plainError({
  code: 'unauthenticated',
  status: 401,
  message: 'It has expired.',
});

function identifyWith({ store, now }: TestFarm, grant: Partial<TokenGrant>, at = now) {
  const whole: TokenGrant = {
    email: 'ana@example.org',
    scopes: ['readings:read'],
    credential: CREDENTIAL,
    expiresAt: now + MINUTE,
    ...grant,
  };
  return store.readAll(
    identifyByToken(
      whole,
      () => EXPIRED,
      () => at,
    ),
  );
}

const addMember = (farm: TestFarm, email: string, role: Role) =>
  farm.write((db) => db.insertInto('users').values({ email, name: email, role }).execute());

describe('a person with an access token', () => {
  it('acts as the member with the e-mail address, whatever its case', async ({ farm }) => {
    await addMember(farm, 'Vera@Example.org', 'VIEWER');
    const { caller, company } = await identifyWith(farm, { email: 'vERA@example.ORG' });
    expect(company).toEqual(await farm.store.readAll((all) => companyById(all, caller.companyId)));
    expect(caller).toMatchObject({
      role: 'VIEWER',
      scopes: ['readings:read'],
      credential: CREDENTIAL,
    });
    expect(caller.id).toBe(`user:${caller.userId}`);
  });

  it.for([
    ['another letter of the same lower case', 'bo\u212a@example.org'],
    ['a wildcard', '%@example.org'],
    ['an address around it', 'x-bok@example.org'],
    ['an accent', 'bók@example.org'],
    ['an invisible character', 'b\u200bok@example.org'],
  ])('is not a member by %s', async ([, email], { farm }) => {
    await addMember(farm, 'bok@example.org', 'MANAGER');
    await expect(identifyWith(farm, { email })).rejects.toMatchObject({
      status: 403,
      code: 'not_a_member',
    });
  });

  it.for([
    ['vera@xn--mnchen-3ya.example', 'Vera@MÜNCHEN.example'],
    ['vera@münchen.example', 'vera@xn--mnchen-3ya.example'],
    ['\u0130rem_%!@farm.example', '\u0130REM_%!@Farm.example'],
  ])('as %s is the member %s', async ([email, stored], { farm }) => {
    await addMember(farm, stored!, 'VIEWER');
    expect((await identifyWith(farm, { email })).caller.role).toBe('VIEWER');
  });

  it('acts for nobody where two members of a company have the address, and is told no more than a stranger', async ({
    farm,
  }) => {
    const refusalOf = (email: string): Promise<AcequiaError> =>
      identifyWith(farm, { email }).then(
        () => expect.unreachable(),
        (error) => error,
      );
    await addMember(farm, 'vera@farm.example', 'VIEWER');
    await addMember(farm, 'Vera@farm.example', 'OWNER');
    const { code, message, hint } = await refusalOf('vera@farm.example');
    const stranger = await refusalOf('nina@farm.example');
    expect({ code, hint, message: message.replace('vera', 'nina') }).toEqual({
      code: 'not_a_member',
      hint: stranger.hint,
      message: stranger.message,
    });
  });

  it('is refused once the member was removed, also while a request is on its way', async ({
    farm,
  }) => {
    await addMember(farm, 'vera@example.org', 'VIEWER');
    const { confirm } = await identifyWith(farm, { email: 'vera@example.org' });
    await farm.write((db) =>
      db.deleteFrom('users').where('email', '=', 'vera@example.org').execute(),
    );
    await expect(farm.store.readAll(confirm!)).rejects.toMatchObject({ code: 'not_a_member' });
  });

  it('is refused once the token has expired', async ({ farm }) => {
    await expect(identifyWith(farm, {}, farm.now + MINUTE)).rejects.toBe(EXPIRED);
  });

  it('must name one of several companies, by id or name', async ({ farm }) => {
    await expect(identifyWith(farm, {})).rejects.toMatchObject({ code: 'company_needed' });
    const { company } = await identifyWith(farm, { requestCompany: 'mas bleu' });
    expect(
      (await identifyWith(farm, { tokenCompany: `#${company.id}`, requestCompany: 'Mas Bleu' }))
        .company.name,
    ).toBe('Mas Bleu');
  });

  it.for([
    ['another company', 'Mas Rouge'],
    ['a company that does not exist', 'autre mas'],
  ])(
    'is refused with the company of its token if the request names %s',
    async ([, requestCompany], { farm }) => {
      const refusal = (await identifyWith(farm, { tokenCompany: 'Mas Bleu', requestCompany }).catch(
        (error) => error,
      )) as AcequiaError;
      expect(refusal).toMatchObject({ code: 'not_a_member', status: 403 });
      expect(refusal.message).toMatch(
        /^The access token is only for "Mas Bleu" \(#\d+\), and the header Acequia-Company is /,
      );
      expect(refusal.hint).toMatch(/^Leave the header out, or name "Mas Bleu"/);
      expect(refusal.hint).not.toContain('Mas Rouge');
    },
  );

  it.for(['', 'mas bleu', 'Mas Bleü', 'Mas Blue', '#99'])(
    'is refused with the hint that the issuer must correct the company %j of the token',
    async (tokenCompany, { farm }) => {
      const refusal = (await identifyWith(farm, { tokenCompany, requestCompany: 'Mas Bleu' }).catch(
        (error) => error,
      )) as AcequiaError;
      expect(refusal).toMatchObject({ code: 'not_a_member', status: 403 });
      expect(refusal.message).toContain(
        `The claim acequia_company of the access token is "${tokenCompany}"`,
      );
      expect(refusal.hint).toMatch(/runs the identity provider corrects the claim/);
      expect(refusal.hint).not.toMatch(/Acequia-Company|Mas/);
    },
  );
});
