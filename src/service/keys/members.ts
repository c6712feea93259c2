import { bracketedId } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { notFoundError } from '../../schema/error.ts';
import type { Role } from '../../schema/scope.ts';
import { allMembers, type CompanyRow } from '../../store/company/companies.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { memberWithAddress } from '../company/member-address.ts';

export interface Member {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
}

export const membersOf = (db: CompanyDb): Promise<Member[]> => allMembers(db);

/** Finds a member by id or e-mail address; default: the first OWNER. */
export async function resolveMember(
  db: CompanyDb,
  company: CompanyRow,
  text: string | undefined,
): Promise<Member> {
  const members = await membersOf(db);
  const member =
    text === undefined ? members.find(({ role }) => role === 'OWNER') : findMember(members, text);
  if (member) return member;

  const name = quotedName(company.name);
  const userHint = say`--user the id or e-mail address of a member.${formatMembers(members)}`;
  if (text === undefined)
    throw notFoundError(
      say`The company ${name} has no OWNER.`,
      say`Add one with "acequia call set_company ownerEmail=ADDRESS", or among the users of its farm file. Or give ${userHint}`,
    );

  throw notFoundError(
    say`The company ${name} has no member ${quotedName(text)}.`,
    say`Give ${userHint}`,
  );
}

export function findMember(members: readonly Member[], text: string): Member | undefined {
  const id = /^#?(\d+)$/.exec(text.trim())?.[1];
  return id === undefined
    ? memberWithAddress(members, text, say`Give the id of the one who is meant.`)
    : members.find((member) => member.id === Number(id));
}

const MAX_NAMED_MEMBERS = 5;

function formatMembers(members: readonly Member[]): Text | null {
  if (members.length === 0) return null;
  const named = members
    .slice(0, MAX_NAMED_MEMBERS)
    .map(({ id, email }) => say`${quotedName(email)}${bracketedId(id)}`);
  return say` Members: ${commaSeparated(named)}.`;
}
