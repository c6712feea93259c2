import {
  type CompanyBody,
  DEFAULT_TIME_ZONE,
  type EnumsBody,
  type ModuleBody,
  type UserBody,
} from '../../schema/company.ts';
import { languageOf } from '../index.ts';
import type { SummaryContext } from '../summary-context.ts';
import { parcelName } from '../summary-context.ts';
import type { PlacePhrases } from './company-phrases.ts';

export const placePhrases = ({ lang }: Pick<SummaryContext, 'lang'>): PlacePhrases => languageOf(lang).place;

interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/** Names with ids, as a person would be asked to choose. */
const nameList = (rows: readonly { id: number; name: string | null }[], context: SummaryContext): string =>
  rows.map((row) => `${row.name ?? placePhrases(context).noName} (#${row.id})`).join(', ');

export const summarizeModules = (page: Page<Pick<ModuleBody, 'id' | 'name'>>, context: SummaryContext): string =>
  page.data.length === 0 ? placePhrases(context).noModule : placePhrases(context).modules(nameList(page.data, context));

export const summarizeParcels = (page: Page<{ id: number; name: string }>, context: SummaryContext): string =>
  page.data.length === 0 ? placePhrases(context).noParcel : placePhrases(context).parcels(nameList(page.data, context));

export async function summarizeModule(module: ModuleBody, context: SummaryContext): Promise<string> {
  const sentence = placePhrases(context).module({
    name: module.name ?? `Module ${module.id}`,
    kind: module.category,
    parcel: module.parcelId === null ? null : await parcelName(context.directory, module.parcelId, context.lang),
    sensors: module.sensors.length,
    depths: [...new Set(module.sensors.flatMap(({ depth }) => (depth === null ? [] : [depth])))],
    isMoved: module.location?.stale ?? false,
  });
  return sentence;
}

export const summarizeCompany = ({ name, city, timezone }: CompanyBody, context: SummaryContext): string =>
  placePhrases(context).company(name, city, timezone ?? DEFAULT_TIME_ZONE, timezone !== null);

export const summarizeUsers = ({ data }: { data: readonly UserBody[] }, context: SummaryContext): string =>
  data.length === 0 ? placePhrases(context).noMembers : placePhrases(context).members(data);

export const summarizeEnums = (lists: EnumsBody, context: SummaryContext): string =>
  placePhrases(context).enums(Object.values(lists).flat().length);
