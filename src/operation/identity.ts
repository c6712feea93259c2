import type { Kysely } from 'kysely';
import { AcequiaError, notFound } from '../schema/error.ts';
import { SCOPES } from '../schema/scope.ts';
import type { WateringSource } from '../schema/watering.ts';
import { type CompanyRecord, oldestTwoCompanies } from '../store/company/companies.ts';
import type { Tables } from '../store/tables.ts';
import type { Caller } from './authorization.ts';

export interface Identity {
  readonly caller: Caller;
  readonly company: CompanyRecord;
  readonly source?: WateringSource;
}

export type Identify = (all: Kysely<Tables>) => Promise<Identity>;

export async function ownerOfOnlyCompany(all: Kysely<Tables>): Promise<Identity> {
  const [company, another] = await oldestTwoCompanies(all);
  if (!company)
    throw notFound(
      'The store contains no farm yet.',
      'Run "acequia import farm.json", or "acequia demo" for a farm to try it with.',
    );
  if (another)
    throw new AcequiaError({
      code: 'unauthenticated',
      status: 401,
      message: 'The store contains several companies, and the call does not say which one.',
      hint: 'Use a store with one company (--db).',
    });
  const caller: Caller = {
    id: 'owner',
    companyId: company.id,
    userId: company.owner_id,
    role: 'OWNER',
    scopes: SCOPES,
  };
  return { caller, company };
}
