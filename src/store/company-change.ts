import { companyIdOf } from './company-db.ts';
import { adapterOf } from './store-adapter.ts';
import type { CompanyDb } from './tables.ts';

/** With the commit of the transaction, to those who listen with `onCompanyChange`, in every process. */
export const announceChange = (db: CompanyDb): Promise<void> => adapterOf(db).announceChange(companyIdOf(db));
