import type { Kysely } from 'kysely';
import { isFormerMember } from '../../domain/company/former-member.ts';
import { addressKey, isSameAddress } from '../../domain/company/mail-address.ts';
import { quotedName, say } from '../../domain/text/say.ts';
import { invalidInputError, notFoundError } from '../../schema/error.ts';
import type { Role } from '../../schema/scope.ts';
import { recordedUsers } from '../../store/changes/recorded-users.ts';
import { allCompanies, allMembers, type CompanyRow } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';

/** A person as a member of one company. */
export interface Membership {
  readonly company: Pick<CompanyRow, 'id' | 'name'>;
  readonly user: {
    readonly id: number;
    readonly name: string;
    readonly email: string;
    readonly role: Role;
  };
}

export interface PersonReference {
  /** An address, or the id of a member. */
  readonly text: string;
  /** Null for all companies. */
  readonly companyId: number | null;
}

/** Without former members. */
export async function allMemberships(store: Store, all: Kysely<Tables>): Promise<Membership[]> {
  const memberships: Membership[] = [];
  for (const { id, name } of await allCompanies(all))
    for (const user of await allMembers(store.scopeToCompany(all, id)))
      memberships.push({ company: { id, name }, user });
  return memberships;
}

/**
 * The memberships of a person, also those that an undo removed, or that had this address once: the
 * record of changes still has them. Throws if there are none.
 */
export async function membershipsOf(
  store: Store,
  all: Kysely<Tables>,
  { text, companyId }: PersonReference,
): Promise<Membership[]> {
  const id = /^#?(\d{1,15})$/.exec(text.trim())?.[1];
  const isMeant = ({ user }: Membership): boolean =>
    id === undefined ? isSameAddress(user.email, text) : user.id === Number(id);

  const current = await allMemberships(store, all);
  const recorded = (await recordedMemberships(store, all, companyId)).filter(isMeant);
  const recordedKeys = new Set(recorded.map(keyOf));
  const currentKeys = new Set(current.map(keyOf));
  const memberships = [
    ...current.filter((each) => isMeant(each) || recordedKeys.has(keyOf(each))),
    ...recorded.filter((each) => !currentKeys.has(keyOf(each))),
  ].filter(({ company }) => companyId === null || company.id === companyId);

  if (memberships.length === 0) throw unknownPersonError(text);
  if (id !== undefined && memberships.length > 1)
    throw invalidInputError(
      'invalid_parameter',
      say`Several companies have a member ${quotedName(text)}.`,
      { hint: say`Give the e-mail address, or --company.`, field: 'person' },
    );
  return memberships;
}

const unknownPersonError = (text: string): Error =>
  notFoundError(
    say`There is no member ${quotedName(text)}.`,
    say`Give the e-mail address or the id of a member; "acequia call list_users" names those of a company.`,
  );

const keyOf = ({ company, user }: Membership): string => `${company.id} ${user.id}`;

/** As the record of changes has them last, with that address. */
async function recordedMemberships(
  store: Store,
  all: Kysely<Tables>,
  companyId: number | null,
): Promise<Membership[]> {
  const memberships = new Map<string, Membership>();
  for (const { id, name } of await allCompanies(all)) {
    if (companyId !== null && id !== companyId) continue;
    for await (const image of recordedUsers(store.scopeToCompany(all, id))) {
      const membership = { company: { id, name }, user: image };
      if (!isFormerMember(image))
        memberships.set(`${keyOf(membership)} ${addressKey(image.email)}`, membership);
    }
  }
  return [...memberships.values()];
}
