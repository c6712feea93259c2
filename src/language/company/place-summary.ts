import { firstOf, itemAt } from '../../domain/items.ts';
import { isLoopback } from '../../domain/loopback.ts';
import { capitalize, nameInSentence } from '../../domain/text.ts';
import { M2_PER_HA } from '../../domain/units.ts';
import {
  type CompanyBody,
  DEFAULT_TIME_ZONE,
  type EnumsBody,
  type ModuleBody,
  type SignInLinkBody,
  type UserBody,
} from '../../schema/company/company.ts';
import type { SeasonBody } from '../../schema/company/season.ts';
import type { CompanyAnswer, ModuleAnswer, ParcelAnswer } from '../../schema/farm/farm-entry.ts';
import { englishFormat } from '../en/grammar.ts';
import { formatAmount, formatEstimate } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { parcelName, type SummaryContext } from '../summary-context.ts';
import { formatLocalDay, formatTime } from '../time.ts';
import type { ModuleSetting } from './place-phrases.ts';
import { placePhrases } from './place-phrases.ts';

type Rows = readonly { readonly name: string | null }[];

const namesOf = (rows: Rows): string =>
  rows.map(({ name }) => name ?? placePhrases.noName).join(', ');

export function summarizeModules({ data }: { data: Rows }): string {
  const { noModule, modules } = placePhrases;
  return data.length === 0 ? noModule : modules(namesOf(data));
}

export function summarizeParcels({ data }: { data: Rows }): string {
  const { noParcel, parcels } = placePhrases;
  return data.length === 0 ? noParcel : parcels(namesOf(data));
}

export async function summarizeModule(
  { id, name, category, parcelId, sensors, location }: ModuleBody,
  { directory }: SummaryContext,
): Promise<string> {
  return placePhrases.module({
    name: name ?? `Module ${id}`,
    kind: category,
    parcel: parcelId === null ? null : await parcelName(directory, parcelId),
    sensors: sensors.length,
    depths: [...new Set(sensors.flatMap(({ depth }) => depth ?? []))],
    isMoved: location?.stale ?? false,
  });
}

export const summarizeCompany = ({ name, city, timezone }: CompanyBody): string =>
  placePhrases.company(name, city, timezone ?? DEFAULT_TIME_ZONE, timezone !== null);

export function summarizeUsers({ data }: { data: readonly UserBody[] }): string {
  const { noMembers, members } = placePhrases;
  return data.length === 0 ? noMembers : members(data);
}

export function summarizeSignInLink(
  { url, email, expiresAt }: SignInLinkBody,
  context: SummaryContext,
): string {
  const { signInLink, opensHereOnly } = placePhrases;
  const link = signInLink(nameInSentence(email), formatTime(expiresAt, context));
  return joinSentences([link, isLoopback(new URL(url).hostname) ? opensHereOnly : null, url]);
}

export const summarizeEnums = (lists: EnumsBody): string =>
  placePhrases.enums(Object.keys(lists).length, Object.values(lists).flat().length);

/** Leaves out the earlier values: the body has them, in the form that restores them. */
function describeOutcome(before: object | null): string {
  const { added, changed, unchanged } = placePhrases;
  if (before === null) return added;
  return Object.keys(before).length > 0 ? changed : unchanged;
}

export function summarizeCompanyEntry({ company, owner, before }: CompanyAnswer): string {
  return joinSentences([
    `${describeOutcome(before)} ${summarizeCompany(company)}`,
    ...describeCompany(company, before).map((text) => `${capitalize(text)}.`),
    owner ? placePhrases.members([owner]) : null,
    before === null ? placePhrases.companyNext : null,
  ]);
}

/** Leaves out the name, city and zone of a new company, which are in the first sentence. */
function describeCompany(
  { id: _, name, city, timezone, ...others }: CompanyBody,
  before: CompanyAnswer['before'],
): string[] {
  const format = (value: string | null | undefined): string | null => nameInSentence(value) || null;

  if (before === null)
    return (Object.keys(others) as (keyof typeof others)[])
      .filter((field) => others[field] !== null)
      .map((field) => placePhrases.companySetting(field, format(others[field])));

  const { newName, ownerEmail: _owner, ...changed } = before;
  const earlier = newName === undefined ? changed : { name: newName, ...changed };
  const values = { name, city, timezone, ...others };

  return (Object.keys(earlier) as (keyof typeof earlier)[]).map((field) =>
    placePhrases.companyChange(field, format(values[field]), format(earlier[field])),
  );
}

/** Gives both units, so that the person notices a wrong one. */
function formatArea(areaM2: number): string {
  const m2 = `${formatEstimate(areaM2)} m2`;
  return areaM2 < M2_PER_HA / 100 ? m2 : `${formatAmount(areaM2 / M2_PER_HA)} ha (${m2})`;
}

export function summarizeParcelEntry(
  { parcel, before }: ParcelAnswer,
  context: SummaryContext,
): string {
  const { name, type, areaM2, geometry, season } = parcel;
  return `${describeOutcome(before)} ${placePhrases.parcel({
    name: nameInSentence(name),
    crop: nameInSentence(type) || null,
    area: areaM2 === undefined ? null : formatArea(areaM2),
    hasOutline: geometry.coordinates.length > 0,
    season: season === undefined ? null : seasonInWords(season, context),
  })}`;
}

function seasonInWords(
  { plantedOn, harvestedOn, stage, rootDepthCm }: SeasonBody,
  context: SummaryContext,
) {
  const inWords = (day: string | null) => (day === null ? null : formatLocalDay(day, context));
  return {
    plantedOn: inWords(plantedOn),
    harvestedOn: inWords(harvestedOn),
    stage,
    rootDepthCm: rootDepthCm === null ? null : englishFormat.number(rootDepthCm),
  };
}

/**
 * The first sentence has name, parcel, category and depths. Of a new module, only the settings in
 * the call follow.
 */
export async function summarizeModuleEntry(
  { module, before, after }: ModuleAnswer,
  context: SummaryContext,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const changed =
    before !== null && input.device !== undefined ? { ...before, device: null } : before;
  const firstSentence = `${describeOutcome(changed)} ${await summarizeModule(module, context)}`;
  const settings = describeModuleSettings(module, after, context)
    .filter(([name]) => before !== null || input[name] !== undefined)
    .map(([, text]) => `${capitalize(text)}.`);
  return joinSentences([firstSentence, ...settings]);
}

function describeModuleSettings(
  { location }: ModuleBody,
  { sensors: _, ...values }: ModuleAnswer['after'],
  context: SummaryContext,
): [name: string, text: string][] {
  // A slash separates the two, because some languages have a decimal comma.
  const position = location && [location.lat, location.lon].map(englishFormat.number).join(' / ');
  const texts: {
    readonly [Name in keyof typeof values]?: readonly [ModuleSetting, string | null];
  } = {
    latitude: ['position', position],
    longitude: ['position', position],
    commissionedAt: [
      'commissionedAt',
      values.commissionedAt ? formatCommissioning(values.commissionedAt, context) : null,
    ],
    serialHex: ['serialHex', nameInSentence(values.serialHex) || null],
    number: ['number', values.number == null ? null : String(values.number)],
    uid: ['uid', nameInSentence(values.uid) || null],
    gateway: ['gateway', nameInSentence(values.gateway) || null],
    rootDepthCm: [
      'rootDepthCm',
      values.rootDepthCm == null ? null : `${englishFormat.number(values.rootDepthCm)} cm`,
    ],
    depthWeights: ['depthWeights', values.depthWeights ? formatWeights(values.depthWeights) : null],
  };

  return Object.entries(texts)
    .filter(([name]) => name in values && !(name === 'longitude' && 'latitude' in values))
    .map(([name, [setting, value]]) => [name, placePhrases.setting(setting, value)]);
}

const formatCommissioning = (time: string, context: SummaryContext): string =>
  Date.parse(time) === 0 ? placePhrases.beginning : formatTime(time, context);

/** Takes texts such as "20: 0.5" (depth and weight), which may be quoted. */
export function formatWeights(texts: readonly string[]): string {
  return englishFormat.list(
    texts.map((text) => {
      const figures = (text.match(/[\d.e-]+/g) ?? []).map((figure) =>
        englishFormat.number(Number(figure)),
      );
      return placePhrases.weightAt(itemAt(figures, 1), firstOf(figures));
    }),
  );
}
