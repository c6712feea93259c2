import type { CropSeason } from '../../domain/balance/crop-season.ts';
import { IRRIGATION_SYSTEMS, IRRIGATION_WARNINGS } from '../../domain/irrigation/dose.ts';
import { INPUT_MODES } from '../../domain/irrigation/watering-amount.ts';
import { firstOf } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { foldText } from '../../domain/strings.ts';
import { bracketedId } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { languageOf } from '../../language/index.ts';
import type { Call } from '../../operation/call.ts';
import type { CompanyBody, EnumsBody, ParcelBody, UserBody } from '../../schema/company/company.ts';
import { AcequiaError, notFoundError } from '../../schema/error.ts';
import { WATERING_SOURCES, WATERING_STATUSES } from '../../schema/irrigation/watering.ts';
import { ROLES } from '../../schema/scope.ts';
import { allCompanies, allMembers, type CompanyRow } from '../../store/company/companies.ts';
import { type Parcel, parcelCount, parcelsAfter } from '../../store/company/parcels.ts';
import { currentSeasons } from '../../store/company/seasons.ts';
import type { Store } from '../../store/store.ts';
import { idBeforePage, toPage } from '../pagination.ts';
import { seasonOfCrop } from './seasons.ts';

export const toCompanyBody = (company: CompanyRow): CompanyBody => ({
  id: company.id,
  name: company.name,
  legalName: company.legal_name,
  countryCode: company.country_code,
  currency: company.currency,
  city: company.city,
  postalCode: company.postal_code,
  region: company.region,
  timezone: company.timezone,
  units: company.units,
});

export const getCompany = ({ company }: Call): CompanyBody => toCompanyBody(company);

/** Chooses the only company of the store if `text` is undefined. */
export const chooseCompany = (store: Store, text: string | undefined): Promise<CompanyRow> =>
  chooseBy(companiesSpokenAs, store, text);

/** Serves what grants access to the company, so that a similar name is not enough. */
export const chooseCompanyByExactName = (
  store: Store,
  text: string | undefined,
): Promise<CompanyRow> => chooseBy(companiesNamed, store, text);

const MAX_NAMED_COMPANIES = 5;

async function chooseBy(
  matching: typeof companiesNamed,
  store: Store,
  text: string | undefined,
): Promise<CompanyRow> {
  const companies = await store.readAll(allCompanies);
  if (companies.length === 0)
    throw notFoundError(
      say`The store has no company yet.`,
      say`Run "acequia init", or import a farm file: it declares the company, its modules and their sensors.`,
    );

  const matches = text === undefined ? companies : matching(companies, text);
  if (matches.length === 1) return firstOf(matches);

  const candidates = matches.length > 0 ? matches : companies;
  const listed = commaSeparated(candidates.slice(0, MAX_NAMED_COMPANIES).map(companyWithId));
  const others = candidates.length - MAX_NAMED_COMPANIES;
  const more = others > 0 ? say`, and ${others} more` : null;

  throw new AcequiaError({
    ...selectionFault(text, matches.length),
    hint: say`Say which with --company: ${listed}${more}.`,
    field: '--company',
  });
}

function selectionFault(text: string | undefined, matchCount: number) {
  if (text === undefined)
    return {
      code: 'invalid_parameter',
      status: 400,
      message: say`The store holds several companies.`,
    };

  if (matchCount === 0)
    return {
      code: 'not_found',
      status: 404,
      message: say`No company is called ${quotedName(text)}.`,
    };

  return {
    code: 'AMBIGUOUS_NAME',
    status: 400,
    message: say`${quotedName(text)} can mean several companies.`,
  };
}

type Named = Pick<CompanyRow, 'id' | 'name'>;

export const companyWithId = ({ id, name }: Named): Text =>
  say`${quotedName(name)}${bracketedId(id)}`;

/** By id, with or without "#", or exact name, as what grants access needs; a number may be both. */
export function companiesNamed<Company extends Named>(
  companies: readonly Company[],
  text: string,
): Company[] {
  const name = text.trim();
  const id = /^#?(\d+)$/.exec(name)?.[1];
  return companies.filter(
    (company) =>
      company.name.normalize() === name.normalize() ||
      (id !== undefined && company.id === Number(id)),
  );
}

/** As `companiesNamed`; if there is none, by the name without case and accents. */
export function companiesSpokenAs<Company extends Named>(
  companies: readonly Company[],
  text: string,
): Company[] {
  const named = companiesNamed(companies, text);
  if (named.length > 0) return named;
  return companies.filter((company) => foldText(company.name) === foldText(text));
}

export async function listUsers(call: Call): Promise<{ data: UserBody[] }> {
  return { data: (await allMembers(call.db)).map(toUserBody) };
}

export const toUserBody = ({
  id,
  name,
  email,
  role,
}: Awaited<ReturnType<typeof allMembers>>[number]): UserBody => ({
  userId: String(id),
  name,
  email,
  role,
});

const labelCodes = <const Code extends string>(
  codes: readonly Code[],
  labels: Readonly<Record<NoInfer<Code>, string>>,
) => codes.map((code) => ({ code, label: labels[code] }));

export function listEnums(lang: Lang): EnumsBody {
  const { enumLabels, measurements } = languageOf(lang);
  return {
    measurement_types: MEASUREMENT_TYPES.map((code) => ({ code, label: measurements[code].label })),
    company_roles: labelCodes(ROLES, enumLabels.company_roles),
    agronomic_states: labelCodes(['saturated', 'comfort', 'stress'], enumLabels.agronomic_states),
    irrigation_systems: labelCodes(IRRIGATION_SYSTEMS, enumLabels.irrigation_systems),
    irrigation_input_modes: labelCodes(INPUT_MODES, enumLabels.irrigation_input_modes),
    irrigation_event_statuses: labelCodes(WATERING_STATUSES, enumLabels.irrigation_event_statuses),
    irrigation_event_sources: labelCodes(WATERING_SOURCES, enumLabels.irrigation_event_sources),
    irrigation_schedule_freqs: labelCodes(
      ['daily', 'weekly'],
      enumLabels.irrigation_schedule_freqs,
    ),
    irrigation_confirmation_policies: labelCodes(
      ['auto', 'manual'],
      enumLabels.irrigation_confirmation_policies,
    ),
    irrigation_warnings: labelCodes(IRRIGATION_WARNINGS, enumLabels.irrigation_warnings),
  };
}

const NO_OUTLINE: ParcelBody['geometry'] = { type: 'Polygon', coordinates: [] };

const conciseParcel = ({ id, name, type, areaM2 }: Parcel) =>
  areaM2 === null ? { id, name, type } : { id, name, type, areaM2 };

export function toParcelBody(parcel: Parcel, stored: CropSeason | undefined): ParcelBody {
  const { crop, ...known } = seasonOfCrop(parcel.type, stored);
  const isKnown = Object.values(known).some((value) => value !== null);
  return {
    ...conciseParcel(parcel),
    geometry: parcel.geometry ?? NO_OUTLINE,
    ...(isKnown ? { season: { crop, ...known } } : {}),
  };
}

async function* parcelsWithSeasons({ db }: Call, afterId: number) {
  for await (const parcels of parcelsAfter(db, afterId)) {
    const seasons = await currentSeasons(
      db,
      parcels.map(({ id }) => id),
    );
    for (const parcel of parcels) yield { parcel, season: seasons.get(parcel.id)?.season };
  }
}

export async function listParcels(
  call: Call,
  query: { limit: number; cursor?: string | undefined; detail: 'concise' | 'full' },
) {
  const list = ['parcels', call.company.id] as const;
  const afterId = idBeforePage(list, query.cursor);
  const total = await parcelCount(call.db);
  if (total > 0) call.advise({ kind: 'total', count: total });

  return toPage(list, parcelsWithSeasons(call, afterId), {
    limit: query.limit,
    positionOf: ({ parcel }) => [parcel.id],
    bodyOf: ({ parcel, season }) =>
      query.detail === 'concise' ? conciseParcel(parcel) : toParcelBody(parcel, season),
  });
}
