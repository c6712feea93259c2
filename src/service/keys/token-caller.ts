import { quote } from '../../language/text.ts';
import type { Identify } from '../../operation/authorization.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Role, Scope } from '../../schema/scope.ts';
import { type MembershipRow, membershipsByEmail } from '../../store/company/companies.ts';
import { matchingCompanies } from '../company/company.ts';

/** What a valid access token says. */
export interface TokenGrant {
  /** Verified by the issuer. */
  readonly email: string;
  readonly scopes: readonly Scope[];
  /** Named by the token, by the request, or by neither: ids or names. A member of one company need not name it. */
  readonly companies: readonly string[];
  readonly expiresAt: number;
}

export const COMPANY_HEADER = 'Acequia-Company';
export const COMPANY_CLAIM = 'acequia_company';

/** Only A to Z: in other alphabets, letters of two addresses can have one lower case, such as the Kelvin sign and k. */
const toLowerCase = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** `now` is the real time, whatever the clock of the service: the issuer's clock set the expiry. */
export function identifyByToken(
  { email, scopes, companies, expiresAt }: TokenGrant,
  expired: () => AcequiaError,
  now: () => number = Date.now,
): Identify {
  const identify: Identify = async (all) => {
    if (expiresAt <= now()) throw expired();
    const rows = await membershipsByEmail(all, toLowerCase(email));
    const member = chooseMembership(
      rows.filter((row) => toLowerCase(row.user_email) === toLowerCase(email)),
      { email, companies },
    );
    const { user_id: userId, user_email: _, user_role: role, ...company } = member;
    return {
      company,
      confirm: identify,
      source: 'api',
      caller: {
        id: `user:${userId}`,
        companyId: company.id,
        userId,
        role: role as Role,
        scopes,
        credential: 'access token',
      },
    };
  };
  return identify;
}

function chooseMembership(
  memberships: readonly MembershipRow[],
  { email, companies }: Pick<TokenGrant, 'email' | 'companies'>,
): MembershipRow {
  if (memberships.length === 0) throw notAMember(`${quote(email)} is not a member of any company of this service.`);
  const chosen = companies.reduce((left, text) => matchingCompanies(left, text), memberships);
  if (chosen.length === 1) return chosen[0]!;
  const names = memberships.map(({ id, name }) => `${quote(name)} (#${id})`).join(', ');
  if (chosen.length === 0)
    throw notAMember(
      `${quote(email)} is not a member of ${companies.map((text) => quote(text)).join(' and ')}.`,
      names,
    );
  throw new AcequiaError({
    code: 'company_needed',
    status: 403,
    message: `${quote(email)} is a member of several companies, and the request does not say which one.`,
    hint: `Send the id or name of one in the header ${COMPANY_HEADER}, or have the issuer put it into the claim ${COMPANY_CLAIM}: ${names}.`,
    field: COMPANY_HEADER,
  });
}

const notAMember = (message: string, companies?: string): AcequiaError =>
  new AcequiaError({
    code: 'not_a_member',
    status: 403,
    message,
    hint: companies
      ? `It is a member of ${companies}: name one of these in ${COMPANY_HEADER}.`
      : 'An OWNER adds the person under "users" of the farm file, and "acequia import FILE" brings it into the store. Or sign in with another account.',
  });
