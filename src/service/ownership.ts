import type { Call } from '../operation/call.ts';
import { forbidden, invalidInput, notFound } from '../schema/error.ts';
import type { IdentifiedTable } from '../store/company/companies.ts';
import { type Module, moduleById, moduleExists, parcelExists } from '../store/company/places.ts';

/** The refusal of a row that is not the company's: 403 when another company has it, else 404. */
export async function ownershipError(
  call: Call,
  kind: IdentifiedTable,
  id: number | string,
  what: string,
  hint: string,
  unknownCode?: string,
): Promise<Error> {
  return (await call.existsAnywhere(kind, id))
    ? forbidden(`${what} ${id} belongs to another company.`, hint)
    : notFound(`There is no ${what} ${id}.`, hint, unknownCode);
}

const MODULE_HINT = 'Pass a name or id from list_modules.';
const PARCEL_HINT = 'Pass a name or id from list_parcels.';

/** The company's module of that id. */
export async function requireOwnModule(call: Call, id: number): Promise<Module> {
  const module = await moduleById(call.db, id);
  if (module) return module;
  throw await ownershipError(call, 'modules', id, 'module', MODULE_HINT);
}

const moduleNotOwned = (id: number): Error =>
  invalidInput('MODULE_NOT_OWNED', `Module ${id} is not one of this company.`, { hint: MODULE_HINT, field: 'module' });

/** The company's module of that id, where the endpoint refuses any other as MODULE_NOT_OWNED. */
export async function requireOwnModuleForWrite(call: Call, id: number): Promise<Module> {
  const module = await moduleById(call.db, id);
  if (module) return module;
  throw moduleNotOwned(id);
}

/** Refuses a module that is not the company's, as MODULE_NOT_OWNED. */
export async function refuseUnownedModule(call: Call, id: number): Promise<void> {
  if (!(await moduleExists(call.db, id))) throw moduleNotOwned(id);
}

/** Refuses a parcel that is not the company's. */
export async function requireOwnParcel(call: Call, id: number, unknownCode?: string): Promise<void> {
  if (!(await parcelExists(call.db, id)))
    throw await ownershipError(call, 'parcels', id, 'parcel', PARCEL_HINT, unknownCode);
}
/** The company's module, refused as not_found until it is commissioned. */

export async function commissionedModule(call: Call, id: number): Promise<Module> {
  const module = await requireOwnModule(call, id);
  if (module.commissionedAt === null)
    throw notFound(`Module ${id} was never commissioned.`, 'Commission it in the field first; list_modules shows it.');
  return module;
}
