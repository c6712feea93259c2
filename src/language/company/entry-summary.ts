import { type CompanyBody, DEFAULT_TIME_ZONE } from '../../schema/company.ts';
import type { CompanyAnswer, ModuleAnswer, ParcelAnswer } from '../../schema/farm-entry.ts';
import { languageOf } from '../index.ts';
import { formatAmount } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { nameInSentence } from '../text.ts';
import { summarizeCompany, summarizeModule } from './place-summary.ts';

const M2_PER_HA = 10_000;

/** What it was is in the body, in the form in which it is set back. */
function outcome(before: object | null, { lang }: SummaryContext): string {
  const { added, changed, unchanged } = languageOf(lang).place;
  if (before === null) return added;
  return Object.keys(before).length > 0 ? changed : unchanged;
}

const spokenZone = (company: CompanyBody, context: SummaryContext): SummaryContext => ({
  ...context,
  zone: company.timezone ?? DEFAULT_TIME_ZONE,
});

export function summarizeCompanyEntry({ company, owner, before }: CompanyAnswer, context: SummaryContext): string {
  const { place } = languageOf(context.lang);
  return [
    `${outcome(before, context)} ${summarizeCompany(company, spokenZone(company, context))}`,
    ...(owner ? [place.members([owner])] : []),
    ...(before === null ? [place.companyNext] : []),
  ].join(' ');
}

export function summarizeParcelEntry({ parcel, before }: ParcelAnswer, context: SummaryContext): string {
  const { name, type, areaM2, geometry } = parcel;
  return `${outcome(before, context)} ${languageOf(context.lang).place.parcel({
    name: nameInSentence(name),
    crop: nameInSentence(type) || null,
    hectares: areaM2 === undefined ? null : formatAmount(areaM2 / M2_PER_HA, context.lang),
    hasOutline: geometry.coordinates.length > 0,
  })}`;
}

export const summarizeModuleEntry = async (
  { module, before }: ModuleAnswer,
  context: SummaryContext,
): Promise<string> => `${outcome(before, context)} ${await summarizeModule(module, context)}`;
