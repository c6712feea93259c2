import { argument, bracketedId, operationName } from '../domain/text/program-names.ts';
import { say } from '../domain/text/say.ts';
import type { Text } from '../domain/text/text.ts';
import { LOCAL_OWNER } from '../operation/authorization.ts';
import type { Call } from '../operation/call.ts';
import { forbiddenError, invalidInputError, notFoundError } from '../schema/error.ts';
import type { IdentifiedTable } from '../store/company/companies.ts';
import {
  type Module,
  moduleById,
  moduleExists,
  moduleIsInService,
} from '../store/company/modules.ts';
import { parcelExists } from '../store/company/parcels.ts';

/** 403 for a row of another company, else 404. */
export async function ownershipError(
  call: Pick<Call, 'existsAnywhere'>,
  table: IdentifiedTable,
  id: number | string,
  { kind, hint, unknownCode }: { kind: Text; hint: Text; unknownCode?: string | undefined },
): Promise<Error> {
  return (await call.existsAnywhere(table, id))
    ? forbiddenError(say`The ${kind}${bracketedId(id)} belongs to another company.`, hint)
    : notFoundError(say`There is no such ${kind}${bracketedId(id)}.`, hint, unknownCode);
}

const MODULE_HINT = say`See ${operationName('list_modules')} for names and ids.`;
const PARCEL_HINT = say`See ${operationName('list_parcels')} for names and ids.`;

export const foreignModuleError = (
  call: Pick<Call, 'existsAnywhere'>,
  id: number,
): Promise<Error> => ownershipError(call, 'modules', id, { kind: say`module`, hint: MODULE_HINT });

/** Throws 403 for a module of another company, else 404. */
export async function requireOwnModule(call: Call, id: number): Promise<Module> {
  const module = await moduleById(call.db, id);
  if (module) return module;
  throw await foreignModuleError(call, id);
}

const moduleNotOwnedError = (id: number): Error =>
  invalidInputError(
    'MODULE_NOT_OWNED',
    say`There is no such module${bracketedId(id)} in this company.`,
    {
      hint: MODULE_HINT,
      field: 'module',
    },
  );

/**
 * Throws 400 MODULE_NOT_OWNED for any module that is not in the company: the answer of the
 * endpoints that list this code among their errors.
 */
export async function requireModuleOr400(call: Call, id: number): Promise<Module> {
  const module = await moduleById(call.db, id);
  if (module) return module;
  throw moduleNotOwnedError(id);
}

/** Does the same as `requireModuleOr400` where only the existence of the module matters. */
export async function assertModuleOr400(call: Call, id: number): Promise<void> {
  if (!(await moduleExists(call.db, id))) throw moduleNotOwnedError(id);
}

/** Throws 403 for a parcel of another company, else 404. */
export async function assertOwnParcel(call: Call, id: number, unknownCode?: string): Promise<void> {
  if (!(await parcelExists(call.db, id)))
    throw await ownershipError(call, 'parcels', id, {
      kind: say`parcel`,
      hint: PARCEL_HINT,
      unknownCode,
    });
}

/** Refuses a module that was never commissioned and has neither readings nor waterings. */
export async function requireCommissionedModule(call: Call, id: number): Promise<Module> {
  const module = await requireOwnModule(call, id);
  if (module.commissionedAt === null && !(await moduleIsInService(call.db, id)))
    throw notFoundError(
      say`The module${bracketedId(id)} was never commissioned.`,
      say`Its first reading or watering puts it into service; ${operationName('list_modules')} shows it.`,
    );
  return module;
}

/** `reason` is a sentence that says what the user is needed for. */
export function requireUser({ caller }: Call, reason: Text): number {
  if (caller.userId !== null) return caller.userId;

  if (caller.id === LOCAL_OWNER.id)
    throw invalidInputError('no_user', say`${reason} The company has no OWNER.`, {
      status: 403,
      hint: say`Ask the person for their e-mail address, and add them as the OWNER with ${argument('ownerEmail')} of ${operationName('set_company')}.`,
    });
  throw invalidInputError('no_user', say`${reason} This key belongs to no user.`, {
    status: 403,
    hint: say`Use a key of a member of the company; ${operationName('list_users')} names them.`,
  });
}
