import { firstOf } from '../../domain/items.ts';
import { code } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { Credential, Identify } from '../../operation/authorization.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Scope } from '../../schema/scope.ts';
import { type MembershipRow, membershipsByAddress } from '../../store/company/companies.ts';
import { companiesNamed, companiesSpokenAs, companyWithId } from '../company/company.ts';

/** The rights of a valid access token, and the company that the request names. */
export interface TokenGrant {
  /** Verified by the issuer. */
  readonly email: string;
  readonly scopes: readonly Scope[];
  readonly credential: Credential;
  /** The company that the token is limited to: id or name. */
  readonly tokenCompany?: string | undefined;
  /** The company that the request names: id or name. A member of one company need not name it. */
  readonly requestCompany?: string | undefined;
  readonly expiresAt: number;
}

export const COMPANY_HEADER = 'Acequia-Company';
export const COMPANY_CLAIM = 'acequia_company';

/** `now` is the real time, whatever the clock of the service: the issuer's clock set the expiry. */
export function identifyByToken(
  { email, scopes, credential, expiresAt, ...companyRefs }: TokenGrant,
  expired: () => AcequiaError,
  now: () => number = Date.now,
): Identify {
  const identify: Identify = async (all) => {
    if (expiresAt <= now()) throw expired();

    const memberships = await membershipsByAddress(all, email);
    const member = chooseMembership(memberships.filter(isOnlyOneOfCompany), {
      email,
      ...companyRefs,
    });
    const { user_id: userId, user_email: _, user_role: role, ...company } = member;

    return {
      company,
      confirm: identify,
      source: 'api',
      caller: {
        id: `user:${userId}`,
        companyId: company.id,
        userId,
        role,
        scopes,
        credential,
      },
    };
  };

  return identify;
}

/** A token does not say which of two members with one address is meant. */
const isOnlyOneOfCompany = (
  { id, user_id }: MembershipRow,
  _: number,
  memberships: readonly MembershipRow[],
): boolean => !memberships.some((other) => other.id === id && other.user_id !== user_id);

function chooseMembership(
  memberships: readonly MembershipRow[],
  {
    email,
    tokenCompany,
    requestCompany,
  }: Pick<TokenGrant, 'email' | 'tokenCompany' | 'requestCompany'>,
): MembershipRow {
  const person = quotedName(email);
  if (memberships.length === 0)
    throw notAMember(
      say`${person} is not a member of any company of this service.`,
      say`An OWNER adds the person under "users" of the farm file, and "acequia import FILE" brings it into the store. Or sign in with another account.`,
    );

  const allowed =
    tokenCompany === undefined ? memberships : companiesNamed(memberships, tokenCompany);
  if (allowed.length === 0)
    throw notAMember(
      say`The claim ${code(COMPANY_CLAIM)} of the access token is ${quotedName(tokenCompany!)}, and ${person} is not a member of such a company.`,
      say`Whoever runs the identity provider corrects the claim to the id or name of a company of the person, or leaves it out. Then sign in again.`,
    );

  const chosen =
    requestCompany === undefined ? allowed : companiesSpokenAs(allowed, requestCompany);
  if (chosen.length === 1) return firstOf(chosen);

  const names = commaSeparated(allowed.map(companyWithId));
  if (chosen.length === 0 && tokenCompany === undefined)
    throw notAMember(
      say`${person} is not a member of ${quotedName(requestCompany!)}.`,
      say`The companies of the person are ${names}: name one of these in ${code(COMPANY_HEADER)}.`,
    );

  if (chosen.length === 0)
    throw notAMember(
      say`The access token is only for ${names}, and the header ${code(COMPANY_HEADER)} is ${quotedName(requestCompany!)}.`,
      say`Leave the header out, or name ${names} in it.`,
    );

  throw new AcequiaError({
    code: 'company_needed',
    status: 403,
    message: say`${person} is a member of several companies, and the request does not say which one.`,
    hint: say`Send the id or name of one in the header ${code(COMPANY_HEADER)}, or have the issuer put it into the claim ${code(COMPANY_CLAIM)}: ${names}.`,
    field: COMPANY_HEADER,
  });
}

const notAMember = (message: Text, hint: Text): AcequiaError =>
  new AcequiaError({ code: 'not_a_member', status: 403, message, hint });
