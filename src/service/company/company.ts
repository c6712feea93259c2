import { foldText, quote } from '../../language/text.ts';
import type { Call } from '../../operation/call.ts';
import type { CompanyBody, UserBody } from '../../schema/company.ts';
import { AcequiaError } from '../../schema/error.ts';
import { allCompanies, allUsers, type CompanyRecord } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';

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

/** `#1` is always an id. Without `text`, the only company of the store. */
export async function chooseCompany(store: Store, text: string | undefined): Promise<CompanyRecord> {
  const companies = await store.readAll(allCompanies);
  if (companies.length === 0)
    throw new AcequiaError({
      code: 'not_found',
      status: 404,
      message: 'The store has no company yet.',
      hint: 'Import a farm file first: it declares the company, its modules and their sensors.',
    });
  const matches = text === undefined ? companies : matchingCompanies(companies, text);
  if (matches.length === 1) return matches[0]!;
  const listed = (matches.length > 0 ? matches : companies)
    .slice(0, 5)
    .map((company) => `${quote(company.name)} (#${company.id})`)
    .join(', ');
  throw new AcequiaError({
    code: text === undefined ? 'invalid_parameter' : matches.length === 0 ? 'not_found' : 'AMBIGUOUS_NAME',
    status: matches.length === 0 ? 404 : 400,
    message: selectionError(text, matches.length),
    hint: `Say which with --company: ${listed}.`,
    field: '--company',
  });
}

const selectionError = (text: string | undefined, matchCount: number): string => {
  if (text === undefined) return 'The store holds several companies.';
  return matchCount === 0 ? `No company is called ${quote(text)}.` : `${quote(text)} can mean several companies.`;
};

function matchingCompanies(companies: readonly CompanyRecord[], text: string): CompanyRecord[] {
  const name = text.trim();
  const id = /^#?(\d+)$/.exec(name)?.[1];
  const byId = companies.filter((company) => id !== undefined && company.id === Number(id));
  const exact = companies.filter((company) => company.name === name);
  const alike = exact.length > 0 ? exact : companies.filter((company) => foldText(company.name) === foldText(name));
  return [...new Set([...byId, ...alike])];
}

export async function listUsers(call: Call): Promise<{ data: UserBody[] }> {
  const users = await allUsers(call.db);
  return {
    data: users.map(({ id, name, email, role }) => ({
      userId: String(id),
      name,
      email,
      role: role as UserBody['role'],
    })),
  };
}
