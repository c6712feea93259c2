import { LOCAL_OWNER } from '../operation/authorization.ts';
import type { Call } from '../operation/call.ts';
import { forbidden, invalidInput, notFound } from '../schema/error.ts';
import type { IdentifiedTable } from '../store/company/companies.ts';
import {
  type Module,
  moduleById,
  moduleExists,
  moduleIsInService,
  parcelExists,
} from '../store/company/places.ts';

/** 403 for a row of another company, else 404. */
export async function ownershipError(
  call: Pick<Call, 'existsAnywhere'>,
  table: IdentifiedTable,
  id: number | string,
  { kind, hint, unknownCode }: { kind: string; hint: string; unknownCode?: string | undefined },
): Promise<Error> {
  return (await call.existsAnywhere(table, id))
    ? forbidden(`${kind} ${id} belongs to another company.`, hint)
    : notFound(`There is no ${kind} ${id}.`, hint, unknownCode);
}

const MODULE_HINT = 'See list_modules for names and ids.';
const PARCEL_HINT = 'See list_parcels for names and ids.';

export async function requireOwnModule(call: Call, id: number): Promise<Module> {
  const module = await moduleById(call.db, id);
  if (module) return module;
  throw await foreignModuleError(call, id);
}

export const foreignModuleError = (
  call: Pick<Call, 'existsAnywhere'>,
  id: number,
): Promise<Error> => ownershipError(call, 'modules', id, { kind: 'module', hint: MODULE_HINT });

const moduleNotOwned = (id: number): Error =>
  invalidInput('MODULE_NOT_OWNED', `There is no module ${id} in this company.`, {
    hint: MODULE_HINT,
    field: 'module',
  });

/** For endpoints that answer MODULE_NOT_OWNED for any module that is not in the company. */
export async function requireOwnModuleForWrite(call: Call, id: number): Promise<Module> {
  const module = await moduleById(call.db, id);
  if (module) return module;
  throw moduleNotOwned(id);
}

export async function refuseUnownedModule(call: Call, id: number): Promise<void> {
  if (!(await moduleExists(call.db, id))) throw moduleNotOwned(id);
}

export async function requireOwnParcel(
  call: Call,
  id: number,
  unknownCode?: string,
): Promise<void> {
  if (!(await parcelExists(call.db, id)))
    throw await ownershipError(call, 'parcels', id, {
      kind: 'parcel',
      hint: PARCEL_HINT,
      unknownCode,
    });
}

/** Refuses a module that was never commissioned and has neither readings nor waterings. */
export async function requireCommissionedModule(call: Call, id: number): Promise<Module> {
  const module = await requireOwnModule(call, id);
  if (module.commissionedAt === null && !(await moduleIsInService(call.db, id)))
    throw notFound(
      `Module ${id} was never commissioned.`,
      'Its first reading or watering puts it into service; list_modules shows it.',
    );
  return module;
}

export function requireUser({ caller }: Call, reason: string): number {
  if (caller.userId !== null) return caller.userId;

  const isWithoutKey = caller.id === LOCAL_OWNER.id;
  throw invalidInput(
    'no_user',
    `${isWithoutKey ? 'The company has no OWNER' : 'This key belongs to no user'}, and ${reason}.`,
    {
      status: 403,
      hint: isWithoutKey
        ? 'Ask the person for their e-mail address, and add them as the OWNER with ownerEmail of set_company.'
        : 'Use a key of a member of the company; list_users names them.',
    },
  );
}
