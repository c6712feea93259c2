import { foldText, quote } from '../operation/names.ts';
import { AcequiaError } from '../schema/error.ts';
import { allCompanies, type CompanyRecord } from '../store/companies.ts';
import type { Store } from '../store/store.ts';

/** The company that a command is about: the one it names (name or id, `#1` always the id), else the store's only one. */
export async function chooseCompany(store: Store, text: string | undefined): Promise<CompanyRecord> {
  const companies = await store.readAll(allCompanies);
  if (companies.length === 0)
    throw new AcequiaError({
      code: 'not_found',
      status: 404,
      message: 'The store holds no company yet.',
      hint: 'Import a farm file first: it declares the company, its modules and their sensors.',
    });
  const found = text === undefined ? companies : matchingCompanies(companies, text);
  if (found.length === 1) return found[0]!;
  const listed = (found.length > 0 ? found : companies)
    .slice(0, 5)
    .map((company) => `${quote(company.name)} (#${company.id})`)
    .join(', ');
  throw new AcequiaError({
    code: text === undefined ? 'invalid_parameter' : found.length === 0 ? 'not_found' : 'AMBIGUOUS_NAME',
    status: found.length === 0 ? 404 : 400,
    message: selectionError(text, found.length),
    hint: `Say which with --company: ${listed}.`,
    field: '--company',
  });
}

const selectionError = (text: string | undefined, found: number): string => {
  if (text === undefined) return 'The store holds several companies.';
  return found === 0 ? `No company is called ${quote(text)}.` : `${quote(text)} can mean several companies.`;
};

function matchingCompanies(companies: readonly CompanyRecord[], text: string): CompanyRecord[] {
  const name = text.trim();
  const id = /^#?(\d+)$/.exec(name)?.[1];
  const byId = companies.filter((company) => id !== undefined && company.id === Number(id));
  const exact = companies.filter((company) => company.name === name);
  const alike = exact.length > 0 ? exact : companies.filter((company) => foldText(company.name) === foldText(name));
  return [...new Set([...byId, ...alike])];
}
