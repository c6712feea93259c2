import { addressKey } from '../../domain/company/mail-address.ts';
import { firstOf } from '../../domain/items.ts';
import { foldText } from '../../domain/strings.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { quotedName, say } from '../../domain/text/say.ts';
import { NO_COMPANY } from '../../operation/authorization.ts';
import type { Call } from '../../operation/call.ts';
import type { UserBody } from '../../schema/company/company.ts';
import { AcequiaError, invalidInputError } from '../../schema/error.ts';
import type { CompanyAnswer, companyEntry } from '../../schema/farm/farm-entry.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { allUsers } from '../../store/company/companies.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import { toCompanyBody, toUserBody } from '../company/company.ts';
import { memberWithAddress } from '../company/member-address.ts';
import { adviseOfNewZone } from '../company/zone-change.ts';
import { changedValues, companyArguments } from './farm-arguments.ts';
import { changedFields, companyRow, createUpserter } from './farm-rows.ts';
import { missingFieldError } from './named-entry.ts';

type CompanyEntry = FieldsOf<typeof companyEntry>;

/** Creates the company of an empty store and its OWNER: the person who acts without a key. */
export async function setCompany(call: Call, entry: CompanyEntry): Promise<CompanyAnswer> {
  const { name, newName, ownerName, ownerEmail, ...fields } = entry;
  const existing = call.company === NO_COMPANY ? null : call.company;
  if (existing === null) assertCompleteCompany(entry);
  else assertOwnCompanyName(entry, existing.name);

  const { owner, isAdded } = await addOwner(call, ownerEmail, ownerName);
  const current = existing ?? { ...NO_COMPANY, id: companyIdOf(call.db) };
  const row = { ...companyRow(fields), name: newName ?? (existing === null ? name : undefined) };
  const changes = changedFields(current, row);
  if (changes !== null && !(await call.saveCompany(changes)))
    throw invalidInputError(
      'invalid_body',
      say`Another company has the name ${quotedName(row.name ?? '')}.`,
      {
        hint: say`Give another name.`,
        field: newName === undefined ? 'name' : 'newName',
      },
    );

  const company = toCompanyBody({ ...current, ...changes });
  await adviseOfNewZone(call, current, company);

  const changed =
    existing && changedValues(companyArguments(toCompanyBody(current)), companyArguments(company));
  const before = changed && isAdded ? { ...changed, ownerEmail: null } : changed;
  return owner === null ? { company, before } : { company, owner, before };
}

function assertCompleteCompany({ name, timezone, ownerEmail }: CompanyEntry): void {
  if (name === undefined) throw missingFieldError('name', say`a new company needs one`);
  if (timezone == null)
    throw missingFieldError('timezone', say`a new company needs that of its place`);
  if (ownerEmail === undefined)
    throw missingFieldError('ownerEmail', say`a new company has an owner, whom its alerts reach`);
}

/** A call repeated after its answer was lost may name the company by its new name. */
function assertOwnCompanyName({ name, newName }: CompanyEntry, ownName: string): void {
  if (name === undefined) return;
  const isOwn = (text: string): boolean => foldText(text) === foldText(ownName);
  if (isOwn(name) || (newName !== undefined && isOwn(newName))) return;

  throw invalidInputError(
    'invalid_body',
    say`The company is called ${quotedName(ownName)}, not ${quotedName(name)}.`,
    {
      hint: say`To rename it, pass ${argument('newName')}. Another company needs a store of its own (--db), or joins this one with "acequia import FILE --new-company"; then each needs a key: "acequia keys create --preset assistant --company NAME".`,
      field: 'name',
    },
  );
}

const LEAVE_OWNER_OUT = say`Leave ${argument('ownerEmail')} and ${argument('ownerName')} out; ${operationName('list_users')} names the members, and a farm file changes them.`;

async function addOwner(
  call: Call,
  email: string | undefined,
  name: string | undefined,
): Promise<{ readonly owner: UserBody | null; readonly isAdded: boolean }> {
  if (email === undefined) {
    if (name === undefined) return { owner: null, isAdded: false };
    throw missingFieldError(
      'ownerEmail',
      say`${argument('ownerName')} names the person at that address`,
    );
  }

  const members = await allUsers(call.db);
  const same = memberWithAddress(members, email, LEAVE_OWNER_OUT);
  if (same?.role === 'OWNER') return { owner: toUserBody(same), isAdded: false };
  if (members.some(({ role }) => role === 'OWNER'))
    throw invalidInputError('invalid_body', say`The company has an owner already.`, {
      hint: LEAVE_OWNER_OUT,
      field: 'ownerEmail',
    });

  if (call.caller.role !== 'OWNER')
    throw new AcequiaError({
      code: 'insufficient_role',
      status: 403,
      message: say`Only an OWNER adds members.`,
      hint: say`Leave ${argument('ownerEmail')} and ${argument('ownerName')} out.`,
      field: 'ownerEmail',
    });

  const users = await createUpserter(call.db, 'users', (row) => addressKey(row.email));
  const user = { email, name: name ?? firstOf(email.split('@')), role: 'OWNER' as const };
  const row = await users.put(addressKey(email), user);
  return { owner: toUserBody({ ...user, ...row }), isAdded: true };
}
