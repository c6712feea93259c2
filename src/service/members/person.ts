import type { Kysely } from 'kysely';
import { isFormerMember } from '../../domain/company/former-member.ts';
import { addressKey, isSameAddress } from '../../domain/company/mail-address.ts';
import { groupBy } from '../../domain/groups.ts';
import { withoutNulls } from '../../domain/items.ts';
import { quotedName, say } from '../../domain/text/say.ts';
import { invalidInputError, notFoundError } from '../../schema/error.ts';
import type { Role } from '../../schema/scope.ts';
import { recordedUsers } from '../../store/changes/recorded-users.ts';
import {
  allCompanies,
  allMembers,
  type CompanyRow,
  companyById,
} from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';

export interface PersonWords {
  readonly name: string;
  readonly email: string;
}

interface Member extends PersonWords {
  readonly id: number;
  readonly role: Role;
}

/** A person as a member of one company. */
export interface Membership {
  readonly company: Pick<CompanyRow, 'id' | 'name'>;
  readonly user: Member;
}

export interface RecordedMembership extends Membership {
  /** The other names and addresses that the record of changes has of the member. */
  readonly formerly: readonly PersonWords[];
}

export interface PersonReference {
  /** An address, or the id of a member. */
  readonly text: string;
  /** Null for all companies. */
  readonly companyId: number | null;
}

/**
 * The memberships of a person, also those that an undo removed, or that had this address once: the
 * record of changes still has them. Throws if there are none.
 */
export async function membershipsOf(
  store: Store,
  all: Kysely<Tables>,
  { text, companyId }: PersonReference,
): Promise<RecordedMembership[]> {
  const id = /^#?(\d{1,15})$/.exec(text.trim())?.[1];
  const isMeant = ({ email }: Member): boolean => isSameAddress(email, text);

  const memberships: RecordedMembership[] = [];
  for (const company of await allCompanies(all)) {
    if (companyId !== null && company.id !== companyId) continue;
    for (const member of await recordedMembers(store.scopeToCompany(all, company.id))) {
      const { current, recorded } = member;
      const known = withoutNulls([current, ...recorded]);
      const named = id === undefined ? known.filter(isMeant) : known.filter(hasId(Number(id)));
      const user = named.length === 0 ? undefined : (current ?? named.at(-1));
      if (user !== undefined) memberships.push(toMembership(company, user, recorded));
    }
  }

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

const hasId =
  (id: number) =>
  (member: Member): boolean =>
    member.id === id;

interface RecordedMember {
  /** Null for one that an undo removed. */
  readonly current: Member | null;
  /** As changes found and left the member. */
  readonly recorded: readonly Member[];
}

/** Members of a company, also former ones unless they were erased. */
async function recordedMembers(db: CompanyDb): Promise<RecordedMember[]> {
  const recorded = new Map<number, Member[]>();
  for await (const image of recordedUsers(db))
    if (!isFormerMember(image)) recorded.set(image.id, [...(recorded.get(image.id) ?? []), image]);

  const members = (await allMembers(db)).map((current) => ({
    current,
    recorded: recorded.get(current.id) ?? [],
  }));
  const ids = new Set(members.map(({ current }) => current.id));
  const removed = [...recorded].filter(([id]) => !ids.has(id));
  return [...members, ...removed.map(([, images]) => ({ current: null, recorded: images }))];
}

function toMembership(
  { id, name }: Pick<CompanyRow, 'id' | 'name'>,
  user: Member,
  recorded: readonly Member[],
): RecordedMembership {
  const wordsOf = (member: PersonWords): string => `${member.name} ${addressKey(member.email)}`;
  const former = new Map(recorded.map((member) => [wordsOf(member), member]));
  former.delete(wordsOf(user));
  return {
    company: { id, name },
    user,
    formerly: [...former.values()].map(({ name, email }) => ({ name, email })),
  };
}

/** Those of the members that the store has or has had, by company and id. */
export async function membershipsById(
  store: Store,
  all: Kysely<Tables>,
  members: readonly { readonly company: number; readonly user: number }[],
): Promise<RecordedMembership[]> {
  const memberships: RecordedMembership[] = [];
  for (const [companyId, ofCompany] of groupBy(members, ({ company }) => company)) {
    const company = await companyById(all, companyId);
    if (company === undefined) continue;
    const ids = new Set(ofCompany.map(({ user }) => user));
    for (const { current, recorded } of await recordedMembers(
      store.scopeToCompany(all, companyId),
    )) {
      const user = current ?? recorded.at(-1);
      if (user !== undefined && ids.has(user.id))
        memberships.push(toMembership(company, user, recorded));
    }
  }
  return memberships;
}
