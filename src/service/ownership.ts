import type { Call } from '../operation/call.ts';
import { forbidden, notFound, refuse } from '../schema/error.ts';
import { type Module, moduleById, moduleExists } from '../store/modules.ts';
import type { OwnedKind } from '../store/ownership.ts';
import { parcelExists } from '../store/parcels.ts';

/** The refusal of a row that is not the company's: 403 when another company has it, else 404. */
export async function notOurs(
  call: Call,
  kind: OwnedKind,
  id: number | string,
  what: string,
  hint: string,
  unknownCode?: string,
): Promise<Error> {
  return (await call.standsAnywhere(kind, id))
    ? forbidden(`${what} ${id} belongs to another company.`, hint)
    : notFound(`There is no ${what} ${id}.`, hint, unknownCode);
}

const MODULE_HINT = 'Pass a name or id from list_modules.';
const PARCEL_HINT = 'Pass a name or id from list_parcels.';

/** The company's module of that id. */
export async function ownModule(call: Call, id: number): Promise<Module> {
  const found = await moduleById(call.db, id);
  if (found) return found;
  throw await notOurs(call, 'modules', id, 'module', MODULE_HINT);
}

const notOwned = (id: number): Error =>
  refuse('MODULE_NOT_OWNED', `Module ${id} is not one of this company.`, { hint: MODULE_HINT, field: 'module' });

/** The company's module of that id, where the endpoint refuses any other as MODULE_NOT_OWNED. */
export async function ownModuleToWrite(call: Call, id: number): Promise<Module> {
  const found = await moduleById(call.db, id);
  if (found) return found;
  throw notOwned(id);
}

/** Refuses a module that is not the company's, as MODULE_NOT_OWNED. */
export async function refuseUnowned(call: Call, id: number): Promise<void> {
  if (!(await moduleExists(call.db, id))) throw notOwned(id);
}

/** Refuses a parcel that is not the company's. */
export async function ownParcel(call: Call, id: number, unknownCode?: string): Promise<void> {
  if (!(await parcelExists(call.db, id))) throw await notOurs(call, 'parcels', id, 'parcel', PARCEL_HINT, unknownCode);
}
