import { isLoopback } from '../../domain/loopback.ts';
import {
  type CompanyBody,
  DEFAULT_TIME_ZONE,
  type EnumsBody,
  type ModuleBody,
  type SignInLinkBody,
  type UserBody,
} from '../../schema/company.ts';
import { languageOf } from '../index.ts';
import { parcelName, type SummaryContext } from '../summary-context.ts';
import { nameInSentence } from '../text.ts';
import { formatTime } from '../time.ts';

type Rows = readonly { readonly id: number; readonly name: string | null }[];

const namesWithIds = (rows: Rows, { lang }: SummaryContext): string =>
  rows.map(({ id, name }) => `${name ?? languageOf(lang).place.noName} (#${id})`).join(', ');

export function summarizeModules({ data }: { data: Rows }, context: SummaryContext): string {
  const { noModule, modules } = languageOf(context.lang).place;
  return data.length === 0 ? noModule : modules(namesWithIds(data, context));
}

export function summarizeParcels({ data }: { data: Rows }, context: SummaryContext): string {
  const { noParcel, parcels } = languageOf(context.lang).place;
  return data.length === 0 ? noParcel : parcels(namesWithIds(data, context));
}

export async function summarizeModule(
  { id, name, category, parcelId, sensors, location }: ModuleBody,
  { directory, lang }: SummaryContext,
): Promise<string> {
  return languageOf(lang).place.module({
    name: name ?? `Module ${id}`,
    kind: category,
    parcel: parcelId === null ? null : await parcelName(directory, parcelId, lang),
    sensors: sensors.length,
    depths: [...new Set(sensors.flatMap(({ depth }) => depth ?? []))],
    isMoved: location?.stale ?? false,
  });
}

export const summarizeCompany = ({ name, city, timezone }: CompanyBody, { lang }: SummaryContext): string =>
  languageOf(lang).place.company(name, city, timezone ?? DEFAULT_TIME_ZONE, timezone !== null);

export function summarizeUsers({ data }: { data: readonly UserBody[] }, { lang }: SummaryContext): string {
  const { noMembers, members } = languageOf(lang).place;
  return data.length === 0 ? noMembers : members(data);
}

export function summarizeSignInLink({ url, email, expiresAt }: SignInLinkBody, context: SummaryContext): string {
  const { signInLink, opensHereOnly } = languageOf(context.lang).place;
  const link = signInLink(nameInSentence(email), formatTime(expiresAt, context));
  return [link, ...(isLoopback(new URL(url).hostname) ? [opensHereOnly] : []), url].join(' ');
}

export const summarizeEnums = (lists: EnumsBody, { lang }: SummaryContext): string =>
  languageOf(lang).place.enums(Object.values(lists).flat().length);
