import type { CompanyBody } from '../../../src/schema/company/company.ts';

export const COMPANY: CompanyBody = {
  id: 1,
  name: 'Mas Rouge',
  legalName: null,
  countryCode: 'FR',
  currency: null,
  city: 'Lunel',
  postalCode: null,
  region: null,
  timezone: 'Europe/Paris',
  units: null,
};
