import type { Call } from '../operation/call.ts';
import type { CompanyBody } from '../schema/place.ts';

/** The company of the caller. */
export function getCompany({ company }: Call): CompanyBody {
  return {
    id: company.id,
    name: company.name,
    legalName: company.legal_name,
    countryCode: company.country_code,
    currency: company.currency,
    city: company.city,
    postalCode: company.postal_code,
    region: company.region,
    timezone: company.timezone,
  };
}
